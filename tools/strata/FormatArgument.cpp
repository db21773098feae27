// Parses formats of --format.
#include "FormatArgument.h"

#include "Messages.h"

#include "strata/dialect/ta/Shorthands.h"
#include "strata/frontend/Parser.h"
#include "strata/frontend/TaFormats.h"

using namespace mlir;

namespace strata::tool {

Attribute parseFormatArgument(Session &session, const llvm::opt::Arg *given, unsigned order) {
  if (!given)
    return ta::coordinateFormat(&session.context, order, false);
  frontend::Diagnostics diagnostics(session.sources);
  std::optional<frontend::ast::Format> format =
      frontend::parseFormat(session.addText(given->getValue(), "<format>"), diagnostics);
  bool fits =
      format && frontend::checkFormat(*format, order, frontend::ElementType::Double, "the tensor",
                                      frontend::TaFormats(&session.context), diagnostics);
  show(diagnostics);
  if (!fits)
    return {};
  std::string why;
  Attribute result =
      frontend::emitFormat(&session.context, *format, order, frontend::ElementType::Double, why);
  if (!result)
    refuse("'" + llvm::Twine(given->getValue()) + "' is not a format for this tensor: " + why);
  return result;
}

} // namespace strata::tool
