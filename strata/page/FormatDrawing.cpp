// Packs an example into a format and draws it.
#include "strata/page/FormatDrawing.h"

#include "strata/conversion/Packing.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/page/Markup.h"
#include "strata/page/PiecesPicture.h"
#include "strata/page/StoragePicture.h"
#include "strata/tensor/StorageDump.h"
#include "strata/translate/ProgramTypes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using strata::runtime::Coordinates;
using strata::runtime::Result;

namespace strata::page {

// The coordinates of an example, a row for each entry.
static std::vector<std::vector<int64_t>> examplePlaces(int order) {
  if (order == 1)
    return {{1}, {4}, {5}};
  if (order == 2)
    return {{0, 0}, {0, 2}, {2, 0}, {2, 1}, {2, 3}, {3, 3}};
  if (order == 3)
    return {{0, 0, 1}, {0, 2, 0}, {0, 2, 2}, {2, 1, 1}, {2, 1, 2}};
  std::vector<std::vector<int64_t>> places;
  for (unsigned number : {1u, 2u, 6u, 11u, 13u}) {
    std::vector<int64_t> &place = places.emplace_back();
    for (int dim = 0; dim < order; ++dim)
      place.push_back(number >> (dim % 4) & 1);
  }
  llvm::sort(places);
  return places;
}

Result<Coordinates> exampleEntries(int order) {
  std::vector<std::vector<int64_t>> places = examplePlaces(order);
  const int64_t size = order == 1 ? 8 : order == 2 ? 4 : order == 3 ? 3 : 2;
  Result<Coordinates> list = Coordinates::create(std::vector<int64_t>(size_t(order), size),
                                                 STRATA_I32, STRATA_F64, int64_t(places.size()));
  if (!list)
    return list;
  for (auto [entry, place] : llvm::enumerate(places)) {
    for (int dim = 0; dim < order; ++dim)
      list->column(dim).as<int32_t>()[entry] = int32_t(place[size_t(dim)]);
    list->values().as<double>()[entry] = double(entry + 1);
  }
  return list;
}

static std::string drawnPart(const TensorValue &part, const std::string &name) {
  std::string text = host::storageText(name, *part.storage, storageTextOf(part.type));
  std::string html = "<div class=\"drawings\"><div class=\"picture\">";
  html += treeSvg(coordinateTree(part, mostLeavesDrawn), "Coordinates of " + name, Ground::Page);
  return html + "</div><div><pre class=\"box\">" + escaped(StringRef(text).rtrim('\n')) +
         "</pre></div></div>\n";
}

// The type of the example in a format.
static RankedTensorType typeOfExample(RankedTensorType type) {
  return RankedTensorType::get(SmallVector<int64_t>(size_t(type.getRank()), ShapedType::kDynamic),
                               Float64Type::get(type.getContext()), type.getEncoding());
}

Result<std::string> formatDrawing(KernelCompiler &compiler, RankedTensorType type, StringRef name,
                                  std::optional<Coordinates> entries) {
  const auto order = int(type.getRank());
  const RankedTensorType stored = typeOfExample(type);
  if (!entries) {
    Result<Coordinates> example = exampleEntries(order);
    if (!example)
      return example.takeStatus();
    entries = std::move(*example);
  }
  Result<TensorValue> tensor = pack(compiler, std::move(*entries), stored);
  if (!tensor)
    return tensor.takeStatus();
  if (tensor->parts.empty())
    return drawnPart(*tensor, name.str());
  std::string html;
  for (auto [number, part] : llvm::enumerate(tensor->parts))
    html += drawnPart(part, host::partName(name.str(), number, tensor->parts.size()));
  return html;
}

Result<std::string> placementDrawing(KernelCompiler &compiler, RankedTensorType type,
                                     StringRef title) {
  const ta::PlacementAttr placement = ta::placementOf(type);
  const RankedTensorType stored = typeOfExample(ta::withPlacement(type, nullptr));
  const runtime::dist::Places places = placesOf(placement);
  const runtime::dist::Grid grid(std::vector<int64_t>(places.size(), 2), /*ranks=*/1);
  Result<Coordinates> entries = exampleEntries(int(type.getRank()));
  if (!entries)
    return entries.takeStatus();
  const bool isFull = !ta::sumOf(stored) && ta::formatOf(stored).isFull();
  Result<runtime::dist::Cut> cut = runtime::dist::Cut::make(*entries, grid, places, isFull);
  if (!cut)
    return cut.takeStatus();
  const bool hasBoxes = !runtime::dist::Cut::storedDims(places, isFull);
  PlacedEntries placed{.entries = *entries, .cut = *cut, .hasBoxes = hasBoxes, .cells = {}};
  for (int64_t cell = 0; cell < grid.cells(); ++cell)
    placed.cells.push_back("cell " + std::to_string(cell) + " of " + placement.getMachine().str());
  return piecesSvg(compiler, stored, placed, title, Ground::Page);
}

} // namespace strata::page
