// Real programs in the sealed world.
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "inside.hpp"
#include "support/catch.hpp"
#include "support/requirement.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::test;

TEST_CASE("a shell pipeline works, and its status is the shell's") {
  if (!have_world()) return;
  const auto ran = run_inside({"sh", "-c", "seq 1 5 | sort -r | head -n 2; exit 3"});
  CHECK(ran.output == "5\n4\n");
  CHECK(ran.exit.status == 3);
}

TEST_CASE("a signal to the subject is the subject's to handle") {
  if (!have_world()) return;
  subject::FileDescriptor output;
  auto process = start_python(R"(
import signal
signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))
print('ready', flush=True)
signal.pause()
)",
                              output);
  REQUIRE(read_line(output.get()) == "ready\n");
  process->signal(SIGTERM);
  const auto exit = process->wait(subject::Milliseconds(10'000));
  REQUIRE(exit);
  CHECK(exit->status == 9);
}

// Its master drops privileges: as root it must be able to chown and setuid inside.
TEST_CASE("nginx listens on port 80, serves, and its workers are another user's") {
  if (!have_world() || !require(have_program("nginx"), "nginx")) return;
  const TemporaryFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  const auto root = folder.path().string();
  const auto file = folder.write(
      "nginx.conf", std::string(getuid() == 0 ? "user www-data; " : "") + "daemon off; pid " +
                        root + "/pid; error_log stderr;\nevents {}\nhttp {\n" +
                        "access_log off; client_body_temp_path " + root +
                        "/body; proxy_temp_path " + root + "/proxy; fastcgi_temp_path " + root +
                        "/fast; uwsgi_temp_path " + root + "/uwsgi; scgi_temp_path " + root +
                        "/scgi;\nserver { listen 80; location / { return 200 served; } } }\n");
  const auto ran = run_inside({"sh", "-c", "nginx -c " + file.string() + R"( & server=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  python3 -c 'import urllib.request as r; print(r.urlopen("http://127.0.0.1/").read().decode())' \
    2>/dev/null && break
  sleep 0.1
done
ps -o user= --ppid $server
kill $server; wait $server)"});
  CHECK_THAT(ran.output, Holds("served\n"));
  CHECK_THAT(ran.output, Holds(getuid() == 0 ? "www-data" : "nobody"));
  CHECK(ran.exit.clean());
}
