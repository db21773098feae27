// Writing FROSTT files.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Frostt.h"
#include "strata/runtime/io/SharedOutput.h"

namespace strata::runtime {
namespace {

/// MLIR's header; of a plain file without entries, a comment with the sizes.
std::string headerOf(const Coordinates &list, int64_t count, bool extended) {
  std::string sizes;
  for (int64_t size : list.sizes())
    sizes += (sizes.empty() ? "" : " ") + std::to_string(size);
  const std::string nothing = list.order() == 0 && count == 0 ? "0\n" : "";
  if (extended)
    return "# extended FROSTT format\n" + std::to_string(list.order()) + " " +
           std::to_string(list.order() == 0 ? 1 : count) + "\n" + sizes + "\n" + nothing;
  return count == 0 && list.order() > 0 ? "# sizes " + sizes + "\n" : nothing;
}

} // namespace

Status writeFrostt(const std::string &path, const Coordinates &list,
                   const FrosttWriteOptions &options) {
  if (isComplexType(list.valueType()))
    return Error{Error::NotInSuchFiles, "FROSTT files have no complex values", "real values", path,
                 0};
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
  int64_t count = list.count();
  if (options.shared) {
    Result<std::vector<int64_t>> all = options.shared->sum({&count, 1});
    if (!all)
      return all.takeStatus();
    count = all->front();
  }
  const std::string header = headerOf(list, count, options.extended);
  if (options.shared)
    return options.shared->write(header, list.count(), format);
  return writeFile(path, header, list.count(), format, options.progress);
}

} // namespace strata::runtime
