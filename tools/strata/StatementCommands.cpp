// Reads commands off the operations that passes have made. Whether they say all is for others to
// try.
#include "StatementCommands.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/dialect/ta/ValuesOps.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace std::string_literals;

namespace strata::tool {
namespace {

template <typename Op> unsigned countInAll(ArrayRef<ta::ComputeOp> ops) {
  unsigned count = 0;
  for (ta::ComputeOp op : ops)
    count += countIn<Op>(op);
  return count;
}

std::string commandText(MLIRContext *context, StringRef name, ArrayRef<std::string> words) {
  SmallVector<Attribute> arguments;
  for (StringRef word : words)
    arguments.push_back(StringAttr::get(context, word));
  return ta::commandText(ta::CommandAttr::get(context, name, arguments)) + "; ";
}

// A format as schedules have it.
std::string formatText(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (ta::sumOf(type))
    return ta::formatName(type);
  ta::FormatAttr format = ta::formatOf(type).withFill({});
  std::string name = ta::formatName(format), why, text;
  if (ta::shorthand(type.getContext(), name, type.getRank(), why) == format)
    return name;
  llvm::raw_string_ostream(text) << format;
  StringRef inner = text;
  inner.consume_front("#ta.format<");
  inner.consume_back(">");
  return inner.str();
}

// A tensor that is computed before the statement.
std::string materializeText(ta::ComputeOp part) {
  Value value = part.getYielded();
  if (auto sum = value.getDefiningOp<ta::ReduceOp>())
    value = sum.getYielded();
  return commandText(
      part.getContext(), "materialize",
      {ta::valueText(part, value), ta::nameOf(part.getResult()), formatText(part.getResult())});
}

// The operand that an operation reads by a conversion, or, where it reads it as it is stored, too,
// or it has no name, the places at which it reads the copy.
std::vector<std::string> convertedIn(ta::ComputeOp op, ta::ConvertOp convert) {
  constexpr StringLiteral unnamed = "?";
  std::string name = ta::nameOf(convert.getTensor(), unnamed);
  if (name != unnamed && !llvm::is_contained(op.getInputs(), convert.getTensor()))
    return {name};
  std::vector<std::string> places;
  op.getBody().walk([&](ta::AccessOp access) {
    std::string place = ta::valueText(op, access);
    if (access.getTensor() == convert.getResult() && !llvm::is_contained(places, place))
      places.push_back(place);
  });
  return places;
}

// The conversions of the scheduled operation's operands and of its result.
std::string conversionsText(const Way &way) {
  std::string text;
  ta::ComputeOp op = way.scheduled();
  for (ta::ConvertOp convert : way.conversions) {
    bool after = convert.getTensor() == op.getResult();
    if (!after && !llvm::is_contained(op.getInputs(), convert.getResult()))
      continue;
    Value stored = after ? convert.getTensor() : convert.getResult();
    for (const std::string &name : convertedIn(op, convert))
      text += commandText(op.getContext(), "convert", {name, formatText(stored)});
  }
  return text;
}

// Tells whether the vector that an operation computes is the values of a storage.
bool makesValues(ta::ComputeOp op) {
  return llvm::any_of(op.getResult().getUsers(), llvm::IsaPred<ta::WithValuesOp>);
}

// What may say one way, the likeliest first. `transposes` says whether contractions are computed by
// transposes and products of matrices.
SmallVector<std::string> textsOf(const Way &way, const Statement &statement, bool transposes) {
  ta::ComputeOp op = way.scheduled();
  auto command = [&](StringRef name, ArrayRef<std::string> words = {}) {
    return commandText(op.getContext(), name, words);
  };
  std::string before, parts, rest = conversionsText(way) + way.loops;
  if (way.overValues)
    rest = command("assemble", {ta::nameOf(way.overValues), "Inherit"});
  else if (!way.loops.empty())
    rest += "; ";
  for (ta::ComputeOp part : way.made)
    if (part != op && !makesValues(part) && !way.hasParts)
      parts += materializeText(part);
  if (way.extracts)
    before += command("extract");
  SmallVector<std::string> texts;
  if (!parts.empty() && op.getInit() && !statement.updates)
    texts.push_back(before + command("accumulate") + rest);
  if (countInAll<ta::SelectOp>(way.made) > statement.selects)
    texts.push_back(before + command("fold") + rest);
  if (!parts.empty() && transposes)
    texts.push_back(before + command("ttgt") + rest);
  const bool separates = countInAll<ta::ReduceOp>(way.made) > statement.sums && !way.overValues;
  for (const std::string &first : parts.empty() ? std::vector{parts} : std::vector{parts, ""s}) {
    if (separates)
      texts.push_back(before + command("separate") + first + rest);
    texts.push_back(before + first + rest);
  }
  return texts;
}

// The commands that compute here what a statement reads and others made, if `names` has it.
std::string inlineText(Statement &statement, Statements &statements, Statement &into,
                       ArrayRef<std::string> names, MLIRContext *context) {
  std::string text;
  for (const auto &[name, place] : statement.reads) {
    auto producer = statements.find(place);
    if (producer == statements.end() || !producer->second.ways.empty() ||
        producer->second.consumer || !llvm::is_contained(names, name))
      continue;
    producer->second.consumer = &into;
    text += commandText(context, "inline", {name}) +
            inlineText(producer->second, statements, into, names, context);
  }
  return text;
}

// The names in what operations say about statements that they compute, too: 'T': why.
std::vector<std::string> fusedInto(const Statement &statement) {
  std::vector<std::string> names;
  for (const Way &way : statement.ways)
    for (ta::ComputeOp op : way.made)
      if (std::optional<ArrayAttr> fused = op.getFused())
        for (auto one : fused->getAsRange<StringAttr>())
          names.push_back(one.getValue().drop_front().split('\'').first.str());
  return names;
}

} // namespace

void findChoices(Statement &statement, Statements &statements, bool transposes) {
  std::string shared =
      inlineText(statement, statements, statement, fusedInto(statement), statement.context);
  if (statement.written != 1 || statement.isScheduled || statement.copies || statement.fills ||
      statement.hasMoreWays)
    return;
  if (statement.ways.empty()) {
    if (statement.twin && statements.find(statement.twin->second)->second.hasLoops())
      statement.choices.push_back(commandText(statement.context, "share", {statement.twin->first}));
    return;
  }
  const bool isOneNumber = statement.ways.size() == 1 && statement.ways[0].made.size() == 1;
  if (isOneNumber && !statement.hasLoops())
    return;
  SmallVector<SmallVector<std::string>> texts;
  for (const Way &way : statement.ways)
    texts.push_back(textsOf(way, statement, transposes));
  if (texts.size() == 1) {
    for (const std::string &text : texts[0])
      statement.choices.push_back(shared + text);
    return;
  }
  SmallVector<std::string> words{statement.condition->word.str()};
  llvm::APInt holds;
  Value condition = cast<ta::IfOp>(statement.branch).getCondition();
  if (!statement.condition->isLikely && matchPattern(condition, m_ConstantInt(&holds)) &&
      holds.isOne())
    words.push_back(likelyWord.str());
  std::string between = commandText(statement.context, "specialize", words);
  for (const std::string &second : texts[1])
    for (const std::string &first : texts[0])
      statement.choices.push_back(shared + first + between + second);
}

} // namespace strata::tool
