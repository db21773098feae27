// Reads a matrix with the library and multiplies it by a vector; tells what is wrong with another.
#include <strata/api/strata.hpp>

#include <cstdio>

int main(int argc, char **argv) {
  strata::IndexVar i, j;
  auto A = strata::Tensor<double>::read(argc > 1 ? argv[1] : "matrix.mtx", "CSR").value();
  strata::Tensor<double> x({A.sizes().value()[1]}), y;
  x(j) = 2.0;
  y(i) = A(i, j) * x(j);
  for (double element : y.toVector().value())
    std::printf("%g\n", element);
  try {
    y(i) = x(i, j);
    y.compute().orThrow();
  } catch (const strata::Error &error) {
    std::printf("%s\n", error.what());
  }
  return 0;
}
