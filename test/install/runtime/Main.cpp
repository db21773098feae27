// Reads a file with the runtime.
#include "strata/runtime/io/TensorFile.h"

#include <cstdio>

int main(int argc, char **argv) {
  auto content = strata::runtime::readTensorFile(argc > 1 ? argv[1] : "matrix.mtx", {});
  if (!content) {
    std::fprintf(stderr, "%s\n", content.error().text().c_str());
    return 1;
  }
  std::printf("%lld entries\n", static_cast<long long>(content->list.count()));
  return 0;
}
