// Translates programs to data.
#include "strata/translate/Translator.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Sums.h"

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

// The grids that placements name.
static std::vector<host::Machine> machinesOf(ModuleOp module) {
  std::vector<host::Machine> machines;
  for (auto op : module.getOps<ta::MachineOp>()) {
    host::Machine &machine = machines.emplace_back(op.getSymName().str());
    for (auto [name, parameter, cells] :
         llvm::zip(op.getAxes().getAsValueRange<StringAttr>(),
                   op.getParameters().getAsValueRange<StringAttr>(), op.getCells()))
      machine.axes.push_back({name.str(), parameter.str(), cells});
  }
  return machines;
}

bool Translator::run() {
  program.machines = machinesOf(main->getParentOfType<ModuleOp>());
  for (BlockArgument argument : main.getArguments()) {
    if (ahead && ahead->caller() == Caller::Code) {
      ahead->describe(typeId(argument), ta::nameOf(argument));
    } else {
      packedType(argument);
      packedType(argument, /*silentZero=*/false);
    }
    program.arguments.push_back({tensor(argument), typeId(argument)});
  }
  program.body = translate(main.getBody().front());
  return !fails;
}

TensorId Translator::newTensor(const std::string &name) {
  program.names.push_back(name);
  return program.tensors++;
}

TensorId Translator::tensor(Value value) {
  auto [known, isNew] = tensorIds.try_emplace(value, program.tensors);
  if (isNew)
    newTensor(ta::quotedNameOf(value));
  return known->second;
}

std::vector<TensorId> Translator::tensorsOf(ValueRange values) {
  std::vector<TensorId> ids;
  for (Value value : values)
    ids.push_back(tensor(value));
  return ids;
}

SizeId Translator::size(Value value) {
  auto [known, isNew] = sizeIds.try_emplace(value, program.sizes);
  program.sizes += isNew;
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
    ids.push_back(program.sizes++);
    add(op, host::Number{ids.back(), extent});
  }
  return ids;
}

RankedTensorType Translator::decided(RankedTensorType type) const {
  return ahead ? ahead->decided(type) : type;
}
RankedTensorType Translator::decided(Value value) const {
  return decided(cast<RankedTensorType>(value.getType()));
}

TypeId Translator::typeId(Value value) { return types.number(decided(value)); }

TypeId Translator::packedType(Value value, bool silentZero) {
  return ahead ? ahead->packed(value.getType(), silentZero) : typeId(value);
}

bool Translator::hasZeroFill(Value value) {
  return llvm::all_of(program.format(typeId(value)).fill, [](char byte) { return byte == 0; });
}

TensorId Translator::listed(Value value) {
  if (ahead)
    ahead->listed(value.getType());
  return tensor(value);
}

void Translator::add(Operation *at, host::Operation operation) {
  if (operations.empty() || operations.back() != at) {
    operations.push_back(at);
    program.places.push_back(placeText(at->getLoc()));
  }
  current->list.push_back({int64_t(operations.size()) - 1, std::move(operation)});
}

void Translator::refuse(Operation *op, const Twine &why) {
  op->emitError() << (ahead ? "cannot be compiled ahead: " : "cannot be run: ") << why;
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
            ta::OneHotOp, ta::InsideOp, ta::DenseAlgebraOp, ta::ConcatOp, ta::LexiOrderOp,
            ta::ComputeOp, ta::ConvertOp, ta::NeedsOp, ta::ReachOp, ta::FetchOp, ta::ScatterOp,
            ta::ComponentOp, ta::ValuesOp, ta::WithValuesOp, ta::GatherOp, ta::InsertPartOp,
            ta::WriteOp, ta::PrintOp, ta::PrintTextOp, ta::ReleaseOp, ta::SameSizeOp,
            ta::CheckpointOp, ta::TimeOp, ta::PrintElapsedOp, ta::DimOp, ta::CellsOp,
            arith::ConstantOp, ta::FitOp, ta::HoldsOp, arith::AndIOp, arith::OrIOp, ta::ForOp,
            ta::LoopOp, ta::IfOp, ta::DistributeOp, ta::NextOp, ta::BreakOp, func::ReturnOp>(
          [&](auto op) { translate(op); })
      .Default([&](Operation *op) { refuse(op, "no operation of host programs"); });
}

std::optional<CompiledProgram> compileProgram(func::FuncOp main, StringRef name, unsigned width,
                                              Caller caller) {
  CompiledProgram result;
  result.program.name = name.str();
  result.caller = caller;
  ProgramTypes types(result.program);
  KernelsAhead ahead(result, types, main, width);
  Translator translator(main, result.program, types, &ahead);
  if (!translator.run())
    return std::nullopt;
  result.operations = std::move(translator.operations);
  return result;
}

std::unique_ptr<OpenProgram> translateProgram(func::FuncOp main) {
  auto result = std::make_unique<OpenProgram>();
  Translator translator(main, result->program, result->types, nullptr);
  if (!translator.run())
    return nullptr;
  result->operations = std::move(translator.operations);
  result->tensors = std::move(translator.tensorIds);
  result->sizes = std::move(translator.sizeIds);
  return result;
}

} // namespace strata
