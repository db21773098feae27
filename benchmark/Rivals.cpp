// The rivals of contests that SciPy's side starts (assembly.py): Eigen and SuiteSparse:GraphBLAS
// behind C functions, each of which makes a result and drops it.
#include <Eigen/SparseCore>
#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <tbb/global_control.h>
#include <vector>
extern "C" { // which the header leaves out for a part of its functions
#include <GraphBLAS.h>
}

namespace {

using RowMajor = Eigen::SparseMatrix<double, Eigen::RowMajor, int32_t>;
using ColMajor = Eigen::SparseMatrix<double, Eigen::ColMajor, int32_t>;

/// A matrix as both rivals hold it.
struct Matrix {
  RowMajor eigen;
  GrB_Matrix graph = nullptr;
  ~Matrix() { GrB_Matrix_free(&graph); }
};

/// What a result is compared by.
struct Summary {
  int64_t entries;
  double sum;
};

template <typename Sparse> Summary summaryOf(const Sparse &matrix) {
  return {matrix.nonZeros(), matrix.sum()};
}

Summary summaryOf(GrB_Matrix matrix) {
  GrB_Index entries = 0;
  double sum = 0;
  GrB_Matrix_nvals(&entries, matrix);
  GrB_Matrix_reduce_FP64(&sum, nullptr, GrB_PLUS_MONOID_FP64, matrix, nullptr);
  return {static_cast<int64_t>(entries), sum};
}

/// A result of GraphBLAS, for as long as it is looked at.
struct GraphResult {
  GrB_Matrix matrix = nullptr;
  GraphResult(GrB_Type type, GrB_Matrix rowsOf, GrB_Matrix columnsOf) {
    GrB_Index rows = 0, columns = 0;
    GrB_Matrix_nrows(&rows, rowsOf);
    GrB_Matrix_ncols(&columns, columnsOf);
    GrB_Matrix_new(&matrix, type, rows, columns);
  }
  ~GraphResult() { GrB_Matrix_free(&matrix); }
};

std::optional<tbb::global_control> limit;

// Descriptors: bit 0 sorts rows at once, bit 1 transposes the second operand, bit 2 is structural.
GrB_Descriptor descriptor(bool sorted, bool transposed, bool structural) {
  static GrB_Descriptor made[8] = {};
  GrB_Descriptor &one = made[sorted + 2 * transposed + 4 * structural];
  if (!one) {
    GrB_Descriptor_new(&one);
    if (sorted)
      GxB_Desc_set(one, GxB_SORT, 1);
    if (transposed)
      GrB_Descriptor_set(one, GrB_INP1, GrB_TRAN);
    if (structural)
      GrB_Descriptor_set(one, GrB_MASK, GrB_STRUCTURE);
  }
  return one;
}

} // namespace

extern "C" {

void rivals_begin() { GrB_init(GrB_NONBLOCKING); }

/// Of GraphBLAS and of TBB, which Strata's kernels run on; Eigen and SciPy have one.
void rivals_threads(int32_t count) {
  limit.reset();
  limit.emplace(tbb::global_control::max_allowed_parallelism, static_cast<size_t>(count));
  GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, count);
}

void *rivals_matrix(int64_t rows, int64_t columns, const int32_t *begins, const int32_t *at,
                    const double *values) {
  auto matrix = std::make_unique<Matrix>();
  const auto count = static_cast<GrB_Index>(begins[rows]);
  matrix->eigen = Eigen::Map<const RowMajor>(rows, columns, begins[rows], begins, at, values);
  std::vector<GrB_Index> i(count), j(at, at + count);
  for (int64_t row = 0; row < rows; ++row)
    std::fill(i.begin() + begins[row], i.begin() + begins[row + 1], static_cast<GrB_Index>(row));
  GrB_Matrix_new(&matrix->graph, GrB_FP64, static_cast<GrB_Index>(rows),
                 static_cast<GrB_Index>(columns));
  GrB_Matrix_build_FP64(matrix->graph, i.data(), j.data(), values, count, GrB_PLUS_FP64);
  GrB_Matrix_wait(matrix->graph, GrB_MATERIALIZE);
  return matrix.release();
}

void rivals_drop(void *matrix) { delete static_cast<Matrix *>(matrix); }

/// A * B, or A * B^T. Summaries are made only if asked for.
void rivals_eigen_product(void *a, void *b, int32_t sorted, int32_t transposed, Summary *summary) {
  const RowMajor &x = static_cast<Matrix *>(a)->eigen, &y = static_cast<Matrix *>(b)->eigen;
  if (sorted) {
    RowMajor result = transposed ? RowMajor(x * RowMajor(y.transpose())) : RowMajor(x * y);
    if (summary)
      *summary = summaryOf(result);
    return;
  }
  // Rows as they come: what Eigen does inside before it sorts, for matrices stored by columns.
  RowMajor other;
  if (transposed)
    other = y.transpose();
  const RowMajor &second = transposed ? other : y;
  auto byColumns = [](const RowMajor &m) {
    return Eigen::Map<const ColMajor>(m.cols(), m.rows(), m.nonZeros(), m.outerIndexPtr(),
                                      m.innerIndexPtr(), m.valuePtr());
  };
  ColMajor result(second.cols(), x.rows());
  const auto left = byColumns(second), right = byColumns(x);
  Eigen::internal::conservative_sparse_sparse_product_impl(left, right, result, false);
  if (summary)
    *summary = summaryOf(result);
}

void rivals_graph_product(void *a, void *b, int32_t sorted, int32_t transposed, Summary *summary) {
  GrB_Matrix x = static_cast<Matrix *>(a)->graph, y = static_cast<Matrix *>(b)->graph;
  GraphResult result(GrB_FP64, x, y);
  GrB_mxm(result.matrix, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, x, y,
          descriptor(sorted, transposed, false));
  if (sorted)
    GrB_Matrix_wait(result.matrix, GrB_MATERIALIZE);
  if (summary)
    *summary = summaryOf(result.matrix);
}

/// A + B, or A + B + C where there is a third.
void rivals_eigen_sum(void *a, void *b, void *c, Summary *summary) {
  const RowMajor &x = static_cast<Matrix *>(a)->eigen, &y = static_cast<Matrix *>(b)->eigen;
  RowMajor result;
  if (c)
    result = x + y + static_cast<Matrix *>(c)->eigen;
  else
    result = x + y;
  if (summary)
    *summary = summaryOf(result);
}

void rivals_graph_sum(void *a, void *b, void *c, Summary *summary) {
  GrB_Matrix x = static_cast<Matrix *>(a)->graph, y = static_cast<Matrix *>(b)->graph;
  GraphResult result(GrB_FP64, x, y);
  GrB_Matrix_eWiseAdd_BinaryOp(result.matrix, nullptr, nullptr, GrB_PLUS_FP64, x, y, nullptr);
  if (c) {
    GraphResult more(GrB_FP64, x, y);
    GrB_Matrix_eWiseAdd_BinaryOp(more.matrix, nullptr, nullptr, GrB_PLUS_FP64, result.matrix,
                                 static_cast<Matrix *>(c)->graph, nullptr);
    std::swap(more.matrix, result.matrix);
  }
  GrB_Matrix_wait(result.matrix, GrB_MATERIALIZE);
  if (summary)
    *summary = summaryOf(result.matrix);
}

/// The triangles of a graph of whose adjacency L is the lower triangle: C<L> = L * L, or L * L^T;
/// then the sum of C.
int64_t rivals_graph_triangles(void *lower, int32_t transposed) {
  GrB_Matrix x = static_cast<Matrix *>(lower)->graph;
  GraphResult result(GrB_INT64, x, x);
  GrB_mxm(result.matrix, x, nullptr, GxB_PLUS_PAIR_INT64, x, x,
          descriptor(false, transposed, true));
  int64_t sum = 0;
  GrB_Matrix_reduce_INT64(&sum, nullptr, GrB_PLUS_MONOID_INT64, result.matrix, nullptr);
  return sum;
}

} // extern "C"
