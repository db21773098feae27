// Dynamic programming over sets of factors.
#include "strata/lower/analysis/ProductOrder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <limits>
#include <vector>

namespace strata {

double LabeledProduct::sizeOf(uint64_t labels) const {
  double size = 1;
  for (; labels; labels &= labels - 1)
    size *= extents[llvm::countr_zero(labels)];
  return size;
}

double LabeledProduct::operationsAtOnce() const {
  uint64_t all = 0;
  for (uint64_t labels : factors)
    all |= labels;
  return sizeOf(all) * double(factors.size() - 1);
}

namespace {

/// Sets of factors, and the tree that is built of them.
class Tree {
public:
  explicit Tree(const LabeledProduct &product) : product(product) {}

  /// The labels of some factors that others, or the result, have as well.
  uint64_t visible(llvm::ArrayRef<unsigned> inside) const {
    uint64_t own = 0, others = product.result;
    for (unsigned at = 0; at < product.factors.size(); ++at)
      (llvm::is_contained(inside, at) ? own : others) |= product.factors[at];
    return own & others;
  }

  int addFactor(unsigned factor) {
    uint64_t labels = product.factors[factor], kept = visible({factor});
    int node = add({-1, -1, factor, labels}, 0);
    return kept == labels ? node : add({node, -1, 0, kept}, product.sizeOf(labels));
  }

  int addProduct(int left, int right, uint64_t labels) {
    uint64_t all = order.nodes[left].labels | order.nodes[right].labels;
    return add({left, right, 0, labels}, product.sizeOf(all));
  }

  ProductOrder order;

private:
  int add(ProductOrder::Node node, double operations) {
    order.nodes.push_back(node);
    order.operations += operations;
    return static_cast<int>(order.nodes.size()) - 1;
  }

  const LabeledProduct &product;
};

/// The least operations for each set of factors.
class Search {
public:
  explicit Search(const LabeledProduct &product)
      : product(product), tree(product), sets(size_t(1) << product.factors.size()) {}

  ProductOrder run() {
    const size_t all = sets.size() - 1;
    for (size_t set = 1; set <= all; ++set) {
      sets[set].labels = tree.visible(factorsOf(set));
      if (size_t rest = set & (set - 1))
        decide(set, rest);
      else if (uint64_t own = product.factors[llvm::countr_zero(set)]; own != sets[set].labels)
        sets[set].operations = product.sizeOf(own);
    }
    build(all);
    return std::move(tree.order);
  }

private:
  struct Set {
    uint64_t labels = 0;
    double operations = 0, stored = 0;
    size_t left = 0; ///< the operand that has the first factor
  };

  static llvm::SmallVector<unsigned> factorsOf(size_t set) {
    llvm::SmallVector<unsigned> factors;
    for (; set; set &= set - 1)
      factors.push_back(llvm::countr_zero(set));
    return factors;
  }

  // All ways to part the set, of which `rest` is all but the first factor.
  void decide(size_t set, size_t rest) {
    Set &best = sets[set];
    best.operations = std::numeric_limits<double>::infinity();
    for (size_t right = rest;; right = (right - 1) & rest) {
      if (right == 0)
        break;
      const Set &x = sets[set ^ right], &y = sets[right];
      double operations = x.operations + y.operations + product.sizeOf(x.labels | y.labels);
      double stored = x.stored + y.stored;
      if (std::pair(operations, stored) < std::pair(best.operations, best.stored)) {
        best.operations = operations;
        best.stored = stored;
        best.left = set ^ right;
      }
    }
    best.stored += product.sizeOf(best.labels);
  }

  int build(size_t set) {
    if (!(set & (set - 1)))
      return tree.addFactor(llvm::countr_zero(set));
    int left = build(sets[set].left), right = build(set ^ sets[set].left);
    return tree.addProduct(left, right, sets[set].labels);
  }

  const LabeledProduct &product;
  Tree tree;
  std::vector<Set> sets;
};

/// A part of a tree that is to be joined with others.
struct Joined {
  int node;
  llvm::SmallVector<unsigned> factors;
};

llvm::SmallVector<unsigned> together(const Joined &x, const Joined &y) {
  llvm::SmallVector<unsigned> factors(x.factors);
  llvm::append_range(factors, y.factors);
  return factors;
}

ProductOrder pairAfterPair(const LabeledProduct &product) {
  Tree tree(product);
  tree.order.exhaustive = false;
  std::vector<Joined> parts;
  for (unsigned factor = 0; factor < product.factors.size(); ++factor)
    parts.push_back({tree.addFactor(factor), {factor}});
  while (parts.size() > 1) {
    size_t first = 0, second = 1;
    auto best = std::pair(std::numeric_limits<double>::infinity(), 0.0);
    for (size_t x = 0; x < parts.size(); ++x)
      for (size_t y = x + 1; y < parts.size(); ++y) {
        uint64_t all =
            tree.order.nodes[parts[x].node].labels | tree.order.nodes[parts[y].node].labels;
        uint64_t kept = tree.visible(together(parts[x], parts[y]));
        auto cost = std::pair(product.sizeOf(all), product.sizeOf(kept));
        if (cost < best) {
          best = cost;
          first = x, second = y;
        }
      }
    Joined &into = parts[first];
    llvm::SmallVector<unsigned> factors = together(into, parts[second]);
    into.node = tree.addProduct(into.node, parts[second].node, tree.visible(factors));
    into.factors = std::move(factors);
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(second));
  }
  return std::move(tree.order);
}

} // namespace

ProductOrder orderAsWritten(const LabeledProduct &product) {
  Tree tree(product);
  tree.order.exhaustive = false;
  Joined all{tree.addFactor(0), {0}};
  for (unsigned factor = 1; factor < product.factors.size(); ++factor) {
    all.factors.push_back(factor);
    int next = tree.addFactor(factor);
    all.node = tree.addProduct(all.node, next, tree.visible(all.factors));
  }
  return std::move(tree.order);
}

ProductOrder orderOfLeastOperations(const LabeledProduct &product) {
  constexpr size_t most = 12;
  return product.factors.size() <= most ? Search(product).run() : pairAfterPair(product);
}

} // namespace strata
