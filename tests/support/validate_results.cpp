// validate_results FILE...: exit 0 when every file is a valid results.json, 1 when one is not
// (faults on stdout), 2 without a file. For the end-to-end runner.
#include <iostream>

#include "support/results_schema.hpp"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: validate_results FILE...\n";
    return 2;
  }
  int status = 0;
  for (int i = 1; i < argc; ++i)
    for (const auto& fault : telltale::test::results_faults_in(argv[i])) {
      std::cout << argv[i] << ": " << fault << '\n';
      status = 1;
    }
  return status;
}
