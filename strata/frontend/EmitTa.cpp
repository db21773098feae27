// The host program: one operation after the other; types, places and sizes.
#include "strata/frontend/EmitTa.h"

#include "strata/dialect/ta/EmittedErrors.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/frontend/TaEmitter.h"
#include "strata/frontend/TaFormats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace strata::frontend {

TaEmitter::TaEmitter(const Program &program, MLIRContext *context, Diagnostics &diagnostics)
    : program(program), b(context), diagnostics(diagnostics), values(program.tensors.size()) {
  context->loadDialect<arith::ArithDialect, complex::ComplexDialect, func::FuncDialect,
                       math::MathDialect, ta::TaDialect>();
}

OwningOpRef<ModuleOp> TaEmitter::run() {
  Location start = b.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(start);
  b.setInsertionPointToEnd(module->getBody());
  for (const Machine &machine : program.machines)
    emit(machine);
  main = func::FuncOp::create(b, start, "main", b.getFunctionType({}, {}));
  b.setInsertionPointToEnd(main.addEntryBlock());
  ta::EmittedErrors errors(b.getContext());
  for (const Tensor &tensor : program.tensors)
    types.push_back(typeOf(tensor));
  emit(program.operations);
  if (diagnostics.hasErrors() || errors.any())
    return nullptr;
  auto end = func::ReturnOp::create(b, start, returned);
  main.setFunctionType(b.getFunctionType(main.getArgumentTypes(), end.getOperandTypes()));
  if (failed(verify(*module)))
    return nullptr;
  return module;
}

void TaEmitter::emit(const Machine &machine) {
  SmallVector<StringRef> axes, parameters;
  SmallVector<int64_t> cells;
  for (const Machine::Axis &axis : machine.axes) {
    axes.push_back(axis.name);
    cells.push_back(axis.cells);
    parameters.push_back(axis.parameter);
  }
  ta::MachineOp::create(b, locate(machine.range), machine.name, b.getStrArrayAttr(axes),
                        b.getDenseI64ArrayAttr(cells), b.getStrArrayAttr(parameters));
}

void TaEmitter::emit(llvm::ArrayRef<Operation> operations) {
  for (const Operation &operation : operations) {
    range = operation.range;
    std::visit([this](const auto &op) { emit(op); }, operation.kind);
    if (diagnostics.hasErrors())
      return;
  }
}

//===------------------------------------------------------------------------------------------===//
// Types, places, sizes
//===------------------------------------------------------------------------------------------===//

void TaEmitter::internalError(const llvm::Twine &what) {
  mlir::emitError(here()) << "internal error: " << what;
}

RankedTensorType TaEmitter::typeOf(const Tensor &tensor) {
  SmallVector<int64_t> shape;
  for (std::optional<int64_t> size : tensor.sizes)
    shape.push_back(size.value_or(ShapedType::kDynamic));
  auto type = RankedTensorType::get(shape, emitElementType(b.getContext(), tensor.type));
  std::string why;
  if (!tensor.format)
    return type;
  Attribute format = emitFormat(b.getContext(), *tensor.format, tensor.order(), tensor.type, why);
  if (!format)
    internalError("a format that analysis has passed cannot be made: " + why);
  return ta::withPlacement(ta::withFormat(type, format),
                           emitPlacement(b.getContext(), *tensor.format));
}

Location TaEmitter::locate(llvm::SMRange range) {
  Place place = diagnostics.placeOf(range.Start);
  if (!place.line)
    return b.getUnknownLoc();
  const llvm::SourceMgr &sources = diagnostics.sourceManager();
  unsigned id = sources.FindBufferContainingLoc(range.Start);
  return FileLineColLoc::get(b.getContext(), sources.getMemoryBuffer(id)->getBufferIdentifier(),
                             place.line, place.column);
}

// Where the current operation stands, under the name of the tensor that it defines.
Location TaEmitter::locate(TensorId result) {
  return NameLoc::get(b.getStringAttr(program.tensors[result].name), locate(range));
}

// The same for a statement, together with its text.
Location TaEmitter::locateStatement(TensorId result) {
  Location place = locate(range);
  if (std::string text = sourceText(range); !text.empty())
    place = ta::withSourceText(place, text);
  return NameLoc::get(b.getStringAttr(program.tensors[result].name), place);
}

// The text of a statement in one line, without comments; empty if it has none of its own, or a
// block of others in it.
std::string TaEmitter::sourceText(llvm::SMRange range) {
  if (!range.isValid())
    return "";
  StringRef text(range.Start.getPointer(), range.End.getPointer() - range.Start.getPointer());
  std::string line;
  for (StringRef rest = text; !rest.empty();) {
    StringRef next;
    std::tie(next, rest) = rest.split('\n');
    line += (line.empty() ? "" : " ") + next.split('#').first.trim().str();
  }
  StringRef statement = StringRef(line).rtrim("; ");
  return statement.contains('{') ? "" : statement.str();
}

Value TaEmitter::emitSize(const SizeSource &source) {
  if (source.constant)
    return arith::ConstantIndexOp::create(b, here(), *source.constant);
  if (!source.parameter.empty())
    return parameter(source.parameter, b.getIndexType(), here());
  return ta::DimOp::create(b, here(), b.getIndexType(), values[source.tensor], source.dimension);
}

// Makes the value that is given when the program runs: once for each type, before anything else.
Value TaEmitter::parameter(const std::string &name, Type type, Location place) {
  Value &value = parameters[{b.getStringAttr(name), type}];
  if (value)
    return value;
  OpBuilder::InsertionGuard guard(b);
  if (lastParameter)
    b.setInsertionPointAfter(lastParameter);
  else
    b.setInsertionPointToStart(&main.getBody().front());
  Location loc = NameLoc::get(b.getStringAttr(name), place);
  lastParameter = ta::ParameterOp::create(b, loc, type, name);
  return value = lastParameter.getResult();
}

Value TaEmitter::emitSources(const Size &size) {
  SmallVector<Value> all;
  SmallVector<Attribute> uses;
  for (const SizeSource &source : size.sources) {
    // Constants agree with each other: analysis has seen to that.
    bool again = source.constant && llvm::any_of(size.sources, [&](const SizeSource &other) {
                   return &other < &source && other.constant;
                 });
    if (again)
      continue;
    all.push_back(emitSize(source));
    uses.push_back(b.getStringAttr(source.use));
  }
  if (all.size() == 1)
    return all.front();
  return ta::SameSizeOp::create(b, here(), b.getIndexType(), size.name, all, b.getArrayAttr(uses));
}

// How many values an index variable has, after those of later variables.
Value TaEmitter::emitExtent(const Size &size) {
  if (size.reaches.empty() && !size.begin)
    return emitSources(size);
  MLIRContext *context = b.getContext();
  SmallVector<Value> operands;
  SmallVector<AffineExpr> bounds;
  auto use = [&](Value value) {
    operands.push_back(value);
    return getAffineDimExpr(operands.size() - 1, context);
  };
  if (!size.sources.empty())
    bounds.push_back(use(emitSources(size)) - size.begin);
  for (const Reach &reach : size.reaches) {
    AffineExpr bound = getAffineConstantExpr(reach.offset, context);
    if (reach.size)
      bound = bound + use(emitSize(*reach.size)) * reach.scale;
    for (const Reach::Other &other : reach.others)
      bound = bound + (use(extents[other.var]) - 1) * other.factor;
    bounds.push_back(bound.floorDiv(reach.divisor) + 1);
  }
  AffineMap map = AffineMap::get(operands.size(), 0, bounds, context);
  return ta::FitOp::create(b, here(), b.getIndexType(), AffineMapAttr::get(map), operands);
}

// The sizes of a result's dynamic dimensions.
SmallVector<Value> TaEmitter::emitSizes(TensorId result, llvm::ArrayRef<Size> sizes) {
  SmallVector<Value> dynamic;
  for (auto [dimension, size] : llvm::enumerate(sizes))
    if (types[result].isDynamicDim(dimension))
      dynamic.push_back(emitSize(size));
  return dynamic;
}

OwningOpRef<ModuleOp> emitTa(const Program &program, MLIRContext *context,
                             Diagnostics &diagnostics) {
  return TaEmitter(program, context, diagnostics).run();
}

} // namespace strata::frontend
