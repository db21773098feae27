// Greedy orders with some luck, and the best orders of their parts.
#include "strata/lower/analysis/NetworkOrder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <random>
#include <unordered_map>

namespace strata {
namespace {

/// A label of a part, and how many of the factors in the part have it.
struct OpenLabel {
  unsigned label, factors;
};
using OpenLabels = std::vector<OpenLabel>; // by label

/// The labels of factors: how many have each, the result counting as one that is never multiplied.
class Network {
public:
  explicit Network(const LabeledProduct &product)
      : product(product), holders(product.extents.size(), 0) {
    for (const LabelSet &labels : product.factors)
      for (unsigned label : labels.members())
        ++holders[label];
    for (unsigned label : product.result.members())
      ++holders[label];
  }

  OpenLabels ofFactor(unsigned factor) const {
    OpenLabels open;
    for (unsigned label : product.factors[factor].members())
      if (holders[label] > 1)
        open.push_back({label, 1});
    return open;
  }

  /// The labels that two parts have left when they are multiplied.
  OpenLabels multiplied(const OpenLabels &left, const OpenLabels &right) const {
    OpenLabels open;
    merge(left, right, [&](OpenLabel both) {
      if (both.factors < holders[both.label])
        open.push_back(both);
    });
    return open;
  }
  /// The multiplications of that, and the elements that are left.
  std::pair<double, double> costOf(const OpenLabels &left, const OpenLabels &right) const {
    double operations = 1, elements = 1;
    merge(left, right, [&](OpenLabel both) {
      operations *= product.extents[both.label];
      if (both.factors < holders[both.label])
        elements *= product.extents[both.label];
    });
    return {operations, elements};
  }
  double sizeOf(const OpenLabels &open) const {
    double size = 1;
    for (OpenLabel one : open)
      size *= product.extents[one.label];
    return size;
  }

  const LabeledProduct &product;
  std::vector<unsigned> holders;

private:
  template <class Visit>
  static void merge(const OpenLabels &left, const OpenLabels &right, Visit visit) {
    auto x = left.begin(), y = right.begin();
    while (x != left.end() || y != right.end())
      if (y == right.end() || (x != left.end() && x->label < y->label))
        visit(*x++);
      else if (x == left.end() || y->label < x->label)
        visit(*y++);
      else {
        visit({x->label, x->factors + y->factors});
        ++x, ++y;
      }
  }
};

/// A tree of products of two. The factors come first, then products, operands before what uses
/// them; the last one is the whole.
struct PairTree {
  struct Pair {
    int left = -1, right = -1; ///< none of a factor
    OpenLabels open;
    double operations = 0;
  };
  std::vector<Pair> nodes;

  /// Returns the product of two nodes.
  Pair multiplied(const Network &network, int left, int right) const {
    const OpenLabels &x = nodes[left].open, &y = nodes[right].open;
    return {left, right, network.multiplied(x, y), network.costOf(x, y).first};
  }
};

/// Multiplies what makes little of much, one pair after the other.
class Greedy {
public:
  /// How much two operands that are no more count against their product, and how much luck.
  struct Choice {
    double weight = 1, luck = 0;
  };

  Greedy(const Network &network, Choice choice, unsigned seed)
      : network(network), choice(choice), random(seed), holding(network.holders.size()) {}

  double operations() const { return used; }
  /// Returns nothing if the order takes `most` operations, if that is given.
  std::optional<PairTree> run(std::optional<double> most) {
    const auto factors = static_cast<unsigned>(network.product.factors.size());
    for (unsigned factor = 0; factor < factors; ++factor)
      add({-1, -1, network.ofFactor(factor), 0});
    for (const std::vector<int> &together : holding)
      for (size_t x = 0; x < together.size(); ++x)
        for (size_t y = x + 1; y < std::min(together.size(), x + mostOffered); ++y)
          offer(together[x], together[y]);
    while (!offers.empty()) {
      Offer best = offers.top();
      offers.pop();
      if (alive[best.left] && alive[best.right])
        multiply(best.left, best.right);
      if (most && used >= *most)
        return std::nullopt;
    }
    multiplyRest();
    return most && used >= *most ? std::nullopt : std::optional(std::move(tree));
  }

private:
  /// Of factors that all have one label no more are tried with each other.
  static constexpr size_t mostOffered = 64;

  struct Offer {
    double score;
    int left, right;
    bool operator<(const Offer &other) const {
      return std::tie(other.score, other.left, other.right) < std::tie(score, left, right);
    }
  };

  int add(PairTree::Pair node) {
    int number = static_cast<int>(tree.nodes.size());
    for (OpenLabel one : node.open)
      holding[one.label].push_back(number);
    sizes.push_back(network.sizeOf(node.open));
    tree.nodes.push_back(std::move(node));
    alive.push_back(true);
    return number;
  }

  void offer(int left, int right) {
    const double elements = network.costOf(tree.nodes[left].open, tree.nodes[right].open).second;
    const double gain = elements - choice.weight * (sizes[left] + sizes[right]);
    double score = std::copysign(std::log2(1 + std::abs(gain)), gain);
    if (choice.luck > 0) { // as if drawn with probabilities that fall with the score
      const double drawn = (double(random()) + 1) / 4294967297.0;
      score += choice.luck * std::log(-std::log(drawn));
    }
    offers.push({score, left, right});
  }

  void multiply(int left, int right) {
    PairTree::Pair made = tree.multiplied(network, left, right);
    used += made.operations;
    for (int gone : {left, right}) {
      alive[gone] = false;
      for (OpenLabel one : tree.nodes[gone].open)
        llvm::erase(holding[one.label], gone);
    }
    llvm::SmallVector<int, 16> neighbours;
    for (OpenLabel one : made.open)
      llvm::append_range(neighbours, holding[one.label]);
    llvm::sort(neighbours);
    neighbours.erase(llvm::unique(neighbours), neighbours.end());
    if (neighbours.size() > mostOffered)
      neighbours.truncate(mostOffered);
    int number = add(std::move(made));
    for (int neighbour : neighbours)
      offer(neighbour, number);
  }

  // Multiplies parts that have no label in common, the smallest first.
  void multiplyRest() {
    auto larger = [&](int left, int right) {
      return std::pair(sizes[left], left) > std::pair(sizes[right], right);
    };
    std::vector<int> left;
    for (int node = 0; node < static_cast<int>(tree.nodes.size()); ++node)
      if (alive[node])
        left.push_back(node);
    std::make_heap(left.begin(), left.end(), larger);
    auto take = [&] {
      std::pop_heap(left.begin(), left.end(), larger);
      int taken = left.back();
      left.pop_back();
      return taken;
    };
    while (left.size() > 1) {
      int first = take(), second = take();
      multiply(first, second);
      left.push_back(static_cast<int>(tree.nodes.size()) - 1);
      std::push_heap(left.begin(), left.end(), larger);
    }
  }

  const Network &network;
  Choice choice;
  std::mt19937 random;                   // whose numbers the standard defines
  std::vector<std::vector<int>> holding; ///< by label: what there is that has it
  std::vector<bool> alive;
  std::vector<double> sizes;
  std::priority_queue<Offer> offers;
  PairTree tree;
  double used = 0; ///< operations
};

/// Puts parts of a tree, of a few operands each, in their best order.
class Improvement {
public:
  Improvement(const Network &network, PairTree &tree) : network(network), tree(tree) {}

  /// Goes over all products once; tells whether any got a better order.
  bool run(unsigned operands) {
    bool better = false;
    for (int root = 0; root < static_cast<int>(tree.nodes.size()); ++root)
      if (tree.nodes[root].left >= 0)
        better |= improve(root, operands);
    return better;
  }

private:
  /// The labels that the same operands have, and that are alike outside of them, as one.
  struct Group {
    unsigned having; ///< a bit for each operand
    bool outside;    ///< others have it, too
    double extent;
  };

  // The operands below a product, the largest products opened first, and the products opened.
  void open(int root, unsigned most) {
    leaves = {tree.nodes[root].left, tree.nodes[root].right};
    inner = {root};
    while (leaves.size() < most) {
      int widest = -1;
      for (size_t at = 0; at < leaves.size(); ++at)
        if (tree.nodes[leaves[at]].left >= 0 &&
            (widest < 0 ||
             tree.nodes[leaves[at]].operations > tree.nodes[leaves[widest]].operations))
          widest = static_cast<int>(at);
      if (widest < 0)
        return;
      int opened = leaves[widest];
      inner.push_back(opened);
      leaves[widest] = tree.nodes[opened].left;
      leaves.push_back(tree.nodes[opened].right);
    }
  }

  // The groups of the labels of the leaves; false if there are too many.
  bool findGroups() {
    std::unordered_map<unsigned, std::pair<unsigned, unsigned>> labels; // leaves, factors
    for (size_t leaf = 0; leaf < leaves.size(); ++leaf)
      for (OpenLabel one : tree.nodes[leaves[leaf]].open) {
        auto &[having, factors] = labels[one.label];
        having |= 1u << leaf;
        factors += one.factors;
      }
    std::unordered_map<unsigned, double> extents; // by having * 2 + outside
    for (const auto &[label, found] : labels) {
      unsigned key = found.first * 2 + (found.second < network.holders[label] ? 1 : 0);
      extents.try_emplace(key, 1).first->second *= network.product.extents[label];
    }
    groups.clear();
    for (const auto &[key, extent] : extents)
      groups.push_back({key / 2, key % 2 == 1, extent});
    llvm::sort(groups, [](const Group &x, const Group &y) {
      return std::pair(x.having, x.outside) < std::pair(y.having, y.outside);
    });
    return groups.size() <= 64;
  }

  double sizeOf(uint64_t set) const {
    double size = 1;
    for (; set; set &= set - 1)
      size *= groups[llvm::countr_zero(set)].extent;
    return size;
  }

  // The least operations for each set of leaves.
  void search() {
    const size_t sets = size_t(1) << leaves.size();
    visible.assign(sets, 0);
    least.assign(sets, std::numeric_limits<double>::infinity());
    parts.assign(sets, 0);
    for (size_t set = 1; set < sets; ++set) {
      for (auto [number, group] : llvm::enumerate(groups))
        if ((group.having & set) && (group.outside || (group.having & ~set)))
          visible[set] |= uint64_t(1) << number;
      size_t rest = set & (set - 1);
      if (!rest)
        least[set] = 0;
      for (size_t right = rest; right != 0; right = (right - 1) & rest) {
        const size_t left = set ^ right;
        const double before = least[left] + least[right];
        if (before >= least[set])
          continue;
        const double operations = before + sizeOf(visible[left] | visible[right]);
        if (operations < least[set]) {
          least[set] = operations;
          parts[set] = left;
        }
      }
    }
  }

  bool improve(int root, unsigned most) {
    open(root, most);
    if (leaves.size() < 3 || !findGroups())
      return false;
    double now = 0;
    for (int node : inner)
      now += tree.nodes[node].operations;
    search();
    constexpr double gain = 1 - 1e-6;
    if (least.back() >= now * gain)
      return false;
    // The same numbers are used again; the root keeps its own.
    free.assign(inner.rbegin(), inner.rend());
    free.pop_back();
    rebuild(least.size() - 1, root);
    return true;
  }

  int rebuild(size_t set, int into) {
    if (!(set & (set - 1)))
      return leaves[llvm::countr_zero(set)];
    auto take = [&](size_t part) {
      if (!(part & (part - 1)))
        return -1;
      int taken = free.back();
      free.pop_back();
      return taken;
    };
    const size_t left = parts[set], right = set ^ left;
    int own = take(left), other = take(right);
    int x = rebuild(left, own), y = rebuild(right, other);
    tree.nodes[into] = tree.multiplied(network, x, y);
    return into;
  }

  const Network &network;
  PairTree &tree;
  std::vector<int> leaves, inner, free;
  std::vector<Group> groups;
  std::vector<uint64_t> visible;
  std::vector<double> least;
  std::vector<size_t> parts;
};

/// The tree as an order: operands first, and sums of what one factor alone has.
class Listing {
public:
  Listing(const Network &network, const PairTree &tree) : network(network), tree(tree) {}

  ProductOrder run() {
    add(static_cast<int>(tree.nodes.size()) - 1);
    return std::move(order);
  }

private:
  static LabelSet labelsOf(const OpenLabels &open) {
    LabelSet labels;
    for (OpenLabel one : open)
      labels.insert(one.label);
    return labels;
  }

  int addFactor(unsigned factor, const LabelSet &kept) {
    const LabelSet &own = network.product.factors[factor];
    int node = order.add({{}, factor, own}, 0);
    return kept == own ? node : order.add({{node}, 0, kept}, network.product.sizeOf(own));
  }

  // Not by recursion: a chain may be as deep as there are factors.
  void add(int root) {
    std::vector<int> numbers(tree.nodes.size(), -1);
    std::vector<int> stack{root};
    while (!stack.empty()) {
      int at = stack.back();
      const PairTree::Pair &node = tree.nodes[at];
      bool ready = true;
      if (node.left >= 0)
        for (int operand : {node.right, node.left})
          if (numbers[operand] < 0) {
            stack.push_back(operand);
            ready = false;
          }
      if (!ready)
        continue;
      stack.pop_back();
      if (numbers[at] >= 0)
        continue;
      numbers[at] =
          node.left < 0
              ? addFactor(static_cast<unsigned>(at), labelsOf(node.open))
              : order.add({{numbers[node.left], numbers[node.right]}, 0, labelsOf(node.open)},
                          node.operations);
    }
  }

  const Network &network;
  const PairTree &tree;
  ProductOrder order;
};

} // namespace

ProductOrder orderOfNetwork(const LabeledProduct &product) {
  const Network network(product);
  const size_t factors = product.factors.size();
  const size_t trials = std::clamp<size_t>(16000 / factors, 8, 192);
  PairTree best;
  std::optional<double> least;
  std::mt19937 random(1);
  auto drawn = [&](double from, double to) { // numbers whose logarithms are alike
    return from * std::pow(to / from, double(random()) / 4294967296.0);
  };
  for (size_t trial = 0; trial < trials; ++trial) {
    constexpr double weights[] = {1, 2, 4, 0.5}; // first without luck
    Greedy::Choice choice{weights[trial % 4], 0};
    if (trial >= 4)
      choice = {drawn(0.25, 4), drawn(0.001, 1)};
    Greedy greedy(network, choice, unsigned(trial));
    if (std::optional<PairTree> tree = greedy.run(least)) {
      least = greedy.operations();
      best = std::move(*tree);
    }
  }
  const unsigned operands = factors <= 200 ? 10 : 8;
  Improvement improvement(network, best);
  constexpr unsigned rounds = 8;
  for (unsigned round = 0; round < rounds && improvement.run(operands); ++round)
    continue;
  return Listing(network, best).run();
}

} // namespace strata
