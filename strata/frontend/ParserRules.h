// The parser's inside: one function for each rule of the grammar in docs/Language.md, by
// recursive descent with one token of lookahead. Rules return null or false after a mistake that
// they have reported; `block` then skips to the end of the statement and goes on.
#ifndef STRATA_FRONTEND_PARSERRULES_H
#define STRATA_FRONTEND_PARSERRULES_H

#include "strata/frontend/Lexer.h"
#include "strata/frontend/Parser.h"

#include <algorithm>
#include <utility>

namespace strata::frontend {

class ParserRules {
public:
  enum class Entry { Program, OneLiner, Schedule };

  ParserRules(unsigned buffer, Entry entry, Diagnostics &diagnostics);

  // ParseStatements.cpp
  ast::Module program();
  std::unique_ptr<ast::AssignStmt> oneLiner();

  // ParseFormats.cpp
  std::optional<ast::Format> loneFormat();

  // ParseSchedules.cpp
  std::optional<ast::Schedule> loneSchedule();

private:
  using Kind = Token::Kind;

  // ParseStatements.cpp
  bool function(ast::Module &module);
  bool functionParameters(std::vector<ast::FunctionParameter> &parameters);
  bool functionParameter(ast::FunctionParameter &parameter);
  void block(std::vector<ast::StmtPtr> &statements);
  void statementsUntil(llvm::StringRef close, llvm::SMRange open,
                       std::vector<ast::StmtPtr> &statements);
  ast::StmtPtr statement();
  ast::StmtPtr assignmentOrCall();
  ast::StmtPtr assignment(std::unique_ptr<ast::AssignStmt> statement);
  bool mask(ast::AssignStmt &statement);
  std::optional<ast::AssignOp> assignOp();
  bool beginsAssignment() const;

  // ParseSchedules.cpp
  bool startsSchedule() const;
  bool schedule(std::optional<ast::Schedule> &of);
  bool misplacedSchedule();
  bool commands(ast::Schedule &schedule, llvm::SMRange open);
  bool command(ast::Command &command);
  bool commandArguments(std::vector<ast::CommandArgument> &arguments, Kind close);
  bool commandArgument(ast::CommandArgument &argument);
  bool commandExpression(std::string &text);
  bool commandFactor(std::string &text);

  // ParseSemirings.cpp
  bool operatorFunction(ast::Module &module);
  bool semiring(ast::Module &module);
  bool semiringPart(ast::Semiring &semiring);
  bool boundlessNumber(std::optional<double> &number);

  // ParseControlFlow.cpp
  bool startsControlFlow() const;
  ast::StmtPtr controlFlow();
  ast::StmtPtr forLoop();
  ast::StmtPtr whileLoop();
  ast::StmtPtr repeatLoop();
  ast::StmtPtr branch();
  bool rangeOfLoop(ast::ForStmt &loop);
  void loopBody(llvm::SMRange head, std::vector<ast::StmtPtr> &statements);
  bool bracedBody(llvm::StringRef after, std::vector<ast::StmtPtr> &statements);
  bool limit(ast::LoopStmt &loop);
  bool conditionInParentheses(llvm::StringRef after, ast::Condition &condition);
  bool condition(ast::Condition &condition);
  bool conjunction(ast::Condition &condition);
  bool comparison(ast::Condition &condition);

  // ParseDeclarations.cpp
  ast::StmtPtr labelsDeclaration();
  bool labelNames(std::vector<ast::Name> &names);
  bool range(ast::LabelsStmt &statement);
  ast::StmtPtr tensorDeclaration();
  bool elementType(ast::TensorStmt &statement);
  bool dimensions(std::vector<ast::Bound> &dimensions);
  bool bound(ast::Bound &bound, llvm::StringRef what);
  ast::StmtPtr scalarDeclaration();

  // ParseFormats.cpp
  std::optional<ast::Format> formatLetters();
  std::optional<ast::Format> format();
  std::optional<ast::Format> formatPart();
  std::optional<ast::Format> formatInside(bool braces);
  std::optional<ast::Format> formatSum(ast::Format first);
  bool formatName(ast::Name &name);
  bool formatWords(ast::Format &format);
  bool formatDimension(ast::Format &format);
  bool formatMap(ast::Format &format);
  bool formatLevel(ast::FormatLevel &level);
  bool formatOptions(ast::Format &format);
  bool formatOption(ast::FormatOption &option);
  bool complexNumber(std::optional<std::complex<double>> &number);
  bool partOfNumber(std::complex<double> &part);
  bool startsImaginary() const;
  std::shared_ptr<ast::MapExpr> levelCoordinate();
  std::shared_ptr<ast::MapExpr> mapSum();
  std::shared_ptr<ast::MapExpr> mapProduct();
  std::shared_ptr<ast::MapExpr> mapPrimary();

  // ParsePlacements.cpp
  bool machine(ast::Module &module);
  bool machineAxis(ast::Machine::Axis &axis);
  bool placement(ast::Format &format);
  bool place(ast::Place &place);

  // ParseExpressions.cpp
  ast::ExprPtr expression();
  ast::ExprPtr values();
  bool listOfValues(ast::ValuesExpr &values, std::vector<int64_t> &coordinate);
  bool entryOfValues(ast::ValuesExpr &values);
  ast::ExprPtr bits(unsigned level = 0);
  ast::ExprPtr sum();
  ast::ExprPtr term();
  bool joining(ast::BinaryExpr &joined);
  std::optional<Operator> operatorWord();
  ast::ExprPtr factor();
  ast::ExprPtr primary();
  ast::ExprPtr number();
  ast::ExprPtr nameAccessOrCall();
  bool startsSubscript(ast::Name &name) const;
  bool coordinates(std::vector<ast::Coordinate> &coordinates, Kind close = Kind::RightBracket);
  bool labels(std::vector<ast::Name> &labels);
  bool arguments(std::vector<ast::ExprPtr> &arguments);
  ast::ExprPtr argument();
  std::vector<ast::Coordinate> coordinatesOf(std::vector<ast::ExprPtr> arguments);

  // Parser.cpp: tokens
  void advance();
  bool accept(Kind kind);
  /// Consumes a token of that kind, or says that it was expected `where` ("after ..."), and what
  /// it would close.
  bool expect(Kind kind, const llvm::Twine &where, llvm::SMRange opened = {});
  bool name(ast::Name &name, const llvm::Twine &what);
  /// Reports what stands here instead of `what`; always false.
  bool expected(const llvm::Twine &what, const llvm::Twine &hint = "");
  std::string describe(const Token &token) const;
  bool startsLine(const Token &token) const;
  bool startsStatement(const Token &token) const;
  void skipStatement();
  /// From `start` to the last consumed token.
  llvm::SMRange since(llvm::SMLoc start) const { return {start, previousEnd}; }

  /// Counts how deep rules call each other; the stack is finite.
  class Nesting {
  public:
    explicit Nesting(ParserRules &parser) : parser(parser) { ++parser.depth; }
    ~Nesting() { --parser.depth; }
    /// Reports nesting beyond the limit.
    bool tooDeep();

  private:
    ParserRules &parser;
  };
  /// Counts how deep a tree of operators leans to the left: a chain `a | b | c` is as deep as it is
  /// long. Made where the first operand begins; operands that are trees of that kind count, too.
  class Leaning {
  public:
    explicit Leaning(ParserRules &parser)
        : parser(parser), beside(std::exchange(parser.leaning, 0)) {}
    ~Leaning() { parser.leaning = std::max(parser.leaning, beside); }
    /// Counts an operator; tells whether these are too many.
    bool exceeds() { return ++parser.leaning > maxDepth; }
    /// Reports that at an operator.
    bool tooDeep(llvm::SMRange at);

  private:
    ParserRules &parser;
    unsigned beside; // of what was read before in the same tree
  };
  void refuseDepth(llvm::SMRange at);
  static constexpr unsigned maxDepth = 200;

  Diagnostics &diagnostics;
  llvm::StringRef text;
  Lexer lexer;
  Entry entry;
  Token token;
  llvm::SMLoc previousEnd;
  unsigned depth = 0, leaning = 0;
  unsigned openBraces = 0; // of the current statement
};

} // namespace strata::frontend

#endif // STRATA_FRONTEND_PARSERRULES_H
