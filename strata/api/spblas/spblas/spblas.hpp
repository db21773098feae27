// The Sparse BLAS in C++ with Strata as its back end: the views of the reference implementation,
// whose headers come after these, and algorithms that are compiled kernels.
//
//   c++ -std=c++23 -I strata/api/spblas -I . -I SPBLAS_REFERENCE/include program.cpp -lstrata
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#pragma once
#pragma GCC system_header // for #include_next

#ifndef SPBLAS_VENDOR_BACKEND
#define SPBLAS_VENDOR_BACKEND true
#endif

#include <cstddef>

namespace spblas {
using index_t = std::size_t;
using offset_t = index_t;
} // namespace spblas

#include_next <spblas/spblas.hpp>

#include <spblas/algorithms/transposed.hpp>

#include "strata/api/spblas/Multiply.hpp"
#include "strata/api/spblas/TriangularSolve.hpp"
