// Enumerates formats from the registry, and makes cases of them.
#include "Stacks.h"

#include "generator/Regression.h"

#include "strata/dialect/ta/Ta.h"
#include "strata/level/LevelProperties.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"

#include <gtest/gtest.h>

#include <iostream>

namespace strata::test {

using Strings = std::vector<std::string>;

//===------------------------------------------------------------------------------------------===//
// Formats
//===------------------------------------------------------------------------------------------===//

namespace {

const std::string full = "dense", listed = "compressed", repeating = "compressed(nonunique)",
                  interleaved = "compressed(nonunique, aos)";

// A level format as it stands in a format, with the properties that it can be given.
struct Word {
  std::string text;
  const LevelTraits *traits;
  bool unique;
};

std::vector<Word> allWords() {
  std::vector<Word> words;
  for (llvm::StringRef name : levelNames()) {
    const LevelTraits *traits = findLevelTraits(name);
    // A parameter says how many places there are: enough for the data.
    std::string parameter = traits->parameter.empty() ? "" : "(16)";
    words.push_back({name.str() + parameter, traits, true});
    if (traits->canBeNonunique)
      words.push_back({name.str() + "(nonunique)", traits, false});
    if (traits->canBeUnordered)
      words.push_back({name.str() + "(unordered)", traits, true});
    if (traits->canBeNonunique && traits->canBeUnordered)
      words.push_back({name.str() + "(nonunique, unordered)", traits, false});
  }
  return words;
}

class Enumeration {
public:
  explicit Enumeration(unsigned order) : order(order) { context.loadDialect<ta::TaDialect>(); }

  Stacks run() {
    for (const Word &word : allWords()) {
      if (word.traits->pads && word.traits->defaults.branchless) {
        slots(word);
        continue;
      }
      plain(word);
      if (order == 1)
        place(word, {"i floordiv 3", "i mod 3"}, {full, full}, "blocks");
      if (order == 2) {
        diagonals(word);
        place(word, {"i floordiv 2", "j floordiv 3", "i mod 2", "j mod 3"},
              {full, listed, full, full}, "blocks");
        sorted = " sorted(3)";
        place(word, {"i", "j"}, {full, listed}, "rows sorted");
        sorted = "";
      }
    }
    return std::move(stacks);
  }

private:
  // One level per dimension: the word in each position, its neighbours of either kind.
  void plain(const Word &word) {
    Strings dims;
    for (unsigned dim = 0; dim < order; ++dim)
      dims.emplace_back(1, static_cast<char>('i' + dim));
    for (unsigned at = 0; at < order; ++at)
      for (const std::string &neighbour : order == 1 ? Strings{full} : Strings{full, listed}) {
        Strings words(order, neighbour);
        words[at] = word.text;
        chain(word, words, at);
        add(dims, words, "");
        if (at > 0 && word.traits->interleaves && word.traits->defaults.branchless &&
            word.text == word.traits->name) {
          words[0] = interleaved;
          add(dims, words, "");
        }
      }
    Strings words(order, word.text);
    chain(word, words, order - 1);
    add(dims, words, "");
    if (order < 2)
      return;
    Strings columnsFirst(dims.rbegin(), dims.rend());
    if (!word.traits->defaults.branchless)
      words.front() = full;
    add(columnsFirst, words, "columns first");
  }

  // Below a branchless level stands what repeats, and what repeats stands above a branchless one.
  void chain(const Word &word, Strings &words, unsigned at) const {
    if (!word.traits->defaults.branchless || at == 0)
      return;
    words[0] = repeating;
    for (unsigned above = 1; above < at; ++above)
      words[above] = word.traits->name.str() + "(nonunique)";
  }

  void place(const Word &word, const Strings &exprs, const Strings &around,
             const std::string &map) {
    for (unsigned at = 0; at < around.size(); ++at) {
      Strings words = around;
      words[at] = word.text;
      if (word.traits->defaults.branchless)
        continue;
      add(exprs, words, map);
    }
  }

  // A level with one place below each parent: the slots above it number what it stores.
  void slots(const Word &word) {
    if (order == 1) {
      add({"slot(i)", "i"}, {full, word.text}, "slots");
      return;
    }
    Strings dims, words(order + 1, full);
    std::string counted;
    for (unsigned dim = 0; dim < order; ++dim) {
      dims.emplace_back(1, static_cast<char>('i' + dim));
      if (dim + 1 < order)
        counted += (dim ? ", " : "") + dims.back();
    }
    words.back() = word.text;
    Strings slotFirst = dims, slotLast = dims;
    slotFirst.insert(slotFirst.begin(), "slot(" + counted + ")");
    slotLast.insert(slotLast.end() - 1, "slot(" + counted + ")");
    add(slotFirst, words, "slots");
    add(slotLast, words, "slots inside");
  }

  void diagonals(const Word &word) {
    const Strings exprs = {"j - i", "i", "j"};
    for (llvm::StringRef last : levelNames()) {
      if (!findLevelTraits(last)->computed)
        continue;
      for (llvm::StringRef middle : levelNames()) {
        const LevelTraits *traits = findLevelTraits(middle);
        if (!traits->defaults.full && traits->places && !traits->inserts)
          add(exprs, {word.text, middle.str(), last.str()}, "diagonals");
      }
      if (!word.traits->defaults.branchless)
        add(exprs, {listed, word.text, last.str()}, "diagonals");
    }
  }

  void add(const Strings &exprs, const Strings &words, const std::string &map) {
    std::string name, text = "#ta.format<(";
    for (unsigned dim = 0; dim < order; ++dim)
      text += std::string(dim ? ", " : "") + static_cast<char>('i' + dim) +
              (dim == 0 ? sorted : std::string());
    text += ") -> (";
    for (size_t at = 0; at < words.size(); ++at) {
      text += (at ? ", " : "") + exprs[at] + " : " + words[at];
      name += (at ? ", " : "") + words[at];
    }
    text += ")>";
    if (!seen.insert(text).second)
      return;
    std::string why;
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &d) { why += d.str(); });
    if (mlir::parseAttribute(text, &context)) {
      stacks.formats.push_back({map.empty() ? name : map + ": " + name, text});
      return;
    }
    EXPECT_NE(why, "") << text << " is refused without a reason";
    ++stacks.refused;
    stacks.reasons.insert(why);
  }

  unsigned order;
  std::string sorted; ///< behind the first dimension
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  Stacks stacks;
  std::set<std::string> seen;
};

} // namespace

const Stacks &stacksOf(unsigned order) {
  static std::map<unsigned, Stacks> known;
  auto found = known.find(order);
  if (found == known.end())
    found = known.emplace(order, Enumeration(order).run()).first;
  return found->second;
}

std::vector<NamedFormat> chosenOf(unsigned order) {
  Random random(order);
  std::vector<NamedFormat> chosen;
  int64_t percent = 100;
  if (order > 2 && !takes(Share::most))
    percent = takes(Share::some) ? 30 : 8;
  else if (order == 2 && !takes(Share::some))
    percent = 40;
  for (const NamedFormat &format : stacksOf(order).formats)
    if (random.chance(percent))
      chosen.push_back(format);
  return chosen;
}

bool isVariant(const NamedFormat &format) {
  return format.name.find('(') != std::string::npos &&
         format.name.find("singleton") == std::string::npos;
}

//===------------------------------------------------------------------------------------------===//
// Data
//===------------------------------------------------------------------------------------------===//

TensorData dataOf(unsigned order, unsigned which) {
  static const std::vector<int64_t> sizes[] = {{17}, {7, 9}, {4, 5, 6}, {3, 2, 4, 3}};
  Random random(10 * order + which);
  TensorData data{sizes[order - 1], STRATA_F64, {}};
  Coordinate at(order, 0);
  int64_t places = 1;
  for (int64_t size : data.sizes)
    places *= size;
  double value = 1;
  for (int64_t place = 0; place < places; ++place) {
    int64_t rest = place, fibre = place / data.sizes.back();
    for (size_t d = order; d-- > 0; rest /= data.sizes[d])
      at[d] = rest % data.sizes[d];
    // Fibres are empty, full, or random; one column is empty.
    bool vector = order == 1;
    int64_t kind = (fibre + which) % 4;
    bool emptyHere = !vector && (kind == 0 || at.back() == 3 + which);
    bool fullHere = !vector && kind == 2;
    if (emptyHere || (!fullHere && !random.chance(45)))
      continue;
    // Values repeat now and then along a fibre, and some are stored zeros.
    if (!random.chance(40))
      value = random.chance(15) ? 0 : drawValue(random, STRATA_F64).real();
    data.entries.push_back({at, value});
  }
  random.shuffle(data.entries);
  return data;
}

//===------------------------------------------------------------------------------------------===//
// Cases
//===------------------------------------------------------------------------------------------===//

Expression accessTo(unsigned tensor, const std::vector<unsigned> &variables) {
  Expression access;
  access.kind = Expression::Kind::access;
  access.tensor = tensor;
  for (unsigned variable : variables)
    access.place.push_back(Position::of(variable));
  return access;
}

Expression combined(const std::string &op, Expression left, Expression right) {
  Expression both;
  both.kind = Expression::Kind::binary;
  both.op = op;
  both.operands = {std::move(left), std::move(right)};
  return both;
}

Case caseOf(std::vector<Operand> operands, const NamedFormat &result) {
  Case c;
  const std::vector<int64_t> &sizes = operands.front().data.sizes;
  for (unsigned dim = 0; dim < sizes.size(); ++dim) {
    c.variables.push_back({std::string(1, static_cast<char>('i' + dim)), sizes[dim]});
    c.left.push_back(dim);
    c.out.push_back(Position::of(dim));
  }
  for (Operand &operand : operands)
    operand.slack.assign(operand.data.sizes.size(), 0);
  c.resultSlack.assign(sizes.size(), 0);
  c.tensors = std::move(operands);
  c.resultFormat = result;
  return c;
}

void Tally::add(const Case &c, const Outcome &outcome) {
  agrees += outcome.kind == Outcome::Kind::agrees;
  if (outcome.kind == Outcome::Kind::refused) {
    ++refuses;
    ++reasons[outcome.text.substr(0, 160)];
    EXPECT_NE(outcome.text, "");
  }
  if (!outcome.failed() && outcome.kind != Outcome::Kind::unfit)
    return;
  std::string formats;
  for (const Operand &operand : c.tensors)
    formats += operand.name + " " + operand.format.name + "; ";
  ADD_FAILURE() << what << ": " << formats << "result " << c.resultFormat.name << "\n"
                << notation(c) << "\n"
                << outcome.text << "\n"
                << regressionText(c, what);
}

Tally::~Tally() {
  std::cout << what << ": " << agrees << " agree with the reference, " << refuses << " refused\n";
  for (const auto &[reason, count] : reasons)
    std::cout << "  " << count << ": " << reason << "\n";
}

} // namespace strata::test
