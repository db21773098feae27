// Parses formats of --format.
#include "FormatArgument.h"

#include "Messages.h"

#include "strata/dialect/ta/Shorthands.h"
#include "strata/frontend/Parser.h"
#include "strata/frontend/TaFormats.h"

using namespace mlir;

namespace strata::tool {

std::optional<FormatArgument> parseFormatArgument(Session &session, const llvm::opt::Arg *given,
                                                  unsigned order,
                                                  const frontend::Parameters *parameters) {
  if (!given)
    return FormatArgument{ta::coordinateFormat(&session.context, order, false)};
  const frontend::TaFormats formats(&session.context);
  frontend::Diagnostics diagnostics(session.sources);
  std::optional<frontend::ast::Format> format =
      frontend::parseFormat(session.addText(given->getValue(), "<format>"), diagnostics);
  bool fits = format && frontend::checkFormat(*format, order, frontend::ElementType::Double,
                                              "the tensor", formats, diagnostics);
  std::optional<frontend::Machine> machine;
  if (fits && format->placement && parameters)
    machine =
        frontend::checkPlacement(*format, order, "the tensor", *parameters, formats, diagnostics);
  else if (fits && format->placement)
    diagnostics.error(format->placement->range, "the tensor is in one piece here")
        .note("leave out 'on " + format->placement->machine.text + "(...)'");
  show(diagnostics);
  if (diagnostics.hasErrors() || !fits)
    return std::nullopt;
  std::string why;
  Attribute stored =
      frontend::emitFormat(&session.context, *format, order, frontend::ElementType::Double, why);
  if (!stored) {
    refuse("'" + llvm::Twine(given->getValue()) + "' is not a format for this tensor: " + why);
    return std::nullopt;
  }
  return FormatArgument{stored, frontend::emitPlacement(&session.context, *format),
                        std::move(machine)};
}

} // namespace strata::tool
