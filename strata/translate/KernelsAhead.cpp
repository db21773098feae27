// Adds the kernels that a program needs.
#include "strata/translate/KernelsAhead.h"

#include "strata/conversion/Packing.h"
#include "strata/conversion/Unpacking.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/entry/StorageLayout.h"
#include "strata/tensor/ElementTypes.h"

using namespace mlir;
using strata::host::KernelId, strata::host::TypeId;

namespace strata {

KernelsAhead::KernelsAhead(CompiledProgram &result, ProgramTypes &types, func::FuncOp main,
                           unsigned width)
    : result(result), types(types), main(main), width(width) {
  result.program.coordinateBits = width == 64 ? 64 : 32;
  OpBuilder b(main.getContext());
  result.kernels = ModuleOp::create(b, main.getLoc());
}

RankedTensorType KernelsAhead::decided(Type open) const {
  constexpr unsigned positions = 64; // nobody knows how many entries come
  return ta::withOpenWidths(cast<RankedTensorType>(open), positions, width);
}

KernelId KernelsAhead::addKernel(OwningOpRef<ModuleOp> module) {
  func::FuncOp function = *module->getOps<func::FuncOp>().begin();
  std::string name = result.program.name + "_kernel" + std::to_string(result.names.size());
  function.setName(name);
  if (assumes(main->getParentOfType<ModuleOp>(), Assumptions::Deterministic))
    assume(function, Assumptions::Deterministic);
  OpBuilder::atBlockEnd(result.kernels->getBody()).clone(*function);
  result.names.push_back(std::move(name));
  return KernelId(result.names.size()) - 1;
}

TypeId KernelsAhead::packed(Type open, bool silentZero) {
  TypeId id = number(open);
  for (auto [at, part] : llvm::enumerate(types.parts(id))) {
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

TypeId KernelsAhead::listed(Type open) {
  TypeId id = number(open);
  for (auto [at, part] : llvm::enumerate(types.parts(id))) {
    host::TensorType &stored = result.program.types[size_t(id)];
    host::ListKernels &kernels = stored.kernels[at];
    if (kernels.unpack >= 0 || part.getRank() == 0)
      continue;
    UnpackingKernel unpacking = unpackingKernel(part, coordinates(), types.type(id));
    kernels.unpackLeavesFills = unpacking.leavesFills;
    kernels.unpack = addKernel(std::move(unpacking.module));
  }
  return id;
}

void KernelsAhead::describe(TypeId type, const std::string &name) {
  SmallVector<RankedTensorType> parts = types.parts(type);
  for (auto [at, part] : llvm::enumerate(parts))
    describe(part, parts.size() > 1 ? host::partName(name, at, parts.size()) : name);
}

void KernelsAhead::describe(RankedTensorType type, const std::string &name) {
  std::string buffers;
  for (auto [buffer, element] : llvm::zip(bufferNames(ta::formatOf(type), ""), bufferTypes(type)))
    buffers += (buffers.empty() ? "" : ", ") + StringRef(buffer).ltrim('_').str() + " " +
               runtime::typeName(element);
  result.comment += " *   " + name + ": " + elementTypeWord(type.getElementType()).str() + ", " +
                    ta::formatName(type) + "; " + buffers + "\n";
}

} // namespace strata
