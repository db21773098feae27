// Strata in C++: tensors in any format and statements in index notation, over strata.h.
//
//   strata::Tensor<double> A({n, m}, "CSR"), x({m}), y({n}); // Dense unless a format is given
//   A.insert(0, 2, 1.5);
//   strata::IndexVar i, j;
//   y(i) = A(i, j) * x(j);                     // computed at the first read, or by y.compute()
//   for (double element : *y.values()) ...
//
// Statements. An assignment keeps the statement. It is compiled and computed when its tensor is
// first read, or by compute(), which returns the error if there is one; a read returns it, too. A
// statement reads what its operands hold when it is written: before a tensor changes that an
// uncomputed statement reads, that statement is computed. `x(i) = A(i, j) * x(j)` reads the old x.
// A tensor that is assigned again before it is read was never computed. Statements are kept by
// their text, formats and types, so that one that is repeated with other tensors or parameters
// compiles nothing.
//
// Handles. A copy of a Tensor is the same tensor; copy() makes another one. Moving a handle leaves
// one behind that can be assigned to or destroyed only.
//
// Errors. Functions return a Status, or a Result with a value or an error. Result::value() and `*`
// throw strata::Error where exceptions are on; with -fno-exceptions they end the program, which is
// to ask ok() first.
//
// Threads. Any thread may call any function, also on the same tensor: calls take turns in the
// process. Only to assign to, move or destroy the same handle object is the callers' to coordinate.
//
// All of it is in headers, for C++17 and later. Link with libstrata.so. docs/C.md has examples.
#ifndef STRATA_API_STRATA_HPP
#define STRATA_API_STRATA_HPP

#include "strata/api/cpp/Expressions.hpp"
#include "strata/api/cpp/Gradients.hpp"
#include "strata/api/cpp/Machines.hpp"
#include "strata/api/cpp/Schedule.hpp"
#include "strata/api/cpp/Session.hpp"
#include "strata/api/cpp/Statements.hpp"
#include "strata/api/cpp/Status.hpp"
#include "strata/api/cpp/Taco.hpp"
#include "strata/api/cpp/Tensor.hpp"

#endif // STRATA_API_STRATA_HPP
