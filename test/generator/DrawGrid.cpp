// Draws a place for each axis of a machine and each tensor.
#include "DrawGrid.h"

#include "Random.h"

#include <algorithm>
#include <cmath>

namespace strata::test {
namespace {

class GridDrawer {
public:
  GridDrawer(Case &c, Random &random) : c(c), random(random) {}

  void draw() {
    for (size_t axes = random.weighted({0, 75, 25}); axes > 0; --axes)
      c.cells.push_back(random.between(1, 5));
    for (Operand &operand : c.tensors)
      if (!operand.points && random.chance(75))
        operand.places = places(unsigned(operand.data.sizes.size()), operand.format);
    if (random.chance(70))
      c.resultPlaces = places(unsigned(c.out.size()), c.resultFormat);
    if (c.init)
      c.tensors[*c.init].places = c.resultPlaces;
    if (!c.schedule && random.chance(35))
      c.schedule = commands();
    c.staticSizes |= random.chance(90); // that labels take all coordinates is seen there
  }

private:
  // A dimension is cut by one axis at most; of what is stored in several parts, entries cannot be
  // counted off.
  std::string places(unsigned order, const NamedFormat &format) {
    if (order == 0)
      return "";
    std::vector<unsigned> free;
    for (unsigned dim = 0; dim < order; ++dim)
      free.push_back(dim);
    bool byEntries = format.text.starts_with("#ta.sum");
    std::string text;
    for (int64_t size : c.cells) {
      text += text.empty() ? "" : ", ";
      size_t kind =
          random.weighted({free.empty() ? 0 : 45, free.empty() || byEntries ? 0 : 35, 12, 8});
      if (kind < 2) {
        text += kind == 0 ? "share(" : "entries(";
        byEntries |= kind == 1;
        random.shuffle(free);
        int64_t count = random.chance(60) ? 1 : random.between(1, int64_t(free.size()));
        if (kind == 1 && random.chance(50))
          count = int64_t(free.size());
        for (; count > 0; --count) {
          text += std::to_string(free.back()) + (count > 1 ? ", " : ")");
          free.pop_back();
        }
        continue;
      }
      text += kind == 2 ? "all" : "at(" + std::to_string(random.below(size)) + ")";
    }
    return "[" + text + "]";
  }

  // Cells take parts of a label, or of the entries of an operand.
  std::vector<std::string> commands() {
    std::vector<std::string> names, summed, coordinates;
    for (unsigned variable : c.left)
      names.push_back(c.variables[variable].name);
    std::vector<const Expression *> accesses;
    forEach(c.value, [&](const Expression &e) {
      for (unsigned variable : e.reduced)
        summed.push_back(c.variables[variable].name);
      if (e.kind == Expression::Kind::access && !c.tensors[e.tensor].points && !e.place.empty())
        accesses.push_back(&e);
    });
    for (const std::string &label : summed)
      if (std::ranges::any_of(accesses, [&](const Expression *e) { return hasLabel(*e, label); }))
        coordinates.push_back(label);
    if (!names.empty() && !summed.empty() && !accesses.empty() && random.chance(40)) {
      const std::string label = random.pick(names), sum = random.pick(summed);
      const Expression &access = *random.pick(accesses);
      // Of a label that is nobody's coordinate, rounds would have nothing to bring.
      if (std::ranges::find(coordinates, sum) != coordinates.end())
        return roundsOf(label, sum, access);
    }
    if (!accesses.empty() && random.chance(50))
      return cutOf(*random.pick(accesses));
    names.insert(names.end(), summed.begin(), summed.end());
    if (names.empty())
      return {};
    return {"divide(" + random.pick(names) + ", cells, inner, \"M.x0\")", "distribute(cells)"};
  }

  bool hasLabel(const Expression &access, const std::string &label) const {
    return std::ranges::any_of(access.place, [&](const Position &position) {
      std::optional<unsigned> variable = position.plain();
      return variable && c.variables[*variable].name == label;
    });
  }

  // Cells have parts of one label, and in each round a chunk of a sum's.
  std::vector<std::string> roundsOf(const std::string &label, const std::string &sum,
                                    const Expression &access) {
    std::vector<std::string> result = {"divide(" + label + ", cells, inner, \"M.x0\")"};
    const std::string parts = "(" + sum + ", chunks, chunk, ";
    if (random.chance(50))
      result.push_back("split" + parts + std::to_string(random.between(1, 6)) + ")");
    else
      result.push_back("divide" + parts +
                       (random.chance(50) ? "\"M.x0\"" : std::to_string(random.between(1, 5))) +
                       ")");
    if (random.chance(40))
      result.push_back("rotate(chunks, cells, turned)");
    result.push_back("distribute(cells)");
    const bool isRotated = result[2].starts_with("rotate");
    result.push_back("communicate(" + c.tensors[access.tensor].name + ", " +
                     (isRotated ? "turned" : "chunks") + ")");
    return result;
  }

  std::vector<std::string> cutOf(const Expression &access) {
    std::vector<std::string> labels, result;
    for (const Position &position : access.place)
      if (std::optional<unsigned> variable = position.plain())
        labels.push_back(c.variables[*variable].name);
    if (labels.empty())
      return {};
    labels.resize(size_t(random.between(1, int64_t(labels.size()))));
    std::string all = labels.front();
    for (size_t at = 1; at < labels.size(); ++at) {
      std::string fused = "f" + std::to_string(at);
      result.push_back("fuse(" + all + ", " + labels[at] + ", " + fused + ")");
      all = fused;
    }
    result.push_back("pos(" + all + ", entries, " + c.tensors[access.tensor].name + ")");
    result.push_back("divide(entries, cells, inner, \"M.x0\")");
    result.push_back("distribute(cells)");
    return result;
  }

  Case &c;
  Random &random;
};

// Tells whether a scalar that is a sum without terms may meet what is infinite, or a zero that
// divides it. In cells it is computed first, and is a zero then.
bool annihilatesByScalar(const Case &c) {
  bool unbounded = false, scalar = false;
  auto isFinite = [](std::complex<double> value) {
    return std::isfinite(value.real()) && std::isfinite(value.imag());
  };
  for (const Operand &operand : c.tensors)
    for (const Entry &entry : operand.data.entries)
      unbounded |= !isFinite(entry.value);
  forEach(c.value, [&](const Expression &e) {
    unbounded |= e.op == "/" || !isFinite(e.value);
    scalar |= e.kind == Expression::Kind::reduction && &e != &c.value && freeVariables(e).empty();
  });
  return unbounded && scalar;
}

} // namespace

void drawGrid(Case &c, uint64_t seed) {
  if (annihilatesByScalar(c))
    return;
  Random random(seed ^ 0x6772696473ull);
  GridDrawer(c, random).draw();
}

} // namespace strata::test
