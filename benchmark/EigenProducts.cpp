// SparseMatrix<double, RowMajor or ColMajor, int> times a vector or a row-major matrix.
#include "EigenProducts.h"

#include <Eigen/Sparse>

namespace strata::benchmark {

using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;
using Columns = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct EigenProduct::State {
  Major major;
  int64_t width;
  Rows byRows;
  Columns byColumns;
  Eigen::VectorXd x, y;
  Dense manyX, manyY;

  template <typename Matrix> void run(const Matrix &matrix) {
    if (width == 1)
      y.noalias() = matrix * x;
    else
      manyY.noalias() = matrix * manyX;
  }
};

template <typename Matrix> static void fill(Matrix &matrix, const Entries &entries) {
  std::vector<Eigen::Triplet<double, int>> triplets;
  triplets.reserve(static_cast<size_t>(entries.count));
  for (int64_t at = 0; at < entries.count; ++at)
    triplets.emplace_back(entries.row[at], entries.column[at], entries.value[at]);
  matrix.resize(entries.rows, entries.columns);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  matrix.makeCompressed();
}

EigenProduct::EigenProduct(const Entries &matrix, Major major, const std::vector<double> &x,
                           int64_t width)
    : state(std::make_unique<State>()) {
  state->major = major;
  state->width = width;
  if (major == Major::Row)
    fill(state->byRows, matrix);
  else
    fill(state->byColumns, matrix);
  if (width == 1) {
    state->x = Eigen::Map<const Eigen::VectorXd>(x.data(), matrix.columns);
    state->y.resize(matrix.rows);
  } else {
    state->manyX = Eigen::Map<const Dense>(x.data(), matrix.columns, width);
    state->manyY.resize(matrix.rows, width);
  }
}

EigenProduct::~EigenProduct() = default;

void EigenProduct::run() {
  if (state->major == Major::Row)
    state->run(state->byRows);
  else
    state->run(state->byColumns);
}

const double *EigenProduct::result() const {
  return state->width == 1 ? state->y.data() : state->manyY.data();
}

} // namespace strata::benchmark
