// What the stages of an operation tell each other. Stands before the reference implementation's.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#pragma once

#include <memory>
#include <spblas/detail/index.hpp>
#include <spblas/detail/types.hpp>

namespace spblas {

class operation_info_t {
public:
  operation_info_t() = default;
  operation_info_t(index<> result_shape, offset_t result_nnz,
                   std::shared_ptr<const void> pattern = nullptr)
      : shape_(result_shape), nnz_(result_nnz), pattern_(std::move(pattern)) {}

  index<> result_shape() const { return shape_; }
  offset_t result_nnz() const { return nnz_; }

  void update_impl_(index<> result_shape, offset_t result_nnz) {
    *this = operation_info_t(result_shape, result_nnz);
  }

  /// The entries of the result, a strata_tensor; null if there are none yet.
  const std::shared_ptr<const void> &pattern_impl_() const { return pattern_; }

private:
  index<> shape_ = {0, 0};
  offset_t nnz_ = 0;
  std::shared_ptr<const void> pattern_;
};

} // namespace spblas
