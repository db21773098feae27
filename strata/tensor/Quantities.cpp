// Bytes in powers of 1024, counts in powers of ten.
#include "strata/tensor/Quantities.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using llvm::StringRef, llvm::Twine;

namespace strata {

std::string bytesInWords(double bytes) {
  const char *units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  unsigned unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(units); ++unit)
    bytes /= 1024;
  return unit == 0 ? llvm::formatv("{0:F0} bytes", bytes).str()
                   : llvm::formatv("{0:F1} {1}", bytes, units[unit]).str();
}

std::optional<int64_t> parseBytes(StringRef text) {
  StringRef number = text.trim();
  double unit = 1;
  for (const char *letter : {"K", "M", "G", "T"}) {
    unit *= 1024;
    for (const char *rest : {"", "B", "iB"})
      if (number.ends_with_insensitive((Twine(letter) + rest).str())) {
        double count;
        if (!number.drop_back(1 + StringRef(rest).size()).trim().getAsDouble(count) && count > 0 &&
            count * unit < 0x1p62)
          return std::max<int64_t>(int64_t(count * unit), 1);
      }
  }
  int64_t bytes;
  if (!number.getAsInteger(10, bytes) && bytes > 0)
    return bytes;
  return std::nullopt;
}

std::string countInWords(double count) {
  if (count < 1e5)
    return llvm::formatv("{0:F0}", count).str();
  if (count < 1e12) {
    bool billions = count >= 1e9;
    return llvm::formatv("{0} {1}", llvm::format("%.4g", count * (billions ? 1e-9 : 1e-6)),
                         billions ? "billion" : "million")
        .str();
  }
  auto power = int(std::floor(std::log10(count) + 1e-9));
  std::string digits = llvm::formatv("{0:F1}", count / std::pow(10, power)).str();
  return (digits == "1.0" ? "" : digits + " x ") + "10^" + std::to_string(power);
}

} // namespace strata
