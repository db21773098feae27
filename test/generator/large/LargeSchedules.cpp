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
    commands = conversionsFor(order);
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

  /// Any of these.
  std::string drawAny(bool reorders) {
    return random.chance(20) ? drawConcordant(reorders) : random.chance(20) ? draw() : drawLoops();
  }

  // Cut and ordered loops, with temporaries, other formats and hints: what a person might try.
  std::string drawLoops() {
    Names commands, own = loops;
    bool reorders = own.size() > 1 && random.chance(60);
    if (reorders)
      random.shuffle(own);
    if (random.chance(40))
      commands = conversionsFor(own);
    else if (random.chance(30))
      commands.push_back(convert());
    if (!products.empty() && random.chance(10))
      commands.push_back(materialize());
    if (!sums.empty() && random.chance(25))
      commands.push_back(precompute());
    if (random.chance(35))
      commands.push_back(cut(own));
    if (reorders)
      commands.push_back("reorder(" + llvm::join(own, ", ") + ")");
    if (own.size() > 1 && random.chance(8))
      commands.push_back("collapse(" + own[0] + ", " + own[1] + ")");
    if (c.resultFormat != "Dense" && random.chance(35))
      commands.push_back(
          "assemble(R, " +
          random.pick<std::string>({"Append", "Insert", "Gather", "Gather, table", "Inherit"}) +
          ")");
    if (c.tensors.size() > 1 && random.chance(25))
      commands.push_back(walk(random.pick(own)));
    if (random.chance(30))
      commands.push_back(hint(own));
    return llvm::join(commands, "; ");
  }

private:
  // Of all sparse operands to formats that can be walked in that order.
  Names conversionsFor(const Names &order) const {
    Names commands;
    for (const LargeOperand &operand : c.tensors)
      if (std::string format = concordant(operand, order); !format.empty())
        commands.push_back("convert(" + operand.name + ", " + format + ")");
    return commands;
  }

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

  // A loop in parts of values, or of the entries of an operand.
  std::string cut(Names &own) {
    std::string label = random.pick(own), before;
    auto place = llvm::find(own, label);
    if (random.chance(20)) {
      before = "pos(" + label + ", " + label + "p, " + random.pick(c.tensors).name + "); ";
      label += "p";
    }
    *place = label + "o";
    own.insert(std::next(place), label + "i");
    bool splits = random.chance(60);
    int64_t size = splits ? random.pick<int64_t>({16, 64, 256, 1024, 4096, 16384})
                          : random.pick<int64_t>({2, 4, 8, 16});
    return before + (splits ? "split(" : "divide(") + label + ", " + label + "o, " + label + "i, " +
           std::to_string(size) + ")";
  }

  // How a loop goes through operands.
  std::string walk(const std::string &label) {
    return random.chance(50) ? "locate(" + label + ", " + random.pick(c.tensors).name + ")"
                             : "mergeby(" + label + ", " +
                                   random.pick<std::string>({"TwoFinger", "Gallop"}) + ")";
  }

  std::string hint(const Names &own) {
    const std::string &label = random.chance(70) ? own.back() : random.pick(own);
    return random.chance(60)
               ? "vectorize(" + label + ", " + std::to_string(random.pick({2, 4, 8, 16})) + ")"
               : "unroll(" + label + ", " + std::to_string(random.pick({2, 4, 8})) + ")";
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

// Gives up to `count` schedules that differ, as `drawOne` draws them.
static std::vector<std::string>
drawDifferent(const ScheduleDraw &draw, size_t count,
              llvm::function_ref<std::string(size_t attempt)> drawOne) {
  std::vector<std::string> schedules;
  if (!draw.hasLoops())
    return schedules;
  for (size_t attempt = 0; attempt < 8 * count && schedules.size() < count; ++attempt)
    if (std::string drawn = drawOne(attempt);
        !drawn.empty() && !llvm::is_contained(schedules, drawn))
      schedules.push_back(std::move(drawn));
  return schedules;
}

std::vector<std::string> drawLargeSchedules(const LargeCase &c, uint64_t seed, size_t count) {
  Random random(seed * 7 + 3);
  ScheduleDraw draw(c, random);
  return drawDifferent(draw, count, [&](size_t attempt) {
    return attempt % 2 ? draw.draw() : draw.drawConcordant(attempt > 0);
  });
}

std::vector<std::string> drawAnySchedules(const LargeCase &c, uint64_t seed, size_t count) {
  Random random(seed * 11 + 5);
  ScheduleDraw draw(c, random);
  return drawDifferent(draw, count, [&](size_t attempt) { return draw.drawAny(attempt > 0); });
}

} // namespace strata::test
