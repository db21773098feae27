// Follows the names of the loops, so that most commands are about loops that there are.
#include "DrawSchedule.h"

#include "Random.h"

#include <map>

namespace strata::test {
namespace {

using Names = std::vector<std::string>;

std::string listed(const Names &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

class ScheduleDrawer {
public:
  ScheduleDrawer(const Case &c, Random &random) : random(random) {
    for (const Operand &operand : c.tensors) {
      operands.push_back(operand.name);
      orders.push_back(operand.data.sizes.size());
      padded |= hasPadding(operand.format, static_cast<unsigned>(operand.data.sizes.size()));
    }
    resultOrder = c.left.size();
    finite = isFinite(c);
    for (const IndexVariable &variable : c.variables)
      extents[variable.name] = variable.extent;
    for (unsigned variable : c.left)
      loops.push_back(c.variables[variable].name);
    forEach(c.value, [&](const Expression &e) {
      if (std::string text = textOf(c, e); !text.empty())
        expressions.push_back("\"" + text + "\"");
      for (unsigned variable : e.reduced)
        loops.push_back(c.variables[variable].name);
      if (e.kind == Expression::Kind::reduction && !e.reduced.empty())
        temporaries.push_back("t_" + c.variables[e.reduced.front()].name);
    });
  }

  Names draw() {
    if (random.chance(12) &&
        finite) // beside infinite values it matters which zeros a format stores
      commands.push_back(random.chance(60) ? convert() : materialize());
    if (random.chance(padded ? 45 : 8))
      takeBlocks();
    else if (random.chance(30))
      cutEntries();
    if (random.chance(8))
      commands.push_back("assemble(result, " + random.pick<std::string>({"Insert", "Gather"}) +
                         ")");
    size_t count = random.weighted({5, 35, 30, 20, 10});
    for (size_t at = 0; at < count; ++at)
      commands.push_back(random.chance(4) ? drawMistake() : drawCommand());
    if (random.chance(parallelized.empty() ? 50 : 90))
      commands.push_back(parallelize());
    if (loops.size() > 2 && random.chance(8))
      commands.push_back("contract(" + listed(random.chance(70) ? loops : some(3)) + ")");
    if (random.chance(20))
      commands.push_back(hint());
    if (random.chance(6))
      keepTwoWays();
    if (random.chance(10))
      commands.insert(commands.begin(),
                      random.pick<std::string>({"fold()", "extract()", "accumulate()"}));
    return commands;
  }

private:
  // A read of an operand, and the product or the sum of two; else empty.
  static std::string textOf(const Case &c, const Expression &e) {
    if (e.kind == Expression::Kind::access) {
      Names labels;
      for (const Position &position : e.place)
        if (std::optional<unsigned> variable = position.plain())
          labels.push_back(c.variables[*variable].name);
        else
          return "";
      return c.tensors[e.tensor].name + "(" + listed(labels) + ")";
    }
    if (e.kind != Expression::Kind::binary || (e.op != "*" && e.op != "+"))
      return "";
    std::string left = textOf(c, e.operands[0]), right = textOf(c, e.operands[1]);
    bool simple = e.operands[0].kind == Expression::Kind::access &&
                  e.operands[1].kind == Expression::Kind::access;
    return !simple || left.empty() || right.empty() ? "" : left + " " + e.op + " " + right;
  }

  // Tells whether operands are, and divisors no zeros.
  static bool isFinite(const Case &c) {
    auto is = [](std::complex<double> value) {
      return std::isfinite(value.real()) && std::isfinite(value.imag());
    };
    bool finite = true;
    for (const Operand &operand : c.tensors) {
      finite &= is(operand.fill.value_or(0));
      finite &= std::ranges::all_of(operand.data.entries,
                                    [&](const Entry &entry) { return is(entry.value); });
    }
    forEach(c.value, [&](const Expression &e) {
      finite &= e.kind != Expression::Kind::constant || is(e.value);
      if (e.op == "/" && e.operands[1].kind == Expression::Kind::access)
        for (const Entry &entry : c.tensors[e.operands[1].tensor].data.entries)
          finite &= entry.value != 0.0;
    });
    return finite;
  }

  std::string drawCommand() {
    bool nested = loops.size() > 1;
    switch (random.weighted({nested ? 40 : 1, 30, nested ? 8 : 1,
                             temporaries.empty() && expressions.empty() ? 1 : 16, nested ? 8 : 1,
                             12, 5, 4, 6, nested ? 6 : 1, operands.size() > 1 ? 10 : 1})) {
    case 0:
      return reorder();
    case 1:
      return split();
    case 2:
      return "collapse(" + listed(some(random.between(2, 3))) + ")";
    case 3:
      return finite ? precompute() : split();
    case 4:
      return fuse();
    case 5:
      return pos();
    case 6:
      return "mergeby(" + anyLoop() + ", " + random.pick<std::string>({"TwoFinger", "Gallop"}) +
             ")";
    case 7:
      return bound();
    case 8:
      return "assemble(result, " +
             random.pick<std::string>({"Append", "Insert", "Gather", "Gather, table", "Inherit"}) +
             ")";
    case 9:
      return tile();
    default:
      return "locate(" + anyLoop() + ", " + (operands.empty() ? "none" : random.pick(operands)) +
             ")";
    }
  }

  // Of a tensor of this order, or, sometimes, of none.
  std::string format(size_t order) {
    std::string levels;
    for (size_t level = 0; level < order; ++level)
      levels += (level ? ", " : "") + random.pick<std::string>({"D", "CU", "D", "CU", "hashed"});
    return random.pick<std::string>({"Dense", "COO", order == 2 ? "CSR" : "CSF",
                                     order == 2 ? "CSC" : "COO", "{" + levels + "}"});
  }

  std::string convert() {
    size_t which = static_cast<size_t>(random.below(static_cast<int64_t>(operands.size()) + 1));
    return which == operands.size()
               ? "convert(result, " + format(resultOrder) + ")"
               : "convert(" + operands[which] + ", " + format(orders[which]) + ")";
  }

  std::string materialize() {
    if (expressions.empty())
      return convert();
    return "materialize(" + random.pick(expressions) + ", m, " +
           format(static_cast<size_t>(random.between(1, 3))) + ")";
  }

  // Commands for one way, and behind them those for the other one, if there are any.
  void keepTwoWays() {
    auto at = static_cast<long>(random.between(0, static_cast<int64_t>(commands.size())));
    std::string condition = random.pick<std::string>(
        {"FewSteps", "FewTerms, Likely", "FewReads", "FewUses", "FewEntries", "AbsentZeros"});
    commands.insert(commands.begin() + at, "specialize(" + condition + ")");
  }

  std::string anyLoop() { return loops.empty() ? "i" : random.pick(loops); }

  // Loops that follow each other, in the order in which they do.
  Names some(int64_t most) {
    auto all = static_cast<int64_t>(loops.size());
    int64_t count = std::min(most, all), first = all > count ? random.below(all - count + 1) : 0;
    return {loops.begin() + first, loops.begin() + first + count};
  }

  std::string reorder() {
    Names before = some(random.between(2, 4));
    if (random.chance(10)) { // not only those that follow each other
      before = loops;
      random.shuffle(before);
      before.resize(std::min<size_t>(before.size(), 2));
    }
    Names after = before;
    random.shuffle(after);
    for (std::string &loop : loops)
      if (auto at = std::ranges::find(before, loop); at != before.end())
        loop = after[static_cast<size_t>(at - before.begin())];
    return "reorder(" + listed(after) + ")";
  }

  // Labels as one, the entries of an operand instead of their values, and parts of these.
  void cutEntries() {
    if (loops.size() > 1 && random.chance(60))
      commands.push_back(fuse());
    std::string label = anyLoop();
    if (random.chance(80)) {
      commands.push_back(pos(label));
      label += "p";
    }
    commands.push_back(split(label));
    if (random.chance(70))
      parallelized = label + "o";
  }

  // Loops that are walked as one, for one block of a label's values after the other.
  void takeBlocks() {
    Names joined = some(random.chance(80) ? 2 : 3);
    if (joined.size() < 2)
      return;
    if (random.chance(40))
      random.shuffle(joined);
    auto cut = static_cast<size_t>(random.below(static_cast<int64_t>(joined.size())));
    std::string whole = joined[cut], outer = whole + "o", inner = whole + "i";
    auto first = std::ranges::find_if(loops, [&](const std::string &loop) {
      return std::ranges::find(joined, loop) != joined.end();
    });
    commands.push_back(random.pick<std::string>({"split", "divide"}) + "(" +
                       listed({whole, outer, inner}) + ", " +
                       std::to_string(random.pick({1, 2, 3, 5, 8})) + ")");
    joined[cut] = inner;
    Names all{outer};
    all.insert(all.end(), joined.begin(), joined.end());
    commands.push_back("reorder(" + listed(all) + ")");
    if (random.chance(90))
      commands.push_back("collapse(" + listed(joined) + ")");
    first = loops.erase(first, first + static_cast<std::ptrdiff_t>(joined.size()));
    loops.insert(first, all.begin(), all.end());
    if (random.chance(60))
      parallelized = outer;
  }

  std::string fuse() {
    Names both = some(2);
    if (both.size() < 2)
      return "fuse(" + listed({anyLoop(), anyLoop(), "f"}) + ")";
    std::string label;
    for (const std::string &loop : both)
      label += loop;
    auto at = std::ranges::find(loops, both.front()); // a name can have been drawn again
    *at = label;
    if (std::next(at) != loops.end())
      loops.erase(std::next(at));
    return "fuse(" + listed(both) + ", " + label + ")";
  }

  std::string pos() { return pos(anyLoop()); }
  std::string pos(const std::string &loop) {
    if (auto at = std::ranges::find(loops, loop); at != loops.end())
      *at = loop + "p";
    std::string operand = operands.empty() || random.chance(2) ? "none" : random.pick(operands);
    return "pos(" + listed({loop, loop + "p", operand}) + ")";
  }

  std::string split() { return split(anyLoop()); }
  std::string split(const std::string &loop) {
    std::string outer = loop + "o", inner = loop + "i";
    if (random.chance(3))
      inner = anyLoop();
    if (auto at = std::ranges::find(loops, loop); at != loops.end()) {
      *at = outer;
      loops.insert(at + 1, inner);
    }
    return random.pick<std::string>({"split", "split", "divide"}) + "(" +
           listed({loop, outer, inner}) + ", " + std::to_string(random.pick({1, 2, 3, 4, 7, 64})) +
           ")";
  }

  std::string tile() {
    Names both = some(2);
    if (both.size() < 2)
      both = {anyLoop(), anyLoop()};
    Names parts{both[0] + "o", both[1] + "o", both[0] + "i", both[1] + "i"};
    if (auto at = std::ranges::find(loops, both[0]);
        at != loops.end() && std::next(at) != loops.end() && *std::next(at) == both[1]) {
      at = loops.erase(at, at + 2);
      loops.insert(at, parts.begin(), parts.end());
    }
    return "tile(" + listed(both) + ", " + listed(parts) + ", " +
           std::to_string(random.pick({1, 3, 4})) + ", " + std::to_string(random.pick({2, 5, 64})) +
           ")";
  }

  // Says that a label has as many values as it has, or no more than some.
  std::string bound() {
    std::string loop = anyLoop(), fresh = loop + "b";
    auto known = extents.find(loop);
    int64_t extent = known == extents.end() ? 3 : known->second;
    if (random.chance(50))
      return "assume(" + loop + ", " + std::to_string(extent) + ")";
    bool exact = random.chance(50);
    if (auto at = std::ranges::find(loops, loop); at != loops.end())
      *at = fresh;
    return "bound(" + listed({loop, fresh}) + ", " + std::to_string(exact ? extent : extent + 5) +
           (exact ? ", MaxExact)" : ", MaxConstraint)");
  }

  std::string precompute() {
    Names over = some(random.between(1, 2)), own;
    for (const std::string &label : over)
      own.push_back(label + "w");
    std::string name = temporaries.empty() ? "t" : random.pick(temporaries);
    if (!expressions.empty() && (temporaries.empty() || random.chance(60)))
      name = random.pick(expressions);
    return "precompute(" + name + ", {" + listed(over) + "}, {" + listed(own) + "})";
  }

  std::string parallelize() {
    std::string loop = loops.empty() || random.chance(20) ? anyLoop() : loops.front();
    if (!parallelized.empty())
      loop = parallelized;
    std::string strategy = random.chance(parallelized.empty() ? 75 : 30)
                               ? "NoRaces"
                               : random.pick<std::string>({"IgnoreRaces", "Atomics", "Temporary",
                                                           "Temporary", "ParallelReduction"});
    if (strategy == "NoRaces" && random.chance(30))
      return "parallelize(" + loop + ", CPUThread)";
    return "parallelize(" + loop + ", " + (random.chance(96) ? "CPUThread" : "GPUBlock") + ", " +
           strategy + ")";
  }

  // How an inner loop runs.
  std::string hint() {
    std::string loop = loops.empty() || random.chance(20) ? anyLoop() : loops.back();
    std::string number = std::to_string(random.pick({2, 4, 8}));
    return random.pick<std::string>(
        {"unroll(" + loop + ", " + number + ")", "vectorize(" + loop + ", " + number + ")",
         "vectorize(" + loop + ")", "parallelize(" + loop + ", CPUVector, NoRaces)"});
  }

  std::string drawMistake() {
    return random.pick<std::string>({"skew(" + anyLoop() + ", 2)",
                                     "reorder(" + anyLoop() + ", nowhere)",
                                     "reorder()",
                                     "reorder(" + anyLoop() + ", " + anyLoop() + ")",
                                     "reorder(3)",
                                     "split(" + anyLoop() + ")",
                                     "split(" + anyLoop() + ", a, b, 0)",
                                     "divide(" + anyLoop() + ", a, b, 0)",
                                     "split(" + anyLoop() + ", a, b, -3)",
                                     "split(" + anyLoop() + ", a, a, 2)",
                                     "collapse({" + anyLoop() + "})",
                                     "convert(nothing, CSR)",
                                     "convert(result, 3)",
                                     "materialize(nothing, m)",
                                     "materialize(3, m)",
                                     "inline(nothing)",
                                     "share(nothing)",
                                     "fold(" + anyLoop() + ")",
                                     "specialize(" + anyLoop() + ")",
                                     "collapse()",
                                     "locate(" + anyLoop() + ", nothing)",
                                     "locate(" + anyLoop() + ")",
                                     "precompute(nothing, {" + anyLoop() + "}, {w})",
                                     "precompute(t, i)",
                                     "assemble(result)",
                                     "assemble(result, Later)",
                                     "parallelize(" + anyLoop() + ")",
                                     "vectorize(" + anyLoop() + ", 3)",
                                     "unroll(" + anyLoop() + ", 0)",
                                     "vectorize(2)",
                                     "parallelize(nowhere, CPUThread, NoRaces)"});
  }

  Random &random;
  Names loops, temporaries, operands, expressions, commands;
  std::vector<size_t> orders; ///< of the operands
  bool finite = true;
  bool padded = false; ///< an operand has places beside those of entries
  size_t resultOrder = 0;
  std::map<std::string, int64_t> extents; ///< by label
  std::string parallelized;               ///< a loop made to run in threads; empty: the outermost
};

// Rows of entries, or a list of them.
NamedFormat plainFormat(Random &random, unsigned order) {
  if (order == 0 || random.chance(30))
    return listFormat(order);
  size_t dense = static_cast<size_t>(random.below(order));
  std::string dims, levels;
  for (size_t dim = 0; dim < order; ++dim) {
    std::string name(1, static_cast<char>('i' + dim)), between = dim ? ", " : "";
    dims += between + name;
    levels += between + name + (dim < dense ? " : dense" : " : compressed");
  }
  return {"rows", "#ta.format<(" + dims + ") -> (" + levels + ")>"};
}

void drawPlainFormats(Case &c, Random &random) {
  bool plain = !c.init && !c.empties && !c.resultFill && c.file.empty() && !c.phases;
  if (plain && random.chance(70))
    c.resultFormat = {"Dense", ""};
  // Beside one with padding, which is often walked as it is stored, the others are often dense.
  bool padded = std::ranges::any_of(c.tensors, [](const Operand &operand) {
    return hasPadding(operand.format, static_cast<unsigned>(operand.data.sizes.size()));
  });
  bool dense = padded && random.chance(50);
  if (random.chance(70))
    for (unsigned at = 0; at < c.tensors.size(); ++at) {
      Operand &operand = c.tensors[at];
      auto order = static_cast<unsigned>(operand.data.sizes.size());
      bool kept = operand.format.text.empty() || operand.points || operand.fill || order == 0 ||
                  c.init == at;
      if (!kept && !hasPadding(operand.format, order))
        operand.format = dense ? NamedFormat{"Dense", ""} : plainFormat(random, order);
    }
}

} // namespace

void drawSchedule(Case &c, uint64_t seed) {
  Random random(seed * 13 + 5);
  drawPlainFormats(c, random);
  c.schedule = ScheduleDrawer(c, random).draw();
}

} // namespace strata::test
