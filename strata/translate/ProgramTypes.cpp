// Numbers types, and describes how each is stored.
#include "strata/translate/ProgramTypes.h"

#include "strata/dialect/ta/Sums.h"
#include "strata/tensor/StoredFormats.h"

using namespace mlir;
using strata::host::TypeId;

namespace strata {

SmallVector<RankedTensorType> ProgramTypes::parts(TypeId id) const {
  RankedTensorType type = types[size_t(id)];
  ta::SumAttr sum = ta::sumOf(type);
  if (!sum)
    return {type};
  return llvm::map_to_vector(sum.getParts(),
                             [&](ta::FormatAttr part) { return ta::withFormat(type, part); });
}

TypeId ProgramTypes::number(RankedTensorType type) {
  auto [known, isNew] = numbers.try_emplace(type, TypeId(types.size()));
  if (!isNew)
    return known->second;
  TypeId id = known->second;
  types.push_back(type);
  host::TensorType stored;
  for (RankedTensorType part : parts(id))
    stored.parts.push_back(storedFormatOf(ta::withOpenWidths(part, 64, 64)));
  if (ta::SumAttr sum = ta::sumOf(type))
    stored.divisions = divisionsOf(sum);
  stored.kernels.resize(stored.parts.size());
  for (int64_t extent : type.getShape())
    stored.sizes.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
  if (ta::PlacementAttr placement = ta::placementOf(type))
    place(stored, placement);
  program.types.push_back(std::move(stored));
  if (ta::placementOf(type)) {
    TypeId piece = number(ta::pieceType(type));
    program.types[size_t(id)].piece = piece;
  }
  return id;
}

// The program has a machine of each name that a placement uses.
void ProgramTypes::place(host::TensorType &stored, ta::PlacementAttr placement) const {
  auto machine = llvm::find_if(program.machines, [&](const host::Machine &machine) {
    return machine.name == placement.getMachine();
  });
  stored.machine = machine - program.machines.begin();
  stored.places = placesOf(placement);
}

runtime::dist::Places placesOf(ta::PlacementAttr placement) {
  runtime::dist::Places places;
  for (ta::PlaceAttr place : placement.getPlaces()) {
    using Kind = runtime::dist::Place::Kind;
    static constexpr Kind kinds[] = {Kind::Share, Kind::Entries, Kind::All, Kind::At};
    places.push_back({kinds[size_t(place.getKind())],
                      {place.getDims().begin(), place.getDims().end()},
                      place.getCell()});
  }
  return places;
}

} // namespace strata
