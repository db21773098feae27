// Writes the schedule that leads from a naive nest to the loops of a plan.
#include "strata/lower/cin/DefaultSchedule.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/lower/analysis/GatheredSums.h"
#include "strata/lower/analysis/InheritablePattern.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/LoopNest.h"
#include "strata/lower/analysis/PartsOfSum.h"
#include "strata/lower/analysis/RowBlocks.h"
#include "strata/lower/analysis/ScheduledOrder.h"
#include "strata/lower/analysis/TiledWalk.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace strata {

namespace {

class ScheduleWriter {
public:
  ScheduleWriter(func::FuncOp kernel, const IndexStatement &statement, const LoopPlan &plan,
                 const NaiveNest &nest, int64_t firstCache)
      : kernel(kernel), statement(statement), plan(plan), nest(nest), firstCache(firstCache),
        b(kernel.getContext()) {}

  ta::ScheduleAttr complete(ta::ScheduleAttr own) {
    llvm::append_range(commands, own.getCommands());
    if (!scheduledAssembly(own))
      assemble();
    return ta::ScheduleAttr::get(b.getContext(), commands);
  }

  ta::ScheduleAttr write() {
    kernel.walk([&](cin::ForallOp loop) { taken.insert(loop.getName()); });
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto loop = dyn_cast<cin::ForallOp>(op);
      if (loop && !isa<cin::ForallOp>(loop->getParentOp()) && !ordered.contains(loop))
        orderChain(loop);
      else if (auto temp = dyn_cast<cin::TempOp>(op))
        precompute(temp);
    });
    if (plan.joined) {
      SmallVector<Attribute> labels;
      std::optional<unsigned> tiled = tiledVariable(statement, plan);
      for (unsigned variable : ArrayRef(plan.order).take_front(plan.joined))
        for (const auto &[loop, of] : nest.variables)
          if (of == variable)
            labels.push_back(cast<cin::ForallOp>(loop).getNameAttr());
      if (tiled)
        takeBlocks(labels[placeOf(*tiled)], labels);
      add("collapse", labels);
    }
    if (!plan.parts.empty())
      goFromBlockToBlock();
    assemble();
    inherit();
    if (prefers(kernel, Policy::Parts))
      divide();
    else if (prefers(kernel, Policy::RowBlocks))
      takeRowsInBlocks();
    return ta::ScheduleAttr::get(b.getContext(), commands);
  }

private:
  void add(StringRef name, ArrayRef<Attribute> arguments) {
    commands.push_back(ta::CommandAttr::get(b.getContext(), name, arguments));
  }

  StringAttr freshName(StringRef label, char suffix) {
    std::string name = label.str();
    do
      name += suffix;
    while (!taken.insert(name).second);
    return b.getStringAttr(name);
  }

  unsigned placeOf(unsigned variable) const {
    return llvm::find(plan.order, variable) - plan.order.begin();
  }

  // Loops, by variable and name, in the order of the plan; a command where that is another.
  void order(ArrayRef<std::pair<unsigned, StringAttr>> loops) {
    SmallVector<std::pair<unsigned, StringAttr>> sorted(loops);
    llvm::stable_sort(
        sorted, [&](const auto &x, const auto &y) { return placeOf(x.first) < placeOf(y.first); });
    if (ArrayRef(sorted) != loops)
      add("reorder",
          llvm::map_to_vector(sorted, [](const auto &one) { return Attribute(one.second); }));
  }

  void orderChain(cin::ForallOp head) {
    SmallVector<std::pair<unsigned, StringAttr>> loops;
    for (cin::ForallOp loop : chainFrom(head))
      loops.push_back({nest.variables.lookup(loop), loop.getNameAttr()});
    order(loops);
  }

  // A sum that is gathered is computed for all values of labels at once.
  void precompute(cin::TempOp temp) {
    ta::ReduceOp reduce = nest.reductions.lookup(temp);
    llvm::SmallBitVector needed = gatheredLabels(statement, plan, reduce);
    if (needed.none())
      return;
    SmallVector<Attribute> labels, fresh;
    SmallVector<std::pair<unsigned, StringAttr>> own;
    for (auto loop = temp->getParentOfType<cin::ForallOp>(); loop;
         loop = loop->getParentOfType<cin::ForallOp>()) {
      unsigned variable = nest.variables.lookup(loop);
      if (!needed.test(variable))
        continue;
      StringAttr name = freshName(loop.getName(), 'w');
      labels.insert(labels.begin(), loop.getNameAttr());
      fresh.insert(fresh.begin(), name);
      own.insert(own.begin(), {variable, name});
    }
    add("precompute", {temp.getNameAttr(), b.getArrayAttr(labels), b.getArrayAttr(fresh)});
    Operation *producer = &cast<cin::WhereOp>(temp->getNextNode()).getProducer().front().front();
    ordered.insert(producer);
    for (cin::ForallOp loop : chainFrom(cast<cin::ForallOp>(producer)))
      own.push_back({nest.variables.lookup(loop), loop.getNameAttr()});
    order(own);
  }

  // The values of the outermost loop, each of which adds to the whole result, or the entries that
  // an operand stores for them, are divided into parts with sums of their own.
  void divide() {
    if (ta::AccessOp leader = entriesToCut(statement, plan))
      return cutByEntries(leader);
    std::optional<PartsOfSum> parts = partsOfSum(statement, plan);
    if (!parts)
      return;
    SmallVector<cin::ForallOp> outermost;
    kernel.walk([&](cin::ForallOp loop) {
      if (nest.variables.lookup(loop) == plan.order.front())
        outermost.push_back(loop);
    });
    if (outermost.size() != 1 || hasSumsApart())
      return;
    StringAttr label = outermost.front().getNameAttr();
    if (parts->leader) {
      StringAttr entry = freshName(label, 'p');
      add("pos", {label, entry, b.getStringAttr(ta::nameOf(parts->leader.getTensor()))});
      label = entry;
    }
    StringAttr part = freshName(label, 'o'), value = freshName(label, 'i');
    add("divide", {label, part, value, b.getI64IntegerAttr(numberOfParts(statement))});
    add("parallelize", {part, b.getStringAttr("CPUThread"), b.getStringAttr("Temporary")});
  }

  // Parts with equally many entries, which may begin and end inside a row.
  void cutByEntries(ta::AccessOp leader) {
    constexpr int64_t entriesOfPart = 4096;
    DenseMap<unsigned, StringAttr> names;
    for (const auto &[loop, variable] : nest.variables)
      names[variable] = cast<cin::ForallOp>(loop).getNameAttr();
    StringAttr label = names[plan.order.front()];
    for (unsigned variable : ArrayRef(plan.order).drop_front()) {
      StringAttr both = freshName(label, 'f');
      add("fuse", {label, names[variable], both});
      label = both;
    }
    StringAttr entry = freshName(label, 'p'), part = freshName(entry, 'o'),
               own = freshName(entry, 'i');
    add("pos", {label, entry, b.getStringAttr(ta::nameOf(leader.getTensor()))});
    add("split", {entry, part, own, b.getI64IntegerAttr(entriesOfPart)});
    add("parallelize", {part, b.getStringAttr("CPUThread"), b.getStringAttr("Temporary")});
  }

  // Tells whether a sum is computed before the outermost loop: loops beside each other run all in
  // threads or none.
  bool hasSumsApart() const {
    return llvm::any_of(commands,
                        [](ta::CommandAttr one) { return one.getName() == "precompute"; }) ||
           llvm::any_of(nest.reductions, [&](const auto &entry) {
             ta::ReduceOp inner = entry.second;
             return !statement.freeVariables(inner.getResult()).test(plan.order.front());
           });
  }

  // Returns how many places of so many bytes a block has that stays in the first cache: a power of
  // two.
  int64_t placesInCache(int64_t bytes) const {
    constexpr int64_t fewest = 64;
    return std::max<int64_t>(fewest, llvm::bit_floor(uint64_t(firstCache / bytes)));
  }

  // A loop over blocks of a label around loops that are walked as one: what these come to again and
  // again, of the result and of one operand, stays in half of the first cache.
  void takeBlocks(Attribute &label, MutableArrayRef<Attribute> joined) {
    constexpr int64_t rowOfInner = 16;
    int64_t bytes = 2 * 2 * ta::bytesOf(statement.op.getYielded().getType());
    if (plan.order.size() > plan.joined) // each place is a row
      bytes *= rowOfInner;
    int64_t size = placesInCache(bytes);
    auto whole = cast<StringAttr>(label);
    StringAttr block = freshName(whole, 'o'), value = freshName(whole, 'i');
    bool first = &label == joined.begin();
    add("split", {whole, block, value, b.getI64IntegerAttr(size)});
    label = value;
    SmallVector<Attribute> order{block};
    llvm::append_range(order, joined);
    if (!first)
      add("reorder", order);
  }

  // A loop over blocks of rows around all others: a block of a row of the result and one of an
  // operand are a small part of the first cache.
  void takeRowsInBlocks() {
    std::optional<unsigned> row = variableOfRows(statement, plan);
    if (!row)
      return;
    constexpr int64_t rowsInCache = 8;
    const int64_t size =
        placesInCache(rowsInCache * ta::bytesOf(statement.op.getYielded().getType()));
    SmallVector<std::pair<unsigned, StringAttr>> loops;
    for (const auto &[loop, variable] : nest.variables)
      loops.push_back({placeOf(variable), cast<cin::ForallOp>(loop).getNameAttr()});
    llvm::sort(loops, llvm::less_first());
    auto [block, value] =
        std::pair(freshName(loops.back().second, 'o'), freshName(loops.back().second, 'i'));
    add("split", {loops.back().second, block, value, b.getI64IntegerAttr(size)});
    SmallVector<Attribute> order{block};
    for (const auto &[place, name] : ArrayRef(loops).drop_back())
      order.push_back(name);
    order.push_back(value);
    add("reorder", order);
  }

  // Loops over the blocks that operands store, and inside of them over the places in each, and over
  // what is in no blocks.
  void goFromBlockToBlock() {
    DenseMap<unsigned, StringAttr> names;
    for (const auto &[loop, variable] : nest.variables)
      names[variable] = cast<cin::ForallOp>(loop).getNameAttr();
    SmallVector<Attribute> within;
    llvm::SmallDenseSet<unsigned, 4> inBlocks;
    for (auto [variable, size] : plan.parts) {
      inBlocks.insert(variable);
      StringAttr &name = names[variable];
      StringAttr block = freshName(name, 'o'), place = freshName(name, 'i');
      add("split", {name, block, place, b.getI64IntegerAttr(size)});
      name = block;
      within.push_back(place);
    }
    SmallVector<Attribute> order;
    for (unsigned variable : plan.order)
      if (inBlocks.contains(variable))
        order.push_back(names[variable]);
    llvm::append_range(order, within);
    for (unsigned variable : plan.order)
      if (!inBlocks.contains(variable))
        order.push_back(names[variable]);
    add("reorder", order);
  }

  void assemble() {
    if (plan.assembly == Assembly::InOrder)
      return;
    SmallVector<Attribute> arguments = builtResult();
    bool gathers = plan.assembly == Assembly::Gathered;
    arguments.push_back(b.getStringAttr(gathers ? "Gather" : "Insert"));
    if (gathers && prefers(kernel, Policy::Table))
      arguments.push_back(b.getStringAttr("table"));
    add("assemble", arguments);
  }

  // The result takes the pattern of an operand, where it can.
  void inherit() {
    std::string why;
    if (!inheritablePattern(statement, why))
      return;
    SmallVector<Attribute> arguments = builtResult();
    arguments.push_back(b.getStringAttr("Inherit"));
    add("assemble", arguments);
  }

  // The name of the result, as an argument of a command; none if it is updated in place.
  SmallVector<Attribute> builtResult() {
    SmallVector<Attribute> names;
    kernel.walk([&](cin::BuildOp build) {
      auto name = dyn_cast<NameLoc>(build.getStorage().getLoc());
      names.push_back(name ? name.getName() : b.getStringAttr("result"));
    });
    return names;
  }

  func::FuncOp kernel;
  const IndexStatement &statement;
  const LoopPlan &plan;
  const NaiveNest &nest;
  int64_t firstCache; ///< bytes
  Builder b;
  llvm::StringSet<> taken;                   ///< names of loops
  llvm::SmallPtrSet<Operation *, 4> ordered; ///< producers' loops that have their order
  SmallVector<ta::CommandAttr> commands;
};

} // namespace

ta::ScheduleAttr kernelSchedule(func::FuncOp kernel, const IndexStatement &statement,
                                const LoopPlan &plan, const NaiveNest &nest, int64_t firstCache) {
  ScheduleWriter writer(kernel, statement, plan, nest, firstCache);
  ta::ScheduleAttr own = statement.op.getScheduleAttr();
  return own ? writer.complete(own) : writer.write();
}

} // namespace strata
