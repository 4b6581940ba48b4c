#include "catcher/scene.hpp"

#include "support/catch.hpp"

using telltale::catcher::Scene;

TEST_CASE("what a control without ports asks leaves every port of that address to the subject") {
  Scene scene([] { return std::vector<pid_t>{}; });
  scene.add_control("203.0.113.17", 0);
  scene.add_control("203.0.113.18", 5000);
  CHECK(scene.is_control("203.0.113.17", 0));
  CHECK_FALSE(scene.is_control("203.0.113.17", 3478));
  CHECK(scene.is_control("203.0.113.18", 5000));
  CHECK_FALSE(scene.is_control("203.0.113.18", 5001));
}
