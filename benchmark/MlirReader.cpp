// strata-bench-mlir: reads a file into CSR or CSF by the runtime library of MLIR's sparse_tensor
// dialect, as the code does that MLIR generates for `sparse_tensor.new`.
//
//   strata-bench-mlir FILE
//
// FILE is in Matrix Market or extended FROSTT. Prints the seconds that this took, as JSON.
#include "mlir/Dialect/SparseTensor/IR/Enums.h"
#include "mlir/ExecutionEngine/SparseTensor/File.h"

#include <chrono>
#include <cstdio>
#include <memory>
#include <vector>

using namespace mlir::sparse_tensor;

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "strata-bench-mlir FILE\n");
    return 2;
  }
  auto begin = std::chrono::steady_clock::now();
  SparseTensorReader reader(argv[1]);
  reader.openFile();
  reader.readHeader();
  const uint64_t order = reader.getRank();
  std::vector<uint64_t> sizes(reader.getDimSizes(), reader.getDimSizes() + order), same;
  std::vector<LevelType> levels(order, LevelType(LevelFormat::Compressed));
  if (order == 2) // CSR, as positions and coordinates of 32 bits hold it
    levels[0] = LevelType(LevelFormat::Dense);
  for (uint64_t at = 0; at < order; ++at)
    same.push_back(at);
  std::unique_ptr<SparseTensorStorage<uint32_t, uint32_t, double>> tensor(
      reader.readSparseTensor<uint32_t, uint32_t, double>(order, sizes.data(), levels.data(),
                                                          same.data(), same.data()));
  std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  std::vector<double> *values = nullptr;
  tensor->getValues(&values);
  std::printf("{\"kind\": \"read by MLIR\", \"seconds\": %.9f, \"entries\": %zu}\n", spent.count(),
              values->size());
  return 0;
}
