// Explains prepared programs, statement by statement.
#include "strata/explain/Explanation.h"

#include "strata/compile/ProgramKernels.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/dialect/ta/ValuesOps.h"
#include "strata/explain/CellPieces.h"
#include "strata/explain/Explain.h"
#include "strata/explain/InheritedPattern.h"
#include "strata/explain/LoopOrders.h"
#include "strata/explain/MatrixProducts.h"
#include "strata/explain/ScheduleSteps.h"
#include "strata/lower/analysis/FilledProducts.h"
#include "strata/lower/analysis/HeldZeros.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/ta/ProgramNotes.h"
#include "strata/runtime/Counted.h"
#include "strata/tensor/ElementTypes.h"

using namespace mlir;

namespace strata {

using ta::nameOf;
using ta::placeOf;

static std::vector<std::string> linesOf(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, '\n', -1, /*KeepEmpty=*/false);
  return {parts.begin(), parts.end()};
}

static std::string storageOf(RankedTensorType type) {
  std::string text = elementTypeWord(type.getElementType()).str();
  for (auto [at, size] : llvm::enumerate(type.getShape()))
    text += (at ? " x " : ", ") + (ShapedType::isDynamic(size) ? "?" : std::to_string(size));
  if (type.getRank() > 0)
    text += ", " + ta::formatName(type);
  return text;
}

// Says whether two texts of a statement differ in more than blanks and brackets.
static bool saysMore(StringRef notation, StringRef written) {
  auto bare = [](StringRef text) {
    std::string result;
    for (char c : text)
      if (!isspace(static_cast<unsigned char>(c)))
        result += c == '[' ? '(' : c == ']' ? ')' : c;
    return result;
  };
  return bare(notation) != bare(written);
}

static std::string formatName(Value tensor) {
  return ta::formatName(cast<RankedTensorType>(tensor.getType()));
}

// Tells what decides between the two ways of a branch that the compiler made; empty of others.
static StringRef decidedBy(Operation *branch) {
  if (branch->hasAttr(fewTermsAttribute))
    return "the sums have few terms for the entries of the operands";
  if (branch->hasAttr(fewStepsAttribute))
    return "walks that begin again take few steps for these entries";
  if (branch->hasAttr(fewReadsAttribute))
    return "the loops take few steps for the size of the dense tensors";
  if (branch->hasAttr(fewUsesAttribute))
    return "the loops take few steps for the size of what is computed first";
  if (branch->hasAttr(fewEntriesAttribute))
    return "entries are few for the size of dense temporaries, or a dense operand holds infinity "
           "or NaN";
  if (branch->hasAttr(heldZerosAttribute))
    return "a factor beside the sum holds infinity or NaN, or a divisor a zero";
  return "";
}

// Describes the statement and the place where it stands, without its kernel.
static ExplainedStatement headOf(ta::ComputeOp statement) {
  ExplainedStatement head;
  head.place = placeOf(statement);
  head.statement = ta::statementText(statement);
  std::string notation = ta::notation(statement);
  bool isNamed = !StringRef(nameOf(statement.getResult())).starts_with("_");
  if (isNamed && saysMore(notation, head.statement))
    head.means = notation;
  for (Operation *around = statement->getParentOp(); around; around = around->getParentOp()) {
    if (StringRef what = decidedBy(around); !what.empty()) {
      bool few = around->getRegion(0).isAncestor(statement->getParentRegion());
      bool unknown = few == matchPattern(around->getOperand(0), m_One());
      head.context.emplace_back(few ? "if" : "unless",
                                (what + (unknown ? ", or if these are not known" : "")).str());
    } else if (auto cells = dyn_cast<ta::DistributeOp>(around)) {
      auto type = cast<RankedTensorType>(cells.getResult().getType());
      head.context.emplace_back("on", "each cell of machine '" +
                                          ta::placementOf(type).getMachine().str() +
                                          "', of its pieces");
    } else if (isa<ta::ForOp, ta::LoopOp, ta::IfOp>(around)) {
      head.context.emplace_back(
          "inside", (isa<ta::IfOp>(around) ? "the branch at " : "the loop at ") + placeOf(around));
    }
  }
  if (std::optional<ArrayAttr> fused = statement.getFused())
    for (auto one : fused->getAsRange<StringAttr>())
      head.context.emplace_back("fused", one.getValue());
  return head;
}

static ExplainedStatement explainConversion(ta::ComputeOp statement,
                                            std::optional<StatementForecast> expected) {
  ExplainedStatement explained = headOf(statement);
  explained.expected = std::move(expected);
  auto tensor = [](Value value) {
    return ExplainedTensor{nameOf(value), storageOf(cast<RankedTensorType>(value.getType())), {}};
  };
  explained.result = tensor(statement.getResult());
  explained.operands = {tensor(copiedBy(statement))};
  explained.converts = true;
  return explained;
}

// The operation whose cells have pieces of a tensor, if it is a piece.
static ta::DistributeOp cellsOf(Value tensor) {
  auto piece = dyn_cast<BlockArgument>(tensor);
  return piece ? dyn_cast<ta::DistributeOp>(piece.getOwner()->getParentOp()) : ta::DistributeOp();
}

// What a piece of a tensor is a piece of.
static Value wholeOf(Value tensor) {
  ta::DistributeOp cells = cellsOf(tensor);
  return cells ? Value(cells.getTensors()[cast<BlockArgument>(tensor).getArgNumber()]) : tensor;
}

// Which part of a tensor a cell has in a round; empty: all of its piece.
static std::string partInRounds(Value piece) {
  ta::DistributeOp cells = cellsOf(piece);
  const int64_t dim = cells && cells.hasRounds()
                          ? (*cells.getWindows())[cast<BlockArgument>(piece).getArgNumber()]
                          : -1;
  if (dim < 0)
    return "";
  const std::string of = " of dimension " + std::to_string(dim + 1) + " in each";
  if (cells.getChunk())
    return "in rounds: " + counted(int64_t(*cells.getChunk()), "coordinate") + of;
  APInt parts;
  const bool isKnown = matchPattern(cells.getParts(), m_ConstantInt(&parts));
  return "in rounds: one of " +
         (isKnown ? std::to_string(parts.getSExtValue()) + " parts"
                  : "as many parts as cells lie on an axis,") +
         of;
}

// The type of what is in pieces, from that of a piece.
static RankedTensorType placedAs(Value whole, RankedTensorType piece) {
  ta::PlacementAttr placement = ta::placementOf(cast<RankedTensorType>(whole.getType()));
  if (!placement)
    return piece;
  return ta::withPlacement(piece, ta::PlacementAttr::get(piece.getContext(), placement.getMachine(),
                                                         placement.getPlaces()));
}

// A conversion of which nothing need be said: each process keeps the pieces of what it has whole.
static bool onlyCuts(ta::ConvertOp convert) {
  auto from = cast<RankedTensorType>(convert.getTensor().getType());
  auto to = cast<RankedTensorType>(convert.getResult().getType());
  return !convert.getReason() && !ta::placementOf(from) && ta::pieceType(to) == ta::pieceType(from);
}

// The name of the storage whose values these are.
static std::string storageNameOf(ta::ValuesOp values) {
  auto type = cast<RankedTensorType>(values.getTensor().getType());
  ta::SumAttr sum = ta::sumOf(type);
  return (sum ? "part " + std::to_string(values.getPart() + 1) + " of " : "") +
         ta::formatName(type);
}

// An operand, and what was made of it for the statement.
static ExplainedTensor operandOf(Value piece, RankedTensorType type) {
  Value tensor = wholeOf(piece);
  auto fetch = tensor.getDefiningOp<ta::FetchOp>();
  ExplainedTensor operand{nameOf(piece), storageOf(placedAs(tensor, type)), {}};
  if (fetch)
    operand.storage = storageOf(placedAs(fetch.getTensor(), type));
  if (auto convert = tensor.getDefiningOp<ta::ConvertOp>(); convert && !onlyCuts(convert))
    operand.notes.push_back("converted from " + formatName(convert.getTensor()) + ": " +
                            convert.getReason().value_or("asked for").str());
  if (fetch)
    operand.notes.push_back((fetch.comesFromCells() ? "fetched: " : "numbered: ") +
                            fetch.getReason().value_or("asked for").str());
  if (std::string part = partInRounds(piece); !part.empty())
    operand.notes.push_back(part);
  if (auto part = tensor.getDefiningOp<ta::ComponentOp>())
    operand.notes.push_back("part " + std::to_string(part.getNumber() + 1) + " of " +
                            formatName(part.getTensor()));
  if (auto values = tensor.getDefiningOp<ta::ValuesOp>())
    operand.notes.push_back("the values that it stores as " + storageNameOf(values) +
                            ", as they lie: where it stores nothing, nothing changes");
  if (auto reindex = tensor.getDefiningOp<ta::GatherOp>())
    operand.notes.push_back(reindex.getReason().value_or("gathered").str());
  return operand;
}

// The result, and what is made of it after the statement.
static ExplainedTensor resultOf(ta::ComputeOp statement, RankedTensorType type) {
  auto cells = statement->getParentOfType<ta::DistributeOp>();
  Value made = cells ? cells.getResult() : statement.getResult();
  ExplainedTensor result{nameOf(statement.getResult()), storageOf(placedAs(made, type)), {}};
  for (Operation *user : made.getUsers()) {
    if (auto with = dyn_cast<ta::WithValuesOp>(user))
      result.notes.push_back("then stored where " + nameOf(with.getTensor()) +
                             " stores its own values, as " + formatName(with.getResult()));
    if (auto convert = dyn_cast<ta::ConvertOp>(user); convert && convert.getReason())
      result.notes.push_back("then converted to " + formatName(convert.getResult()) + ": " +
                             convert.getReason()->str());
    if (auto scatter = dyn_cast<ta::ScatterOp>(user))
      result.notes.push_back(scatter.getLike()
                                 ? "stays where the entries of " + nameOf(scatter.getLike()) +
                                       " are, as " + formatName(scatter.getResult())
                                 : "then brought to its coordinates, as " +
                                       formatName(scatter.getResult()));
    if (auto overlay = dyn_cast<ta::InsertPartOp>(user); overlay && overlay.getReason())
      result.notes.push_back("then joined with the rest of " + nameOf(overlay.getWhole()) + ": " +
                             overlay.getReason()->str());
  }
  return result;
}

// Tells how the pieces of a statement's cells are cut.
static void addPieces(ta::ComputeOp statement, ArrayRef<Value> tensors,
                      ExplainedStatement &explained) {
  auto cells = statement->getParentOfType<ta::DistributeOp>();
  if (!cells)
    return;
  auto add = [](Value whole, ExplainedTensor &tensor) {
    if (auto fetch = whole.getDefiningOp<ta::FetchOp>(); fetch && fetch.comesFromCells()) {
      tensor.notes.push_back("of it: what the lists of cells name (image of coordinates)");
      return;
    }
    tensor.placed = cast<RankedTensorType>(whole.getType());
    llvm::append_range(tensor.notes, cellPieces(tensor.placed, tensor.name));
  };
  add(cells.getResult(), explained.result);
  for (auto [tensor, told] : llvm::zip(tensors, explained.operands))
    add(wholeOf(tensor), told);
}

// "1138 x 1138, 4054 values": what a tensor is that is there already.
static std::string contentOf(const TensorValue &tensor) {
  const std::string sizes = sizesText(tensor.sizes());
  return (sizes.empty() ? "" : sizes + ", ") + counted(tensor.storedCount(), "value");
}

static std::optional<ExplainedStatement>
explainKernel(ProgramKernel &kernel, const Forecast &forecast, const ExplainOptions &options) {
  ta::ComputeOp statement = kernel.statement;
  std::optional<StatementForecast> expected = forecast.of(statement);
  ModuleOp module = *kernel.module;
  ExplainedStatement explained = headOf(statement);
  for (const std::string &product : describeMatrixProducts(statement, module))
    explained.context.emplace_back("product", product);
  auto function = *module.getOps<func::FuncOp>().begin();
  auto type = cast<RankedTensorType>(function.getResultTypes().front());
  explained.result = resultOf(statement, type);
  for (auto [tensor, type] : llvm::zip(kernel.arguments.tensors, function.getArgumentTypes())) {
    explained.operands.push_back(operandOf(tensor, cast<RankedTensorType>(type)));
    if (const TensorValue *given = forecast.given(tensor))
      explained.operands.back().notes.push_back("holds " + contentOf(*given));
  }
  if (options.grid)
    addPieces(statement, kernel.arguments.tensors, explained);
  if (std::optional<std::string> pattern = describeInheritedPattern(kernel))
    explained.context.emplace_back("pattern", *pattern);
  KernelLoops loops = explainLoopsOf(module);
  if (loops.text.empty())
    return std::nullopt;
  auto allocations = allocationsOf(module, explained.result.name, type);
  if (!allocations)
    return std::nullopt;
  if (options.steps) {
    FailureOr<std::vector<ScheduleStep>> taken = scheduleSteps(module);
    if (failed(taken))
      return std::nullopt;
    for (const ScheduleStep &step : *taken)
      explained.steps.emplace_back(step.command, linesOf(step.loops));
  }
  explained.schedule = loops.schedule;
  explained.loops = linesOf(loops.text);
  explained.sequential = loops.sequential;
  Policy policy = expected ? expected->facts.policy : Policy::None;
  explained.resolutions = linesOf(explainResolutions(statement, policy));
  explained.allocations = std::move(*allocations);
  explained.expected = std::move(expected);
  return explained;
}

std::optional<Explanation> explanationOf(ModuleOp program, const ExplainOptions &options) {
  Explanation explanation;
  for (const auto &[location, text] : ProgramNotes::all(program))
    explanation.notes.emplace_back(placeOf(location), text);
  std::vector<ProgramKernel> kernels = *kernelsOf(mainOf(program), options.widths);
  Forecast forecast({options.machine, options.threads});
  forecast.follow(mainOf(program), options.given);
  forecast.tell(kernels);
  explanation.machine = options.machine;
  auto next = kernels.begin();
  bool fine = true;
  mainOf(program).walk<WalkOrder::PreOrder>([&](ta::ComputeOp statement) {
    std::optional<ExplainedStatement> one =
        isConversion(statement) ? explainConversion(statement, forecast.of(statement))
                                : explainKernel(*next++, forecast, options);
    fine &= one.has_value();
    if (one && options.orders)
      one->orders = loopOrders(program, unsigned(explanation.statements.size()), *one, options);
    if (one)
      explanation.statements.push_back(std::move(*one));
    return WalkResult::skip();
  });
  return fine ? std::optional(std::move(explanation)) : std::nullopt;
}

} // namespace strata
