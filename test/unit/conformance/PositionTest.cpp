// Level formats in every position: read alone, read in pairs, written.
#include "Stacks.h"

#include <gtest/gtest.h>

namespace {

using namespace strata;
using namespace strata::test;

// One for all tests of the process: kernels are compiled once.
CaseRunner &runner() {
  static CaseRunner instance;
  return instance;
}

const NamedFormat dense{"dense", ""};

NamedFormat listOf(unsigned order) {
  std::string text = "#ta.format<(", levels;
  for (unsigned dim = 0; dim < order; ++dim) {
    std::string name(1, static_cast<char>('i' + dim));
    text += (dim ? ", " : "") + name;
    levels += (dim ? ", " : "") + name + " : compressed";
  }
  return {"compressed", text + ") -> (" + levels + ")>"};
}

NamedFormat rowsOf(unsigned order, bool reversed) {
  std::string dims, levels;
  for (unsigned dim = 0; dim < order; ++dim) {
    auto name = [&](unsigned at) { return std::string(1, static_cast<char>('i' + at)); };
    dims += (dim ? ", " : "") + name(dim);
    levels += (dim ? ", " : "") + name(reversed ? order - 1 - dim : dim) +
              (dim + 1 < order ? " : dense" : " : compressed");
  }
  return {reversed ? "columns" : "rows", "#ta.format<(" + dims + ") -> (" + levels + ")>"};
}

Operand operandOf(const std::string &name, const NamedFormat &format, unsigned order,
                  unsigned which) {
  return {name, format, dataOf(order, which), {}};
}

std::vector<unsigned> allOf(unsigned order) {
  std::vector<unsigned> variables;
  for (unsigned at = 0; at < order; ++at)
    variables.push_back(at);
  return variables;
}

void run(Tally &tally, const Case &c) { tally.add(c, runner().run(c)); }

class Positions : public testing::TestWithParam<unsigned> {};

TEST_P(Positions, Formats) {
  const Stacks &stacks = stacksOf(GetParam());
  std::cout << "order " << GetParam() << ": " << stacks.formats.size() << " formats, "
            << stacks.refused << " refused\n";
  for (const std::string &reason : stacks.reasons)
    std::cout << "  " << reason << "\n";
  EXPECT_FALSE(stacks.formats.empty());
}

TEST_P(Positions, Read) {
  Tally tally("read");
  unsigned order = GetParam();
  for (const NamedFormat &format : chosenOf(order)) {
    Case c = caseOf({operandOf("A", format, order, 0)}, dense);
    c.value = accessTo(0, allOf(order));
    run(tally, c);
  }
  EXPECT_GT(tally.agreeing(), 0);
}

// y[i, ...] = sum over the last variable of A * x, and over the first.
TEST_P(Positions, Contracted) {
  Tally tally("contracted");
  unsigned order = GetParam();
  NamedFormat list = listOf(1);
  for (const NamedFormat &format : chosenOf(order))
    for (unsigned summed :
         order == 1 ? std::vector<unsigned>{0} : std::vector<unsigned>{order - 1, 0}) {
      TensorData x = dataOf(order, 0);
      x.sizes = {x.sizes[summed]};
      x.entries.clear();
      for (int64_t at = 0; at < x.sizes[0]; at += 1 + (at % 3 == 1))
        x.entries.push_back({{at}, at % 4 == 2 ? 0.0 : static_cast<double>(at - 2)});
      Case c =
          caseOf({operandOf("A", format, order, 0), {"x", summed ? dense : list, x, {0}}}, dense);
      c.left.erase(c.left.begin() + summed);
      c.out.erase(c.out.begin() + summed);
      c.resultSlack.pop_back();
      c.value.kind = Expression::Kind::reduction;
      c.value.op = "add";
      c.value.reduced = {summed};
      c.value.operands = {combined("*", accessTo(0, allOf(order)), accessTo(1, {summed}))};
      run(tally, c);
    }
  EXPECT_GT(tally.agreeing(), 0);
}

// Every format next to those that every storage is made of.
TEST_P(Positions, Merged) {
  Tally tally("merged with lists");
  unsigned order = GetParam();
  for (const NamedFormat &format : chosenOf(order))
    for (const std::string op : {"+", "*"})
      for (bool first : {true, false}) {
        if (!takes(Share::most) && first != (op == "+"))
          continue;
        Operand own = operandOf("A", format, order, 0),
                other = operandOf("B", listOf(order), order, 1);
        Case c = first ? caseOf({own, other}, dense) : caseOf({other, own}, listOf(order));
        c.value = combined(op, accessTo(0, allOf(order)), accessTo(1, allOf(order)));
        run(tally, c);
      }
  EXPECT_GT(tally.agreeing(), 0);
}

// Results: a copy, a union and an intersection, built where the loops give them.
TEST_P(Positions, Written) {
  Tally tally("written");
  unsigned order = GetParam();
  for (const NamedFormat &format : chosenOf(order)) {
    Operand a = operandOf("A", listOf(order), order, 0), b = operandOf("B", dense, order, 1);
    Operand list = operandOf("B", listOf(order), order, 1);
    Case copy = caseOf({a}, format);
    copy.value = accessTo(0, allOf(order));
    run(tally, copy);
    Case sum = caseOf({a, list}, format);
    sum.value = combined("+", accessTo(0, allOf(order)), accessTo(1, allOf(order)));
    run(tally, sum);
    Case product = caseOf({a, b}, format);
    product.value = combined("*", accessTo(0, allOf(order)), accessTo(1, allOf(order)));
    run(tally, product);
  }
  EXPECT_GT(tally.agreeing(), 0);
}

// To rows that are compressed, of the first dimension and of the last: copies cut in pieces count
// what each row has before they store it.
TEST_P(Positions, Converted) {
  Tally tally("converted");
  unsigned order = GetParam();
  for (const NamedFormat &format : chosenOf(order))
    for (bool reversed : {false, true}) {
      if (reversed && order == 1)
        continue;
      Case c = caseOf({operandOf("A", format, order, 0)}, rowsOf(order, reversed));
      c.value = accessTo(0, allOf(order));
      run(tally, c);
    }
  EXPECT_GT(tally.agreeing(), 0);
}

// Pairs of formats, in parts, so that several processes can share the work.
constexpr int64_t pairParts = 6;
class Pairs : public testing::TestWithParam<std::tuple<unsigned, int64_t>> {};

// How many of a format's partners are drawn, of `count`.
int64_t partnersOf(unsigned order, int64_t count) {
  if (takes(Share::most) && order < 3)
    return order == 1 || takes(Share::all) ? count : (count + 3) / 4;
  return order == 1 ? 6 : 2;
}

TEST_P(Pairs, Merged) {
  Tally tally("pairs");
  auto [order, part] = GetParam();
  Random random(order * pairParts + part);
  std::vector<NamedFormat> formats;
  for (const NamedFormat &format : chosenOf(order))
    if (takes(Share::most) || !isVariant(format))
      formats.push_back(format);
  auto count = static_cast<int64_t>(formats.size());
  for (int64_t left = part; left < count; left += pairParts)
    for (int64_t at = 0; at < count; ++at) {
      if (random.below(count) >= partnersOf(order, count))
        continue;
      Operand a = operandOf("A", formats[static_cast<size_t>(left)], order, 0),
              b = operandOf("B", formats[static_cast<size_t>(at)], order, 1);
      for (const std::string op : {"+", "*"}) {
        Case c = caseOf({a, b}, (at & 1) ? dense : listOf(order));
        c.value = combined(op, accessTo(0, allOf(order)), accessTo(1, allOf(order)));
        run(tally, c);
      }
    }
  EXPECT_GT(tally.agreeing(), 0);
}

INSTANTIATE_TEST_SUITE_P(Orders, Positions, testing::Values(1u, 2u, 3u));
INSTANTIATE_TEST_SUITE_P(Orders, Pairs,
                         testing::Combine(testing::Values(1u, 2u, 3u),
                                          testing::Range<int64_t>(0, pairParts)));

} // namespace
