// Follows the commands of a schedule that change the order of loops.
#include "strata/lower/analysis/ScheduledOrder.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include <limits>

using namespace mlir;

namespace strata {

SmallVector<std::string> loopNames(const IndexStatement &statement) {
  SmallVector<std::string> names;
  llvm::StringSet<> taken;
  for (const IndexVariable &variable : statement.variables) {
    std::string name = variable.name;
    for (unsigned number = 2; !taken.insert(name).second; ++number)
      name = variable.name + std::to_string(number);
    names.push_back(name);
  }
  return names;
}

namespace {

// Loops by name, each of a variable.
class Order {
public:
  explicit Order(const IndexStatement &statement) {
    for (auto [variable, name] : llvm::enumerate(loopNames(statement)))
      loops.push_back({name, unsigned(variable)});
  }

  void apply(ta::CommandAttr command) {
    if (command.getName() == "reorder")
      return reorder(command.getArguments());
    if (command.getName() == "tile") {
      for (ta::CommandAttr part : commandsOfTile(command))
        apply(part);
      return;
    }
    if (llvm::is_contained({"split", "divide"}, command.getName()))
      divide(command.getArguments(), command.getName() == "split");
    if (llvm::is_contained({"fuse", "pos"}, command.getName()))
      return relabel(command);
    if (command.getName() == "bound")
      rename(command.getArguments());
    plain &= llvm::is_contained({"assemble", "assume", "bound", "contract", "locate", "mergeby",
                                 "parallelize", "unroll", "vectorize"},
                                command.getName());
  }

  std::optional<unsigned> variableOf(Attribute name) {
    auto *loop = find(name);
    return loop == loops.end() ? std::nullopt : loop->variable;
  }

  ScheduledOrder result() const {
    ScheduledOrder order;
    order.plain = plain;
    bool inside = false;
    for (auto [at, loop] : llvm::enumerate(loops)) {
      if (!loop.variable)
        continue;
      bool again = llvm::is_contained(order.variables, *loop.variable);
      order.apart |= again && loops[at - 1].variable != loop.variable;
      inside |= again;
      order.partsInside &= again || !inside;
      if (!again)
        order.variables.push_back(*loop.variable);
    }
    order.parts = parts;
    return order;
  }

private:
  struct Loop {
    std::string name;                 ///< of the label: several loops can be one
    std::optional<unsigned> variable; ///< none of a loop over chunks of what others take
    bool cutInChunks = false;         ///< the label is cut together with others, or by positions
  };

  Loop *find(Attribute name) {
    auto text = dyn_cast<StringAttr>(name);
    return llvm::find_if(loops, [&](const Loop &loop) { return text && loop.name == text; });
  }

  // bound(k, kb, 32, MaxExact)
  void rename(ArrayRef<Attribute> arguments) {
    auto fresh = arguments.size() == 4 ? dyn_cast<StringAttr>(arguments[1]) : StringAttr();
    if (auto *loop = fresh ? find(arguments[0]) : loops.end(); loop != loops.end())
      loop->name = fresh.str();
  }

  // fuse(i, j, f), pos(f, p, A)
  void relabel(ta::CommandAttr command) {
    ArrayRef<Attribute> arguments = command.getArguments();
    unsigned count = command.getName() == "fuse" ? 2 : 1;
    auto label =
        arguments.size() == 3 ? dyn_cast<StringAttr>(arguments[count == 2 ? 2 : 1]) : StringAttr();
    if (!label)
      return;
    for (Loop &loop : loops)
      for (Attribute name : arguments.take_front(count))
        if (auto text = dyn_cast<StringAttr>(name); text && loop.name == text) {
          loop.name = label.str();
          loop.cutInChunks = true;
          break;
        }
  }

  void reorder(ArrayRef<Attribute> names) {
    SmallVector<Loop> moved;
    SmallVector<unsigned> places;
    for (Attribute name : names)
      for (auto [at, loop] : llvm::enumerate(loops))
        if (auto text = dyn_cast<StringAttr>(name); text && loop.name == text) {
          moved.push_back(loop);
          places.push_back(at);
        }
    llvm::sort(places);
    for (auto [place, loop] : llvm::zip(places, moved))
      loops[place] = loop;
  }

  // split(i, io, ii, s), divide(i, io, ii, n)
  void divide(ArrayRef<Attribute> arguments, bool bySize) {
    auto outer = arguments.size() > 2 ? dyn_cast<StringAttr>(arguments[1]) : StringAttr();
    auto inner = outer ? dyn_cast<StringAttr>(arguments[2]) : StringAttr();
    auto *loop = inner ? find(arguments[0]) : loops.end();
    if (loop == loops.end())
      return;
    if (!loop->cutInChunks) {
      notePart(*loop, bySize ? arguments.drop_front(3) : ArrayRef<Attribute>());
      loop->name = outer.str();
      loops.insert(loop + 1, Loop{inner.str(), loop->variable});
      return;
    }
    std::string label = loop->name;
    loops.insert(loop, Loop{outer.str(), std::nullopt});
    for (Loop &one : loops)
      if (one.variable && one.name == label)
        one.name = inner.str();
  }

  // Parts of parts, and those whose size the run tells, have none.
  void notePart(const Loop &loop, ArrayRef<Attribute> given) {
    auto size = given.empty() ? IntegerAttr() : dyn_cast<IntegerAttr>(given.front());
    auto *known = llvm::find_if(
        parts, [&](const VariableBlocks &part) { return part.variable == loop.variable; });
    if (known != parts.end())
      known->size = 0;
    else if (loop.variable)
      parts.push_back({*loop.variable, size ? size.getInt() : 0});
  }

  SmallVector<Loop> loops;
  SmallVector<VariableBlocks> parts;
  bool plain = true;
};

} // namespace

std::optional<ScheduledOrder> scheduledOrder(const IndexStatement &statement) {
  ta::ScheduleAttr schedule = statement.op.getScheduleAttr();
  if (!schedule)
    return std::nullopt;
  Order order(statement);
  for (ta::CommandAttr command : schedule.getCommands())
    order.apply(command);
  return order.result();
}

SmallVector<ta::CommandAttr> commandsOfTile(ta::CommandAttr tile) {
  ArrayRef<Attribute> given = tile.getArguments();
  if (given.size() != 8 ||
      !llvm::all_of(given.take_front(6), [](Attribute one) { return isa<StringAttr>(one); }) ||
      !llvm::all_of(given.take_back(2), [](Attribute one) { return isa<IntegerAttr>(one); }))
    return {};
  auto command = [&](StringRef name, std::initializer_list<unsigned> arguments) {
    SmallVector<Attribute> chosen;
    for (unsigned at : arguments)
      chosen.push_back(given[at]);
    return ta::CommandAttr::get(tile.getContext(), name, chosen);
  };
  return {command("split", {0, 2, 4, 6}), command("split", {1, 3, 5, 7}),
          command("reorder", {2, 3, 4, 5})};
}

std::optional<ExtentBounds> boundsSetBy(ta::CommandAttr command) {
  ArrayRef<Attribute> arguments = command.getArguments();
  auto numberAt = [&](unsigned at) { return dyn_cast<IntegerAttr>(arguments[at]); };
  if (command.getName() == "assume" && arguments.size() == 2 && numberAt(1))
    return ExtentBounds{numberAt(1).getInt(), numberAt(1).getInt()};
  if (command.getName() != "bound" || arguments.size() != 4 || !numberAt(2))
    return std::nullopt;
  constexpr int64_t any = std::numeric_limits<int64_t>::max();
  int64_t number = numberAt(2).getInt();
  auto kind = dyn_cast<StringAttr>(arguments[3]);
  return llvm::StringSwitch<std::optional<ExtentBounds>>(kind ? kind.getValue() : "")
      .Case("MaxExact", ExtentBounds{number, number})
      .Case("MaxConstraint", ExtentBounds{0, number})
      .Cases({"MinExact", "MinConstraint"}, ExtentBounds{0, any}) // of the first value, which is 0
      .Default(std::nullopt);
}

bool assumesExtents(ta::ScheduleAttr schedule) {
  return schedule && llvm::any_of(schedule.getCommands(), [](ta::CommandAttr command) {
           return boundsSetBy(command).has_value();
         });
}

SmallVector<AssumedExtent> assumedExtents(const IndexStatement &statement) {
  SmallVector<AssumedExtent> assumed;
  ta::ScheduleAttr schedule = statement.op.getScheduleAttr();
  if (!schedule)
    return assumed;
  Order order(statement);
  for (auto [at, command] : llvm::enumerate(schedule.getCommands())) {
    if (std::optional<ExtentBounds> bounds = boundsSetBy(command))
      if (auto variable = order.variableOf(command.getArguments().front()))
        assumed.push_back({*variable, *bounds, unsigned(at)});
    order.apply(command);
  }
  return assumed;
}

std::optional<Assembly> scheduledAssembly(ta::ScheduleAttr schedule) {
  std::optional<Assembly> assembly;
  for (ta::CommandAttr command : schedule ? schedule.getCommands() : ArrayRef<ta::CommandAttr>()) {
    auto how = command.getName() == "assemble" && command.getArguments().size() > 1
                   ? dyn_cast<StringAttr>(command.getArguments()[1])
                   : StringAttr();
    if (how)
      assembly = llvm::StringSwitch<std::optional<Assembly>>(how.getValue())
                     .Case("Append", Assembly::InOrder)
                     .Case("Insert", Assembly::Counted)
                     .Case("Gather", Assembly::Gathered)
                     .Default(assembly);
  }
  return assembly;
}

} // namespace strata
