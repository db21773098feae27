// Writing FROSTT files.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Frostt.h"

namespace strata::runtime {
namespace {

/// MLIR's header; of a plain file without entries, a comment with the sizes.
std::string headerOf(const Coordinates &list, bool extended) {
  std::string sizes;
  for (int64_t size : list.sizes())
    sizes += (sizes.empty() ? "" : " ") + std::to_string(size);
  if (extended)
    return "# extended FROSTT format\n" + std::to_string(list.order()) + " " +
           std::to_string(list.order() == 0 ? 1 : list.count()) + "\n" + sizes + "\n";
  return list.count() == 0 && list.order() > 0 ? "# sizes " + sizes + "\n" : "";
}

} // namespace

Status writeFrostt(const std::string &path, const Coordinates &list,
                   const FrosttWriteOptions &options) {
  if (isComplexType(list.valueType()))
    return Error{"FROSTT files have no complex values", "real values", path, 0};
  Result<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.takeStatus();
  std::string header = headerOf(list, options.extended);
  if (list.order() == 0 && list.count() == 0)
    header += "0\n";
  if (Status written = file->write(header); !written.ok())
    return written;
  auto format = [&](std::string &text, int64_t begin, int64_t end) {
    withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
      withValueType(list.valueType(), [&]<typename V>(V *) {
        const V *values = list.values().as<V>();
        for (int64_t e = begin; e < end; ++e) {
          for (int d = 0; d < list.order(); ++d) {
            appendNumber(text, int64_t{list.column(d).as<C>()[e]} + options.base);
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
