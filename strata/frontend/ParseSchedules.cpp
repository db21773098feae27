// The grammar's rules for schedules.
#include "strata/frontend/ParserRules.h"

namespace strata::frontend {

using namespace ast;

// True where a schedule follows a right side. A line that begins with `schedule[i] = ...` is
// another statement, before which a ';' is missing.
bool ParserRules::startsSchedule() const {
  if (!token.isName("schedule"))
    return false;
  llvm::StringRef rest = text.drop_front(token.text.end() - text.begin()).ltrim();
  return !startsLine(token) || rest.starts_with("{") || rest.starts_with("#");
}

// schedule = "schedule" "{" commands "}"
// After a mistake the statement still counts as whole if the closing brace is found.
bool ParserRules::schedule(std::optional<Schedule> &of) {
  Schedule schedule;
  llvm::SMLoc start = token.start();
  advance();
  llvm::SMRange open = token.range();
  if (!token.is(Kind::LeftBrace))
    return expected("'{' and scheduling commands",
                    "a schedule looks like this: schedule { reorder(i, k, j); }");
  unsigned outside = openBraces;
  advance();
  if (commands(schedule, open) && expect(Kind::RightBrace, "after the schedule", open)) {
    schedule.range = since(start);
    of = std::move(schedule);
    return true;
  }
  while (!token.is(Kind::End) && !(startsStatement(token) && startsLine(token))) {
    bool closes = token.is(Kind::RightBrace);
    advance();
    if (closes && (openBraces <= outside || token.is(Kind::Semicolon)))
      return true;
  }
  return false;
}

// Reports a schedule behind what is no assignment, and skips it.
bool ParserRules::misplacedSchedule() {
  diagnostics.error(token.range(), "only an assignment has a schedule");
  std::optional<Schedule> none;
  return schedule(none);
}

// commands = [ command { ( ";" | "," ) command } [ ";" | "," ] ]
// They end at the brace that closes `open`, or at the end of the text if there is none.
bool ParserRules::commands(Schedule &schedule, llvm::SMRange open) {
  Kind close = open.isValid() ? Kind::RightBrace : Kind::End;
  while (!token.is(close) && !token.is(Kind::End) &&
         !(startsStatement(token) && startsLine(token))) {
    if (!command(schedule.commands.emplace_back()))
      return false;
    if (accept(Kind::Semicolon) || accept(Kind::Comma))
      continue;
    return token.is(close) ||
           expect(Kind::Semicolon, open.isValid() ? "or '}' after a command" : "between commands",
                  open);
  }
  return true;
}

// command = NAME "(" [ command-argument { "," command-argument } ] ")"
bool ParserRules::command(Command &command) {
  if (!name(command.name, "a scheduling command"))
    return false;
  if (token.is(Kind::LeftParen))
    return commandArguments(command.arguments, Kind::RightParen);
  return expect(Kind::LeftParen, "after the name of a scheduling command");
}

bool ParserRules::commandArguments(std::vector<CommandArgument> &arguments, Kind close) {
  llvm::SMRange open = token.range();
  advance();
  if (accept(close))
    return true;
  do
    if (!commandArgument(arguments.emplace_back()))
      return false;
  while (accept(Kind::Comma));
  return expect(close, "or ',' after an argument", open);
}

// command-argument = NAME | STRING | INTEGER | expression
//                  | "{" [ command-argument { "," command-argument } ] "}"
// An expression is kept as its text: A[i, j], B[i, k] * C[k, j].
bool ParserRules::commandArgument(CommandArgument &argument) {
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return false;
  argument.range = token.range();
  if (token.is(Kind::LeftBrace)) {
    argument.kind = CommandArgument::Kind::List;
    if (!commandArguments(argument.list, Kind::RightBrace))
      return false;
    argument.range = since(argument.range.Start);
    return true;
  }
  if (token.is(Kind::Text)) {
    argument.name = unquote(token.text);
    advance();
    return true;
  }
  if (token.is(Kind::Name) || token.is(Kind::LeftParen))
    return commandExpression(argument.name);
  if (!token.is(Kind::Integer))
    return expected("an argument (a name, an integer, or several in braces)");
  argument.kind = CommandArgument::Kind::Number;
  if (token.text.getAsInteger(10, argument.number)) {
    diagnostics.error(token.range(), "this number is too large");
    return false;
  }
  advance();
  return true;
}

// command-expression = command-factor { ( "*" | "/" | "+" | "-" ) command-factor }
// Appended with spaces where a person would put them.
bool ParserRules::commandExpression(std::string &text) {
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return false;
  while (commandFactor(text)) {
    if (!token.is(Kind::Star) && !token.is(Kind::Slash) && !token.is(Kind::Plus) &&
        !token.is(Kind::Minus))
      return true;
    text += " " + token.text.str() + " ";
    advance();
  }
  return false;
}

// command-factor = NUMBER | NAME [ "." NAME | in parentheses or brackets ] | "(" command-expression
// ")"
bool ParserRules::commandFactor(std::string &text) {
  bool isName = token.is(Kind::Name), isNumber = token.is(Kind::Integer) || token.is(Kind::Real);
  if (isName || isNumber) {
    text += token.text.str();
    advance();
  }
  if (isNumber)
    return true;
  if (isName && token.is(Kind::Dot)) { // M.x, an axis of a machine
    advance();
    if (!token.is(Kind::Name))
      return expected("the name of an axis", "an axis of a machine is named like this: M.x");
    text += "." + token.text.str();
    advance();
    return true;
  }
  bool opens = token.is(Kind::LeftParen) || (isName && token.is(Kind::LeftBracket));
  if (!opens)
    return isName || expected("an operand or a label");
  llvm::SMRange open = token.range();
  Kind close = token.is(Kind::LeftParen) ? Kind::RightParen : Kind::RightBracket;
  text += token.text.str();
  advance();
  for (bool first = true; first || accept(Kind::Comma); first = false) {
    text += first ? "" : ", ";
    if (!commandExpression(text))
      return false;
  }
  if (!token.is(close))
    return expect(close, "or ',' after an argument", open);
  text += token.text.str();
  advance();
  return true;
}

// lone-schedule = [ command { ( ";" | "," ) command } [ ";" | "," ] ]
// Without commands it is that of the naive loops.
std::optional<Schedule> ParserRules::loneSchedule() {
  Schedule schedule;
  llvm::SMLoc start = token.start();
  if (!commands(schedule, {}))
    return std::nullopt;
  if (!token.is(Kind::End)) {
    expected("a scheduling command");
    return std::nullopt;
  }
  schedule.range = since(start);
  return schedule;
}

} // namespace strata::frontend
