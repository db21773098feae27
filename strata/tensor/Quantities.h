// Bytes and counts as people write them.
#ifndef STRATA_TENSOR_QUANTITIES_H
#define STRATA_TENSOR_QUANTITIES_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace strata {

/// "1.5 GiB".
std::string bytesInWords(double bytes);
/// 500000, 64K, 1.5G, 2 GiB: bytes as people write them, at least 1; nothing if it is no such size.
std::optional<int64_t> parseBytes(llvm::StringRef text);
/// "480", "3.2 million", "10^12", "2.5 x 10^14".
std::string countInWords(double count);

} // namespace strata

#endif // STRATA_TENSOR_QUANTITIES_H
