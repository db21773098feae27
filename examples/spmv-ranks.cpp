// A sparse matrix times a vector, by the cells of a machine together, in C++: lines 2 to 39 of
// Figure 1 of SpDISTAL (003), with values for the parameters and Machine's argument in braces,
// since C++ takes parentheses there for the declaration of a function.
//
//   c++ -std=c++17 spmv-ranks.cpp -lstrata -o spmv-ranks
//   ./spmv-ranks                  four cells in one process
//   mpirun -n 4 ./spmv-ranks      one in each of four
#include "strata/api/strata.hpp"

#include <cstdio>

using namespace strata;

int main() {
  // Declare input parameters for generated code.
  Param pieces(4), n(6), m(5);
  // Define the machine M as a 1D grid of processors.
  Machine M{Grid(pieces)};

  // Two dense vector formats, one blocked onto M, the other replicated onto all processors in M,
  // and a CSR matrix format, distributed row-wise.
  DistVar x, y;
  Format BlockedDense({Dense}, Distribution({x}, M, {x}));
  Format ReplDense({Dense}, Distribution({x}, M, {y}));
  Format BlockedCSR({Dense, Compressed}, Distribution({x, y}, M, {x}));

  // Create our tensors, using the defined formats.
  Tensor<double> a({n}, BlockedDense);
  Tensor<double> B({n, m}, BlockedCSR);
  Tensor<double> c({m}, ReplDense);
  for (int64_t row = 0; row < n.get(); ++row) {
    B.insert(row, row % m.get(), double(row + 1));
    B.insert(row, (row + 2) % m.get(), 2.0);
  }
  for (int64_t column = 0; column < m.get(); ++column)
    c.insert(column, double(column + 1));

  // Declare the computation, a matrix-vector multiply.
  IndexVar i, j;
  a(i) = B(i, j) * c(j);

  // Map the computation onto M via scheduling commands.
  IndexVar io, ii;
  a.schedule()
      // Block i for each node.
      .divide(i, io, ii, M.x)
      // Distribute each block of i onto each node.
      .distribute(io)
      // Communicate the needed sub-tensor for each chunk of i.
      .communicate({a, B, c}, io)
      // Schedule the leaf computation that runs on each node.
      .parallelize(ii, CPUThread);

  // Each process has some pieces of a, and toVector() brings it together.
  if (Status status = a.compute(); !status.ok()) {
    std::fputs(status.describe().c_str(), stderr);
    return 1;
  }
  std::vector<double> all = *a.toVector();
  if (M.rank() == 0)
    for (double value : all)
      std::printf("%g\n", value);
  return 0;
}
