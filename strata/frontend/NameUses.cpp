// Walks a module with the scopes of its blocks.
#include "strata/frontend/NameUses.h"
#include "strata/frontend/Builtins.h"
#include "strata/frontend/Lexer.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using llvm::SMRange;
using llvm::StringRef;

namespace strata::frontend {

using NamedKind = NamedThing::Kind;

llvm::ArrayRef<StringRef> languageWords() {
  static constexpr StringRef words[] = {
      "IndexLabel", "Machine", "Tensor",   "break",    "def",   "else", "end",      "floordiv",
      "for",        "if",      "in",       "limit",    "mod",   "on",   "operator", "range",
      "repeat",     "return",  "schedule", "semiring", "until", "var",  "while"};
  return words;
}

bool isNameText(StringRef text) {
  return !text.empty() && (llvm::isAlpha(text.front()) || text.front() == '_') &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; }) &&
         !llvm::is_contained(languageWords(), text);
}

const NameUse *NameUses::at(llvm::SMLoc place) const {
  const NameUse *found = nullptr;
  for (const NameUse &use : uses)
    if (use.range.Start.getPointer() <= place.getPointer() &&
        place.getPointer() <= use.range.End.getPointer() &&
        (!found || use.range.Start.getPointer() > found->range.Start.getPointer()))
      found = &use;
  return found;
}

namespace {

class Finder {
public:
  explicit Finder(const llvm::SourceMgr &sources) : sources(sources) {}

  NameUses run(const ast::Module &module) {
    scopes.resize(1);
    for (const ast::Machine &machine : module.machines)
      declare(NamedKind::Machine, machine.name);
    for (const ast::Function &function : module.functions)
      declare(NamedKind::Function, function.name);
    for (const ast::OperatorFunction &function : module.operators)
      declare(NamedKind::Operator, function.name);
    for (const ast::Semiring &semiring : module.semirings)
      declare(NamedKind::Semiring, semiring.name);
    for (const ast::Machine &machine : module.machines)
      for (const ast::Machine::Axis &axis : machine.axes)
        if (axis.cells)
          bound(*axis.cells);
    for (const ast::OperatorFunction &function : module.operators)
      operatorFunction(function);
    for (auto [number, function] : llvm::enumerate(module.functions)) {
      current = number;
      this->function(function);
      current.reset();
    }
    return std::move(found);
  }

private:
  // Tensors, labels and scalars share the names of a block; what a module declares has other ones.
  static bool isOfModule(NamedKind kind) {
    return kind == NamedKind::Function || kind == NamedKind::Operator ||
           kind == NamedKind::Semiring || kind == NamedKind::Machine;
  }

  void declare(NamedKind kind, const ast::Name &name, const ast::Stmt *statement = nullptr,
               const ast::FunctionParameter *parameter = nullptr) {
    if (name.text.empty()) // of a function without a name
      return;
    auto &names = isOfModule(kind) ? ofModule : scopes.back();
    auto [entry, isNew] = names.try_emplace(name.text, unsigned(found.things.size()));
    if (isNew)
      found.things.push_back(
          {kind, name.text, name.range, statement, parameter,
           isOfModule(kind) || kind == NamedKind::Parameter ? std::nullopt : current});
    found.uses.push_back({entry->second, name.range});
  }

  std::optional<unsigned> find(StringRef name) const {
    for (auto &scope : llvm::reverse(scopes))
      if (auto entry = scope.find(name); entry != scope.end())
        return entry->second;
    return std::nullopt;
  }

  bool use(const ast::Name &name) {
    std::optional<unsigned> thing = find(name.text);
    if (thing)
      found.uses.push_back({*thing, name.range});
    return thing.has_value();
  }

  bool useOfModule(const ast::Name &name) {
    auto entry = ofModule.find(name.text);
    if (entry != ofModule.end())
      found.uses.push_back({entry->second, name.range});
    return entry != ofModule.end();
  }

  // A name that nothing declares, which -D gives.
  void useOrParameter(const ast::Name &name) {
    if (use(name))
      return;
    auto [entry, isNew] = scopes.front().try_emplace(name.text, unsigned(found.things.size()));
    if (isNew)
      found.things.push_back(
          {NamedKind::Parameter, name.text, name.range, nullptr, nullptr, std::nullopt});
    found.uses.push_back({entry->second, name.range});
  }

  void bound(const ast::Bound &bound) {
    if (!bound.name.empty())
      useOrParameter({bound.name, bound.range});
  }

  void operatorFunction(const ast::OperatorFunction &function) {
    scopes.emplace_back();
    for (const ast::Name &parameter : function.parameters)
      declare(NamedKind::Scalar, parameter);
    expression(function.value.get());
    scopes.pop_back();
  }

  void function(const ast::Function &function) {
    scopes.emplace_back();
    for (const ast::FunctionParameter &parameter : function.parameters) {
      declare(parameter.dimensions.empty() && !parameter.elementType ? NamedKind::Scalar
                                                                     : NamedKind::Tensor,
              parameter.name, nullptr, &parameter);
      for (const ast::Bound &dimension : parameter.dimensions)
        if (!dimension.name.empty() && !use({dimension.name, dimension.range}))
          declare(NamedKind::Label, {dimension.name, dimension.range});
      if (parameter.format)
        placement(*parameter.format);
    }
    block(function.body);
    scopes.pop_back();
  }

  void block(const std::vector<ast::StmtPtr> &statements) {
    scopes.emplace_back();
    for (const ast::StmtPtr &statement : statements)
      if (statement)
        this->statement(*statement);
    scopes.pop_back();
  }

  void statement(const ast::Stmt &statement) {
    switch (statement.kind) {
    case ast::Stmt::Kind::Labels:
      return labels(llvm::cast<ast::LabelsStmt>(statement));
    case ast::Stmt::Kind::Tensor:
      return tensor(llvm::cast<ast::TensorStmt>(statement));
    case ast::Stmt::Kind::Scalar: {
      const auto &scalar = llvm::cast<ast::ScalarStmt>(statement);
      expression(scalar.value.get());
      declare(NamedKind::Scalar, scalar.name, &statement);
      return schedule(scalar.schedule);
    }
    case ast::Stmt::Kind::Assign:
      return assignment(llvm::cast<ast::AssignStmt>(statement));
    case ast::Stmt::Kind::Call:
      return expression(llvm::cast<ast::CallStmt>(statement).call.get());
    case ast::Stmt::Kind::Return:
      return expression(llvm::cast<ast::ReturnStmt>(statement).value.get());
    case ast::Stmt::Kind::For: {
      const auto &loop = llvm::cast<ast::ForStmt>(statement);
      for (const ast::Expr *part : {loop.lo.get(), loop.hi.get(), loop.step.get()})
        expression(part);
      scopes.emplace_back();
      declare(NamedKind::Scalar, loop.variable, &statement);
      block(loop.body);
      scopes.pop_back();
      return;
    }
    case ast::Stmt::Kind::Loop: {
      const auto &loop = llvm::cast<ast::LoopStmt>(statement);
      if (loop.limit)
        bound(*loop.limit);
      condition(loop.condition);
      return block(loop.body);
    }
    case ast::Stmt::Kind::If: {
      const auto &branch = llvm::cast<ast::IfStmt>(statement);
      condition(branch.condition);
      block(branch.body);
      return block(branch.otherwise);
    }
    case ast::Stmt::Kind::Break:
      return;
    }
  }

  void labels(const ast::LabelsStmt &statement) {
    bound(statement.lo);
    bound(statement.step);
    if (statement.hi)
      bound(*statement.hi);
    for (const ast::Name &label : statement.labels)
      declare(NamedKind::Label, label, &statement);
  }

  void tensor(const ast::TensorStmt &statement) {
    for (const ast::Bound &dimension : statement.dimensions)
      bound(dimension);
    if (statement.format)
      placement(*statement.format);
    declare(NamedKind::Tensor, statement.name, &statement);
  }

  void placement(const ast::Format &format) {
    if (!format.placement)
      return;
    useOfModule(format.placement->machine);
    for (const ast::Place &place : format.placement->places)
      for (const ast::Name &dimension : place.dimensions)
        use(dimension);
  }

  void assignment(const ast::AssignStmt &statement) {
    if (!use(statement.tensor))
      declare(statement.hasLabels ? NamedKind::Tensor : NamedKind::Scalar, statement.tensor,
              &statement);
    for (const ast::Coordinate &label : statement.labels)
      coordinate(label);
    if (statement.mask)
      expression(statement.mask->access.get());
    expression(statement.value.get());
    schedule(statement.schedule);
  }

  void condition(const ast::Condition &condition) {
    expression(condition.lhs.get());
    expression(condition.rhs.get());
    for (const ast::Condition &part : condition.parts)
      this->condition(part);
  }

  void coordinate(const ast::Coordinate &label) {
    if (label.computed)
      expression(label.computed.get());
    else
      use(label);
  }

  void expression(const ast::Expr *expr) {
    if (!expr)
      return;
    if (const auto *name = llvm::dyn_cast<ast::NameExpr>(expr))
      useOrParameter(name->name);
    else if (const auto *access = llvm::dyn_cast<ast::AccessExpr>(expr))
      this->access(*access);
    else if (const auto *labels = llvm::dyn_cast<ast::LabelsExpr>(expr))
      for (const ast::Name &label : labels->labels)
        use(label);
    else if (const auto *call = llvm::dyn_cast<ast::CallExpr>(expr))
      return this->call(*call);
    else if (const auto *binary = llvm::dyn_cast<ast::BinaryExpr>(expr); binary && binary->semiring)
      useOfModule(*binary->semiring);
    forEachOperand(*expr, [&](const ast::Expr &operand) { expression(&operand); });
  }

  void access(const ast::AccessExpr &access) {
    use(access.tensor);
    for (const ast::Coordinate &label : access.labels)
      coordinate(label);
  }

  void call(const ast::CallExpr &call) {
    if (!use(call.callee))
      useOfModule(call.callee);
    const Builtin *builtin = findBuiltin(call.callee.text);
    for (const ast::ExprPtr &argument : call.arguments) {
      // print(A, storage): a word of the function.
      const auto *word = llvm::dyn_cast<ast::NameExpr>(argument.get());
      bool isWord = builtin && builtin->kind == Builtin::Kind::Print && word &&
                    word->name.text == "storage" && !find("storage");
      if (!isWord)
        expression(argument.get());
    }
  }

  // Arguments of commands are texts, so the words of the schedule are read again.
  void schedule(const std::optional<ast::Schedule> &schedule) {
    if (!schedule)
      return;
    scopes.emplace_back();
    Diagnostics silent(sources);
    const char *begin = schedule->range.Start.getPointer();
    Lexer lexer(StringRef(begin, size_t(schedule->range.End.getPointer() - begin)), silent);
    Token command, before;
    unsigned depth = 0, argument = 0;
    for (Token token = lexer.next(); !token.is(Token::Kind::End); token = lexer.next()) {
      if (token.is(Token::Kind::LeftParen))
        ++depth;
      else if (token.is(Token::Kind::RightParen) && depth > 0)
        --depth;
      else if (token.is(Token::Kind::Comma) && depth == 1 && braces == 0)
        ++argument;
      braces += token.is(Token::Kind::LeftBrace) && depth > 0;
      braces -= token.is(Token::Kind::RightBrace) && depth > 0 && braces > 0;
      if (token.is(Token::Kind::Name) && depth == 0) {
        command = token;
        argument = 0;
      } else if (token.is(Token::Kind::Name) && !before.is(Token::Kind::Dot)) {
        commandName(command.text, argument, {token.text.str(), token.range()});
      }
      before = token;
    }
    braces = 0;
    scopes.pop_back();
  }

  void commandName(StringRef command, unsigned argument, const ast::Name &name) {
    bool isFormat =
        (command == "convert" && argument == 1) || (command == "materialize" && argument == 2);
    if (isFormat || use(name) || useOfModule(name))
      return;
    bool isNumber =
        ((command == "split" || command == "divide") && argument == 3) ||
        (command == "tile" && argument >= 6) || (command == "bound" && argument == 2) ||
        ((command == "assume" || command == "vectorize" || command == "unroll") && argument == 1);
    bool makesName = (command == "split" || command == "divide" || command == "tile" ||
                      command == "fuse" || command == "pos" || command == "bound" ||
                      command == "precompute" || command == "materialize" || command == "rotate") &&
                     !(command == "bound" && argument > 1);
    if (isNumber)
      useOrParameter(name);
    else if (makesName)
      declare(NamedKind::ScheduleLabel, name);
  }

  const llvm::SourceMgr &sources;
  NameUses found;
  llvm::StringMap<unsigned> ofModule;
  std::vector<llvm::StringMap<unsigned>> scopes; ///< the first one has parameters
  std::optional<unsigned> current;               ///< the function
  unsigned braces = 0;                           ///< open ones in a command's arguments
};

} // namespace

NameUses findNameUses(const ast::Module &module, const llvm::SourceMgr &sources) {
  return Finder(sources).run(module);
}

} // namespace strata::frontend
