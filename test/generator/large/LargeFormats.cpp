#include "LargeFormats.h"
#include "generator/Dialects.h"

#include "generator/Formats.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/dialect/ta/Ta.h"
#include "strata/estimate/Estimate.h"
#include "strata/tensor/ElementTypes.h"

namespace strata::test {

static mlir::MLIRContext &contextOfDraws() {
  static mlir::MLIRContext context(allDialects(), mlir::MLIRContext::Threading::DISABLED);
  static bool loaded = (context.loadAllAvailableDialects(), true);
  (void)loaded;
  return context;
}

std::string formatText(mlir::RankedTensorType type) {
  if (!type.getEncoding())
    return "Dense";
  std::string text = ta::formatName(type);
  return llvm::StringRef(text).contains("->") ? "{" + text + "}" : text;
}

// Tells whether a storage would take more than some lists of the entries do.
static bool isTooLarge(mlir::RankedTensorType type, const std::vector<int64_t> &sizes,
                       int64_t entries) {
  constexpr double mostBytes = double(1 << 28), mostTimes = 8;
  double list = double(entries) * (8 * double(sizes.size()) + 8);
  double bytes = storageBytes(type, sizes, entries);
  return !(bytes <= mostBytes) || bytes > mostTimes * list + (1 << 20);
}

static const std::vector<NamedFormat> &namedOf(unsigned order) {
  static std::vector<std::vector<NamedFormat>> known;
  while (known.size() <= order)
    known.push_back(namedFormats(unsigned(known.size())));
  return known[order];
}

std::string drawLargeFormat(Random &random, const std::vector<int64_t> &sizes, int64_t entries,
                            strata_type type) {
  auto order = static_cast<unsigned>(sizes.size());
  if (order == 0)
    return "Dense";
  for (int tries = 0; tries < 30; ++tries) {
    NamedFormat drawn = random.chance(60)   ? random.pick(namedOf(order))
                        : random.chance(70) ? drawFormat(random, order)
                                            : drawAnyStack(random, order);
    mlir::MLIRContext &context = contextOfDraws();
    mlir::Attribute attribute = parseFormat(&context, drawn, order);
    if (!attribute)
      continue;
    auto plain = mlir::RankedTensorType::get(
        std::vector<int64_t>(order, mlir::ShapedType::kDynamic), compilerType(&context, type));
    mlir::RankedTensorType stored = drawn.text.empty() ? plain : ta::withFormat(plain, attribute);
    // What the entries decide is not estimated: how they share groups, and ranks below them.
    std::string text = formatText(stored);
    bool depends = llvm::StringRef(text).contains("sorted(") || text.starts_with("NM");
    if (!depends && !isTooLarge(stored, sizes, entries))
      return text;
  }
  return order == 1 ? "SparseVector" : "COO";
}

std::string plainLargeFormat(const std::vector<int64_t> &sizes, double entries) {
  double volume = 1;
  for (int64_t size : sizes)
    volume *= double(size);
  constexpr double mostPlaces = 1e8;
  if (sizes.empty() || (volume <= mostPlaces && entries * 10 >= volume))
    return "Dense";
  if (sizes.size() == 1)
    return volume <= 1e6 ? "Dense" : "SparseVector";
  if (sizes.size() == 2)
    return double(sizes[0]) <= std::max(1e6, 4 * entries) && sizes[0] <= (1 << 24) ? "CSR" : "DCSR";
  return "CSF";
}

} // namespace strata::test
