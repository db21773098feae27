// Goes through a program as the executor does, with numbers of entries instead of tensors.
#include "strata/estimate/Forecast.h"

#include "strata/compile/ChosenSchedule.h"
#include "strata/compile/Kernel.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/dialect/ta/ValuesOps.h"
#include "strata/estimate/Bounds.h"
#include "strata/estimate/Memory.h"
#include "strata/estimate/Statistics.h"
#include "strata/lower/analysis/StoredPlaces.h"
#include "strata/tensor/EvaluateAffine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace strata {

std::optional<cost::Prediction> predictKernel(ModuleOp kernel,
                                              ArrayRef<cost::TensorStatistics> tensors,
                                              ArrayRef<int64_t> extents,
                                              const machine::Machine &machine, int64_t threads) {
  FailureOr<ta::ScheduleAttr> schedule = lowerWithSchedule(kernel);
  if (failed(schedule))
    return std::nullopt;
  std::optional<cost::KernelCounts> counts =
      cost::countKernel(*kernel.getOps<func::FuncOp>().begin(), tensors, extents);
  if (!counts)
    return std::nullopt;
  counts->contracts = contracts(*schedule);
  return cost::predict(*counts, tensors, machine, threads);
}

void Forecast::follow(func::FuncOp main, const GivenTensors &given) {
  for (auto [argument, tensor] : llvm::zip(main.getArguments(), given.arguments))
    define(argument, tensor);
  ArrayRef<std::optional<TensorValue>> files = given.files;
  main.walk([&](ta::ReadOp read) {
    if (files.empty())
      return;
    if (files.front())
      define(read.getResult(), *files.front());
    files = files.drop_front();
  });
  follow(main.getBody().front());
}

void Forecast::define(Value value, const TensorValue &tensor) {
  if (tensor.parts.empty())
    tensors[value] = {.type = tensor.type,
                      .sizes = tensor.sizes(),
                      .entries = double(tensor.storedCount()),
                      .isExact = true,
                      .tensor = &tensor};
}

std::optional<std::vector<int64_t>> Forecast::numbersOf(ValueRange sizes) const {
  std::vector<int64_t> found;
  for (Value size : sizes) {
    auto known = numbers.find(size);
    if (known == numbers.end())
      return std::nullopt;
    found.push_back(known->second);
  }
  return found;
}

std::optional<std::vector<int64_t>> Forecast::sizesOf(RankedTensorType type,
                                                      ValueRange dynamic) const {
  std::optional<std::vector<int64_t>> given = numbersOf(dynamic);
  if (!given)
    return std::nullopt;
  std::vector<int64_t> sizes;
  auto next = given->begin();
  for (int64_t size : type.getShape())
    sizes.push_back(ShapedType::isDynamic(size) ? *next++ : size);
  return sizes;
}

// A new tensor that stores that share of its places.
void Forecast::make(Value value, ValueRange dynamic, double density) {
  auto type = cast<RankedTensorType>(value.getType());
  std::optional<std::vector<int64_t>> sizes = sizesOf(type, dynamic);
  if (!sizes || ta::sumOf(type))
    return;
  double share = ta::formatOf(type).isFull() ? 1 : density;
  tensors[value] = {type, *sizes, share * placesOf(*sizes)};
}

// The share of its places at which a constant has an entry that is written out.
static double densityOf(Attribute constant) {
  auto sparse = dyn_cast<SparseElementsAttr>(constant);
  if (!sparse || sparse.getNumElements() == 0)
    return 1;
  return double(sparse.getIndices().getType().getShape().front()) / double(sparse.getNumElements());
}

void Forecast::pass(ValueRange from, ValueRange to) {
  for (auto [one, other] : llvm::zip(from, to))
    if (auto known = tensors.find(one); known != tensors.end())
      tensors[other] = Known(known->second);
}

void Forecast::follow(Block &block) {
  for (Operation &op : block)
    follow(op);
}

void Forecast::follow(Operation &op) {
  llvm::TypeSwitch<Operation *>(&op)
      .Case([&](arith::ConstantOp constant) {
        if (auto integer = dyn_cast<IntegerAttr>(constant.getValue()))
          numbers[constant.getResult()] = integer.getInt();
        else if (isa<RankedTensorType>(constant.getType()))
          make(constant.getResult(), {}, densityOf(constant.getValue()));
      })
      .Case([&](ta::DimOp dim) {
        if (auto known = tensors.find(dim.getTensor()); known != tensors.end())
          numbers[dim.getSize()] = known->second.sizes[dim.getDim()];
      })
      .Case([&](ta::SameSizeOp same) {
        if (std::optional<std::vector<int64_t>> sizes = numbersOf(same.getSizes().take_front()))
          numbers[same.getSize()] = sizes->front();
      })
      .Case([&](ta::FitOp fit) {
        if (std::optional<std::vector<int64_t>> sizes = numbersOf(fit.getSizes()))
          numbers[fit.getSize()] = extentOf(fit.getMap(), *sizes);
      })
      .Case([&](ta::FillOp fill) { make(fill.getResult(), fill.getSizes(), 0); })
      .Case([&](ta::RandomOp random) {
        make(random.getResult(), random.getSizes(), random.getDensity().convertToDouble());
      })
      .Case([&](ta::IotaOp iota) { make(iota.getResult(), iota.getSize(), 1); })
      .Case([&](ta::ConvertOp convert) {
        auto type = cast<RankedTensorType>(convert.getResult().getType());
        if (auto known = tensors.find(convert.getTensor());
            known != tensors.end() && !ta::sumOf(type)) {
          const auto from = known->second;
          // How much of what pads the one, or will pad the other, is no entry is not known.
          const bool hasPadding =
              ta::formatOf(from.type).hasPadding() || ta::formatOf(type).hasPadding();
          tensors[convert.getResult()] = {.type = convertedType(convert, from.sizes, from.entries),
                                          .sizes = from.sizes,
                                          .entries = from.entries,
                                          .isExact = from.isExact && !hasPadding};
        }
      })
      .Case([&](ta::ComputeOp compute) { this->compute(compute); })
      .Case([&](ta::ValuesOp values) {
        if (auto known = tensors.find(values.getTensor()); known != tensors.end()) {
          const double count = known->second.entries;
          const bool isExact = known->second.isExact;
          tensors[values.getResult()] = {.type =
                                             cast<RankedTensorType>(values.getResult().getType()),
                                         .sizes = {int64_t(std::min(count, 0x1p62))},
                                         .entries = count,
                                         .isExact = isExact};
        }
      })
      .Case([&](ta::WithValuesOp with) { pass(with.getTensor(), with.getResult()); })
      .Case<ta::ForOp, ta::LoopOp>([&](auto loop) {
        pass(loop.getInits(), loop.getCarried());
        follow(loop.getBlock());
        pass(loop.getInits(), loop.getResults());
      })
      .Case([&](ta::IfOp branch) {
        follow(branch.getBody().front());
        if (!branch.getOtherwise().empty())
          follow(branch.getOtherwise().front());
      });
}

void Forecast::compute(ta::ComputeOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  std::optional<std::vector<int64_t>> sizes = sizesOf(type, op.getSizes());
  bool known = sizes && numbersOf(op.getExtents()) && !ta::sumOf(type) &&
               llvm::all_of(op.getInputs(), [&](Value input) { return tensors.contains(input); }) &&
               (!op.getInit() || tensors.contains(op.getInit()));
  if (!known)
    return;
  auto storedOf = [&](Value operand) { return occupancyOf(operand); };
  auto extentOf = [&](Value extent) { return numbers.lookup(extent); };
  WorkEstimate work(storedOf, extentOf);
  double share = ta::formatOf(type).isFull() ? 1 : work.density(op.getYielded());
  Known result{type, *sizes, share * placesOf(*sizes)};
  if (op.getInit())
    result.entries = std::max(result.entries, tensors.at(op.getInit()).entries);
  StatementForecast expected{.operations = work.operations(op)};
  expected.steps = work.steps(op);
  expected.isExact =
      llvm::all_of(op.getInputs(), [&](Value input) { return tensors.at(input).isExact; });
  expected.facts = judge(op, result);
  weigh(op, result, expected);
  statements[op] = std::move(expected);
  tensors[op.getResult()] = std::move(result);
}

Occupancy Forecast::occupancyOf(Value operand) const {
  const Known &one = tensors.at(operand);
  return one.tensor ? Occupancy(*one.tensor)
                    : Occupancy(ta::formatOf(one.type), one.sizes, one.entries);
}

cost::TensorStatistics Forecast::statistics(const Known &known, std::string name) const {
  if (known.tensor)
    return statisticsOf(*known.tensor, std::move(name));
  return expectedStatistics(known.type, known.sizes, int64_t(std::min(known.entries, 0x1p62)),
                            std::move(name));
}

// Decides as a run does, of which the bounds are no error here.
KernelFacts Forecast::judge(ta::ComputeOp op, const Known &result) const {
  auto sizesOf = [&](Value operand) { return tensors.at(operand).sizes; };
  auto storedOf = [&](Value operand) { return occupancyOf(operand); };
  auto extentOf = [&](Value extent) { return numbers.lookup(extent); };
  auto bounds = checkBounds(op, sizesOf, result.sizes, extentOf);
  return factsOf(op, bounds && bounds->windowed, result.sizes, storedOf, extentOf);
}

// Bytes, and the time, of a statement whose operands are known.
void Forecast::weigh(ta::ComputeOp op, const Known &result, StatementForecast &expected) const {
  auto typeOf = [&](Value operand) {
    const Known &known = tensors.at(operand);
    return withDecidedWidths(known.type, known.sizes, std::nullopt);
  };
  KernelArguments arguments;
  OwningOpRef<ModuleOp> module = outlineKernel(
      op, "kernel", typeOf, [&](Value operand) { return ta::operandName(op, operand); },
      withDecidedWidths(result.type, result.sizes, std::nullopt), arguments);
  expected.facts.tell(*module->getOps<func::FuncOp>().begin());
  std::vector<cost::TensorStatistics> all = {statistics(result, ta::nameOf(op.getResult()))};
  for (Value operand : arguments.tensors)
    all.push_back(statistics(tensors.at(operand), ta::operandName(op, operand)));
  for (const cost::TensorStatistics &one : all)
    expected.bytes += one.bytes();
  if (options.machine)
    expected.time = predictKernel(*module, all, *numbersOf(arguments.extents), *options.machine,
                                  options.threads);
}

void Forecast::tell(MutableArrayRef<ProgramKernel> kernels) const {
  for (ProgramKernel &kernel : kernels)
    if (std::optional<StatementForecast> expected = of(kernel.statement))
      expected->facts.tell(*kernel.module->getOps<func::FuncOp>().begin());
}

const TensorValue *Forecast::given(Value value) const {
  if (auto convert = value.getDefiningOp<ta::ConvertOp>())
    value = convert.getTensor();
  auto known = tensors.find(value);
  return known == tensors.end() ? nullptr : known->second.tensor;
}

std::optional<StatementForecast> Forecast::of(ta::ComputeOp statement) const {
  auto known = statements.find(statement);
  return known == statements.end() ? std::nullopt : std::optional(known->second);
}

} // namespace strata
