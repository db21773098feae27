// The table of scheduling commands. Those without a function are about the tensors of a program:
// lower/ta/ScheduleTensors and TransposeContractions take them out of schedules.
#include "strata/schedule/Commands.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/schedule/Loops.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace strata::schedule {

ArrayRef<Command> commands() {
  static const Command table[] = {
      {"reorder", "reorder(i, j, ...)", "run these loops in this order", reorder},
      {"split", "split(i, io, ii, 32)",
       "run the loop over i in parts of 32 values: io goes from part to part, ii through each",
       split},
      {"divide", "divide(i, io, ii, 4)", "run the loop over i in 4 parts of equal size", divide},
      {"tile", "tile(i, j, io, jo, ii, ji, 32, 64)",
       "run two loops tile by tile: io and jo from tile to tile, ii and ji through each", tile},
      {"fuse", "fuse(i, j, f)", "make i and j one label, whose values are pairs", fuse},
      {"pos", "pos(j, p, A)", "go through the entries that A stores instead of values of j", pos},
      {"collapse", "collapse(i, j, ...)",
       "walk these loops as one, over entries as they are stored", collapse},
      {"precompute", "precompute(t, {i, ...}, {iw, ...})",
       "compute the temporary or the expression t for all values of these labels before it is used",
       precompute},
      {"convert", "convert(A, CSR)", "store an operand, or the result, in this format", nullptr},
      {"materialize", "materialize(A(i,k) * B(k,j), t, CSR)",
       "compute this part of the right side before, as a tensor t in this format", nullptr},
      {"ttgt", "ttgt()",
       "transpose the operands and the result of a dense contraction, and multiply matrices",
       nullptr},
      {"separate", "separate()",
       "give products of dense tensors that one sum adds up sums of their own", nullptr},
      {"fold", "fold()",
       "reduce what sparse operands store, and combine what they do not store at once", nullptr},
      {"extract", "extract()",
       "collect the entries that accesses like A(i,i) reach before the statement", nullptr},
      {"accumulate", "accumulate()",
       "add sparse terms to a dense result one after the other, each as it is stored", nullptr},
      {"inline", "inline(T)", "compute T, which another statement makes, where it is read",
       nullptr},
      {"share", "share(B)", "take the result of an equal statement, and compute nothing", nullptr},
      {"specialize", "specialize(FewSteps[, Likely])",
       "keep two ways, by the commands before and by those behind: the run takes one of them",
       nullptr},
      {"assemble", "assemble(C, Append|Insert|Gather|Inherit)",
       "how the entries of the result are stored", assemble},
      {"assume", "assume(k, 32)", "compile for 32 values of k; others are an error when it runs",
       assume},
      {"bound", "bound(k, kb, 32, MaxExact)", "the same, and call the label kb from here on",
       bound},
      {"mergeby", "mergeby(j, TwoFinger|Gallop)",
       "how the operands that the loop over j intersects are brought together", mergeby},
      {"locate", "locate(j, A)", "look A up at each value of j instead of walking it", locate},
      {"contract", "contract(i, k, j)",
       "compute these loops, a contraction of dense tensors, in blocks that stay in the caches",
       contract},
      {"parallelize", "parallelize(i, CPUThread[, NoRaces|Temporary|Atomics])",
       "share the values of i among threads", parallelize},
      {"distribute", "distribute(io)",
       "let each cell of a machine take a part: divide(i, io, ii, M.x) makes the label", nullptr},
      {"communicate", "communicate({a, B, c}, io)",
       "bring pieces of these tensors where the loop over cells begins, or in rounds", nullptr},
      {"rotate", "rotate(ko, {io, jo}, kos)",
       "let each cell begin the rounds over ko with another one than its neighbours", nullptr},
      {"vectorize", "vectorize(k, 8)",
       "take the values of k by vectors of 8; loops inside run for each vector", vectorize},
      {"unroll", "unroll(j, 4)", "run 4 iterations of the loop over j without a test between them",
       unroll},
  };
  return table;
}

// What an unknown command may have been meant to be, or all that there are.
static std::string otherThan(StringRef name) {
  auto names = llvm::map_range(commands(), [](const Command &c) { return c.name; });
  auto distance = [&](StringRef other) {
    return name.lower() == other.lower() ? 0 : name.edit_distance_insensitive(other);
  };
  StringRef nearest = *llvm::min_element(
      names, [&](StringRef a, StringRef b) { return distance(a) < distance(b); });
  size_t typingErrors = name.size() < 5 ? 1 : 2;
  if (distance(nearest) <= typingErrors)
    return ("did you mean '" + nearest + "'?").str();
  return "there are " + llvm::join(names, ", ");
}

LogicalResult apply(func::FuncOp kernel, ta::ScheduleAttr schedule) {
  for (auto [at, command] : llvm::enumerate(schedule.getCommands())) {
    Location place = ta::placeOfCommand(kernel, at);
    auto refuse = [&] {
      return emitError(place) << "'" << ta::commandText(command) << "' is not possible: ";
    };
    const Command *known = llvm::find_if(
        commands(), [&](const Command &one) { return one.name == command.getName(); });
    if (known == commands().end())
      return emitError(place) << "there is no scheduling command '" << command.getName() << "'; "
                              << otherThan(command.getName());
    if (!known->apply)
      return refuse() << "it is about the tensors of a program, before there are loops";
    if (failed(known->apply(kernel, command, refuse)) || failed(checkContracted(kernel, refuse)))
      return failure();
  }
  return success();
}

} // namespace strata::schedule
