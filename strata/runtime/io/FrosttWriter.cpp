// Writing FROSTT files.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Frostt.h"

namespace strata::runtime {
namespace {

std::string extendedHeader(const Coordinates &list) {
  std::string text = "# extended FROSTT format\n" + std::to_string(list.order()) + " " +
                     std::to_string(list.count()) + "\n";
  for (int d = 0; d < list.order(); ++d)
    text += (d ? " " : "") + std::to_string(list.sizes()[static_cast<size_t>(d)]);
  return text + "\n";
}

} // namespace

Status writeFrostt(const std::string &path, const Coordinates &list,
                   const FrosttWriteOptions &options) {
  if (list.order() < 1)
    return Error{"a scalar has no indices to write", "a tensor of order 1 or more", path, 0};
  if (isComplexType(list.valueType()))
    return Error{"FROSTT files have no complex values", "real values", path, 0};
  Result<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.takeStatus();
  if (options.extended)
    if (Status written = file->write(extendedHeader(list)); !written.ok())
      return written;
  auto format = [&](std::string &text, int64_t begin, int64_t end) {
    withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
      withValueType(list.valueType(), [&]<typename V>(V *) {
        const V *values = list.values().as<V>();
        for (int64_t e = begin; e < end; ++e) {
          for (int d = 0; d < list.order(); ++d) {
            appendNumber(text, int64_t{list.column(d).as<C>()[e]} + 1);
            text += ' ';
          }
          appendNumber(text, values[e]);
          text += '\n';
        }
      });
    });
  };
  if (Status written = file->writeItems(list.count(), format, options.progress); !written.ok())
    return written;
  return file->commit();
}

} // namespace strata::runtime
