// tile(i, j, io, jo, ii, ji, 32, 64): two loops, one inside the other, run tile by tile.
//
// before: for i { for j { C[i, j] = A[i, j] + B[i, j] } }
// after:  for io { for jo { for ii { for ji { C[io + ii, jo + ji] = ... } } } }
//
// What it means is said by other commands: split both, and reorder the four loops.
#include "strata/schedule/Commands.h"

#include "strata/lower/analysis/ScheduledOrder.h"

using namespace mlir;

namespace strata::schedule {

LogicalResult tile(func::FuncOp kernel, ta::CommandAttr command, Refuse refuse) {
  SmallVector<ta::CommandAttr> parts = commandsOfTile(command);
  if (parts.empty())
    return refuse() << "it takes two labels, four new labels and the two sizes of a tile: "
                       "tile(i, j, io, jo, ii, ji, 32, 32)";
  for (ta::CommandAttr part : parts)
    if (failed((part.getName() == "split" ? split : reorder)(kernel, part, refuse)))
      return failure();
  return success();
}

} // namespace strata::schedule
