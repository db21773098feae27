// The Strata library in C++: a matrix times a vector, a sum of sparse matrices, a schedule, a
// parameter, and a gradient. Prints what docs/C.md shows.
//
//   c++ -std=c++17 -I. examples/library.cpp -Lbuild/lib -lstrata -Wl,-rpath,build/lib -o library
#include "strata/api/strata.hpp"

#include <cstdio>

using strata::IndexVar;
using strata::Tensor;

// Prints a vector, or the error that stood in its way.
static int print(const char *name, const Tensor<double> &vector) {
  strata::Result<std::vector<double>> elements = vector.toVector();
  if (!elements.ok()) {
    std::fprintf(stderr, "%s\n", elements.status().describe().c_str());
    return 1;
  }
  std::printf("%s =", name);
  for (double element : *elements)
    std::printf(" %g", element);
  std::printf("\n");
  return 0;
}

int main() {
  const int n = 3, m = 4;
  Tensor<double> A({n, m}, "CSR"), B({n, m}, "CSC"), x({m}), y({n});
  A.insert(0, 1, 1.0);
  A.insert(2, 0, 2.0);
  A.insert(2, 3, 3.0);
  B.insert(2, 0, 10.0);
  for (int j = 0; j < m; ++j)
    x.insert(j, j + 1.0);

  IndexVar i, j, k;
  y(i) = A(i, j) * x(j);
  int failed = print("y", y);

  Tensor<double> S; // takes its sizes and its format from what is assigned
  S(i, j) = A(i, j) + B(i, j);
  std::printf("S is %s and stores %lld entries\n", S.format()->c_str(),
              static_cast<long long>(*S.stored()));

  Tensor<double> X({m, 2}), C({n, 2});
  X(j, k) = x(j);
  C(i, k) = A(i, j) * X(j, k);
  IndexVar i0("i0"), i1("i1");
  if (strata::Status status = C.schedule(strata::Schedule().split(i, i0, i1, 2).parallelize(i0));
      !status.ok())
    std::fprintf(stderr, "%s\n", status.describe().c_str());
  failed |= print("C", C);

  strata::Param<double> alpha; // one kernel for all its values
  for (double value : {0.5, 2.0}) {
    alpha = value;
    y(i) = alpha * A(i, j) * x(j) + y(i);
    failed |= print("y", y);
  }

  Tensor<double> ones({n});
  for (int row = 0; row < n; ++row)
    ones.insert(row, 1.0);
  auto gradient = strata::grad(y(i), A(i, j) * x(j), ones, A);
  if (!gradient.ok())
    std::fprintf(stderr, "%s\n", gradient.status().describe().c_str());
  else if (Tensor<double> dA = std::get<0>(*gradient); dA.stored().ok())
    std::printf("dA stores %lld entries\n", static_cast<long long>(*dA.stored()));
  return failed;
}
