// What makes tensors other than by kernels: files, fills, generators, and dense linear algebra.
#include "strata/conversion/FileLevels.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/estimate/Estimate.h"
#include "strata/host/Concatenate.h"
#include "strata/host/Print.h"
#include "strata/host/Reindex.h"
#include "strata/run/Executor.h"
#include "strata/run/Output.h"
#include "strata/runtime/dense/LinearAlgebra.h"
#include "strata/runtime/storage/Generate.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/Fill.h"
#include "strata/tensor/StoredFormats.h"

using namespace mlir;
using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata {

LogicalResult Executor::packInto(Operation *op, Coordinates list, Attribute fill) {
  RankedTensorType type = typeOf(op);
  StepReport &step = stepOf(op, [] { return std::string(); });
  if (list.order() != type.getRank())
    return op->emitError() << "this makes a tensor of order " << list.order() << ", order "
                           << type.getRank() << " was declared";
  for (auto [at, size] : llvm::enumerate(type.getShape()))
    if (!ShapedType::isDynamic(size) && size != list.sizes()[at])
      return op->emitError() << "dimension " << at + 1 << " of "
                             << ta::quotedNameOf(op->getResult(0)) << " has size "
                             << list.sizes()[at] << ", but " << size << " was declared";
  if (failed(
          allowMemory(op, estimatePacking(type, list.sizes(), list.count(), options.force), step)))
    return failure();
  std::shared_ptr<const Coordinates> source;
  if (options.written) {
    Result<Coordinates> copy = list.clone();
    if (!copy)
      return fail(op, copy.error());
    source = std::make_shared<const Coordinates>(std::move(*copy));
  }
  PackTimes times;
  Result<TensorValue> packed = pack(compiler, std::move(list), type, &times, options.force, fill);
  if (!packed)
    return fail(op, packed.error());
  bool sameFill = ta::formatOf(type).getFill() == fill;
  if (source && sameFill && failed(checkStored(op, *packed, *source)))
    return failure();
  // The list is what results are checked against, unless what it does not hold is worth something.
  if (sameFill && !fill)
    packed->source = source;
  step.sort += times.sort;
  step.compile += times.compile;
  step.pack += times.fill;
  step.compileParts += times.parts;
  step.made = reportOf(op->getResult(0), *packed);
  define(op->getResult(0), std::move(*packed));
  return success();
}

// What was read is the tensor, but for its format.
LogicalResult Executor::defineConverted(ta::ReadOp op, TensorValue given) {
  StepReport &step = stepOf(op, [] { return std::string(); });
  RankedTensorType type = withDecidedWidths(typeOf(op), given.sizes(), given.storedCount());
  if (given.type != type) {
    PackTimes times;
    Result<TensorValue> converted = convert(compiler, given, type, &times, options.force);
    if (!converted)
      return fail(op, converted.error());
    given = std::move(*converted);
    step.compile += times.compile;
    step.pack += times.fill;
    step.compileParts += times.parts;
  }
  step.made = reportOf(op.getResult(), given);
  define(op.getResult(), std::move(given));
  return success();
}

LogicalResult Executor::read(ta::ReadOp op) {
  StepReport &step = stepOf(op, [&] { return "read " + op.getFile().str(); });
  Stopwatch watch;
  auto type = cast<RankedTensorType>(op.getResult().getType());
  runtime::TensorFileOptions fileOptions;
  fileOptions.valueType = runtimeType(type.getElementType());
  fileOptions.order = int(type.getRank());
  fileOptions.sizes.emplace();
  for (int64_t size : type.getShape())
    fileOptions.sizes->push_back(ShapedType::isDynamic(size) ? -1 : size);
  fileOptions.base = options.indexBase;
  fileOptions.comet = op->hasAttr("comet");
  if (options.progress)
    fileOptions.progress = options.progress(op.getFile().str());
  // Arrays that already are buffers need no list; but it is what results are checked against.
  std::optional<TensorValue> adopted;
  if (op.getPart() == 1 && !options.written)
    fileOptions.take = [&](const runtime::LevelArrays &arrays) {
      adopted = adopt(arrays, typeOf(op), options.force);
      return adopted.has_value();
    };
  Result<runtime::TensorFileContent> content =
      runtime::readTensorFile(op.getFile().str(), fileOptions);
  if (!content)
    return fail(op, content.error());
  if (adopted) {
    step.read += watch.lap();
    return defineConverted(op, std::move(*adopted));
  }
  for (const std::string &remark : content->remarks)
    op.emitWarning() << remark;
  Coordinates &list = content->list;
  // An n x 1 matrix serves as a vector.
  for (int dim = list.order() - 1; dim >= 0 && list.order() > type.getRank(); --dim)
    if (list.sizes()[dim] == 1)
      if (Status dropped = list.dropDimension(dim); !dropped.ok())
        return fail(op, dropped.error());
  if (list.order() != type.getRank())
    return op.emitError() << op.getFile() << " holds a tensor of order " << list.order()
                          << ", order " << type.getRank() << " was declared";
  if (op.getPart() != 1)
    if (Status status = list.keepTriangle(runtime::Triangle(op.getPart())); !status.ok())
      return fail(op, status.error());
  step.read += watch.lap();
  Attribute fill;
  if (content->fill != 0.0 && failed(readFill(op, content->fill, fill)))
    return failure();
  return packInto(op, std::move(list), fill);
}

// What a file says of places that it does not store, the tensor's format must say, too.
LogicalResult Executor::readFill(ta::ReadOp op, std::complex<double> number, Attribute &fill) {
  RankedTensorType type = typeOf(op);
  std::optional<TypedAttr> constant = constantOf(type.getElementType(), number);
  if (constant)
    fill = *constant;
  if (constant && (ta::formatOf(type).isFull() || fill == Attribute(ta::fillOf(type))))
    return success();
  InFlightDiagnostic error = op.emitError();
  error << op.getFile() << " has the fill value " << host::fillText(number)
        << ", but this tensor has ";
  if (!constant) {
    error << "elements of type " << elementTypeWord(type.getElementType());
    return error;
  }
  error << "the fill value " << host::fillText(numberOf(ta::fillOf(type)));
  error.attachNote(op.getLoc()) << "declare it with 'fill = " << host::fillText(number)
                                << "' in its format, or as Dense";
  return error;
}

LogicalResult Executor::fill(ta::FillOp op) {
  StepReport &step = stepOf(op, [] { return std::string("fill"); });
  Stopwatch watch;
  RankedTensorType type = typeOf(op);
  std::vector<int64_t> sizes = sizesOf(type, op.getSizes());
  Result<TensorValue> filled = filledTensor(compiler, type, sizes, op.getValue());
  if (!filled)
    return fail(op, filled.error());
  step.read += watch.lap();
  step.made = reportOf(op.getResult(), *filled);
  define(op.getResult(), std::move(*filled));
  return success();
}

LogicalResult Executor::generate(Operation *op, Result<Coordinates> list) {
  if (!list)
    return fail(op, list.error());
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (Status status = list->convertValues(*runtimeType(type.getElementType())); !status.ok())
    return fail(op, status.error());
  return packInto(op, std::move(*list));
}

LogicalResult Executor::stencil(ta::StencilOp op) {
  StepReport &step = stepOf(op, [] { return std::string("make a stencil"); });
  Stopwatch watch;
  Result<Coordinates> list = runtime::generateStencil27(op.getPoints());
  step.read += watch.lap();
  return generate(op, std::move(list));
}

LogicalResult Executor::random(ta::RandomOp op) {
  StepReport &step = stepOf(op, [] { return std::string("make random values"); });
  Stopwatch watch;
  auto type = cast<RankedTensorType>(op.getResult().getType());
  Result<Coordinates> list = runtime::generateRandom({.sizes = sizesOf(type, op.getSizes()),
                                                      .density = op.getDensity().convertToDouble(),
                                                      .seed = uint64_t(op.getSeed()),
                                                      .type = *runtimeType(type.getElementType())});
  step.read += watch.lap();
  return generate(op, std::move(list));
}

LogicalResult Executor::countUp(ta::IotaOp op) {
  StepReport &step = stepOf(op, [] { return std::string("the values of a label"); });
  Stopwatch watch;
  Result<Coordinates> list =
      runtime::generateCounts(indices.lookup(op.getSize()), op.getFirst(), op.getStep());
  step.read += watch.lap();
  return generate(op, std::move(list));
}

// The numbers of a constant, in its order, as values of a list.
static void putNumbers(DenseElementsAttr numbers, runtime::Buffer &values) {
  runtime::withValueType(values.type(), [&]<typename T>(T *) {
    T *next = values.as<T>();
    if constexpr (runtime::isComplexNumber<T>) {
      for (const std::complex<APFloat> &number : numbers.getValues<std::complex<APFloat>>())
        *next++ = T(decltype(T().real())(number.real().convertToDouble()),
                    decltype(T().real())(number.imag().convertToDouble()));
    } else if constexpr (runtime::isRealNumber<T>) {
      for (const APFloat &number : numbers.getValues<APFloat>())
        *next++ = T(FloatAttr::get(numbers.getElementType(), number).getValueAsDouble());
    } else {
      for (const APInt &number : numbers.getValues<APInt>())
        *next++ = T(number.getZExtValue());
    }
  });
}

// A list of what the constant holds: of a sparse one its entries alone.
LogicalResult Executor::constant(arith::ConstantOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  auto sparse = dyn_cast<SparseElementsAttr>(op.getValue());
  auto numbers = dyn_cast<DenseElementsAttr>(op.getValue());
  std::optional<strata_type> element = runtimeType(type.getElementType());
  if ((!sparse && !numbers) || !element)
    return op.emitError("cannot be run: expected a constant of dense<...> or sparse<...>");
  if (sparse)
    numbers = sparse.getValues();
  std::vector<int64_t> sizes = type.getShape().vec();
  int64_t count = sparse ? sparse.getIndices().getType().getDimSize(0) : numbers.size();
  SmallVector<int64_t> places;
  if (sparse)
    llvm::append_range(places, sparse.getIndices().getValues<int64_t>());
  bool repeats = sparse && sparse.getIndices().isSplat() && count > 1;
  if (repeats)
    return op.emitError("lists an entry twice");
  Result<Coordinates> list = Coordinates::create(sizes, *element, count);
  if (!list)
    return fail(op, list.error());
  int order = int(sizes.size());
  runtime::withCoordinateType(list->coordinateType(), [&]<typename C>(C *) {
    for (int64_t entry = 0; entry < count; ++entry) {
      int64_t rest = entry;
      for (int dim = order; dim-- > 0;) {
        int64_t at = sparse ? places[entry * order + dim] : rest % sizes[dim];
        list->column(dim).as<C>()[entry] = C(at);
        rest /= sizes[dim];
      }
    }
  });
  putNumbers(numbers, list->values());
  stepOf(op, [] { return std::string("a constant"); });
  return packInto(op, std::move(*list), nullptr);
}

// A look-up lists all places of what it looks in, also those where nothing is stored.
static Status checkLookUp(ArrayRef<int64_t> sizes, RankedTensorType selector) {
  double places = 1;
  for (int64_t size : sizes)
    places *= double(size);
  auto each = double(packingNeeds(selector, sizes, 1) + int64_t(sizeof(int64_t)));
  return checkMemory("a coordinate that is looked up for each of its places", places * each,
                     "one of fewer places");
}

LogicalResult Executor::selector(ta::OneHotOp op) {
  StepReport &step = stepOf(op, [] { return std::string("what is looked up"); });
  Stopwatch watch;
  const TensorValue &from = tensors[op.getTensor()];
  if (Status fine = checkLookUp(from.sizes(), typeOf(op)); !fine.ok())
    return op.emitError() << "looking up in " << ta::quotedNameOf(op.getTensor()) << ": "
                          << fine.error().sentence();
  Result<std::shared_ptr<const Coordinates>> source = sourceOf(from);
  if (!source)
    return fail(op, source.error());
  auto fill = dyn_cast<IntegerAttr>(Attribute(ta::fillOf(from.type)));
  Result<Coordinates> list =
      host::oneHot(**source, fill ? fill.getInt() : 0, indices.lookup(op.getSize()),
                   ta::quotedNameOf(op.getTensor()));
  step.read += watch.lap();
  return generate(op, std::move(list));
}

LogicalResult Executor::inside(ta::InsideOp op) {
  StepReport &step = stepOf(op, [] { return std::string("what lies inside"); });
  Stopwatch watch;
  std::vector<int64_t> sizes = numbersOf(op.getExtents());
  if (Status fine = checkLookUp(sizes, typeOf(op)); !fine.ok())
    return fail(op, fine.error());
  Result<Coordinates> list = host::inside(affineOf(op.getMap().getResult(0)), std::move(sizes),
                                          indices.lookup(op.getSize()));
  step.read += watch.lap();
  return generate(op, std::move(list));
}

LogicalResult Executor::denseAlgebra(ta::DenseAlgebraOp op) {
  StepReport &step = stepOf(op, [&] { return op.getFunction().str(); });
  Stopwatch watch;
  SmallVector<std::shared_ptr<const Coordinates>> sources;
  SmallVector<const Coordinates *> operands;
  for (Value tensor : op.getTensors()) {
    Result<std::shared_ptr<const Coordinates>> source = sourceOf(tensors[tensor]);
    if (!source)
      return fail(op, source.error());
    sources.push_back(*source);
    operands.push_back(source->get());
  }
  auto type = cast<RankedTensorType>(op.getResult().getType());
  std::vector<int64_t> sizes = sizesOf(type, op.getSizes());
  Result<Coordinates> list =
      runtime::linearAlgebra(op.getFunction(), operands, sizes.empty() ? 0 : sizes.back());
  step.run += watch.lap();
  return generate(op, std::move(list));
}

// Gives the value in the result of the places that operands do not store; none, after an error,
// where one of them disagrees.
static FailureOr<TypedAttr> fillOfJoined(ta::ConcatOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  TypedAttr fill = ta::fillOf(type);
  bool isFirst = ta::formatOf(type).isFull();
  for (Value tensor : op.getTensors()) {
    auto part = cast<RankedTensorType>(tensor.getType());
    if (ta::formatOf(part).isFull())
      continue;
    TypedAttr own = *constantOf(type.getElementType(), numberOf(ta::fillOf(part)));
    if (isFirst)
      fill = own;
    isFirst = false;
    if (own != fill)
      return op.emitError() << "where " << ta::quotedNameOf(tensor) << " stores nothing it is "
                            << host::fillText(numberOf(own)) << ", but what is joined with it is "
                            << host::fillText(numberOf(fill)) << " there";
  }
  return fill;
}

LogicalResult Executor::concatenate(ta::ConcatOp op) {
  StepReport &step = stepOf(op, [&] { return ta::statementText(op); });
  Stopwatch watch;
  FailureOr<TypedAttr> fill = fillOfJoined(op);
  if (failed(fill))
    return failure();
  SmallVector<std::shared_ptr<const Coordinates>> sources;
  for (Value tensor : op.getTensors()) {
    Result<std::shared_ptr<const Coordinates>> source = sourceOf(tensors[tensor]);
    if (!source)
      return fail(op, source.error());
    sources.push_back(*source);
  }
  RankedTensorType type = typeOf(op);
  Result<Coordinates> list =
      host::concatenated(sources, int(op.getDim()), *runtimeType(type.getElementType()));
  if (!list)
    return fail(op, list.error());
  step.read += watch.lap();
  bool isOwn = *fill == ta::fillOf(type);
  return packInto(op, std::move(*list), isOwn ? ta::formatOf(type).getFill() : Attribute(*fill));
}

} // namespace strata
