#include "evidence/subject_stamp.hpp"

#include <sys/stat.h>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale::evidence;
using telltale::Fault;
using telltale::test::TemporaryFolder;

namespace {

// "role name" of each file, in order.
std::vector<std::string> roles(const std::vector<ExecutedFile>& files) {
  std::vector<std::string> all;
  for (const auto& file : files)
    all.push_back(file.role + " " + std::filesystem::path(file.path).filename().string());
  return all;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("SHA-256 of known messages") {
  // FIPS 180-2, appendix B.
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("a file is hashed in pieces") {
  const TemporaryFolder folder;
  const std::string bytes(1'000'003, 'a');
  CHECK(sha256_of_file(folder.write("big", bytes)).value() == sha256_hex(bytes));
  CHECK(sha256_of_file(folder.write("empty", "")).value() == sha256_hex(""));
}

TEST_CASE("what is not a readable file says so") {
  const TemporaryFolder folder;
  const auto missing = sha256_of_file(folder / "nothing");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().fault == Fault::input);
  CHECK(missing.error().what.find("nothing cannot be read: No such file") != std::string::npos);
  CHECK_FALSE(sha256_of_file(folder.path()));
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  const auto pipe = sha256_of_file(folder / "pipe");  // would hang if it were opened to wait
  REQUIRE_FALSE(pipe);
  CHECK(pipe.error().what.find("not a regular file") != std::string::npos);
}

TEST_CASE("a program is found on the subject's PATH and its links are resolved") {
  const TemporaryFolder folder;
  folder.write("not-executable/tool", "x");
  const auto real = folder.write_program("real/tool-1.2", "binary");
  std::filesystem::create_directories(folder / "bin");
  std::filesystem::create_symlink(real, folder / "bin/tool");
  const auto path = (folder / "not-executable").string() + ":" + (folder / "bin").string();
  const auto files = executed_files({"tool", "serve"}, path, folder.path()).value();
  REQUIRE(files.size() == 1);
  CHECK(files[0].path == real.string());
  CHECK(files[0].role == "program");
  CHECK(files[0].size == 6);
  CHECK(files[0].sha256 == sha256_hex("binary"));

  CHECK(executed_files({"./real/tool-1.2"}, "", folder.path()).value()[0].path == real.string());
  CHECK(executed_files({"tool-1.2"}, "real", folder.path()).value()[0].path == real.string());
}

TEST_CASE("a program that cannot be started is the user's to mend") {
  const TemporaryFolder folder;
  folder.write("tool", "x");
  for (const auto& [argv, what] : std::vector<std::pair<Words, std::string>>{
           {{}, "the command is empty"},
           {{""}, "the command is empty"},
           {{"absent"}, "the program \"absent\" is not on the PATH (/nowhere)"},
           {{"./absent"}, "does not exist"},
           {{"./tool"}, "tool is not executable"},
       }) {
    const auto files = executed_files(argv, "/nowhere", folder.path());
    REQUIRE_FALSE(files);
    CHECK(files.error().fault == Fault::input);
    CHECK(files.error().what.find(what) != std::string::npos);
    CHECK_FALSE(files.error().fix.empty());
  }
}

TEST_CASE("a script gives its interpreter and itself") {
  const TemporaryFolder folder;
  folder.write_program("bin/python3.11",
                       "\x7f"
                       "ELF python");
  std::filesystem::create_symlink("python3.11", folder / "bin/python3");
  folder.write_program("bin/env",
                       "\x7f"
                       "ELF env");
  const auto bin = (folder / "bin").string();

  folder.write_program("direct", "#!" + bin + "/python3 -u\nprint()\n");
  CHECK(roles(executed_files({"./direct", "x"}, bin, folder.path()).value()) ==
        Words{"interpreter python3.11", "script direct"});

  folder.write_program("by-env", "#!" + bin + "/env python3\n");
  CHECK(roles(executed_files({"./by-env"}, bin, folder.path()).value()) ==
        Words{"interpreter env", "interpreter python3.11", "script by-env"});

  // A shim is a script itself: what runs both is one file.
  folder.write_program("bin/shim", "#!" + bin + "/env python3\n");
  folder.write_program("by-shim", "#!" + bin + "/env shim\n");
  CHECK(roles(executed_files({"./by-shim"}, bin, folder.path()).value()) ==
        Words{"interpreter env", "interpreter python3.11", "script shim", "script by-shim"});

  folder.write_program("split", "#! " + bin + "/env -S A=1 python3 -u \n");
  CHECK(roles(executed_files({"./split"}, bin, folder.path()).value()) ==
        Words{"interpreter env", "interpreter python3.11", "script split"});

  folder.write_program("nested", "#!" + (folder / "direct").string() + "\n");
  CHECK(roles(executed_files({"./nested"}, bin, folder.path()).value()) ==
        Words{"interpreter python3.11", "script direct", "script nested"});
}

TEST_CASE("an interpreter that is missing, or that is the script itself, is named") {
  const TemporaryFolder folder;
  folder.write_program("lost", "#!/nowhere/python\n");
  const auto lost = executed_files({"./lost"}, "", folder.path());
  REQUIRE_FALSE(lost);
  CHECK(lost.error().what.find("/nowhere/python does not exist") != std::string::npos);

  folder.write_program("circle", "#!" + (folder / "circle").string() + "\n");
  const auto circle = executed_files({"./circle"}, "", folder.path());
  REQUIRE_FALSE(circle);
  CHECK(circle.error().what.find("interpreter of itself") != std::string::npos);
}

TEST_CASE("an interpreter's file is executed too") {
  const TemporaryFolder folder;
  for (const auto* name : {"java", "python3", "node", "sh", "env"})
    folder.write_program(std::filesystem::path("bin") / name,
                         "\x7f"
                         "ELF");
  folder.write("app.jar", "PK");
  folder.write("lib/b.jar", "PK");
  folder.write("app.py", "pass");
  folder.write("server.js", "1");
  folder.write("run.sh", ":");
  const auto bin = (folder / "bin").string();
  const auto executed = [&](const Words& argv) {
    return roles(executed_files(argv, bin, folder.path()).value());
  };
  CHECK(executed({"java", "-Xmx1g", "-jar", "app.jar", "-jar", "x"}) ==
        Words{"interpreter java", "jar app.jar"});
  CHECK(executed({"java", "-cp", "app.jar:lib/b.jar", "Main"}) ==
        Words{"interpreter java", "jar app.jar", "jar b.jar"});
  CHECK(executed({"python3", "-u", "-W", "ignore", "app.py", "x.py"}) ==
        Words{"interpreter python3", "script app.py"});
  CHECK(executed({"node", "-r", "./hook", "server"}) ==
        Words{"interpreter node", "script server.js"});
  CHECK(executed({"sh", "-e", "run.sh"}) == Words{"interpreter sh", "script run.sh"});
  CHECK(executed({"env", "-i", "A=1", "sh", "run.sh"}) ==
        Words{"interpreter env", "interpreter sh", "script run.sh"});
  CHECK(executed({"python3", "-m", "http.server"}) == Words{"program python3"});
  CHECK(executed({"sh", "-ec", "echo"}) == Words{"program sh"});

  const auto missing = executed_files({"java", "-jar", "gone.jar"}, bin, folder.path());
  REQUIRE_FALSE(missing);
  CHECK(missing.error().what.find("the jar ") == 0);
  CHECK(missing.error().what.find("gone.jar that java is given does not exist") !=
        std::string::npos);
}

TEST_CASE("credentials are taken out of a remote") {
  CHECK(without_credentials("https://user:token@host/x.git") == "https://host/x.git");
  CHECK(without_credentials("https://token@host:8443/x") == "https://host:8443/x");
  CHECK(without_credentials("https://user:p@ss@host/x@y") == "https://host/x@y");
  CHECK(without_credentials("https://host/x?private_token=abc#frag") == "https://host/x");
  CHECK(without_credentials("https://host") == "https://host");
  CHECK(without_credentials("ssh://git@host/x") == "ssh://host/x");
  CHECK(without_credentials("git@host:group/x.git") == "host:group/x.git");
  CHECK(without_credentials("user:token@host:x") == "host:x");
  CHECK(without_credentials("/srv/a@b/x.git") == "/srv/a@b/x.git");
  CHECK(without_credentials("../x") == "../x");
  CHECK(without_credentials("").empty());
}
