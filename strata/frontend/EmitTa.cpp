// The host program: one operation after the other, tensors as values.
#include "strata/frontend/EmitTa.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/EmittedErrors.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/ParameterOp.h"
#include "strata/dialect/ta/PlaceMap.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/frontend/ElementEmitter.h"
#include "strata/frontend/TaFormats.h"
#include "strata/frontend/TaSchedules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace strata::frontend {
namespace {

class Emitter {
public:
  Emitter(const Program &program, MLIRContext *context, Diagnostics &diagnostics)
      : program(program), b(context), diagnostics(diagnostics), values(program.tensors.size()) {
    context->loadDialect<arith::ArithDialect, complex::ComplexDialect, func::FuncDialect,
                         math::MathDialect, ta::TaDialect>();
  }

  OwningOpRef<ModuleOp> run() {
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

private:
  void emit(const Machine &machine) {
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

  void emit(llvm::ArrayRef<Operation> operations) {
    for (const Operation &operation : operations) {
      range = operation.range;
      std::visit([this](const auto &op) { emit(op); }, operation.kind);
      if (diagnostics.hasErrors())
        return;
    }
  }

  //===----------------------------------------------------------------------------------------===//
  // Types, places, sizes
  //===----------------------------------------------------------------------------------------===//

  void internalError(const llvm::Twine &what) {
    mlir::emitError(here()) << "internal error: " << what;
  }

  RankedTensorType typeOf(const Tensor &tensor) {
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

  Location locate(llvm::SMRange range) {
    Place place = diagnostics.placeOf(range.Start);
    if (!place.line)
      return b.getUnknownLoc();
    const llvm::SourceMgr &sources = diagnostics.sourceManager();
    unsigned id = sources.FindBufferContainingLoc(range.Start);
    return FileLineColLoc::get(b.getContext(), sources.getMemoryBuffer(id)->getBufferIdentifier(),
                               place.line, place.column);
  }

  /// Where the current operation stands, under the name of the tensor that it defines.
  Location locate(TensorId result) {
    return NameLoc::get(b.getStringAttr(program.tensors[result].name), locate(range));
  }
  Location here() { return locate(range); }

  /// The same for a statement, together with its text.
  Location locateStatement(TensorId result) {
    Location place = locate(range);
    if (std::string text = sourceText(range); !text.empty())
      place = ta::withSourceText(place, text);
    return NameLoc::get(b.getStringAttr(program.tensors[result].name), place);
  }

  /// The text of a statement in one line, without comments; empty if it has none of its own, or a
  /// block of others in it.
  static std::string sourceText(llvm::SMRange range) {
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

  Value emitSize(const SizeSource &source) {
    if (source.constant)
      return arith::ConstantIndexOp::create(b, here(), *source.constant);
    if (!source.parameter.empty())
      return parameter(source.parameter, b.getIndexType(), here());
    return ta::DimOp::create(b, here(), b.getIndexType(), values[source.tensor], source.dimension);
  }

  /// What is given when the program runs: once for each type, before anything else.
  Value parameter(const std::string &name, Type type, Location place) {
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

  Value emitSize(const Size &size) { return size.var ? extents[*size.var] : emitSources(size); }

  Value emitSources(const Size &size) {
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
    return ta::SameSizeOp::create(b, here(), b.getIndexType(), size.name, all,
                                  b.getArrayAttr(uses));
  }

  /// How many values an index variable has, after those of later variables.
  Value emitExtent(const Size &size) {
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

  /// The sizes of a result's dynamic dimensions.
  SmallVector<Value> emitSizes(TensorId result, llvm::ArrayRef<Size> sizes) {
    SmallVector<Value> dynamic;
    for (auto [dimension, size] : llvm::enumerate(sizes))
      if (types[result].isDynamicDim(dimension))
        dynamic.push_back(emitSize(size));
    return dynamic;
  }

  //===----------------------------------------------------------------------------------------===//
  // Statements
  //===----------------------------------------------------------------------------------------===//

  // The values of a label.
  Value emitLabel(const Element &element) {
    const Index &index = element.indices.front();
    const Index::Term &term = index.terms.front();
    auto type = RankedTensorType::get({ShapedType::kDynamic}, b.getI64Type());
    return ta::IotaOp::create(b, locate(element.range), type, index.lo, term.factor,
                              extents[term.var]);
  }

  // Tells whether a sparse tensor stores in rows the coordinate that a selector gives, `A(i,p(j))`.
  // Then the entries of each row are gone through, and the selector says where each of them goes.
  bool isStoredBelowOthers(const Element &element, const Element &selector) const {
    unsigned target = selector.indices.back().terms.front().var;
    unsigned pointer = selector.indices.front().terms.front().var;
    if (element.kind == Element::Kind::Access) {
      ta::FormatAttr stored = ta::formatOf(types[element.tensor]);
      if (stored.isFull() || element.indices.size() != stored.getDimToLvl().getNumDims())
        return false;
      bool isBelow = false;
      for (AffineExpr level : stored.getDimToLvl().getResults())
        for (auto [dimension, index] : llvm::enumerate(element.indices)) {
          if (!level.isFunctionOfDim(dimension) || index.terms.size() != 1)
            continue;
          unsigned var = index.terms.front().var;
          if (var == target || var == pointer)
            return isBelow && var == target;
          isBelow = true;
        }
      return false;
    }
    return llvm::any_of(element.operands, [&](const Element::Operand &operand) {
      return isStoredBelowOthers(*operand.element, selector);
    });
  }

  // Where a tensor's elements point, or an index: one entry below each of its places.
  Value emitSelector(const Element &element) {
    unsigned order = element.indices.size();
    ast::Format format;
    format.kind = ast::Format::Kind::Levels;
    for (unsigned level = 0; level + 1 < order; ++level)
      format.words.push_back({level + 2 == order ? "CU" : "D", element.range});
    format.words.push_back({order == 1 ? "CU" : "S", element.range});
    std::string why;
    auto type = RankedTensorType::get(SmallVector<int64_t>(order, ShapedType::kDynamic),
                                      b.getIntegerType(8));
    bool byTarget = order == 2 && !element.inside && isStoredBelowOthers(*statement, element);
    Attribute levels = byTarget ? ta::foundRowFormat(b.getContext(), {1, 0})
                                : emitFormat(b.getContext(), format, order, ElementType::Int8, why);
    if (!levels)
      internalError("no selector has such a format: " + why);
    RankedTensorType stored = ta::withFormat(type, levels);
    if (element.inside) {
      SmallVector<Value> sizes;
      SmallVector<unsigned> dims(extents.size(), 0);
      for (const Index &index : llvm::ArrayRef(element.indices).drop_back()) {
        dims[index.terms.front().var] = sizes.size();
        sizes.push_back(extents[index.terms.front().var]);
      }
      AffineMap map = accessMap(b.getContext(), *element.inside, sizes.size(),
                                [&](unsigned var) { return dims[var]; });
      return ta::InsideOp::create(b, locate(element.range), stored, AffineMapAttr::get(map), sizes,
                                  extents[element.indices.back().terms.front().var]);
    }
    return ta::OneHotOp::create(b, locate(element.range), stored, values[element.tensor],
                                extents[element.indices.back().terms.front().var]);
  }

  Value operandOf(const Element &element) {
    if (element.kind == Element::Kind::Access)
      return values[element.tensor];
    if (element.kind == Element::Kind::Parameter)
      return made.lookup(&element);
    bool isLabel = element.kind == Element::Kind::Label;
    if (!isLabel && element.kind != Element::Kind::Selector)
      return {};
    Value &value = made[&element];
    if (!value)
      value = isLabel ? emitLabel(element) : emitSelector(element);
    return value;
  }

  ElementType operandType(const Element &element) const {
    if (element.kind == Element::Kind::Label)
      return ElementType::Int64;
    if (element.kind == Element::Kind::Parameter)
      return numberTypes.lookup(&element);
    return element.kind == Element::Kind::Selector ? ElementType::Int8
                                                   : program.tensors[element.tensor].type;
  }

  // The inputs of an element that is computed in `type`.
  void collectInputs(const Element &element, ElementType type, SmallVectorImpl<Value> &inputs) {
    if (element.kind == Element::Kind::Parameter) {
      ElementType own = numberTypes[&element] = isComplex(type) ? partOf(type) : type;
      auto scalar = RankedTensorType::get({}, emitElementType(b.getContext(), own));
      made[&element] = parameter(element.parameter, scalar, locate(element.range));
    }
    Value operand = operandOf(element);
    if (operand && !llvm::is_contained(inputs, operand))
      inputs.push_back(operand);
    for (auto [at, operand] : llvm::enumerate(element.operands)) {
      bool asked = element.kind == Element::Kind::Apply && element.op == Operator::Where && at == 0;
      collectInputs(*operand.element, asked ? ElementType::Bool : element.inner.value_or(type),
                    inputs);
    }
  }

  SmallVector<Value> resultSizes(const Compute &compute) {
    if (!compute.updates())
      return emitSizes(compute.result, compute.sizes);
    SmallVector<Value> sizes;
    for (int64_t dimension = 0; dimension < types[compute.result].getRank(); ++dimension)
      if (types[compute.result].isDynamicDim(dimension))
        sizes.push_back(
            ta::DimOp::create(b, here(), b.getIndexType(), values[compute.result], dimension));
    return sizes;
  }

  // Does the left side reach no place twice? Where an extent is not known here, that is asked when
  // the statement runs.
  bool checkPlaces(AffineMap place) {
    SmallVector<std::optional<int64_t>> sizes;
    for (Value extent : llvm::ArrayRef(extents).take_front(place.getNumDims()))
      sizes.push_back(getConstantIntValue(extent));
    if (ta::solvePlace(place).size() == sizes.size() || llvm::is_contained(sizes, std::nullopt) ||
        ta::separates(place, sizes))
      return true;
    diagnostics.error(range, "the left side may reach a place several times")
        .note("to add up what comes to one place, look it up: k[i, j] = i + j; c[k[i, j]] += ...;");
    return false;
  }

  void emit(const Compute &compute) {
    RankedTensorType type = types[compute.result];
    SmallVector<Value> inputs;
    SmallVector<Attribute> names;
    for (const IndexVar &var : compute.vars)
      names.push_back(b.getStringAttr(var.name));
    extents.assign(compute.vars.size(), Value());
    auto follows = [&](unsigned var) { return !compute.vars[var].size.reaches.empty(); };
    for (unsigned var = 0; var < extents.size(); ++var)
      if (!follows(var))
        extents[var] = emitExtent(compute.vars[var].size);
    // A range that follows from others does so from those of later variables.
    for (unsigned var = extents.size(); var-- > 0;)
      if (follows(var))
        extents[var] = emitExtent(compute.vars[var].size);
    names.truncate(compute.numFree);
    made.clear();
    numberTypes.clear();
    statement = compute.value.get();
    collectInputs(*compute.value, compute.type, inputs);
    if (compute.mask)
      collectInputs(*compute.mask->access, compute.type, inputs);
    AffineMap map = accessMap(b.getContext(), compute.indices, compute.numFree,
                              [](unsigned var) { return var; });
    if (!checkPlaces(map))
      return;
    Value init = compute.updates() ? values[compute.result] : Value(), before;
    ElementType stored = program.tensors[compute.result].type;
    ta::CombineAttr combine;
    if (init && compute.op != ast::AssignOp::Set &&
        (isHalf(stored) || updatesBits(compute.op, stored))) {
      before = init;
      if (!llvm::is_contained(inputs, before))
        inputs.push_back(before);
    } else if (init && compute.op != ast::AssignOp::Set) {
      combine = ta::CombineAttr::get(b.getContext(), combineOf(compute.op, stored));
    }
    Location loc = locateStatement(compute.result);
    SmallVector<Value> sizes = resultSizes(compute);
    if (before && compute.whole && !compute.keeps())
      init = {}; // made anew, from what it was
    auto op = ta::ComputeOp::create(
        b, loc, type, llvm::ArrayRef(extents).take_front(compute.numFree), inputs, sizes, init,
        AffineMapAttr::get(map), combine, b.getArrayAttr(names));
    op.setJoins(combine && ast::joins(compute.op) && !ta::formatOf(type).isFull());
    if (compute.mask)
      emitMask(op, *compute.mask, compute);
    if (compute.copiesDense && !ta::formatOf(type).isFull()) {
      op.setKeepsFills(compute.keepsZeros);
      op.setDropsFills(!compute.keepsZeros);
    }
    emitBody(op, compute, before);
    if (TypedAttr empty = emptyOf(op, compute))
      op.setEmptyAttr(empty);
    if (compute.schedule)
      emitScheduleOf(op, *compute.schedule);
    values[compute.result] = op.getResult();
  }

  void emitScheduleOf(ta::ComputeOp op, const ast::Schedule &schedule) {
    llvm::SmallVector<Location> places;
    for (const ast::Command &command : schedule.commands)
      places.push_back(locate(command.name.range));
    ta::setSchedule(op, emitSchedule(b.getContext(), schedule), places);
  }

  static ta::Combine combineOf(ast::AssignOp op, ElementType type) {
    switch (op) {
    case ast::AssignOp::Set:
    case ast::AssignOp::Add:
    case ast::AssignOp::Subtract:
      return combineOf(Operator::Plus, type);
    case ast::AssignOp::Multiply:
      return combineOf(Operator::Times, type);
    case ast::AssignOp::Min:
      return combineOf(Operator::Min, type);
    case ast::AssignOp::Max:
      return combineOf(Operator::Max, type);
    case ast::AssignOp::Any:
      return ta::Combine::any;
    case ast::AssignOp::Or:
      return ta::Combine::lor;
    case ast::AssignOp::And:
      break;
    }
    return ta::Combine::land;
  }
  static ta::Combine combineOf(Operator op, ElementType type) {
    return frontend::combineOf(op, type);
  }

  void emitMask(ta::ComputeOp op, const ComputeMask &mask, const Compute &compute) {
    op.getMaskMutable().assign(operandOf(*mask.access));
    op.setMaskMapAttr(AffineMapAttr::get(accessMap(
        b.getContext(), mask.access->indices, compute.numFree, [](unsigned var) { return var; })));
    op.setComplement(mask.complemented);
    op.setStructural(mask.structural);
    op.setReplace(mask.replace);
    op.setPull(mask.pull);
  }

  /// What places hold that are emptied; null where none are, or where they hold the fill as they do
  /// anyway. A result that has a place for everything then holds what adding begins with.
  TypedAttr emptyOf(ta::ComputeOp op, const Compute &compute) {
    if (compute.scatters)
      return {};
    RankedTensorType type = types[compute.result];
    const Element &value = *compute.value;
    TypedAttr fill = ta::fillOf(type), empty = fill;
    if (value.kind == Element::Kind::Sum && value.missing && ta::formatOf(type).isFull())
      empty = ta::identityOf(combineOf(value.op, program.tensors[compute.result].type),
                             ta::valueTypeOf(type.getElementType()));
    bool shows = Attribute(empty) != Attribute(fill);
    bool replaces = compute.mask && compute.mask->replace;
    if (compute.op != ast::AssignOp::Set)
      return replaces && (shows || !op.getCombine()) ? empty : TypedAttr();
    bool empties = compute.mask || ta::mayBeMissing(op.getYielded());
    return empties && (op.getInit() || shows) ? empty : TypedAttr();
  }

  /// `before` is what the result holds where it is combined with here: its sums are not rounded at
  /// every step, its bits are not those of one reduction.
  void emitBody(ta::ComputeOp op, const Compute &compute, Value before) {
    OpBuilder::InsertionGuard guard(b);
    Block *block = b.createBlock(&op.getBody());
    auto locateRange = [this](llvm::SMRange range) { return locate(range); };
    auto valueOf = [this](const Element &element) { return operandOf(element); };
    auto elementTypeOf = [this](const Element &element) { return operandType(element); };
    ElementEmitter emitter{b,
                           compute.type,
                           locateRange,
                           valueOf,
                           elementTypeOf,
                           extents,
                           compute.vars,
                           SmallVector<Value>(compute.vars.size())};
    for (unsigned var = 0; var < compute.numFree; ++var)
      emitter.values[var] = block->addArgument(b.getIndexType(), locate(compute.vars[var].range));
    Value value = emitter.emit(*compute.value);
    if (compute.op == ast::AssignOp::Subtract)
      value = ta::emitNegative(b, here(), value);
    ElementType stored = program.tensors[compute.result].type;
    if (before) {
      auto old = [&](bool missing) {
        Value read = ta::AccessOp::create(b, here(), emitValueType(b.getContext(), stored), before,
                                          op.getVariables(), op.getOutMap(), missing);
        return convertElement(b, here(), read, stored, compute.type);
      };
      if (updatesBits(compute.op, stored)) {
        Operator bits = compute.op == ast::AssignOp::Or ? Operator::BitOr : Operator::BitAnd;
        value = applyOperator(b, here(), bits, compute.type, {old(/*missing=*/false), value});
      } else {
        RankedTensorType type = types[compute.result];
        ta::Combine combine = combineOf(compute.op, stored);
        TypedAttr neutral = ta::identityOf(combine, ta::valueTypeOf(type.getElementType()));
        value = ta::emitUpdated(b, here(), combineOf(compute.op, compute.type),
                                ast::joins(compute.op) && !ta::formatOf(type).isFull(),
                                Attribute(neutral) == Attribute(ta::fillOf(type)), old, value);
      }
    }
    value = convertElement(b, here(), value, compute.type, stored);
    ta::YieldOp::create(b, here(), value);
  }

  //===----------------------------------------------------------------------------------------===//
  // Other operations
  //===----------------------------------------------------------------------------------------===//

  // A value that the format would have to store everywhere is a broadcast statement.
  void emit(const Fill &fill) {
    RankedTensorType type = types[fill.result];
    TypedAttr value = elementConstant(b.getContext(), program.tensors[fill.result].type, fill.value,
                                      fill.integer);
    Location loc = locate(fill.result);
    if (ta::formatOf(type).isFull() || Attribute(value) == Attribute(ta::fillOf(type))) {
      SmallVector<Value> sizes = emitSizes(fill.result, fill.sizes);
      values[fill.result] = ta::FillOp::create(b, loc, type, value, sizes);
      return;
    }
    Compute compute;
    compute.result = fill.result;
    compute.sizes = fill.sizes;
    ElementType stored = program.tensors[fill.result].type;
    compute.type = isHalf(stored) ? ElementType::Float : stored;
    compute.numFree = fill.sizes.size();
    for (const Size &size : fill.sizes) {
      compute.indices.push_back(Index::of(compute.vars.size()));
      compute.vars.push_back({size.name, range, size});
    }
    compute.value = std::make_unique<Element>();
    compute.value->range = range;
    compute.value->value = fill.value;
    compute.value->integer = fill.integer;
    emit(compute);
  }

  void emit(const Random &random) {
    SmallVector<Value> sizes = emitSizes(random.result, random.sizes);
    values[random.result] =
        ta::RandomOp::create(b, locate(random.result), types[random.result], sizes,
                             b.getF64FloatAttr(random.density), b.getI64IntegerAttr(random.seed));
  }

  void emit(const LinearAlgebra &algebra) {
    SmallVector<Value> operands;
    for (TensorId operand : algebra.operands)
      operands.push_back(values[operand]);
    values[algebra.result] = ta::DenseAlgebraOp::create(
        b, locate(algebra.result), types[algebra.result], b.getStringAttr(algebra.function),
        operands, emitSizes(algebra.result, algebra.sizes));
  }

  void emit(const Concatenation &joined) {
    SmallVector<Value> operands;
    for (TensorId operand : joined.operands)
      operands.push_back(values[operand]);
    values[joined.result] = ta::ConcatOp::create(b, locateStatement(joined.result),
                                                 types[joined.result], joined.dimension, operands);
  }

  // The numbers as an attribute's values, and the attribute that `make` makes of them.
  template <typename Make> Attribute withNumbers(const Values &values, Make make) {
    ElementType type = program.tensors[values.result].type;
    SmallVector<APInt> integers;
    SmallVector<APFloat> reals;
    SmallVector<std::complex<APFloat>> complexes;
    for (auto [number, integer] : llvm::zip(values.numbers, values.integers)) {
      Attribute one = elementConstant(b.getContext(), type, number.real(), integer, number.imag());
      if (auto complex = dyn_cast<complex::NumberAttr>(one))
        complexes.emplace_back(complex.getReal(), complex.getImag());
      else if (auto real = dyn_cast<FloatAttr>(one))
        reals.push_back(real.getValue());
      else
        integers.push_back(cast<IntegerAttr>(one).getValue());
    }
    return isComplex(type)                    ? make(ArrayRef(complexes))
           : kindOf(type) == NumberKind::Real ? make(ArrayRef(reals))
                                              : make(ArrayRef(integers));
  }

  // The entries of a list that a sparse result stores: not its zeros.
  static Values withoutZeros(const Values &list) {
    Values entries{list.result, false, list.sizes, {}, {}, {}};
    for (auto [at, number] : llvm::enumerate(list.numbers)) {
      if (number == 0.0)
        continue;
      SmallVector<int64_t> coordinate;
      int64_t rest = at;
      for (int64_t size : llvm::reverse(list.sizes)) {
        coordinate.push_back(rest % size);
        rest /= size;
      }
      llvm::append_range(entries.coordinates, llvm::reverse(coordinate));
      entries.numbers.push_back(number);
      entries.integers.push_back(list.integers[at]);
    }
    return entries;
  }

  // A constant of the sizes that are written, and the result's format.
  void emit(const Values &values) {
    RankedTensorType type = types[values.result];
    if (values.isList && !ta::formatOf(type).isFull() && !ta::formatOf(type).getFill())
      return emit(withoutZeros(values));
    auto fixed = RankedTensorType::get(values.sizes, type.getElementType(), type.getEncoding());
    Attribute constant;
    if (values.isList) {
      constant = withNumbers(values, [&](auto numbers) -> Attribute {
        return DenseElementsAttr::get(fixed, numbers);
      });
    } else {
      int64_t count = values.numbers.size();
      auto places =
          DenseElementsAttr::get(RankedTensorType::get({count, type.getRank()}, b.getI64Type()),
                                 ArrayRef<int64_t>(values.coordinates));
      constant = withNumbers(values, [&](auto numbers) -> Attribute {
        auto list = RankedTensorType::get({count}, type.getElementType());
        return SparseElementsAttr::get(fixed, cast<DenseIntElementsAttr>(places),
                                       DenseElementsAttr::get(list, numbers));
      });
    }
    Location loc = locate(values.result);
    Value made = arith::ConstantOp::create(b, loc, cast<TypedAttr>(constant));
    this->values[values.result] =
        fixed == type ? made : Value(ta::ConvertOp::create(b, loc, type, made, StringAttr()));
  }

  void emit(const Stencil &stencil) {
    values[stencil.result] =
        ta::StencilOp::create(b, locate(stencil.result), types[stencil.result], stencil.points);
  }

  void emit(const Read &read) {
    auto op = ta::ReadOp::create(b, locate(read.result), types[read.result],
                                 b.getStringAttr(read.file), b.getI64IntegerAttr(read.part));
    if (read.comet) // which only the reader of the file looks at
      op->setAttr("comet", b.getUnitAttr());
    nameFile(op, read.parameter);
    if (llvm::any_of(read.sizes, [](const std::string &size) { return !size.empty(); })) {
      SmallVector<StringRef> sizes(read.sizes.begin(), read.sizes.end());
      op->setAttr("sizes", b.getStrArrayAttr(sizes));
    }
    values[read.result] = op;
  }

  void emit(const Given &given) {
    Block &entry = main.getBody().front();
    values[given.result] = entry.addArgument(types[given.result], locate(given.result));
    main.setFunctionType(b.getFunctionType(entry.getArgumentTypes(), {}));
  }

  void emit(const Return &op) { returned.push_back(values[op.tensor]); }

  void emit(const Write &write) {
    nameFile(ta::WriteOp::create(b, here(), values[write.tensor], write.file), write.parameter);
  }

  // A file whose name is given when the program runs.
  void nameFile(mlir::Operation *op, const std::string &parameter) {
    if (!parameter.empty())
      op->setAttr("parameter", b.getStringAttr(parameter));
  }

  void emit(const Print &print) {
    ta::PrintOp::create(b, here(), values[print.tensor], print.name, print.bare, print.storage);
  }

  void emit(const PrintText &print) { ta::PrintTextOp::create(b, here(), print.text); }

  void emit(const Time &time) {
    values[time.result] = ta::TimeOp::create(b, locate(time.result), types[time.result]);
  }

  void emit(const Share &share) { values[share.result] = values[share.source]; }

  void emit(const PrintElapsed &elapsed) {
    ta::PrintElapsedOp::create(b, here(), values[elapsed.start], values[elapsed.end]);
  }

  //===----------------------------------------------------------------------------------------===//
  // Control flow
  //===----------------------------------------------------------------------------------------===//

  SmallVector<Value> valuesOf(llvm::ArrayRef<TensorId> tensors) {
    return llvm::map_to_vector(tensors, [&](TensorId id) { return values[id]; });
  }

  SmallVector<Type> typesOf(llvm::ArrayRef<TensorId> tensors) {
    return llvm::map_to_vector(tensors, [&](TensorId id) -> Type { return types[id]; });
  }

  // A region's block of these operations, handing over `given`. What they assign is theirs.
  void emitBlock(Region &region, llvm::ArrayRef<TensorId> arguments,
                 llvm::ArrayRef<Operation> operations, llvm::ArrayRef<TensorId> given) {
    OpBuilder::InsertionGuard guard(b);
    SmallVector<Value> outside = values;
    llvm::SMRange place = range;
    Block *block = b.createBlock(&region);
    for (TensorId id : arguments)
      values[id] = block->addArgument(types[id], locate(id));
    emit(operations);
    if (!diagnostics.hasErrors() && (block->empty() || !isa<ta::BreakOp>(block->back())))
      ta::NextOp::create(b, here(), valuesOf(given));
    values = std::move(outside);
    range = place;
  }

  void emit(const Loop &loop) {
    SmallVector<TensorId> given(loop.carried.begin(), loop.carried.end()), arguments = given;
    llvm::append_range(given, loop.made);
    SmallVector<Type> resultTypes = typesOf(given);
    SmallVector<Value> inits = valuesOf(loop.carried);
    mlir::Operation *op;
    if (loop.variable) {
      arguments.insert(arguments.begin(), *loop.variable);
      op = ta::ForOp::create(b, here(), resultTypes, values[loop.lo], values[loop.hi],
                             values[loop.step], inits);
    } else {
      op = ta::LoopOp::create(b, here(), resultTypes, b.getI64IntegerAttr(loop.limit), inits);
    }
    leaving.push_back(given);
    emitBlock(op->getRegion(0), arguments, loop.body, given);
    leaving.pop_back();
    for (auto [id, result] : llvm::zip(given, op->getResults()))
      values[id] = result;
  }

  void emit(const Branch &branch) {
    Value condition = emit(branch.test);
    auto op = ta::IfOp::create(b, here(), typesOf(branch.results), condition);
    emitBlock(op.getBody(), {}, branch.body, branch.results);
    emitBlock(op.getOtherwise(), {}, branch.otherwise, branch.results);
    for (auto [id, result] : llvm::zip(branch.results, op.getResults()))
      values[id] = result;
  }

  void emit(const Break &) { ta::BreakOp::create(b, here(), valuesOf(leaving.back())); }

  static ta::Relation relationOf(ast::Condition::Kind kind) {
    using Kind = ast::Condition::Kind;
    switch (kind) {
    case Kind::Less:
      return ta::Relation::lt;
    case Kind::LessEqual:
      return ta::Relation::le;
    case Kind::Greater:
      return ta::Relation::gt;
    case Kind::GreaterEqual:
      return ta::Relation::ge;
    case Kind::Equal:
      return ta::Relation::eq;
    case Kind::NotEqual:
    case Kind::And: // joined conditions compare nothing themselves
    case Kind::Or:
      break;
    }
    return ta::Relation::ne;
  }

  Value emit(const Test &test) {
    using Kind = ast::Condition::Kind;
    if (test.kind != Kind::And && test.kind != Kind::Or)
      return ta::HoldsOp::create(b, here(), b.getI1Type(), relationOf(test.kind), values[test.lhs],
                                 values[test.rhs]);
    Value all = emit(test.parts.front());
    for (const Test &part : llvm::drop_begin(test.parts)) {
      Value next = emit(part);
      all = test.kind == Kind::And ? arith::AndIOp::create(b, here(), all, next).getResult()
                                   : arith::OrIOp::create(b, here(), all, next).getResult();
    }
    return all;
  }

  const Program &program;
  OpBuilder b;
  Diagnostics &diagnostics;
  SmallVector<RankedTensorType> types;
  func::FuncOp main;
  SmallVector<Value> returned;
  SmallVector<Value> values;                  // of each tensor, at this place of the program
  SmallVector<SmallVector<TensorId>> leaving; // for each loop around: what it hands over
  DenseMap<const Element *, Value> made;      // for the current statement
  const Element *statement = nullptr;         // its value
  DenseMap<const Element *, ElementType> numberTypes; // of its parameters
  DenseMap<std::pair<StringAttr, Type>, Value> parameters;
  ta::ParameterOp lastParameter;
  SmallVector<Value> extents; // of the current statement's variables
  llvm::SMRange range;        // of the current operation
};

} // namespace

OwningOpRef<ModuleOp> emitTa(const Program &program, MLIRContext *context,
                             Diagnostics &diagnostics) {
  return Emitter(program, context, diagnostics).run();
}

} // namespace strata::frontend
