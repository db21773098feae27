// What -f, -t, -d, -i, -g and -o say of the tensors of a statement on the command line.
#ifndef STRATA_TOOLS_TENSORARGUMENTS_H
#define STRATA_TOOLS_TENSORARGUMENTS_H

#include "Arguments.h"
#include "Session.h"

#include "strata/frontend/Ast.h"
#include "strata/frontend/OneLiner.h"

namespace strata::tool {

/// Each of the first group takes one argument, and is false after a mistake, which was reported.
class TensorArguments {
public:
  TensorArguments(Session &session, const frontend::ast::AssignStmt &statement);

  bool format(const NamedValue &argument);
  bool type(const NamedValue &argument);
  bool size(const NamedValue &argument);
  bool input(const NamedValue &argument);
  bool generate(const NamedValue &argument);
  bool output(const NamedValue &argument);

  /// Types that are not given: complex where a file is, and for a result of complex operands.
  void decideTypes();
  /// Lets every operand that has no value come from a file of its own name, so that the statement
  /// can be compiled, though not run.
  void pretendInputs();

  frontend::OneLinerOptions options;

private:
  struct Tensor {
    std::string name;
    size_t order;
  };
  void collect(const frontend::ast::Expr &expr);
  const Tensor *find(llvm::StringRef name) const;

  Session &session;
  Tensor result;
  std::vector<Tensor> operands; // as they appear
};

} // namespace strata::tool

#endif // STRATA_TOOLS_TENSORARGUMENTS_H
