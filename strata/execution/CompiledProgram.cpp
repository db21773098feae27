// Translates programs to data.
#include "strata/execution/CompiledProgram.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/ParameterOp.h"
#include "strata/dialect/ta/PlaceMap.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/execution/CompiledConversion.h"
#include "strata/execution/CompiledTypes.h"
#include "strata/execution/ElementTypes.h"
#include "strata/execution/Fill.h"
#include "strata/execution/FillBytes.h"
#include "strata/execution/Kernel.h"
#include "strata/execution/StorageDump.h"
#include "strata/execution/StoredFormats.h"
#include "strata/lower/LowerKernels.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/Phase.h"
#include "strata/lower/analysis/ScheduledOrder.h"
#include "strata/lower/entry/StorageLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace strata {
namespace {

using host::SizeId, host::TensorId, host::TypeId, host::KernelId;

// "spmv.ta:4:3" of an operation in a program's text.
std::string placeText(Location location) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "strata";
  return (llvm::sys::path::filename(place.getFilename().getValue()) + ":" + Twine(place.getLine()) +
          ":" + Twine(place.getColumn()))
      .str();
}

class Translator {
public:
  Translator(func::FuncOp main, StringRef name, unsigned width, Caller caller)
      : main(main), types(result, main, name, width) {
    result.caller = caller;
  }

  std::optional<CompiledProgram> run() {
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

private:
  // Adds to the comment what storages an argument or a result is: one, or those of its parts.
  void describe(Value value, const std::string &name) {
    SmallVector<RankedTensorType> parts = types.parts(typeId(value));
    for (auto [at, part] : llvm::enumerate(parts))
      describe(part, parts.size() > 1 ? host::partName(name, at, parts.size()) : name);
  }
  void describe(RankedTensorType type, const std::string &name) {
    std::string buffers;
    for (auto [buffer, element] : llvm::zip(bufferNames(ta::formatOf(type), ""), bufferTypes(type)))
      buffers += (buffers.empty() ? "" : ", ") + StringRef(buffer).ltrim('_').str() + " " +
                 runtime::typeName(element);
    result.comment += " *   " + name + ": " + elementTypeWord(type.getElementType()).str() + ", " +
                      ta::formatName(type) + "; " + buffers + "\n";
  }

  //===----------------------------------------------------------------------------------------===//
  // Values
  //===----------------------------------------------------------------------------------------===//

  TensorId tensor(Value value) {
    auto [known, isNew] = tensorIds.try_emplace(value, nextTensor);
    nextTensor += isNew;
    return known->second;
  }
  std::vector<TensorId> tensorsOf(ValueRange values) {
    std::vector<TensorId> ids;
    for (Value value : values)
      ids.push_back(tensor(value));
    return ids;
  }
  SizeId size(Value value) {
    auto [known, isNew] = sizeIds.try_emplace(value, nextSize);
    nextSize += isNew;
    return known->second;
  }
  std::vector<SizeId> sizesOf(ValueRange values) {
    std::vector<SizeId> ids;
    for (Value value : values)
      ids.push_back(size(value));
    return ids;
  }
  // The sizes of a result, of which `dynamic` gives those that its type does not say.
  std::vector<SizeId> resultSizes(Operation *op, RankedTensorType type, ValueRange dynamic) {
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

  RankedTensorType decided(Value value) const { return types.decided(value.getType()); }
  TypeId typeId(Value value) { return types.number(value.getType()); }
  TypeId packedType(Value value, bool silentZero = true) {
    return types.packed(value.getType(), silentZero);
  }
  // A tensor whose entries are listed.
  TensorId listed(Value value) {
    types.listed(value.getType());
    return tensor(value);
  }
  KernelId addKernel(OwningOpRef<ModuleOp> module) { return types.addKernel(std::move(module)); }

  //===----------------------------------------------------------------------------------------===//
  // Blocks
  //===----------------------------------------------------------------------------------------===//

  void add(Operation *at, host::Operation operation) {
    current->list.push_back({placeText(at->getLoc()), std::move(operation)});
  }

  void refuse(Operation *op, const Twine &why) {
    op->emitError() << "cannot be compiled ahead: " << why;
    fails = true;
  }

  host::Instructions translate(Block &block) {
    host::Instructions own, *around = std::exchange(current, &own);
    for (Operation &op : block)
      translate(op);
    current = around;
    return own;
  }

  // A region hands tensors on at its end; those that its block made belong to the receiver then.
  std::vector<TensorId> handedOn(Operation *end) {
    return tensorsOf(llvm::filter_to_vector(end->getOperands(), [&](Value value) {
      return value.getParentBlock() == end->getBlock();
    }));
  }

  void translate(Operation &op) {
    TypeSwitch<Operation *>(&op)
        .Case<ta::ReadOp, ta::ParameterOp, ta::FillOp, ta::RandomOp, ta::StencilOp, ta::IotaOp,
              ta::OneHotOp, ta::InsideOp, ta::DenseAlgebraOp, ta::ConcatOp, ta::ComputeOp,
              ta::ConvertOp, ta::ComponentOp, ta::GatherOp, ta::InsertPartOp, ta::WriteOp,
              ta::PrintOp, ta::PrintTextOp, ta::ReleaseOp, ta::SameSizeOp, ta::TimeOp,
              ta::PrintElapsedOp, ta::DimOp, arith::ConstantOp, ta::FitOp, ta::HoldsOp,
              arith::AndIOp, arith::OrIOp, ta::ForOp, ta::LoopOp, ta::IfOp, ta::NextOp, ta::BreakOp,
              func::ReturnOp>([&](auto op) { translate(op); })
        .Default([&](Operation *op) { refuse(op, "no operation of host programs"); });
  }

  //===----------------------------------------------------------------------------------------===//
  // Sources
  //===----------------------------------------------------------------------------------------===//

  static host::FileName fileOf(Operation *op, StringRef file) {
    auto parameter = op->getAttrOfType<StringAttr>("parameter");
    return {file.str(), parameter ? parameter.str() : ""};
  }

  void translate(ta::ReadOp op) {
    TypeId type = packedType(op.getResult());
    if (result.program.types[size_t(type)].parts.front().hasFill)
      packedType(op.getResult(), /*silentZero=*/false); // what the file says decides
    std::vector<std::string> sizes;
    if (auto given = op->getAttrOfType<ArrayAttr>("sizes"))
      for (StringAttr size : given.getAsRange<StringAttr>())
        sizes.push_back(size.str());
    add(op, host::Read{tensor(op.getResult()), type, fileOf(op, op.getFile()),
                       int64_t(op.getPart()), op->hasAttr("comet"), std::move(sizes)});
  }

  void translate(ta::ParameterOp op) {
    Value value = op.getResult();
    bool isSize = value.getType().isIndex();
    add(op, host::Parameter{isSize ? -1 : tensor(value), isSize ? -1 : typeId(value),
                            isSize ? size(value) : -1, op.getName().str()});
  }

  void translate(ta::FillOp op) {
    RankedTensorType type = decided(op.getResult());
    bool full = !ta::sumOf(type) && ta::formatOf(type).isFull();
    std::vector<SizeId> sizes = resultSizes(op, type, op.getSizes());
    std::vector<char> element;
    if (full)
      element = elementBytes(type.getElementType(), op.getValue());
    add(op, host::Fill{tensor(op.getResult()),
                       full ? typeId(op.getResult()) : packedType(op.getResult(), false),
                       std::move(sizes), std::move(element)});
  }

  void translate(ta::RandomOp op) {
    std::vector<SizeId> sizes = resultSizes(op, decided(op.getResult()), op.getSizes());
    add(op, host::Random{tensor(op.getResult()), packedType(op.getResult()), std::move(sizes),
                         op.getDensity().convertToDouble(), int64_t(op.getSeed())});
  }

  void translate(ta::StencilOp op) {
    add(op,
        host::Stencil{tensor(op.getResult()), packedType(op.getResult()), int64_t(op.getPoints())});
  }

  void translate(ta::IotaOp op) {
    add(op, host::Iota{tensor(op.getResult()), packedType(op.getResult()), int64_t(op.getFirst()),
                       int64_t(op.getStep()), size(op.getSize())});
  }

  void translate(ta::OneHotOp op) {
    auto from = cast<RankedTensorType>(op.getTensor().getType());
    auto fill = dyn_cast<IntegerAttr>(Attribute(ta::fillOf(from)));
    add(op, host::OneHot{tensor(op.getResult()), packedType(op.getResult()), listed(op.getTensor()),
                         fill ? fill.getInt() : 0, size(op.getSize()),
                         ta::quotedNameOf(op.getTensor())});
  }

  void translate(ta::InsideOp op) {
    add(op, host::Inside{tensor(op.getResult()), packedType(op.getResult()),
                         affineOf(op.getMap().getResult(0)), sizesOf(op.getExtents()),
                         size(op.getSize())});
  }

  void translate(ta::DenseAlgebraOp op) {
    std::vector<TensorId> operands;
    for (Value operand : op.getTensors())
      operands.push_back(listed(operand));
    std::vector<SizeId> sizes = resultSizes(op, decided(op.getResult()), op.getSizes());
    add(op, host::DenseAlgebra{tensor(op.getResult()), packedType(op.getResult()),
                               op.getFunction().str(), std::move(operands), std::move(sizes)});
  }

  void translate(ta::ConcatOp op) {
    RankedTensorType type = decided(op.getResult());
    TypedAttr own = ta::fillOf(type);
    std::vector<TensorId> operands;
    bool zero = true;
    for (Value operand : op.getTensors()) {
      auto part = cast<RankedTensorType>(operand.getType());
      operands.push_back(listed(operand));
      if (ta::formatOf(part).isFull())
        continue;
      bool isZero = numberOf(ta::fillOf(part)) == std::complex<double>(0);
      if (!isZero && *constantOf(type.getElementType(), numberOf(ta::fillOf(part))) != own)
        return refuse(op, "an operand has another fill than the result");
      zero &= isZero;
    }
    bool silentZero = zero && (!ta::formatOf(type).getFill() || !ta::formatOf(type).isFull());
    add(op, host::Concat{tensor(op.getResult()), packedType(op.getResult(), silentZero),
                         int64_t(op.getDim()), std::move(operands), silentZero});
  }

  // Constants of sizes and conditions, and lists of what a tensor holds.
  void translate(arith::ConstantOp op) {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type) {
      if (auto integer = dyn_cast<IntegerAttr>(op.getValue()))
        add(op, host::Number{size(op.getResult()), integer.getInt()});
      return;
    }
    auto sparse = dyn_cast<SparseElementsAttr>(op.getValue());
    auto numbers = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!sparse && !numbers)
      return refuse(op, "a constant that is neither dense<...> nor sparse<...>");
    if (sparse)
      numbers = sparse.getValues();
    host::Constant constant{
        tensor(op.getResult()), packedType(op.getResult()), type.getShape().vec(), {}, {}};
    int64_t count = sparse ? sparse.getIndices().getType().getDimSize(0) : numbers.size();
    SmallVector<int64_t> places;
    if (sparse)
      llvm::append_range(places, sparse.getIndices().getValues<int64_t>());
    int64_t below = numbers.size();
    for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
      below /= std::max<int64_t>(extent, 1);
      for (int64_t entry = 0; entry < count; ++entry)
        constant.coordinates.push_back(sparse ? places[entry * type.getRank() + int64_t(dim)]
                                              : entry / std::max<int64_t>(below, 1) % extent);
    }
    for (TypedAttr number : elementsOf(numbers))
      llvm::append_range(constant.elements, elementBytes(type.getElementType(), number));
    add(op, std::move(constant));
  }

  static SmallVector<TypedAttr> elementsOf(DenseElementsAttr numbers) {
    SmallVector<TypedAttr> elements;
    auto type = dyn_cast<ComplexType>(numbers.getElementType());
    if (!type) {
      for (Attribute number : numbers.getValues<Attribute>())
        elements.push_back(cast<TypedAttr>(number));
      return elements;
    }
    for (const std::complex<APFloat> &number : numbers.getValues<std::complex<APFloat>>())
      elements.push_back(cast<TypedAttr>(Attribute(complex::NumberAttr::get(
          type, number.real().convertToDouble(), number.imag().convertToDouble()))));
    return elements;
  }

  //===----------------------------------------------------------------------------------------===//
  // Other formats
  //===----------------------------------------------------------------------------------------===//

  void convert(Operation *op, Value from, Value to, std::vector<SizeId> sizes) {
    RankedTensorType source = decided(from), target = decided(to);
    host::Convert convert{tensor(to), typeId(to), tensor(from), -1, {}, std::move(sizes)};
    TensorId rows = -1;
    if (std::optional<CompiledConversion> found = compileConversion(types, source, target)) {
      if (found->rows >= 0) {
        rows = nextTensor++;
        add(op, host::Convert{rows, found->rows, convert.from, found->toRows.kernel,
                              found->toRows.slots, convert.sizes});
        convert.from = rows;
      }
      convert.kernel = found->last.kernel;
      convert.slots = found->last.slots;
    } else {
      ta::FormatAttr own =
          ta::sumOf(source) ? ta::sumOf(source).getParts().front() : ta::formatOf(source);
      listed(from);
      packedType(to, /*silentZero=*/!(own.getFill() && !own.isFull()));
    }
    add(op, std::move(convert));
    if (rows >= 0)
      add(op, host::Release{{rows}});
  }

  void translate(ta::ConvertOp op) { convert(op, op.getTensor(), op.getResult(), {}); }

  void translate(ta::ComponentOp op) {
    add(op, host::Component{tensor(op.getResult()), typeId(op.getResult()), tensor(op.getTensor()),
                            int64_t(op.getNumber())});
  }

  bool silentZero(Value value) {
    return !result.program.types[size_t(typeId(value))].parts.front().hasFill;
  }

  void translate(ta::GatherOp op) {
    add(op,
        host::Gather{tensor(op.getResult()), packedType(op.getResult(), silentZero(op.getResult())),
                     listed(op.getTensor()), placeOf(op.getMap()), sizesOf(op.getSizes()),
                     ta::nameOf(op.getTensor(), "an operand")});
  }

  void translate(ta::InsertPartOp op) {
    add(op, host::InsertPart{tensor(op.getResult()),
                             packedType(op.getResult(), silentZero(op.getResult())),
                             listed(op.getPart()), listed(op.getWhole()), placeOf(op.getMap()),
                             sizesOf(op.getSizes()), ta::nameOf(op.getWhole(), "an operand")});
  }

  //===----------------------------------------------------------------------------------------===//
  // Statements
  //===----------------------------------------------------------------------------------------===//

  // The accesses that must stay inside their tensors.
  std::vector<host::Reach> reachesOf(ta::ComputeOp op, bool &windowed) {
    DenseMap<Value, Value> extents;
    auto take = [&](Block::BlockArgListType variables, ValueRange values) {
      for (auto [variable, value] : llvm::zip(variables, values))
        extents[variable] = value;
    };
    take(op.getVariables(), op.getExtents());
    op.getBody().walk(
        [&](ta::ReduceOp reduce) { take(reduce.getVariables(), reduce.getExtents()); });
    std::vector<host::Reach> reaches;
    auto reach = [&](Value of, TensorId id, AffineMap map, ValueRange indices, std::string name) {
      bool isWhole = true;
      for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
        auto variable = dyn_cast<AffineDimExpr>(expr);
        isWhole &= variable && isSizeOf(extents[indices[variable.getPosition()]], of, dim);
      }
      if (isWhole)
        return;
      windowed = true;
      std::vector<SizeId> own;
      for (Value index : indices)
        own.push_back(size(extents[index]));
      reaches.push_back({id, affineOf(map), std::move(own), std::move(name)});
    };
    reach(op.getResult(), -1, op.getOutMap(), ValueRange(op.getVariables()), "the result");
    op.getBody().walk([&](ta::AccessOp access) {
      reach(access.getTensor(), tensor(access.getTensor()), access.getMap(), access.getIndices(),
            ta::operandName(op, access.getTensor()));
    });
    return reaches;
  }

  static bool lowersWindowed(ModuleOp kernel) {
    OwningOpRef<ModuleOp> trial = kernel.clone();
    assume(*trial->getOps<func::FuncOp>().begin(), Assumptions::Windowed);
    ScopedDiagnosticHandler quiet(kernel.getContext(), [](Diagnostic &) {});
    return succeeded(lowerKernels(*trial, Stage::Scf));
  }

  std::vector<host::Assumed> assumedBy(ta::ComputeOp op) {
    std::vector<host::Assumed> all;
    if (!assumesExtents(op.getScheduleAttr()))
      return all;
    IndexStatement statement(op);
    for (const AssumedExtent &assumed : assumedExtents(statement)) {
      const IndexVariable &variable = statement.variables[assumed.variable];
      all.push_back({size(variable.extent), assumed.bounds.least, assumed.bounds.most,
                     "'" + ta::commandText(op.getScheduleAttr().getCommands()[assumed.command]) +
                         "' is wrong: '" + variable.name + "' has "});
    }
    return all;
  }

  void translate(ta::ComputeOp op) {
    if (Value from = copiedBy(op); from && (copiesWhole(op) || isConversion(op)))
      convert(op, from, op.getResult(), resultSizes(op, decided(op.getResult()), op.getSizes()));
    else
      compute(op);
    if (op.getInPlace())
      add(op, host::Release{{tensor(op.getInit())}});
  }

  void compute(ta::ComputeOp op) {
    AffineMap out = op.getOutMap();
    SmallVector<std::optional<int64_t>> known;
    for (Value extent : op.getExtents())
      known.push_back(getConstantIntValue(extent));
    if (!op.getCombine() && ta::solvePlace(out).size() != out.getNumDims() &&
        !ta::separates(out, known))
      return refuse(op, "whether the left side reaches a place several times depends on sizes");
    Value init = op.getInit();
    bool readsInit = init && llvm::is_contained(op.getInputs(), init);
    KernelArguments arguments;
    OwningOpRef<ModuleOp> module = outlineKernel(
        op, "kernel", [&](Value operand) { return decided(operand); },
        [&](Value operand) { return ta::operandName(op, operand); },
        decided(init ? init : op.getResult()), arguments);
    bool windowed = false;
    std::vector<host::Reach> reaches = reachesOf(op, windowed);
    func::FuncOp function = *module->getOps<func::FuncOp>().begin();
    // Nobody knows whether the accesses reach all of their tensors. Kernels do that reach parts,
    // unless a schedule has no loops for these.
    bool plain = llvm::all_of(reaches, [](const host::Reach &reach) {
      return llvm::none_of(reach.coordinates,
                           [](const host::Affine &coordinate) { return coordinate.divides(); });
    });
    if (windowed && plain && op.getScheduleAttr() && !lowersWindowed(*module))
      for (host::Reach &reach : reaches)
        reach.whole = true;
    else if (windowed)
      assume(function, Assumptions::Windowed);
    setPhase(function, Phase::All);
    std::vector<TensorId> operands;
    for (Value operand : arguments.tensors)
      operands.push_back(operand == init && !readsInit ? -1 : tensor(operand));
    host::Compute compute{tensor(op.getResult()),
                          typeId(op.getResult()),
                          addKernel(std::move(module)),
                          init ? std::vector<SizeId>()
                               : resultSizes(op, decided(op.getResult()), op.getSizes()),
                          init ? tensor(init) : -1,
                          op.getInPlace(),
                          std::move(operands),
                          sizesOf(arguments.extents),
                          std::move(reaches),
                          assumedBy(op)};
    add(op, std::move(compute));
  }

  //===----------------------------------------------------------------------------------------===//
  // Output, sizes
  //===----------------------------------------------------------------------------------------===//

  void translate(ta::WriteOp op) {
    add(op, host::Write{listed(op.getTensor()), fileOf(op, op.getFile())});
  }

  void translate(ta::PrintOp op) {
    if (op.getStorage()) {
      host::PrintStorage print{tensor(op.getTensor()), op.getName().str(), {}};
      for (RankedTensorType part : types.parts(typeId(op.getTensor())))
        print.parts.push_back(storageTextOf(part));
      return add(op, std::move(print));
    }
    add(op, host::Print{listed(op.getTensor()), op.getName().str(), op.getBare()});
  }

  void translate(ta::PrintTextOp op) { add(op, host::PrintText{op.getText().str()}); }

  void translate(ta::TimeOp op) {
    add(op, host::Time{tensor(op.getResult()), typeId(op.getResult())});
  }

  void translate(ta::PrintElapsedOp op) {
    add(op, host::PrintElapsed{tensor(op.getStart()), tensor(op.getEnd())});
  }

  void translate(ta::ReleaseOp op) { add(op, host::Release{tensorsOf(op.getTensors())}); }

  void translate(ta::DimOp op) {
    add(op, host::Dim{size(op.getSize()), tensor(op.getTensor()), int64_t(op.getDim())});
  }

  void translate(ta::SameSizeOp op) {
    std::vector<std::string> uses;
    for (Attribute use : op.getUses())
      uses.push_back(cast<StringAttr>(use).str());
    add(op, host::SameSize{size(op.getSize()), op.getLabel().str(), sizesOf(op.getSizes()),
                           std::move(uses)});
  }

  void translate(ta::FitOp op) {
    add(op, host::Fit{size(op.getSize()), affineOf(op.getMap()), sizesOf(op.getSizes())});
  }

  void translate(ta::HoldsOp op) {
    add(op, host::Holds{size(op.getResult()), relationOf(op.getRelation()), tensor(op.getLhs()),
                        tensor(op.getRhs())});
  }

  void translate(arith::AndIOp op) {
    add(op, host::Logic{size(op.getResult()), true, size(op.getLhs()), size(op.getRhs())});
  }
  void translate(arith::OrIOp op) {
    add(op, host::Logic{size(op.getResult()), false, size(op.getLhs()), size(op.getRhs())});
  }

  //===----------------------------------------------------------------------------------------===//
  // Loops and branches
  //===----------------------------------------------------------------------------------------===//

  template <typename LoopOp> host::Rounds roundsOf(LoopOp loop) {
    OperandRange inits = loop.getInits();
    host::Rounds rounds;
    rounds.inits = tensorsOf(inits);
    for (BlockArgument argument : loop.getCarried()) {
      auto named = dyn_cast<NameLoc>(argument.getLoc());
      rounds.carried.push_back(tensor(argument));
      rounds.names.push_back(named ? "'" + named.getName().str() + "'" : "a carried tensor");
    }
    rounds.results = tensorsOf(loop->getResults());
    for (int64_t number : loop.getMoved())
      rounds.ended.push_back(tensor(inits[size_t(number)]));
    rounds.body = translate(loop.getBlock());
    return rounds;
  }

  void translate(ta::ForOp op) {
    TypeId type = typeId(op.getCounter());
    add(op, host::For{tensor(op.getLower()), tensor(op.getUpper()), tensor(op.getStep()),
                      tensor(op.getCounter()), type, roundsOf(op)});
  }

  void translate(ta::LoopOp op) { add(op, host::Loop{int64_t(op.getLimit()), roundsOf(op)}); }

  void translate(ta::IfOp op) {
    host::If branch{size(op.getCondition()), tensorsOf(op.getResults()),
                    translate(op.getBody().front()), translate(op.getOtherwise().front())};
    add(op, std::move(branch));
  }

  void translate(ta::NextOp op) { add(op, host::Next{tensorsOf(op.getValues()), handedOn(op)}); }
  void translate(ta::BreakOp op) { add(op, host::Break{tensorsOf(op.getValues()), handedOn(op)}); }
  void translate(func::ReturnOp op) {
    for (Value operand : op.getOperands()) {
      if (result.caller == Caller::Process)
        listed(operand);
      else
        describe(operand, "the result");
      result.program.results.push_back(tensor(operand));
    }
  }

  func::FuncOp main;
  CompiledProgram result;
  CompiledTypes types;
  host::Instructions *current = nullptr;
  DenseMap<Value, TensorId> tensorIds;
  DenseMap<Value, SizeId> sizeIds;
  TensorId nextTensor = 0;
  SizeId nextSize = 0;
  bool fails = false;
};

} // namespace

std::optional<CompiledProgram> compileProgram(func::FuncOp main, StringRef name, unsigned width,
                                              Caller caller) {
  return Translator(main, name, width, caller).run();
}

} // namespace strata
