// Eigen's sparse products, single-threaded.
#ifndef STRATA_BENCHMARK_EIGENPRODUCTS_H
#define STRATA_BENCHMARK_EIGENPRODUCTS_H

#include <cstdint>
#include <memory>
#include <vector>

namespace strata::benchmark {

/// A matrix as coordinates, for Eigen to take over.
struct Entries {
  int64_t rows, columns, count;
  const int32_t *row, *column;
  const double *value;
};

enum class Major { Row, Column };

/// `y = A * x` with x of `width` columns (row-major where there are several), and y that is
/// there already.
class EigenProduct {
public:
  EigenProduct(const Entries &matrix, Major major, const std::vector<double> &x, int64_t width);
  ~EigenProduct();
  void run();
  const double *result() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace strata::benchmark

#endif // STRATA_BENCHMARK_EIGENPRODUCTS_H
