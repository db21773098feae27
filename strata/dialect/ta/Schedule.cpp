// The text of schedules: of attributes, and as it stands behind a statement; the marks of loops.
#include "strata/dialect/ta/Notation.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace strata::ta;

// A name as a bare word where the syntax of MLIR has it, else as a string.
static void printName(raw_ostream &os, StringRef name) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; };
  if (!name.empty() && !llvm::isDigit(name.front()) && llvm::all_of(name, isWord)) {
    os << name;
  } else {
    os << '"';
    llvm::printEscapedString(name, os);
    os << '"';
  }
}

static void printArgument(raw_ostream &os, Attribute argument) {
  if (auto list = dyn_cast<ArrayAttr>(argument)) {
    os << "{";
    llvm::interleaveComma(list, os, [&](Attribute one) { printArgument(os, one); });
    os << "}";
  } else if (auto number = dyn_cast<IntegerAttr>(argument)) {
    os << number.getInt();
  } else {
    printName(os, cast<StringAttr>(argument).getValue());
  }
}

static void printCommand(raw_ostream &os, CommandAttr command) {
  printName(os, command.getName());
  os << "(";
  llvm::interleaveComma(command.getArguments(), os, [&](Attribute one) { printArgument(os, one); });
  os << ")";
}

std::string strata::ta::commandText(CommandAttr command) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printCommand(os, command);
  return text;
}

std::string strata::ta::commandsText(ScheduleAttr schedule) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      schedule.getCommands(), os, [&](CommandAttr command) { printCommand(os, command); }, "; ");
  return text;
}

std::string strata::ta::scheduleText(ScheduleAttr schedule) {
  std::string commands = commandsText(schedule);
  return "schedule { " + (commands.empty() ? "" : commands + "; ") + "}";
}

static ParseResult parseArgument(AsmParser &parser, SmallVectorImpl<Attribute> &arguments) {
  Builder b(parser.getContext());
  std::string text;
  int64_t number;
  if (succeeded(parser.parseOptionalLBrace())) {
    SmallVector<Attribute> list;
    if (failed(parser.parseOptionalRBrace()) && (parser.parseCommaSeparatedList([&] {
          return parseArgument(parser, list);
        }) || parser.parseRBrace()))
      return failure();
    arguments.push_back(b.getArrayAttr(list));
    return success();
  }
  if (OptionalParseResult parsed = parser.parseOptionalInteger(number); parsed.has_value()) {
    arguments.push_back(b.getI64IntegerAttr(number));
    return *parsed;
  }
  if (parser.parseKeywordOrString(&text))
    return failure();
  arguments.push_back(b.getStringAttr(text));
  return success();
}

static FailureOr<CommandAttr> parseCommand(AsmParser &parser) {
  std::string name;
  SmallVector<Attribute> arguments;
  if (parser.parseKeywordOrString(&name) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                     [&] { return parseArgument(parser, arguments); }))
    return failure();
  return CommandAttr::get(parser.getContext(), name, arguments);
}

Attribute CommandAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<CommandAttr> command = parseCommand(parser);
  if (failed(command) || parser.parseGreater())
    return {};
  return *command;
}

void CommandAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printCommand(printer.getStream(), *this);
  printer << ">";
}

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  SmallVector<CommandAttr> commands;
  auto parseOne = [&]() -> ParseResult {
    FailureOr<CommandAttr> command = parseCommand(parser);
    if (failed(command))
      return failure();
    commands.push_back(*command);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseOne))
    return {};
  return get(parser.getContext(), commands);
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::interleaveComma(getCommands(), printer,
                        [&](CommandAttr command) { printCommand(printer.getStream(), command); });
  printer << ">";
}

LogicalResult MarkAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, Unit unit,
                               Strategy strategy, int64_t count) {
  if (strategy != Strategy::none && unit != Unit::thread)
    return emitError() << "values write to the same places only where threads share them";
  if (count < 0 || (count > 0 && unit == Unit::thread))
    return emitError() << "a number is of values in a vector, or of iterations at a time";
  if (unit == Unit::serial && count == 0)
    return emitError() << "a loop without a mark takes one value after the other already";
  return success();
}
