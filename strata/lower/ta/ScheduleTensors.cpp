// Schedules that say which tensors there are, and which statements: commands of tensors. The other
// commands of a schedule, which are about loops, stay.
#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/ExpressionParts.h"
#include "strata/lower/analysis/MergeCost.h"
#include "strata/lower/ta/BothWays.h"
#include "strata/lower/ta/FoldFills.h"
#include "strata/lower/ta/FuseStatements.h"
#include "strata/lower/ta/ProgramNotes.h"
#include "strata/lower/ta/Reindex.h"
#include "strata/lower/ta/SeparateSums.h"
#include "strata/lower/ta/ShareStatements.h"
#include "strata/lower/ta/SplitAddends.h"
#include "strata/lower/ta/StatementPart.h"
#include "strata/lower/ta/Ways.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_SCHEDULETENSORS
#include "strata/lower/Passes.h.inc"

namespace {

StringRef wordAt(ta::CommandAttr command, unsigned at) {
  ArrayRef<Attribute> arguments = command.getArguments();
  auto text = at < arguments.size() ? dyn_cast<StringAttr>(arguments[at]) : StringAttr();
  return text ? text.getValue() : StringRef();
}

// CSR, "BCSR:2x3", {D, CU}, or a map from dimensions to levels, as IR has it.
ta::FormatAttr formatOf(Attribute argument, unsigned order, std::string &why) {
  MLIRContext *context = argument.getContext();
  if (auto list = dyn_cast<ArrayAttr>(argument)) {
    SmallVector<StringRef> words;
    for (Attribute word : list)
      if (auto text = dyn_cast<StringAttr>(word))
        words.push_back(text.getValue());
    return ta::fromLevelWords(context, words, llvm::to_vector(llvm::seq(order)), why);
  }
  auto text = dyn_cast<StringAttr>(argument);
  if (!text)
    return why = "a number is no format", ta::FormatAttr();
  if (!text.getValue().starts_with("("))
    return ta::shorthand(context, text.getValue(), order, why);
  ScopedDiagnosticHandler keep(context, [&](Diagnostic &diagnostic) { why = diagnostic.str(); });
  auto format = dyn_cast_or_null<ta::FormatAttr>(
      parseAttribute(("#ta.format<" + text.getValue() + ">").str(), context));
  if (format && format.getDimRank() != order)
    return why = "it is one of tensors of another order", ta::FormatAttr();
  return format;
}

bool isShared(ta::ComputeOp op) {
  return llvm::any_of(op.getSchedule()->getCommands(),
                      [](ta::CommandAttr one) { return one.getName() == "share"; });
}

class TensorCommands {
public:
  /// `made` numbers the temporaries that have no other name; `notes` are about the program.
  TensorCommands(ta::ComputeOp op, unsigned &made, ProgramNotes &notes)
      : op(op), made(made), notes(notes) {}

  LogicalResult apply() {
    const ArrayRef<ta::CommandAttr> commands = op.getSchedule()->getCommands();
    if (const auto *two = llvm::find_if(commands, isSpecialize); two != commands.end())
      return specialize(size_t(two - commands.begin()));
    SmallVector<ta::CommandAttr> others;
    SmallVector<Location> places;
    for (size_t at = 0; at < commands.size(); ++at) {
      take(at);
      auto apply = llvm::StringSwitch<LogicalResult (TensorCommands::*)()>(command.getName())
                       .Case("convert", &TensorCommands::convert)
                       .Case("materialize", &TensorCommands::materialize)
                       .Case("separate", &TensorCommands::separate)
                       .Case("inline", &TensorCommands::inlineProducer)
                       .Case("fold", &TensorCommands::fold)
                       .Case("extract", &TensorCommands::extract)
                       .Case("accumulate", &TensorCommands::accumulate)
                       .Case("share", &TensorCommands::share)
                       .Default(nullptr);
      if (!apply) {
        others.push_back(command);
        places.push_back(place);
      } else if (failed((this->*apply)())) {
        return failure();
      } else if (!op) {
        return success();
      }
    }
    if (others.size() < commands.size())
      ta::setSchedule(op, ta::ScheduleAttr::get(op.getContext(), others), places);
    return success();
  }

private:
  InFlightDiagnostic refuse() const {
    return emitError(place) << "'" << ta::commandText(command) << "' is not possible: ";
  }

  // What the compiler does to statements without a schedule, and may do to this one because its
  // schedule says so.
  bool withoutSchedule(llvm::function_ref<bool()> change) {
    ta::ScheduleAttr schedule = op.getScheduleAttr();
    op.removeScheduleAttr();
    const bool changed = change();
    op.setScheduleAttr(schedule);
    return changed;
  }

  LogicalResult refuseMissing() const {
    return refuse() << "what has no value cannot be told from what has one in this format";
  }

  //===----------------------------------------------------------------------------------------===//
  // convert(A, CSR)
  //===----------------------------------------------------------------------------------------===//

  LogicalResult convert() {
    if (command.getArguments().size() != 2)
      return refuse() << "it takes a tensor and a format: convert(A, CSR)";
    StringRef name = wordAt(command, 0);
    if (ta::nameOf(op.getResult(), "") == name)
      return convertResult();
    Reads found = readsNamed(name);
    if (found.empty())
      return refuse() << "the statement has no tensor '" << name << "'";
    for (auto &[input, reads] : found) {
      std::optional<RankedTensorType> type = typeFor(cast<RankedTensorType>(input.getType()));
      if (!type)
        return failure();
      const bool isMissing =
          llvm::any_of(reads, [](ta::AccessOp access) { return access.getMissing(); });
      if ((storesAll(*type) || storesAll(input.getType())) && isMissing)
        return refuseMissing();
      OpBuilder b(op);
      Location loc = reads.empty() ? op.getLoc() : reads.front().getLoc();
      Value converted =
          ta::ConvertOp::create(b, loc, *type, input, b.getStringAttr(scheduledReason));
      op.getInputsMutable().append(converted);
      for (ta::AccessOp access : reads)
        access.getTensorMutable().assign(converted);
    }
    dropUnused(op);
    return success();
  }

  // Accesses by the tensors that they read.
  using Reads = llvm::MapVector<Value, SmallVector<ta::AccessOp>>;

  // The accesses to the operands of this name, or those that are written so: A(k, j).
  Reads readsNamed(StringRef name) {
    Reads found;
    for (Value input : op.getInputs())
      if (ta::operandName(op, input) == name)
        found[input];
    const bool isName = !found.empty();
    for (ta::AccessOp access : accessesIn(op, op.getYielded()))
      if (isName ? found.contains(access.getTensor())
                 : plainText(ta::valueText(op, access)) == plainText(name))
        found[access.getTensor()].push_back(access);
    return found;
  }

  LogicalResult convertResult() {
    if (op.getInit())
      return refuse() << "the result is updated, and stays as it is stored";
    auto declared = cast<RankedTensorType>(op.getResult().getType());
    std::optional<RankedTensorType> type = typeFor(declared);
    if (!type)
      return failure();
    if ((storesAll(*type) || storesAll(declared)) && ta::mayBeMissing(op.getYielded()))
      return refuseMissing();
    op.getResult().setType(*type);
    OpBuilder b(op.getContext());
    b.setInsertionPointAfter(op);
    auto converted = ta::ConvertOp::create(b, op.getLoc(), declared, op.getResult(),
                                           b.getStringAttr(scheduledReason));
    op.getResult().replaceAllUsesExcept(converted.getResult(), converted);
    return success();
  }

  // A full format stores a value for each place, one with padding more than its entries.
  static bool storesAll(ta::FormatAttr format) { return format.isFull() || format.hasPadding(); }
  static bool storesAll(Type type) {
    auto tensor = cast<RankedTensorType>(type);
    return !ta::sumOf(tensor) && storesAll(ta::formatOf(tensor));
  }

  // The type in the format that the command names last.
  std::optional<RankedTensorType> typeFor(RankedTensorType type) const {
    std::string why;
    ta::FormatAttr format = formatOf(command.getArguments().back(), type.getRank(), why);
    if (!format) {
      refuse() << why;
      return std::nullopt;
    }
    ta::SumAttr sum = ta::sumOf(type);
    return ta::withFormat(type,
                          format.withFill(sum ? sum.getFill() : ta::formatOf(type).getFill()));
  }

  //===----------------------------------------------------------------------------------------===//
  // materialize(A(i,k) * B(k,j), t, CSR)
  //===----------------------------------------------------------------------------------------===//

  SmallVector<ExpressionPart> partsLike(StringRef expression) {
    SmallVector<ExpressionPart> parts = findParts(op, plainText(expression), [&](Value value) {
      return plainText(ta::valueText(op, value));
    });
    llvm::erase_if(parts, [](const ExpressionPart &part) { // what is there already
      Operation *def = part.root.getDefiningOp();
      return isa<ta::AccessOp>(def) || ta::constantOf(def);
    });
    return parts;
  }

  LogicalResult materialize() {
    ArrayRef<Attribute> arguments = command.getArguments();
    StringRef name = wordAt(command, 1);
    if ((arguments.size() != 2 && arguments.size() != 3) || wordAt(command, 0).empty() ||
        name.empty())
      return refuse() << "it takes an expression, a name and a format: "
                         "materialize(A(i,k) * B(k,j), t, CSR)";
    for (Value input : op.getInputs()) {
      if (ta::operandName(op, input) == name)
        return refuse() << "there is a tensor '" << name << "' already";
      if (ta::sumOf(cast<RankedTensorType>(input.getType())))
        return refuse() << ta::quotedNameOf(input)
                        << " is stored in several parts: convert it first";
    }
    SmallVector<ExpressionPart> found = partsLike(wordAt(command, 0));
    if (found.size() != 1) {
      auto error = refuse();
      error << (found.empty() ? "there is no part of a product or a sum '"
                              : "there are several parts '")
            << wordAt(command, 0) << "'";
      error.attachNote(op.getLoc()) << "the right side is " << ta::valueText(op, op.getYielded());
      return error;
    }
    return takeOut(found.front(), name);
  }

  LogicalResult takeOut(const ExpressionPart &match, StringRef name) {
    IndexStatement statement(op);
    auto reduce = dyn_cast<ta::ReduceOp>(match.root.getDefiningOp()->getParentOp());
    SmallVector<Value> moved = reduce ? movedSums(statement, reduce, match) : SmallVector<Value>();
    StatementPart part{match.root, variablesOf(statement, match, moved), scheduledReason.str()};
    std::string why;
    unsigned order = part.variables.size();
    part.format = command.getArguments().size() == 3
                      ? formatOf(command.getArguments()[2], order, why)
                      : ta::denseFormat(op.getContext(), order);
    if (!part.format)
      return refuse() << why;
    if (llvm::any_of(match.inside, ta::mayBeMissing))
      return refuse() << "its value may be missing";
    if (storesAll(part.format) && ta::hasInfinity(op) && !match.isWhole())
      return refuse()
             << "another operand is not finite, and 0 in the temporary would not annihilate it";
    SmallVector<ta::AccessOp> read;
    for (Value value : match.inside)
      llvm::append_range(read, accessesIn(op, value));
    Value temporary = computeFirst(statement, part, name, read, [&](OpBuilder &b, IRMapping &map) {
      return bodyOf(statement, match, moved, b, map);
    });
    op.getInputsMutable().append(temporary);
    consume(statement, match, reduce, moved, part, temporary);
    dropUnused(op);
    return success();
  }

  //===----------------------------------------------------------------------------------------===//
  // separate(), fold(), extract(), accumulate()
  //===----------------------------------------------------------------------------------------===//

  LogicalResult refuseArguments() const {
    return refuse() << "it takes no arguments: " << command.getName() << "()";
  }

  LogicalResult separate() {
    if (!command.getArguments().empty())
      return refuseArguments();
    if (!separateSums(op))
      return refuse()
             << "no sum of a dense result adds up several terms, one of which is a product "
                "of dense tensors with a label each that the other lacks";
    return success();
  }

  LogicalResult fold() {
    if (!command.getArguments().empty())
      return refuseArguments();
    if (!withoutSchedule([&] { return foldFills(op, made); }))
      return refuse() << "no reduction has the same term, one that changes its value, wherever its "
                         "sparse operands store nothing";
    return success();
  }

  LogicalResult extract() {
    if (!command.getArguments().empty())
      return refuseArguments();
    if (!reindexAccesses(op))
      return refuse() << "no sparse operand is read at other places than by labels, each once";
    return success();
  }

  LogicalResult accumulate() {
    if (!command.getArguments().empty())
      return refuseArguments();
    if (!withoutSchedule([&] { return splitAddends(op, made); }))
      return refuse() << "the result must be dense and new, and the right side a sum whose sparse "
                         "terms can be walked as they are stored one by one, and not together";
    return success();
  }

  //===----------------------------------------------------------------------------------------===//
  // inline(T), share(B)
  //===----------------------------------------------------------------------------------------===//

  LogicalResult inlineProducer() {
    StringRef name = wordAt(command, 0);
    if (command.getArguments().size() != 1 || name.empty())
      return refuse() << "it takes a tensor that another statement makes: inline(T)";
    for (Value input : op.getInputs()) {
      if (ta::operandName(op, input) != name)
        continue;
      auto producer = input.getDefiningOp<ta::ComputeOp>();
      if (!producer)
        return refuse() << "no statement computes '" << name << "'";
      std::string why;
      ta::ComputeOp both = fuseAsAsked(producer, op, why);
      if (!both)
        return refuse() << "'" << name << "' is not computed where it is read: " << why;
      op = both;
      return success();
    }
    return refuse() << "the statement has no operand '" << name << "'";
  }

  // The last statement before this one that gives a tensor of this name; it has been reached
  // whenever this one is.
  ta::ComputeOp statementBefore(StringRef name) {
    for (Operation *around = op; around && !isa<func::FuncOp>(around);
         around = around->getParentOp())
      for (Operation *before = around->getPrevNode(); before; before = before->getPrevNode())
        if (auto found = dyn_cast<ta::ComputeOp>(before);
            found && ta::nameOf(found.getResult()) == name)
          return found;
    return {};
  }

  LogicalResult share() {
    StringRef name = wordAt(command, 0);
    if (command.getArguments().size() != 1 || name.empty())
      return refuse() << "it takes what an equal statement gave before: share(B)";
    if (op.getSchedule()->getCommands().size() != 1)
      return refuse() << "a statement that is not computed has no other commands";
    ta::ComputeOp before = statementBefore(name);
    if (!before)
      return refuse() << "no statement before it computes '" << name << "'";
    if (!computeTheSame(before, op))
      return refuse() << "the statement that computes '" << name << "' is another one";
    notes.add(op.getResult(), "is not computed again: it is what '" +
                                  ProgramNotes::nameOf(before.getResult()) + "' is");
    op.getResult().replaceAllUsesWith(before.getResult());
    op.erase();
    op = {};
    return success();
  }

  //===----------------------------------------------------------------------------------------===//
  // ...; specialize(FewSteps); ...
  //===----------------------------------------------------------------------------------------===//

  // What stands before is for the way that is taken where the condition holds, and what stands
  // behind for the other one; `inline` at the beginning is for both.
  LogicalResult specialize(size_t at) {
    ArrayRef<ta::CommandAttr> all = op.getSchedule()->getCommands();
    take(at);
    const size_t count = command.getArguments().size();
    const WayCondition *condition = llvm::find_if(
        wayConditions, [&](const WayCondition &one) { return one.word == wordAt(command, 0); });
    const bool isLikely = count == 2 && wordAt(command, 1) == likelyWord;
    if (condition == std::end(wayConditions) || (count != 1 && !isLikely)) {
      auto words = llvm::map_range(wayConditions, [](const WayCondition &one) { return one.word; });
      return refuse() << "it takes a condition, one of " << llvm::join(words, ", ") << ", and "
                      << likelyWord << " if it holds where the operands are not known";
    }
    if (llvm::any_of(all.drop_front(at + 1), isSpecialize))
      return refuse() << "a statement has two ways at most";
    if (isShared(op))
      return refuse() << "a statement that is not computed has no ways";
    size_t begin = 0;
    for (; begin < at && all[begin].getName() == "inline"; ++begin) {
      take(begin);
      if (failed(inlineProducer()))
        return failure();
    }
    Type wanted = op.getResult().getType();
    ta::ComputeOp first = copyOf(op);
    keepCommands(first, begin, at);
    keepCommands(op, at + 1, all.size());
    TensorCommands one(first, made, notes), other(op, made, notes);
    if (failed(one.apply()) || failed(other.apply()))
      return failure();
    keepBoth(other.op, one.op, wanted, condition->attribute, isLikely || condition->isLikely);
    return success();
  }

  static bool isSpecialize(ta::CommandAttr one) { return one.getName() == "specialize"; }

  // Leaves the commands from `begin` to `end` of a statement's schedule.
  static void keepCommands(ta::ComputeOp op, size_t begin, size_t end) {
    SmallVector<Location> places;
    for (size_t at = begin; at < end; ++at)
      places.push_back(ta::placeOfCommand(op, at));
    auto some = op.getSchedule()->getCommands().slice(begin, end - begin);
    ta::setSchedule(op, ta::ScheduleAttr::get(op.getContext(), some), places);
  }

  // The command that is applied now.
  void take(size_t at) {
    command = op.getSchedule()->getCommands()[at];
    place = ta::placeOfCommand(op, at);
  }

  // The variables of a sum of products that only the factors which are taken out use: their sums go
  // with these.
  static SmallVector<Value> movedSums(const IndexStatement &statement, ta::ReduceOp reduce,
                                      const ExpressionPart &match) {
    bool ofProducts = isProduct(match.root.getDefiningOp()) || match.inside.front() == match.root;
    if (reduce.getCombine() != ta::Combine::add || reduce.getMissing() || !ofProducts ||
        reduce.getYielded() != match.root)
      return {};
    SmallVector<Value> moved;
    for (Value variable : reduce.getVariables()) {
      auto uses = [&](Value value) {
        return statement.freeVariables(value).test(statement.numberOf(variable));
      };
      if (llvm::any_of(match.inside, uses) && llvm::none_of(match.before, uses) &&
          llvm::none_of(match.after, uses))
        moved.push_back(variable);
    }
    return moved;
  }

  // Of the temporary, in the order in which the expression has them.
  SmallVector<unsigned> variablesOf(const IndexStatement &statement, const ExpressionPart &match,
                                    ArrayRef<Value> moved) {
    llvm::SmallBitVector open(statement.variables.size());
    for (Value value : match.inside)
      open |= statement.freeVariables(value);
    for (Value variable : moved)
      open.reset(statement.numberOf(variable));
    SmallVector<unsigned> variables;
    auto take = [&](unsigned variable) {
      if (open.test(variable))
        variables.push_back(variable);
      open.reset(variable);
    };
    for (Value value : match.inside)
      for (ta::AccessOp access : accessesIn(op, value))
        for (Value index : access.getIndices())
          take(statement.numberOf(index));
    return variables;
  }

  Value bodyOf(const IndexStatement &statement, const ExpressionPart &match, ArrayRef<Value> moved,
               OpBuilder &b, IRMapping &map) {
    OpBuilder::InsertionGuard guard(b);
    ta::ReduceOp sum;
    if (!moved.empty())
      sum = beginSum(statement, moved, match.root.getType(), b, map);
    SmallVector<Value> values;
    for (Value value : match.inside)
      values.push_back(cloneValue(b, value, map));
    Value all = chained(values, match.root.getDefiningOp(), b);
    if (!sum)
      return all;
    ta::YieldOp::create(b, sum.getLoc(), all);
    return sum.getResult();
  }

  // A sum over these variables, which `map` sends to its own; the builder is inside.
  ta::ReduceOp beginSum(const IndexStatement &statement, ArrayRef<Value> variables, Type type,
                        OpBuilder &b, IRMapping &map) {
    SmallVector<Value> extents;
    SmallVector<Attribute> names;
    for (Value variable : variables) {
      const IndexVariable &known = statement.variables[statement.numberOf(variable)];
      extents.push_back(known.extent);
      names.push_back(b.getStringAttr(known.name));
    }
    auto sum = ta::ReduceOp::create(b, op.getLoc(), type, ta::Combine::add, extents,
                                    b.getArrayAttr(names), /*missing=*/false);
    Block *block = b.createBlock(&sum.getBody());
    for (Value variable : variables)
      map.map(variable, block->addArgument(b.getIndexType(), op.getLoc()));
    return sum;
  }

  // The rest of the chain, and of the sum around it, with the temporary in the place of what was
  // taken out.
  void consume(const IndexStatement &statement, const ExpressionPart &match, ta::ReduceOp reduce,
               ArrayRef<Value> moved, const StatementPart &part, Value temporary) {
    if (moved.empty() && match.inside.size() == 1) {
      Value inside = match.inside.front();
      OpBuilder b(inside.getDefiningOp());
      inside.replaceAllUsesWith(accessTo(statement, temporary, part, b));
      return;
    }
    Operation *chain = match.root.getDefiningOp();
    OpBuilder b(moved.empty() ? chain : reduce.getOperation());
    IRMapping map;
    ta::ReduceOp sum;
    if (!moved.empty()) {
      SmallVector<Value> kept;
      for (Value variable : reduce.getVariables())
        if (!llvm::is_contained(moved, variable))
          kept.push_back(variable);
      if (!kept.empty())
        sum = beginSum(statement, kept, reduce.getType(), b, map);
    }
    SmallVector<Value> values;
    auto clone = [&](Value value) {
      values.push_back(moved.empty() ? value : cloneValue(b, value, map));
    };
    llvm::for_each(match.before, clone);
    values.push_back(accessTo(statement, temporary, part, b, map));
    llvm::for_each(match.after, clone);
    Value all = chained(values, chain, b);
    if (sum) {
      ta::YieldOp::create(b, op.getLoc(), all);
      all = sum.getResult();
    }
    if (moved.empty()) {
      Value(match.root).replaceAllUsesWith(all);
    } else {
      reduce.getResult().replaceAllUsesWith(all);
      reduce.erase();
    }
  }

  ta::ComputeOp op; ///< null when it is not computed any more
  unsigned &made;
  ProgramNotes &notes;
  ta::CommandAttr command;
  Location place = UnknownLoc::get(op.getContext());
};

struct ScheduleTensors : impl::ScheduleTensorsBase<ScheduleTensors> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<ta::TaDialect, arith::ArithDialect, complex::ComplexDialect>();
  }

  void runOnOperation() override {
    SmallVector<ta::ComputeOp> scheduled;
    getOperation().walk([&](ta::ComputeOp op) {
      if (op.getScheduleAttr())
        scheduled.push_back(op);
    });
    unsigned made = 0;
    ProgramNotes notes(getOperation());
    if (!scheduled.empty())
      shareNumbers(getOperation());
    // Equal statements are found as they are written.
    llvm::stable_sort(scheduled,
                      [](ta::ComputeOp a, ta::ComputeOp b) { return isShared(a) && !isShared(b); });
    for (ta::ComputeOp op : scheduled)
      if (failed(TensorCommands(op, made, notes).apply()))
        return signalPassFailure();
  }
};

} // namespace
} // namespace strata
