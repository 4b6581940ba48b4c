#include "subject/handed_over/clients.hpp"

#include <unistd.h>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using subject::asks_a_daemon;
using test::Holds;

TEST_CASE("a client that has a daemon start something is recognised") {
  const subject::ClientSurroundings none{{}, {}, true};
  for (const auto& command : std::vector<subject::Argv>{
           {"docker", "run", "-it", "image"},
           {"/usr/local/bin/docker", "-H", "tcp://there", "--debug", "container", "run", "image"},
           {"docker", "compose", "-f", "a.yaml", "up"},
           {"docker-compose", "up"},
           {"sudo", "docker", "start", "web"},
           {"env", "A=b", "nohup", "docker", "exec", "web", "sh"},
           {"podman", "--remote", "run", "image"},
           {"nerdctl", "run", "image"},
           {"systemctl", "--user", "restart", "thing"},
           {"systemctl", "start", "nginx"},
           {"service", "nginx", "start"},
           {"systemd-run", "curl", "http://a.example"},
           {"lxc", "launch", "image"},
           {"at", "now"}}) {
    CAPTURE(command);
    const auto error = asks_a_daemon(command, none);
    REQUIRE(error);
    CHECK(error->fault == Fault::instrument);
    CHECK_THAT(error->what, Holds("only asks"));
    CHECK_THAT(error->fix, Holds("egress --"));
  }
}

TEST_CASE("what does its own work, or only looks, is left alone") {
  const subject::ClientSurroundings none{{}, {}, false};
  for (const auto& command : std::vector<subject::Argv>{{},
                                                        {"sudo"},
                                                        {"docker", "--version"},
                                                        {"docker", "run", "--help"},
                                                        {"docker", "ps"},
                                                        {"docker", "--host", "run"},
                                                        {"podman", "run", "image"},
                                                        {"podman", "run", "image", "--remote"},
                                                        {"systemctl", "status", "nginx"},
                                                        {"service", "nginx", "start"},
                                                        {"systemd-run", "--scope", "true"},
                                                        {"at", "-l"},
                                                        {"echo", "docker", "run"},
                                                        {"sh", "-c", "docker run image"},
                                                        {"run"}}) {
    CAPTURE(command);
    CHECK_FALSE(asks_a_daemon(command, none));
  }
}

TEST_CASE("a docker that is podman asks nobody") {
  const test::TemporaryFolder folder;
  const auto docker =
      folder.write_program("docker", "#!/bin/sh\nexec /usr/bin/podman \"$@\"\n").string();
  CHECK_FALSE(asks_a_daemon({docker, "run", "image"}));
}

TEST_CASE("what a unit runs is named, with its file and user") {
  const test::TemporaryFolder folder;
  folder.write("web.service", "[Service]\nExecStart=/usr/bin/web --port 80\nUser=www\n");
  const subject::ClientSurroundings around{{folder.path()}, {}, true};
  const auto error = asks_a_daemon({"systemctl", "start", "web"}, around);
  REQUIRE(error);
  CHECK_THAT(error->fix, Holds("egress -- /usr/bin/web --port 80 (ExecStart= of " +
                               (folder / "web.service").string() + ", as user www)"));
  CHECK_THAT(asks_a_daemon({"service", "web", "restart"}, around)->fix, Holds("/usr/bin/web"));
  CHECK_THAT(asks_a_daemon({"systemctl", "start", "unknown"}, around)->fix,
             Holds("systemctl cat unknown"));
}

TEST_CASE("a process that runs already is started anew instead") {
  const auto error = subject::runs_already(getpid());
  CHECK(error.fault == Fault::instrument);
  CHECK_THAT(error.what, Holds("runs already"));
  CHECK_THAT(error.fix, Holds("subject_test"));
  CHECK(subject::runs_already(1 << 30).fault == Fault::input);
}
