// Checks of indices, extents and strides.
#include "strata/api/tapp/CheckTerms.h"

#include "strata/api/tapp/Errors.h"

#include <cstdlib>

using namespace strata::tapp;

static bool has(const Term &term, int64_t index) {
  return std::count(term.indices.begin(), term.indices.end(), index) > 0;
}

// Tells whether an index has different extents in two tensors, or in one.
static bool differ(const Term &a, const Term &b) {
  for (size_t i = 0; i < a.indices.size(); ++i)
    for (size_t j = 0; j < b.indices.size(); ++j)
      if (a.indices[i] == b.indices[j] && a.info.extents[i] != b.info.extents[j])
        return true;
  return false;
}

// Tells whether two elements may have one place. Strides, from the smallest on, must step over all
// that lies between.
static bool sharesMemory(const TensorInfo &info) {
  std::vector<std::pair<int64_t, int64_t>> modes;
  for (size_t mode = 0; mode < info.extents.size(); ++mode) {
    if (info.strides[mode] == 0 && (info.extents.size() > 1 || info.extents[mode] > 1))
      return true;
    modes.emplace_back(std::abs(info.strides[mode]), info.extents[mode]);
  }
  std::sort(modes.begin(), modes.end());
  for (size_t mode = 1; mode < modes.size(); ++mode) {
    int64_t needed;
    if (__builtin_mul_overflow(modes[mode - 1].first, modes[mode - 1].second, &needed) ||
        modes[mode].first < needed)
      return true;
  }
  return false;
}

static TAPP_error checkStructure(const Term &C, const Term &D) {
  if (C.indices.size() != D.indices.size())
    return ModesOfCAndD;
  for (size_t mode = 0; mode < D.indices.size(); ++mode) {
    if (C.indices[mode] != D.indices[mode])
      return IndicesOfCAndD;
    if (C.info.extents[mode] != D.info.extents[mode])
      return ExtentsOfCAndD;
  }
  return Success;
}

TAPP_error strata::tapp::checkTerms(const Term &A, const Term &B, const Term &C, const Term &D) {
  for (int64_t index : D.indices)
    if (!has(A, index) && !has(B, index))
      return IndexOfDAlone;
  if (differ(A, A))
    return ExtentsInA;
  if (differ(A, B))
    return ExtentsOfAAndB;
  if (differ(A, D))
    return ExtentsOfAAndD;
  if (differ(B, B))
    return ExtentsInB;
  if (differ(B, D))
    return ExtentsOfBAndD;
  if (differ(D, D))
    return ExtentsInD;
  if (TAPP_error error = checkStructure(C, D))
    return error;
  return sharesMemory(D.info) ? AliasesInD : Success;
}
