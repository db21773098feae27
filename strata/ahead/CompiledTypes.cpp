// Numbers types, and adds the kernels that they need.
#include "strata/ahead/CompiledTypes.h"

#include "strata/conversion/Packing.h"
#include "strata/conversion/Unpacking.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/tensor/StoredFormats.h"

using namespace mlir;
using strata::host::KernelId, strata::host::TypeId;

namespace strata {

CompiledTypes::CompiledTypes(CompiledProgram &result, func::FuncOp main, StringRef name,
                             unsigned width)
    : result(result), main(main), width(width) {
  result.program.name = name.str();
  result.program.coordinateBits = width == 64 ? 64 : 32;
  OpBuilder b(main.getContext());
  result.kernels = ModuleOp::create(b, main.getLoc());
}

RankedTensorType CompiledTypes::decided(Type open) const {
  auto type = cast<RankedTensorType>(open);
  if (!type.getEncoding())
    return type;
  constexpr unsigned positions = 64; // nobody knows how many entries come
  if (ta::SumAttr sum = ta::sumOf(type))
    return ta::withFormat(type, sum.withOpenWidths(positions, width));
  return ta::withFormat(type, ta::formatOf(type).withOpenWidths(positions, width));
}

static SmallVector<RankedTensorType> partsOf(RankedTensorType type) {
  ta::SumAttr sum = ta::sumOf(type);
  if (!sum)
    return {type};
  return llvm::map_to_vector(sum.getParts(),
                             [&](ta::FormatAttr part) { return ta::withFormat(type, part); });
}

SmallVector<RankedTensorType> CompiledTypes::parts(TypeId id) const {
  return partsOf(types[size_t(id)]);
}

TypeId CompiledTypes::number(Type open) {
  RankedTensorType type = decided(open);
  auto [known, isNew] = numbers.try_emplace(type, TypeId(types.size()));
  if (!isNew)
    return known->second;
  types.push_back(type);
  host::TensorType stored;
  for (RankedTensorType part : partsOf(type))
    stored.parts.push_back(storedFormatOf(part));
  if (ta::SumAttr sum = ta::sumOf(type))
    stored.divisions = divisionsOf(sum);
  stored.kernels.resize(stored.parts.size());
  for (int64_t extent : type.getShape())
    stored.sizes.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
  result.program.types.push_back(std::move(stored));
  return known->second;
}

KernelId CompiledTypes::addKernel(OwningOpRef<ModuleOp> module) {
  func::FuncOp function = *module->getOps<func::FuncOp>().begin();
  std::string name = result.program.name + "_kernel" + std::to_string(result.names.size());
  function.setName(name);
  if (assumes(main->getParentOfType<ModuleOp>(), Assumptions::Deterministic))
    assume(function, Assumptions::Deterministic);
  OpBuilder::atBlockEnd(result.kernels->getBody()).clone(*function);
  result.names.push_back(std::move(name));
  return KernelId(result.names.size()) - 1;
}

TypeId CompiledTypes::packed(Type open, bool silentZero) {
  TypeId id = number(open);
  for (auto [at, part] : llvm::enumerate(parts(id))) {
    host::TensorType &stored = result.program.types[size_t(id)];
    host::ListKernels &kernels = stored.kernels[at];
    KernelId &own = silentZero ? kernels.pack : kernels.packFill;
    if (own >= 0 || part.getRank() == 0 || (stored.parts[at].full && silentZero))
      continue;
    SmallVector<int> order = llvm::to_vector(llvm::seq<int>(stored.parts[at].levels.size()));
    PackingKernel kernel = packingKernel(part, coordinates(), order,
                                         silentZero ? Attribute() : ta::formatOf(part).getFill());
    (silentZero ? kernels.packKeepsValues : kernels.packFillKeepsValues) = kernel.keepsValues;
    own = addKernel(std::move(kernel.module));
  }
  return id;
}

TypeId CompiledTypes::listed(Type open) {
  TypeId id = number(open);
  for (auto [at, part] : llvm::enumerate(parts(id))) {
    host::TensorType &stored = result.program.types[size_t(id)];
    host::ListKernels &kernels = stored.kernels[at];
    if (kernels.unpack >= 0 || part.getRank() == 0)
      continue;
    UnpackingKernel unpacking = unpackingKernel(part, coordinates(), types[size_t(id)]);
    kernels.unpackLeavesFills = unpacking.leavesFills;
    kernels.unpack = addKernel(std::move(unpacking.module));
  }
  return id;
}

} // namespace strata
