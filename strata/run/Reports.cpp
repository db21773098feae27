// Tells what the steps of a run do.
#include "strata/run/Reports.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/dialect/ta/ValuesOps.h"
#include "strata/tensor/ElementTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace strata {

TensorReport reportOf(Value value, const TensorValue &tensor) {
  auto named = dyn_cast<NameLoc>(value.getLoc());
  // What the front end computes for an operand has no name that the program knows.
  bool known = named && !named.getName().getValue().starts_with("_");
  return {known ? named.getName().str() : "",
          tensor.sizes(),
          tensor.storedCount(),
          elementTypeWord(tensor.type.getElementType()).str(),
          ta::formatName(tensor.type),
          tensor.bytes()};
}

StepReport &Steps::of(Operation *op, llvm::function_ref<std::string()> what) {
  auto [known, isNew] = numbers.try_emplace(op, steps.size());
  if (isNew)
    steps.push_back({what()});
  return steps[known->second];
}

StepReport *Steps::find(Operation *op) {
  auto known = numbers.find(op);
  return known == numbers.end() ? nullptr : &steps[known->second];
}

// Of an operation that is a step by itself; else empty.
static std::string titleOf(Operation *op) {
  return TypeSwitch<Operation *, std::string>(op)
      .Case([](ta::ReadOp op) { return "read " + op.getFile().str(); })
      .Case([](ta::WriteOp op) { return "write " + op.getFile().str(); })
      .Case([](ta::FillOp) { return "fill"; })
      .Case([](ta::StencilOp) { return "make a stencil"; })
      .Case([](ta::RandomOp) { return "make random values"; })
      .Case([](ta::IotaOp) { return "the values of a label"; })
      .Case([](ta::OneHotOp) { return "what is looked up"; })
      .Case([](ta::InsideOp) { return "what lies inside"; })
      .Case([](ta::DenseAlgebraOp op) { return op.getFunction().str(); })
      .Case([](ta::ConvertOp op) {
        auto from = cast<RankedTensorType>(op.getTensor().getType()),
             to = cast<RankedTensorType>(op.getResult().getType());
        bool moves = ta::placementOf(from) || ta::placementOf(to);
        return moves ? "move " + ta::nameOf(op.getTensor(), "a tensor") + " from " +
                           ta::formatName(from) + " to " + ta::formatName(to)
                     : "";
      })
      .Case([](ta::NeedsOp op) {
        return "list what cells need, by the coordinates that " +
               ta::nameOf(op.getTensors().front(), "a tensor") + " stores";
      })
      .Case([](ta::ReachOp) { return "list what cells need"; })
      .Case([](ta::FetchOp op) {
        std::string what =
            op.comesFromCells() ? "fetch what cells need of " : "number what cells have of ";
        return what + ta::nameOf(op.getTensor(), "a tensor");
      })
      .Case([](ta::ScatterOp op) {
        return (op.getInto() ? "put what cells have of " : "bring ") +
               ta::nameOf(op.getTensor(), "a tensor") +
               (op.getInto() ? " in its place" : " to its coordinates");
      })
      .Case([](ta::DistributeOp op) {
        std::string names;
        for (unsigned operand = 0; op.hasRounds() && operand < op.getTensors().size(); ++operand)
          if ((*op.getWindows())[operand] >= 0)
            names += (names.empty() ? "bring parts of " : ", ") +
                     ta::nameOf(op.getTensors()[operand], "a tensor");
        return names.empty() ? names : names + " in rounds";
      })
      .Case([](ta::ConcatOp op) { return ta::statementText(op); })
      .Case([](ta::LexiOrderOp op) {
        std::string name = ta::nameOf(op.getTensor(), "a tensor");
        return op.getDim()
                   ? "find the order of dimension " + std::to_string(*op.getDim()) + " of " + name
                   : "reorder " + name;
      })
      .Case([](ta::GatherOp op) {
        return "gather the entries of " + ta::nameOf(op.getTensor(), "an operand") +
               " that the statement reaches";
      })
      .Case([](ta::WithValuesOp op) {
        return llvm::is_contained(op.getMoved(), 0)
                   ? ""
                   : "copy the levels of " + ta::nameOf(op.getTensor(), "a tensor");
      })
      .Case([](ta::InsertPartOp op) {
        return "replace a part of the entries of " + ta::nameOf(op.getWhole(), "an operand");
      })
      .Case([](arith::ConstantOp op) {
        return isa<RankedTensorType>(op.getType()) ? "a constant" : "";
      })
      .Default([](Operation *) { return ""; });
}

std::string stepTitle(Operation *op) {
  return isa<ta::ComputeOp>(op) ? ta::statementText(op) : titleOf(op);
}

void Steps::begin(Operation *op) {
  std::string title = titleOf(op);
  if (title.empty())
    return;
  StepReport &step = of(op, [&] { return title; });
  if (auto insert = dyn_cast<ta::InsertPartOp>(op); insert && insert.getReason())
    step.notes = {step.what + ": " + insert.getReason()->str()};
}

void Steps::addSeconds(Operation *op, double seconds) {
  StepReport *step = find(op);
  if (!step || isa<ta::ComputeOp>(op) || (isa<ta::ConvertOp>(op) && titleOf(op).empty()))
    return; // they count their own
  double &spent = isa<ta::WriteOp>(op)                           ? step->write
                  : isa<ta::DenseAlgebraOp, ta::LexiOrderOp>(op) ? step->run
                                                                 : step->read;
  spent += seconds;
}

} // namespace strata
