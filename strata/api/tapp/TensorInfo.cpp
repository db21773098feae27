// Descriptions of tensors: types, extents and strides.
#include "strata/api/tapp/TensorInfo.h"

#include "strata/api/tapp/Errors.h"

#include <algorithm>

using namespace strata::tapp;

static bool hasNegative(const int64_t *extents, size_t count) {
  return std::any_of(extents, extents + count, [](int64_t extent) { return extent < 0; });
}

TAPP_error TAPP_create_tensor_info(TAPP_tensor_info *info, TAPP_datatype type, int nmode,
                                   const int64_t *extents, const int64_t *strides) {
  if (nmode < 0)
    return NegativeModes;
  if (!info || (nmode > 0 && (!extents || !strides)))
    return MissingArgument;
  if (type < TAPP_F32 || type > TAPP_BF16)
    return UnknownType;
  if (hasNegative(extents, size_t(nmode)))
    return NegativeExtent;
  *info = reinterpret_cast<TAPP_tensor_info>(
      new TensorInfo{type, {extents, extents + nmode}, {strides, strides + nmode}});
  return Success;
}

TAPP_error TAPP_destroy_tensor_info(TAPP_tensor_info info) {
  delete infoOf(info);
  return Success;
}

int TAPP_get_nmodes(TAPP_tensor_info info) {
  return info ? static_cast<int>(infoOf(info)->extents.size()) : 0;
}

TAPP_error TAPP_set_nmodes(TAPP_tensor_info info, int nmodes) {
  if (!info)
    return MissingArgument;
  if (nmodes < 0)
    return NegativeModes;
  infoOf(info)->extents.resize(size_t(nmodes), 1);
  infoOf(info)->strides.resize(size_t(nmodes), 0);
  return Success;
}

void TAPP_get_extents(TAPP_tensor_info info, int64_t *extents) {
  if (info && extents)
    std::copy(infoOf(info)->extents.begin(), infoOf(info)->extents.end(), extents);
}

TAPP_error TAPP_set_extents(TAPP_tensor_info info, const int64_t *extents) {
  if (!info || (!extents && !infoOf(info)->extents.empty()))
    return MissingArgument;
  if (hasNegative(extents, infoOf(info)->extents.size()))
    return NegativeExtent;
  std::copy_n(extents, infoOf(info)->extents.size(), infoOf(info)->extents.begin());
  return Success;
}

void TAPP_get_strides(TAPP_tensor_info info, int64_t *strides) {
  if (info && strides)
    std::copy(infoOf(info)->strides.begin(), infoOf(info)->strides.end(), strides);
}

TAPP_error TAPP_set_strides(TAPP_tensor_info info, const int64_t *strides) {
  if (!info || (!strides && !infoOf(info)->strides.empty()))
    return MissingArgument;
  std::copy_n(strides, infoOf(info)->strides.size(), infoOf(info)->strides.begin());
  return Success;
}
