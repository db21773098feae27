// Dynamic programming over sets of factors.
#include "strata/lower/analysis/ProductOrder.h"

#include "strata/lower/analysis/NetworkOrder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <vector>

namespace strata {

double LabeledProduct::sizeOf(const LabelSet &labels) const {
  double size = 1;
  for (unsigned label : labels.members())
    size *= extents[label];
  return size;
}

double LabeledProduct::density() const {
  double all = 1;
  for (auto [factor, own] : densities)
    all *= own;
  return all;
}

double LabeledProduct::stored(unsigned factor) const {
  return sizeOf(factors[factor]) * densities.at(factor);
}

double LabeledProduct::operationsAtOnce() const {
  LabelSet all;
  for (const LabelSet &labels : factors)
    all |= labels;
  return sizeOf(all) * density() * double(factors.size() - 1);
}

namespace {

using Factors = llvm::SmallVector<unsigned>;

// Of more factors nobody compares all orders: that takes 3^n steps.
constexpr size_t mostCompared = 12;

// The share of its elements that a factor stores.
double shareStored(const LabeledProduct &product, unsigned factor) {
  auto sparse = product.densities.find(factor);
  return sparse == product.densities.end() ? 1 : sparse->second;
}

/// Sets of factors, and the tree that is built of them.
class Tree {
public:
  explicit Tree(const LabeledProduct &product) : product(product) {}

  /// The labels of some factors that others, or the result, have as well.
  LabelSet visible(llvm::ArrayRef<unsigned> inside) const {
    LabelSet own, others = product.result;
    for (unsigned at = 0; at < product.factors.size(); ++at)
      (llvm::is_contained(inside, at) ? own : others) |= product.factors[at];
    return own & others;
  }

  int addFactor(unsigned factor) {
    LabelSet labels = product.factors[factor], kept = visible({factor});
    int node = addAsItIs(factor);
    return kept == labels ? node
                          : order.add({{node}, 0, kept},
                                      product.sizeOf(labels) * shareStored(product, factor));
  }
  int addSum(unsigned factor, const LabelSet &labels, double operations) {
    int node = order.add({{}, factor, labels}, 0);
    return order.add({{node}, 0, product.factors[factor]}, operations);
  }
  int addAsItIs(unsigned factor) { return order.add({{}, factor, product.factors[factor]}, 0); }

  int addProduct(llvm::ArrayRef<int> operands, const LabelSet &labels, double density = 1) {
    LabelSet all;
    for (int operand : operands)
      all |= order.nodes[operand].labels;
    return order.add({llvm::SmallVector<int, 2>(operands), 0, labels},
                     product.sizeOf(all) * density * double(operands.size() - 1));
  }

  ProductOrder order;

private:
  const LabeledProduct &product;
};

/// The least operations for each set of some factors, which have numbers of their own here. What is
/// made of sparse factors counts as dense.
class FactorSearch {
public:
  FactorSearch(const LabeledProduct &product, Factors members)
      : product(product), members(std::move(members)), sets(size_t(1) << this->members.size()) {
    Tree tree(product);
    for (size_t set = 1; set < sets.size(); ++set) {
      sets[set].labels = tree.visible(factorsOf(set));
      if (size_t rest = set & (set - 1))
        decide(set, rest);
      else
        decideAlone(set);
    }
  }

  struct Set {
    LabelSet labels;
    double operations = 0, stored = 0;
    size_t left = 0; ///< the operand that has the first factor
  };
  const Set &operator[](size_t set) const { return sets[set]; }
  size_t all() const { return sets.size() - 1; }

  int build(size_t set, Tree &tree) const {
    if (!(set & (set - 1)))
      return tree.addFactor(members[llvm::countr_zero(set)]);
    const size_t first = sets[set].left, second = set ^ first;
    int left = build(first, tree), right = build(second, tree);
    return tree.addProduct({left, right}, sets[set].labels, share(first) * share(second));
  }

private:
  Factors factorsOf(size_t set) const {
    Factors factors;
    for (; set; set &= set - 1)
      factors.push_back(members[llvm::countr_zero(set)]);
    return factors;
  }

  // The share of its elements that the value of a set stores.
  double share(size_t set) const {
    if (set & (set - 1))
      return 1;
    const unsigned factor = members[llvm::countr_zero(set)];
    return sets[set].labels == product.factors[factor] ? shareStored(product, factor) : 1;
  }

  // Counts the temporary of a set, unless the set is the whole product.
  void store(size_t set) {
    Set &found = sets[set];
    if (factorsOf(set).size() == product.factors.size())
      return;
    found.stored += product.sizeOf(found.labels);
    if (found.stored > product.mostStored)
      found.operations = std::numeric_limits<double>::infinity();
  }

  void decideAlone(size_t set) {
    const unsigned factor = members[llvm::countr_zero(set)];
    const LabelSet &own = product.factors[factor];
    if (own == sets[set].labels)
      return;
    sets[set].operations = product.sizeOf(own) * shareStored(product, factor);
    store(set);
  }

  // All ways to part the set, of which `rest` is all but the first factor.
  void decide(size_t set, size_t rest) {
    Set &best = sets[set];
    best.operations = std::numeric_limits<double>::infinity();
    for (size_t right = rest; right != 0; right = (right - 1) & rest) {
      const Set &x = sets[set ^ right], &y = sets[right];
      double operations = x.operations + y.operations +
                          product.sizeOf(x.labels | y.labels) * share(set ^ right) * share(right);
      double stored = x.stored + y.stored;
      if (stored <= product.mostStored &&
          std::pair(operations, stored) < std::pair(best.operations, best.stored)) {
        best.operations = operations;
        best.stored = stored;
        best.left = set ^ right;
      }
    }
    store(set);
  }

  const LabeledProduct &product;
  Factors members;
  std::vector<Set> sets;
};

/// Sparse factors, and dense ones in groups, each of which is multiplied before.
class Grouping {
public:
  explicit Grouping(const LabeledProduct &given)
      : whole(given), product(given), summedFirst(sumFirst()),
        search(product, denseFactors(product)) {}

  std::optional<ProductOrder> run() {
    divide(search.all());
    if (least.first == std::numeric_limits<double>::infinity())
      return std::nullopt;
    Tree tree(product);
    llvm::SmallVector<int> operands;
    for (unsigned factor = 0; factor < product.factors.size(); ++factor)
      if (product.isSparse(factor))
        operands.push_back(llvm::is_contained(summedFirst, factor)
                               ? tree.addSum(factor, whole.factors[factor], whole.stored(factor))
                               : tree.addAsItIs(factor));
    for (size_t group : best)
      operands.push_back(search.build(group, tree));
    tree.addProduct(operands,
                    tree.visible(llvm::to_vector(llvm::seq<unsigned>(0, product.factors.size()))),
                    product.density());
    return std::move(tree.order);
  }

  static Factors denseFactors(const LabeledProduct &product) {
    Factors dense;
    for (unsigned factor = 0; factor < product.factors.size(); ++factor)
      if (!product.isSparse(factor))
        dense.push_back(factor);
    return dense;
  }

private:
  // Takes the labels that are in no other factor from sparse factors where what is left to
  // multiply, and the sum, are much less. How many entries there are is a guess.
  Factors sumFirst() {
    constexpr double mostLeft = 0.4;
    Factors found;
    Tree tree(whole);
    for (const auto &[factor, density] : whole.densities) {
      LabelSet all = whole.factors[factor], kept = tree.visible({factor});
      if (all == kept)
        continue;
      LabeledProduct fewer = product;
      fewer.factors[factor] = kept;
      fewer.densities[factor] = std::min(1.0, whole.stored(factor) / whole.sizeOf(kept));
      if (whole.stored(factor) + fewer.operationsAtOnce() > mostLeft * product.operationsAtOnce())
        continue;
      product = std::move(fewer);
      found.push_back(factor);
    }
    return found;
  }

  // All ways to make groups of what is left.
  void divide(size_t left) {
    if (!left)
      return compare();
    size_t first = left & -left, others = left ^ first;
    for (size_t more = others;; more = (more - 1) & others) {
      groups.push_back(first | more);
      divide(others ^ more);
      groups.pop_back();
      if (!more)
        return;
    }
  }

  void compare() {
    LabelSet labels;
    double operations = 0, stored = 0, operands = -1;
    for (unsigned factor = 0; factor < product.factors.size(); ++factor)
      if (product.isSparse(factor)) {
        labels |= product.factors[factor];
        ++operands;
      }
    for (size_t group : groups) {
      labels |= search[group].labels;
      operations += search[group].operations;
      stored += search[group].stored;
      ++operands;
    }
    auto cost =
        std::pair(operations + product.sizeOf(labels) * product.density() * operands, stored);
    if (cost < least && stored <= product.mostStored) {
      least = cost;
      best = groups;
    }
  }

  const LabeledProduct &whole;
  LabeledProduct product; ///< without what is summed first
  Factors summedFirst;
  FactorSearch search;
  llvm::SmallVector<size_t> groups, best;
  std::pair<double, double> least = {std::numeric_limits<double>::infinity(), 0};
};

// Returns the best of all orders in which these factors, which are all of the product, are
// multiplied two at a time.
std::optional<ProductOrder> bestOfAll(const LabeledProduct &product, Factors factors) {
  FactorSearch search(product, std::move(factors));
  if (search[search.all()].operations == std::numeric_limits<double>::infinity())
    return std::nullopt;
  Tree tree(product);
  search.build(search.all(), tree);
  return std::move(tree.order);
}

double storedBy(const ProductOrder &order, const LabeledProduct &product) {
  double stored = 0;
  for (const ProductOrder::Node &node : llvm::drop_end(order.nodes))
    if (!node.operands.empty())
      stored += product.sizeOf(node.labels);
  return stored;
}

} // namespace

bool ProductOrder::makesTemporaries() const {
  return llvm::any_of(llvm::drop_end(nodes),
                      [](const Node &node) { return !node.operands.empty(); });
}

ProductOrder orderAsWritten(const LabeledProduct &product) {
  Tree tree(product);
  Factors done{0};
  int all = tree.addFactor(0);
  for (unsigned factor = 1; factor < product.factors.size(); ++factor) {
    done.push_back(factor);
    int next = tree.addFactor(factor);
    all = tree.addProduct({all, next}, tree.visible(done));
  }
  return std::move(tree.order);
}

std::optional<ProductOrder> orderOfLeastOperations(const LabeledProduct &product) {
  constexpr size_t mostGrouped = 8;
  const Factors dense = Grouping::denseFactors(product);
  if (dense.size() < product.factors.size())
    return dense.size() <= mostGrouped ? Grouping(product).run() : std::nullopt;
  if (dense.size() > mostCompared) {
    ProductOrder order = orderOfNetwork(product);
    return storedBy(order, product) <= product.mostStored ? std::optional(std::move(order))
                                                          : std::nullopt;
  }
  return bestOfAll(product, dense);
}

std::optional<ProductOrder> orderThroughDense(const LabeledProduct &product,
                                              llvm::ArrayRef<unsigned> listed) {
  return listed.size() <= mostCompared ? bestOfAll(product, Factors(listed)) : std::nullopt;
}

} // namespace strata
