// Finds loops by name and moves them.
#include "strata/schedule/Loops.h"

#include "strata/dialect/ta/Notation.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace strata::schedule {

SmallVector<std::string> namesOfLoops(func::FuncOp kernel) {
  llvm::SmallSetVector<StringAttr, 8> names;
  kernel.walk<WalkOrder::PreOrder>([&](cin::ForallOp loop) { names.insert(loop.getLabel()); });
  return llvm::map_to_vector(names, [](StringAttr name) { return name.str(); });
}

FailureOr<SmallVector<Label>> findLabels(func::FuncOp kernel, ArrayRef<Attribute> names,
                                         Refuse refuse) {
  SmallVector<Label> found;
  for (Attribute argument : names) {
    auto name = dyn_cast<StringAttr>(argument);
    if (!name)
      return refuse() << argument << " is not the name of a label";
    Label matching;
    bool isGroup = false;
    kernel.walk<WalkOrder::PreOrder>([&](cin::ForallOp loop) {
      if (loop.getLabel() != name)
        return;
      matching.push_back(loop);
      isGroup |= loop.getGroup().has_value();
    });
    if (matching.empty())
      return refuse() << "there is no loop over '" << name.getValue() << "'; the loops are over "
                      << llvm::join(namesOfLoops(kernel), ", ");
    if (matching.size() > 1 && !isGroup)
      return refuse() << "there are " << matching.size() << " loops over '" << name.getValue()
                      << "': give the labels different names";
    if (llvm::is_contained(found, matching))
      return refuse() << "'" << name.getValue() << "' is named twice";
    found.push_back(std::move(matching));
  }
  return found;
}

FailureOr<SmallVector<cin::ForallOp>> findLoops(func::FuncOp kernel, ArrayRef<Attribute> names,
                                                Refuse refuse) {
  FailureOr<SmallVector<Label>> labels = findLabels(kernel, names, refuse);
  if (failed(labels))
    return failure();
  SmallVector<cin::ForallOp> loops;
  for (const Label &label : *labels) {
    if (label.size() > 1)
      return refuse() << "'" << cin::ForallOp(label.front()).getLabel().getValue()
                      << "' is several labels that have been fused";
    loops.push_back(label.front());
  }
  return loops;
}

LogicalResult checkNew(func::FuncOp kernel, ArrayRef<Attribute> names, Refuse refuse) {
  SmallVector<std::string> taken = namesOfLoops(kernel);
  kernel.walk([&](cin::ForallOp loop) { taken.push_back(loop.getName().str()); });
  for (Attribute argument : names) {
    auto name = dyn_cast<StringAttr>(argument);
    if (!name)
      return refuse() << argument << " is not the name of a label";
    if (llvm::is_contained(taken, name.getValue()))
      return refuse() << "there is a loop over '" << name.getValue() << "' already";
    taken.push_back(name.str());
  }
  return success();
}

LogicalResult checkWhole(const Label &label, Refuse refuse) {
  for (cin::ForallOp loop : label) {
    StringRef name = loop.getLabel().getValue();
    if (loop.getPart() || loop.isOfParts())
      return refuse() << "'" << name << "' is a part of another label";
    if (loop.getLeader())
      return refuse() << "'" << name << "' goes through the entries of an operand already";
    if (loop.getAccumulates() || loop.isInThreads())
      return refuse() << "the loop over '" << loop.getName()
                      << "' is walked with another, or in threads";
  }
  return success();
}

LogicalResult checkUnmarked(cin::ForallOp loop, Refuse refuse) {
  ta::MarkAttr mark = loop.getMarkAttr();
  if (!mark)
    return success();
  return refuse() << "the loop over '" << loop.getName() << "' "
                  << (mark.getUnit() == ta::Unit::thread   ? "runs in threads"
                      : mark.getUnit() == ta::Unit::vector ? "goes by vectors"
                                                           : "is unrolled")
                  << " already: split it, so that there are two loops";
}

LogicalResult checkUncontracted(cin::ForallOp loop, Refuse refuse) {
  if (!loop.getContracted())
    return success();
  return refuse() << "the loop over '" << loop.getName()
                  << "' is one of a contraction: give the command before 'contract'";
}

cin::ForallOp headOfChain(cin::ForallOp loop) {
  while (auto outer = dyn_cast<cin::ForallOp>(loop->getParentOp())) {
    if (!llvm::hasSingleElement(outer.getBlock()))
      break;
    loop = outer;
  }
  return loop;
}

void nestAs(ArrayRef<cin::ForallOp> order) {
  // The loop that contains all others, and the one that contains none.
  auto outermost = llvm::find_if(order, [&](cin::ForallOp loop) {
    return llvm::none_of(order, [&](cin::ForallOp other) { return other->isProperAncestor(loop); });
  });
  auto innermost = llvm::find_if(order, [&](cin::ForallOp loop) {
    return llvm::none_of(order, [&](cin::ForallOp other) { return loop->isProperAncestor(other); });
  });
  Block body;
  Block &inner = cin::ForallOp(*innermost).getBlock();
  body.getOperations().splice(body.end(), inner.getOperations());
  Block *around = (*outermost)->getBlock();
  Block::iterator place = std::next(Block::iterator(*outermost));
  for (cin::ForallOp loop : order)
    loop->remove();
  for (cin::ForallOp loop : order) {
    around->getOperations().insert(place, loop);
    around = &loop.getBlock();
    place = around->end();
  }
  around->getOperations().splice(around->end(), body.getOperations());
}

SmallVector<Value> storagesNamed(cin::ForallOp loop, StringRef text) {
  StringRef name = text.take_until([](char c) { return c == '(' || c == '['; }).rtrim();
  llvm::SmallSetVector<Value, 2> storages;
  loop.walk([&](cin::AccessOp access) {
    if (ta::nameOf(access.getStorage()) == name)
      storages.insert(access.getStorage());
  });
  return storages.takeVector();
}

bool usesVariable(Block &block, Value variable) {
  return llvm::any_of(variable.getUsers(), [&](Operation *user) {
    return block.findAncestorOpInBlock(*user) != nullptr;
  });
}

cin::TempOp temporaryOf(cin::WhereOp where) { return cast<cin::TempOp>(where->getPrevNode()); }

void moveOut(cin::WhereOp where) {
  cin::TempOp temp = temporaryOf(where);
  Block *body = where->getBlock();
  Operation *around = body->getParentOp();
  // A `where` moves with the temporary that it fills.
  Operation *first = isa<cin::WhereOp>(around) ? around->getPrevNode() : around;
  Block &consumer = where.getConsumer().front();
  temp->moveBefore(first);
  where->moveBefore(first);
  body->getOperations().splice(body->end(), consumer.getOperations());
  if (first != around)
    first->moveBefore(&consumer, consumer.end());
  around->moveBefore(&consumer, consumer.end());
}

} // namespace strata::schedule
