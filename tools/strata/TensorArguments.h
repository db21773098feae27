// What -f, -t, -d, -i, -g and -o say of the tensors of a statement on the command line.
#ifndef STRATA_TOOLS_TENSORARGUMENTS_H
#define STRATA_TOOLS_TENSORARGUMENTS_H

#include "Arguments.h"
#include "Session.h"

#include "strata/frontend/OneLiner.h"

namespace strata::tool {

/// Each of the first group takes one argument, and is false after a mistake, which was reported.
class TensorArguments {
public:
  explicit TensorArguments(Session &session) : session(session) {}

  bool format(const NamedValue &argument);
  bool type(const NamedValue &argument);
  bool size(const NamedValue &argument);
  bool input(const NamedValue &argument);
  bool generate(const NamedValue &argument);
  bool output(const NamedValue &argument);

  /// Types that are not given: complex where a file is.
  void decideTypes();

  frontend::OneLinerOptions options;

private:
  bool once(llvm::StringRef option, const NamedValue &argument);
  bool oneSource(const NamedValue &argument);

  Session &session;
  std::map<std::string, std::string> given; ///< values, by "-f=A"
  int64_t generated = 0;                    ///< tensors with -g: each has a seed of its own
};

} // namespace strata::tool

#endif // STRATA_TOOLS_TENSORARGUMENTS_H
