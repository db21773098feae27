// What a TAPP_tensor_info refers to.
#ifndef STRATA_API_TAPP_TENSORINFO_H
#define STRATA_API_TAPP_TENSORINFO_H

#include "strata/api/tapp/tapp.h"

#include <vector>

namespace strata::tapp {

struct TensorInfo {
  TAPP_datatype type = TAPP_F32;
  std::vector<int64_t> extents, strides;
};

inline TensorInfo *infoOf(TAPP_tensor_info info) { return reinterpret_cast<TensorInfo *>(info); }

} // namespace strata::tapp

#endif // STRATA_API_TAPP_TENSORINFO_H
