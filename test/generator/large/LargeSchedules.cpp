#include "LargeSchedules.h"

#include "LargeDrawer.h"
#include "LargeFormats.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace strata::test {

namespace {

using Names = std::vector<std::string>;

class ScheduleDraw {
public:
  ScheduleDraw(const LargeCase &c, Random &random) : c(c), random(random) {
    for (unsigned label : c.left)
      loops.push_back(c.labels[label].name);
    forEachNode(c.value, [&](const LargeNode &node) {
      if (node.isProduct())
        products.push_back(node);
      if (node.kind != LargeNode::Kind::reduction)
        return;
      for (unsigned label : node.labels)
        if (!llvm::is_contained(loops, c.labels[label].name))
          loops.push_back(c.labels[label].name);
      sums.push_back("t_" + c.labels[node.labels.front()].name);
    });
  }

  /// The loops in some order, and all sparse operands in formats that can be walked in it.
  std::string drawConcordant(bool reorders) {
    Names order = loops, commands;
    if (reorders)
      random.shuffle(order);
    for (const LargeOperand &operand : c.tensors)
      if (std::string format = concordant(operand, order); !format.empty())
        commands.push_back("convert(" + operand.name + ", " + format + ")");
    if (order != loops)
      commands.push_back("reorder(" + llvm::join(order, ", ") + ")");
    return llvm::join(commands, "; ");
  }

  std::string draw() {
    Names commands;
    if (random.chance(35))
      commands.push_back(convert());
    if (!products.empty() && random.chance(25))
      commands.push_back(materialize());
    if (!sums.empty() && random.chance(40))
      commands.push_back(precompute());
    if (loops.size() > 1 && random.chance(75))
      commands.push_back(reorder());
    if (commands.empty() || random.chance(8))
      commands.push_back("mergeby(" + random.pick(loops) + ", Gallop)");
    return llvm::join(commands, "; ");
  }
  bool hasLoops() const { return !loops.empty(); }

private:
  // A tree of the operand's dimensions in the order of the loops over them, its first level dense
  // where that is no larger than the entries; empty for a dense operand, or one that has one label
  // twice.
  std::string concordant(const LargeOperand &operand, const Names &order) const {
    std::vector<size_t> loopOf;
    forEachNode(c.value, [&](const LargeNode &node) {
      if (node.kind != LargeNode::Kind::access || &c.tensors[node.tensor] != &operand ||
          !loopOf.empty())
        return;
      for (unsigned label : node.labels)
        loopOf.push_back(size_t(llvm::find(order, c.labels[label].name) - order.begin()));
    });
    if (operand.full || loopOf.empty())
      return "";
    std::string given, levels;
    std::vector<size_t> dims(loopOf.size());
    for (size_t d = 0; d < dims.size(); ++d)
      dims[d] = d;
    llvm::sort(dims, [&](size_t a, size_t b) {
      return std::pair(loopOf[a], a) < std::pair(loopOf[b], b);
    });
    for (size_t level = 0; level < dims.size(); ++level) {
      size_t d = dims[level];
      if (level > 0 && loopOf[d] == loopOf[dims[level - 1]])
        return "";
      bool isDense = level == 0 && dims.size() > 1 && operand.sizes[d] <= 4 * operand.entries;
      given += (level ? ", d" : "d") + std::to_string(level);
      levels +=
          (level ? ", d" : "d") + std::to_string(d) + (isDense ? " : dense" : " : compressed");
    }
    return "\"(" + given + ") -> (" + levels + ")\"";
  }

  std::string reorder() {
    Names order = loops;
    random.shuffle(order);
    return "reorder(" + llvm::join(order, ", ") + ")";
  }

  // A sum, or a product, in an array over the last loops of the result.
  std::string precompute() {
    std::string label = c.left.empty() ? random.pick(loops) : c.labels[random.pick(c.left)].name;
    std::string what = random.pick(sums);
    if (!products.empty() && random.chance(40))
      what = valueText(random.pick(products), c);
    return "precompute(" + what + ", {" + label + "}, {" + label + "w})";
  }

  std::string materialize() {
    const LargeNode &product = random.pick(products);
    std::vector<int64_t> sizes;
    for (unsigned label : labelsOf(product))
      sizes.push_back(c.labels[label].extent);
    return "materialize(" + valueText(product, c) + ", m, " +
           plainLargeFormat(sizes, entriesOf(product, c)) + ")";
  }

  std::string convert() {
    const LargeOperand &operand = random.pick(c.tensors);
    std::string format = plainLargeFormat(operand.sizes, double(operand.entries));
    if (operand.sizes.size() == 2 && format == "CSR" && random.chance(40))
      format = "CSC";
    return "convert(" + operand.name + ", " + format + ")";
  }

  const LargeCase &c;
  Random &random;
  Names loops, sums;
  std::vector<LargeNode> products;
};

} // namespace

std::vector<std::string> drawLargeSchedules(const LargeCase &c, uint64_t seed, size_t count) {
  Random random(seed * 7 + 3);
  ScheduleDraw draw(c, random);
  std::vector<std::string> schedules;
  if (!draw.hasLoops())
    return schedules;
  for (size_t tries = 0; tries < 8 * count && schedules.size() < count; ++tries)
    if (std::string drawn = tries % 2 ? draw.draw() : draw.drawConcordant(tries > 0);
        !drawn.empty() && !llvm::is_contained(schedules, drawn))
      schedules.push_back(std::move(drawn));
  return schedules;
}

} // namespace strata::test
