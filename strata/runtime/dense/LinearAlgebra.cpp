// Functions of dense matrices, by Eigen.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dense/LinearAlgebra.h"

#include "strata/runtime/Counted.h"

#define EIGEN_MPL2_ONLY
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

#include <string>
#include <type_traits>

namespace strata::runtime {
namespace {

using Complex = std::complex<double>;
template <typename Scalar> using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

std::string shapeOf(const Coordinates &list) {
  return list.order() == 0 ? "a scalar" : sizesText(list.sizes());
}

template <typename Scalar> Scalar valueAt(const Coordinates &list, int64_t entry) {
  if constexpr (std::is_same_v<Scalar, double>)
    return list.value(entry).real();
  else
    return list.value(entry);
}

/// The entries as a matrix whose rows are the first dimension, its columns all others.
template <typename Scalar> Result<Matrix<Scalar>> matrixOf(const Coordinates &list) {
  if (list.order() == 0)
    return Error{Error::Order, "expected a matrix or a vector, found a scalar"};
  // Eigen ends the process where there is no memory.
  int64_t columns = 1, places = 0;
  constexpr int64_t most = int64_t(1) << 33;
  for (int dim = 1; dim < list.order(); ++dim)
    if (__builtin_mul_overflow(columns, list.sizes()[static_cast<size_t>(dim)], &columns))
      return Error{Error::MemoryLimit, "a dense matrix of " + shapeOf(list) + " is too large"};
  if (__builtin_mul_overflow(columns, list.sizes()[0], &places) || places > most)
    return Error{Error::MemoryLimit, "a dense matrix of " + shapeOf(list) + " is too large"};
  Result<Buffer> probe = Buffer::allocate(STRATA_F64, 3 * places);
  if (!probe)
    return probe.takeStatus();
  Matrix<Scalar> matrix = Matrix<Scalar>::Zero(list.sizes()[0], columns);
  for (int64_t entry = 0; entry < list.count(); ++entry) {
    int64_t column = 0;
    for (int dim = 1; dim < list.order(); ++dim)
      column = column * list.sizes()[static_cast<size_t>(dim)] + list.coordinate(dim, entry);
    matrix(list.coordinate(0, entry), column) += valueAt<Scalar>(list, entry);
  }
  if (!matrix.allFinite())
    return Error{Error::Arithmetic, "an operand holds values that are not finite"};
  return matrix;
}

template <typename Scalar> Result<Coordinates> listOf(const Matrix<Scalar> &matrix, bool isVector) {
  std::vector<int64_t> sizes{matrix.rows()};
  if (!isVector)
    sizes.push_back(matrix.cols());
  strata_type type = std::is_same_v<Scalar, double> ? STRATA_F64 : STRATA_C128;
  Result<Coordinates> list = Coordinates::create(sizes, type, matrix.size());
  if (!list)
    return list;
  withCoordinateType(list->coordinateType(), [&]<typename C>(C *) {
    int64_t entry = 0;
    for (int64_t row = 0; row < matrix.rows(); ++row)
      for (int64_t column = 0; column < matrix.cols(); ++column, ++entry) {
        list->column(0).as<C>()[entry] = static_cast<C>(row);
        if (!isVector)
          list->column(1).as<C>()[entry] = static_cast<C>(column);
        list->values().as<Scalar>()[entry] = matrix(row, column);
      }
  });
  return list;
}

template <typename Scalar>
Result<Matrix<Scalar>> solution(const Matrix<Scalar> &a, const Matrix<Scalar> &b) {
  if (a.rows() != b.rows())
    return Error{Error::Extent, "the matrix has " + counted(a.rows(), "row") + ", the right side " +
                                    std::to_string(b.rows())};
  if (a.size() == 0)
    return Matrix<Scalar>(Matrix<Scalar>::Zero(a.cols(), b.cols()));
  if (a.rows() != a.cols())
    return Matrix<Scalar>(a.completeOrthogonalDecomposition().solve(b));
  Eigen::PartialPivLU<Matrix<Scalar>> factors(a);
  if (!(factors.rcond() > std::numeric_limits<double>::epsilon()))
    return Error{Error::Arithmetic, "the matrix is singular"};
  return Matrix<Scalar>(factors.solve(b));
}

template <typename Scalar> Result<Matrix<Scalar>> inverse(const Matrix<Scalar> &a) {
  if (a.rows() != a.cols())
    return Error{Error::Extent, "a matrix of " + std::to_string(a.rows()) + " x " +
                                    std::to_string(a.cols()) +
                                    " has no inverse; pinv gives its pseudoinverse"};
  return solution<Scalar>(a, Matrix<Scalar>::Identity(a.rows(), a.rows()));
}

template <typename Scalar> Result<Matrix<Scalar>> orthonormal(const Matrix<Scalar> &a) {
  if (a.cols() > a.rows())
    return Error{Error::Extent, counted(a.cols(), "column") + " of " +
                                    counted(a.rows(), "element") + " cannot be orthonormal"};
  Eigen::HouseholderQR<Matrix<Scalar>> factors(a);
  return Matrix<Scalar>(factors.householderQ() * Matrix<Scalar>::Identity(a.rows(), a.cols()));
}

/// Each column times a number of magnitude 1 that makes its greatest element positive.
template <typename Scalar> void fixSigns(Matrix<Scalar> &vectors) {
  for (int64_t column = 0; column < vectors.cols(); ++column) {
    int64_t greatest = 0;
    if (vectors.col(column).cwiseAbs().maxCoeff(&greatest) == 0)
      continue;
    Scalar value = vectors(greatest, column);
    vectors.col(column) *= std::abs(value) / value;
  }
}

/// The singular values of a matrix, the greatest first, and the left singular vectors.
template <typename Scalar> struct Singular {
  Eigen::VectorXd values;
  Matrix<Scalar> vectors;
};

Singular<double> decompose(const Matrix<double> &a, bool vectors) {
  Eigen::BDCSVD<Matrix<double>> factors(a, vectors ? Eigen::ComputeThinU : 0);
  return {factors.singularValues(), vectors ? factors.matrixU() : Matrix<double>()};
}

/// Householder reflections from both sides turn the matrix into a real one of two diagonals, whose
/// singular values are the same (Golub and Kahan 1965, section 2).
Singular<Complex> decompose(Matrix<Complex> a, bool vectors) {
  if (a.rows() < a.cols()) { // a = (Q R)^H, whose left factor is R^H
    Eigen::HouseholderQR<Matrix<Complex>> factors(a.adjoint());
    a = factors.matrixQR().topRows(a.rows()).triangularView<Eigen::Upper>().adjoint();
  }
  const int64_t size = a.cols();
  Matrix<double> middle = Matrix<double>::Zero(size, size);
  Eigen::VectorXcd scales(size), room(a.rows());
  for (int64_t k = 0; k < size; ++k) {
    const int64_t below = a.rows() - k - 1, right = size - k - 1;
    a.col(k).tail(below + 1).makeHouseholderInPlace(scales(k), middle(k, k));
    a.bottomRightCorner(below + 1, right)
        .applyHouseholderOnTheLeft(a.col(k).tail(below), scales(k), room.data());
    if (right == 0)
      break;
    Complex scale;
    a.row(k).tail(right).makeHouseholderInPlace(scale, middle(k, k + 1));
    a.bottomRightCorner(below, right)
        .applyHouseholderOnTheRight(a.row(k).tail(right - 1).adjoint(), scale, room.data());
  }
  Singular<double> factors = decompose(middle, vectors);
  if (!vectors)
    return {factors.values, {}};
  Matrix<Complex> left = Matrix<Complex>::Zero(a.rows(), size);
  left.topRows(size) = factors.vectors.cast<Complex>();
  left.applyOnTheLeft(Eigen::householderSequence(a, scales.conjugate()));
  return {factors.values, left};
}

template <typename Scalar>
Result<Matrix<Scalar>> singular(const Matrix<Scalar> &a, int64_t wanted, bool vectors) {
  if (wanted > std::min(a.rows(), a.cols()))
    return Error{Error::Extent, std::to_string(wanted) +
                                    " singular values are asked for; a matrix of " +
                                    std::to_string(a.rows()) + " x " + std::to_string(a.cols()) +
                                    " has " + std::to_string(std::min(a.rows(), a.cols()))};
  if (a.size() == 0)
    return Matrix<Scalar>(Matrix<Scalar>::Zero(vectors ? a.rows() : 0, vectors ? 0 : 1));
  Singular<Scalar> factors = decompose(a, vectors);
  if (!vectors)
    return Matrix<Scalar>(factors.values.head(wanted).template cast<Scalar>());
  Matrix<Scalar> leading = factors.vectors.leftCols(wanted);
  fixSigns(leading);
  return leading;
}

template <typename Scalar>
Result<Coordinates> apply(std::string_view function, std::span<const Coordinates *const> operands,
                          int64_t wanted) {
  bool isTensor = function == "singular_vectors" || function == "singular_values";
  if (operands[0]->order() < 2 || (operands[0]->order() > 2 && !isTensor))
    return Error{Error::Order, "expected a matrix, found " + shapeOf(*operands[0])};
  Result<Matrix<Scalar>> a = matrixOf<Scalar>(*operands[0]);
  if (!a)
    return a.takeStatus();
  Result<Matrix<Scalar>> result =
      Error{Error::Unsupported, "unknown function " + std::string(function)};
  bool isVector = false;
  if (function == "solve") {
    isVector = operands[1]->order() == 1;
    Result<Matrix<Scalar>> b = matrixOf<Scalar>(*operands[1]);
    if (!b || operands[1]->order() > 2)
      return b ? Status(Error{Error::Order, "expected a right side of order 1 or 2"})
               : b.takeStatus();
    result = solution(*a, *b);
  } else if (function == "inverse") {
    result = inverse(*a);
  } else if (function == "pseudoinverse") {
    result = Matrix<Scalar>(a->size() ? a->completeOrthogonalDecomposition().pseudoInverse()
                                      : Matrix<Scalar>(a->transpose()));
  } else if (function == "orthonormal") {
    result = orthonormal(*a);
  } else if (isTensor) {
    isVector = function == "singular_values";
    result = singular(*a, wanted, !isVector);
  }
  return result ? listOf(*result, isVector) : Result<Coordinates>(result.takeStatus());
}

} // namespace

Result<Coordinates> linearAlgebra(std::string_view function,
                                  std::span<const Coordinates *const> operands, int64_t wanted) {
  for (const Coordinates *operand : operands)
    if (operand->valueType() == STRATA_C128)
      return apply<Complex>(function, operands, wanted);
  return apply<double>(function, operands, wanted);
}

} // namespace strata::runtime
