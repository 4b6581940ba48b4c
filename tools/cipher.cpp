#include "cipher_command.hpp"

int main(int argc, char** argv) {
  return telltale::tools::cipher(argc, argv);
}
