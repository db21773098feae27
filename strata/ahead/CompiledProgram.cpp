// Translates programs to data.
#include "strata/ahead/CompiledProgram.h"

#include "strata/ahead/Translator.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/lower/entry/StorageLayout.h"
#include "strata/tensor/ElementTypes.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace strata {

using host::SizeId, host::TensorId, host::TypeId, host::KernelId;

// "spmv.ta:4:3" of an operation in a program's text.
static std::string placeText(Location location) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "strata";
  return (llvm::sys::path::filename(place.getFilename().getValue()) + ":" + Twine(place.getLine()) +
          ":" + Twine(place.getColumn()))
      .str();
}

std::optional<CompiledProgram> Translator::run() {
  for (BlockArgument argument : main.getArguments()) {
    if (result.caller == Caller::Process) {
      packedType(argument);
      packedType(argument, /*silentZero=*/false);
    } else {
      describe(argument, ta::nameOf(argument));
    }
    result.program.arguments.push_back({tensor(argument), typeId(argument)});
  }
  result.program.body = translate(main.getBody().front());
  if (fails)
    return std::nullopt;
  result.program.tensors = nextTensor;
  result.program.sizes = nextSize;
  return std::move(result);
}

void Translator::describe(Value value, const std::string &name) {
  SmallVector<RankedTensorType> parts = types.parts(typeId(value));
  for (auto [at, part] : llvm::enumerate(parts))
    describe(part, parts.size() > 1 ? host::partName(name, at, parts.size()) : name);
}

void Translator::describe(RankedTensorType type, const std::string &name) {
  std::string buffers;
  for (auto [buffer, element] : llvm::zip(bufferNames(ta::formatOf(type), ""), bufferTypes(type)))
    buffers += (buffers.empty() ? "" : ", ") + StringRef(buffer).ltrim('_').str() + " " +
               runtime::typeName(element);
  result.comment += " *   " + name + ": " + elementTypeWord(type.getElementType()).str() + ", " +
                    ta::formatName(type) + "; " + buffers + "\n";
}

TensorId Translator::tensor(Value value) {
  auto [known, isNew] = tensorIds.try_emplace(value, nextTensor);
  nextTensor += isNew;
  return known->second;
}

std::vector<TensorId> Translator::tensorsOf(ValueRange values) {
  std::vector<TensorId> ids;
  for (Value value : values)
    ids.push_back(tensor(value));
  return ids;
}

SizeId Translator::size(Value value) {
  auto [known, isNew] = sizeIds.try_emplace(value, nextSize);
  nextSize += isNew;
  return known->second;
}

std::vector<SizeId> Translator::sizesOf(ValueRange values) {
  std::vector<SizeId> ids;
  for (Value value : values)
    ids.push_back(size(value));
  return ids;
}

std::vector<SizeId> Translator::resultSizes(Operation *op, RankedTensorType type,
                                            ValueRange dynamic) {
  std::vector<SizeId> ids;
  for (int64_t extent : type.getShape()) {
    if (ShapedType::isDynamic(extent)) {
      ids.push_back(size(dynamic.front()));
      dynamic = dynamic.drop_front();
      continue;
    }
    ids.push_back(nextSize++);
    add(op, host::Number{ids.back(), extent});
  }
  return ids;
}

RankedTensorType Translator::decided(Value value) const { return types.decided(value.getType()); }

TypeId Translator::typeId(Value value) { return types.number(value.getType()); }

TypeId Translator::packedType(Value value, bool silentZero) {
  return types.packed(value.getType(), silentZero);
}

TensorId Translator::listed(Value value) {
  types.listed(value.getType());
  return tensor(value);
}

KernelId Translator::addKernel(OwningOpRef<ModuleOp> module) {
  return types.addKernel(std::move(module));
}

void Translator::add(Operation *at, host::Operation operation) {
  current->list.push_back({placeText(at->getLoc()), std::move(operation)});
}

void Translator::refuse(Operation *op, const Twine &why) {
  op->emitError() << "cannot be compiled ahead: " << why;
  fails = true;
}

host::Instructions Translator::translate(Block &block) {
  host::Instructions own, *around = std::exchange(current, &own);
  for (Operation &op : block)
    translate(op);
  current = around;
  return own;
}

std::vector<TensorId> Translator::handedOn(Operation *end) {
  return tensorsOf(llvm::filter_to_vector(
      end->getOperands(), [&](Value value) { return value.getParentBlock() == end->getBlock(); }));
}

void Translator::translate(Operation &op) {
  TypeSwitch<Operation *>(&op)
      .Case<ta::ReadOp, ta::ParameterOp, ta::FillOp, ta::RandomOp, ta::StencilOp, ta::IotaOp,
            ta::OneHotOp, ta::InsideOp, ta::DenseAlgebraOp, ta::ConcatOp, ta::ComputeOp,
            ta::ConvertOp, ta::ComponentOp, ta::GatherOp, ta::InsertPartOp, ta::WriteOp,
            ta::PrintOp, ta::PrintTextOp, ta::ReleaseOp, ta::SameSizeOp, ta::TimeOp,
            ta::PrintElapsedOp, ta::DimOp, arith::ConstantOp, ta::FitOp, ta::HoldsOp, arith::AndIOp,
            arith::OrIOp, ta::ForOp, ta::LoopOp, ta::IfOp, ta::NextOp, ta::BreakOp, func::ReturnOp>(
          [&](auto op) { translate(op); })
      .Default([&](Operation *op) { refuse(op, "no operation of host programs"); });
}

std::optional<CompiledProgram> compileProgram(func::FuncOp main, StringRef name, unsigned width,
                                              Caller caller) {
  return Translator(main, name, width, caller).run();
}

} // namespace strata
