// assemble(C, Append|Insert|Gather[, table]|Inherit): how the entries of the result are stored.
//
// Append: as the loops reach them, in the order of the format. Insert: the loops run twice, first
// to count the entries below each parent, then to store them (TACO's insert). Gather: what lies
// below one parent is gathered in a workspace first, an array with a place for each coordinate or a
// hash table (`table`). Inherit, beside one of these: an operand's pattern is copied where it is
// the result's, and all values are computed at once, by another kernel
// (lower/ta/InheritPatterns.cpp); the loops stay, for operands whose pattern is not.
#include "strata/schedule/Commands.h"

using namespace mlir;

namespace strata::schedule {

LogicalResult assemble(func::FuncOp kernel, ta::CommandAttr command, Refuse refuse) {
  auto word = [&](unsigned at) {
    auto text = at < command.getArguments().size()
                    ? dyn_cast<StringAttr>(command.getArguments()[at])
                    : StringAttr();
    return text ? text.getValue() : StringRef();
  };
  auto builds = kernel.getBody().front().getOps<cin::BuildOp>();
  if (builds.empty())
    return refuse() << "the result is updated in place, and not stored afresh";
  cin::BuildOp build = *builds.begin();
  StringRef how = word(1), kind = word(2);
  bool table = how == "Gather" && kind == "table";
  if (!llvm::is_contained({"Append", "Insert", "Gather", "Inherit"}, how) ||
      (!kind.empty() && !table))
    return refuse() << "it takes the result and Append, Insert, Gather, Inherit, or Gather and "
                       "table";
  if (how == "Inherit")
    return success();
  build.setCounted(how == "Insert");
  build.removeGatheredAttr();
  if (how == "Gather")
    build.setGathered(table ? ta::Workspace::Table : ta::Workspace::Array);
  return success();
}

} // namespace strata::schedule
