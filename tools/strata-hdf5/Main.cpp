// strata-hdf5: reads and writes HDF5 files for other processes (runtime/io/Hdf5.h).
#include "Groups.h"

#include <cstdio>
#include <unistd.h>
#include <vector>

int main(int argc, char **argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 2 && arguments[0] == "describe")
    strata::hdf5::describeNode(STDIN_FILENO, STDOUT_FILENO, arguments[1]);
  if (!arguments.empty() && arguments[0] == "read")
    strata::hdf5::readArrays(STDIN_FILENO, STDOUT_FILENO, std::span(arguments).subspan(1));
  if (arguments.size() == 2 && arguments[0] == "write")
    return strata::hdf5::writeGroup(STDIN_FILENO, arguments[1]);
  std::fputs("strata-hdf5 is run by 'strata' and its library, for files in HDF5\n", stderr);
  return 2;
}
