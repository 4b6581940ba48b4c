#include "catcher/caller.hpp"

int main(int argc, char** argv) {
  return telltale::catcher::run_caller(argc, argv);
}
