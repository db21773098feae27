// Greedy: of all cases that are one step simpler the first that still fails, again and again.
#include "Shrink.h"

namespace strata::test {

namespace {

class Shrinker {
public:
  Shrinker(Case failing, const std::function<bool(const Case &)> &fails, int tries)
      : best(std::move(failing)), fails(fails), tries(tries) {}

  Case run() {
    while (tries > 0 &&
           (fewerCommands() || fewerStatements() || simplerExpression() || fewerVariables() ||
            smallerExtents() || simplerResult() || simplerMask() || fewerPieces() || fewerFills() ||
            simplerFormats() || simplerPlaces() || fewerEntries() || plainerValues()))
      ;
    return std::move(best);
  }

private:
  bool accept(Case candidate);
  bool fewerCommands();
  bool fewerStatements();
  bool simplerExpression();
  bool fewerVariables();
  bool smallerExtents();
  bool simplerResult();
  bool simplerMask();
  bool fewerPieces();
  bool simplerFormats();
  bool fewerFills();
  bool simplerPlaces();
  bool fewerEntries();
  bool plainerValues();
  bool dropEntries(unsigned tensor, size_t from, size_t count);

  Case best;
  const std::function<bool(const Case &)> &fails;
  int tries;
};

} // namespace

static bool uses(const Expression &expression, unsigned variable) {
  bool found = false;
  forEach(expression, [&](const Expression &e) {
    for (const Position &position : e.place)
      for (const Position::Term &term : position.terms)
        found |= term.variable == variable;
  });
  return found;
}

// The language has no sums of what does not depend on their labels.
static bool isInLanguage(const Case &c) {
  bool allUsed = true;
  forEach(c.value, [&](const Expression &e) {
    for (unsigned variable : e.reduced)
      allUsed &= uses(e.operands.front(), variable);
  });
  return allUsed;
}

bool Shrinker::accept(Case candidate) {
  if (tries <= 0)
    return false;
  --tries;
  candidate.dropUnused();
  candidate.fitSizes();
  if (!isInLanguage(candidate) || !fails(candidate))
    return false;
  best = std::move(candidate);
  return true;
}

//===------------------------------------------------------------------------------------------===//
// Expressions
//===------------------------------------------------------------------------------------------===//

static Expression *nodeAt(Expression &expression, unsigned wanted) {
  unsigned at = 0;
  Expression *found = nullptr;
  forEach(expression, [&](Expression &e) {
    if (at++ == wanted)
      found = &e;
  });
  return found;
}

static unsigned countNodes(const Expression &expression) {
  unsigned count = 0;
  forEach(expression, [&](const Expression &) { ++count; });
  return count;
}

// A part that is computed first is not.
bool Shrinker::fewerStatements() {
  for (unsigned at = 0; at < countNodes(best.value); ++at) {
    if (!nodeAt(best.value, at)->stored)
      continue;
    Case candidate = best;
    nodeAt(candidate.value, at)->stored.reset();
    if (accept(std::move(candidate)))
      return true;
  }
  return false;
}

// Puts an operand in the place of the operation, or a constant.
bool Shrinker::simplerExpression() {
  for (unsigned at = 0; at < countNodes(best.value); ++at) {
    const Expression &node = *nodeAt(best.value, at);
    for (unsigned operand = 0; operand < node.operands.size(); ++operand) {
      bool free = false;
      for (unsigned variable : node.reduced)
        free |= uses(node.operands[operand], variable);
      if (free)
        continue;
      Case candidate = best;
      Expression child = node.operands[operand];
      *nodeAt(candidate.value, at) = std::move(child);
      if (accept(std::move(candidate)))
        return true;
    }
    if (node.kind == Expression::Kind::constant)
      continue;
    Case candidate = best;
    *nodeAt(candidate.value, at) = Expression();
    if (accept(std::move(candidate)))
      return true;
    if (node.kind == Expression::Kind::reduction && node.op != "add") {
      candidate = best;
      nodeAt(candidate.value, at)->op = "add";
      if (accept(std::move(candidate)))
        return true;
    }
  }
  return false;
}

//===------------------------------------------------------------------------------------------===//
// Variables and extents
//===------------------------------------------------------------------------------------------===//

// Dense, or the simplest sparse format of an order.
static NamedFormat simplest(unsigned order, bool dense) {
  static const char *sparse[] = {
      "", "#ta.format<(i) -> (i : compressed)>",
      "#ta.format<(i, j) -> (i : dense, j : compressed)>",
      "#ta.format<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>",
      ("#ta.format<(i, j, k, l) -> "
       "(i : compressed, j : compressed, k : compressed, l : compressed)>")};
  if (dense || order == 0 || order > 4)
    return {"Dense", ""};
  return {order == 1 ? "SparseVector" : order == 2 ? "CSR" : "CSF", sparse[order]};
}

static void fix(std::vector<Position> &place, unsigned variable) {
  for (Position &position : place)
    std::erase_if(position.terms,
                  [&](const Position::Term &term) { return term.variable == variable; });
}

// Drops dimension `d` of an operand: keeps the entries at `at`.
static void dropDimension(Case &c, unsigned tensor, size_t d, int64_t at) {
  Operand &operand = c.tensors[tensor];
  std::erase_if(operand.data.entries, [&](const Entry &entry) { return entry.at[d] != at; });
  auto offset = static_cast<long>(d);
  for (Entry &entry : operand.data.entries)
    entry.at.erase(entry.at.begin() + offset);
  operand.data.sizes.erase(operand.data.sizes.begin() + offset);
  operand.slack.erase(operand.slack.begin() + offset);
  operand.places.clear();
  bool dense = operand.format.text.empty();
  operand.format = simplest(static_cast<unsigned>(operand.data.sizes.size()), dense);
  forEach(c.value, [&](Expression &e) {
    if (e.kind == Expression::Kind::access && e.tensor == tensor)
      e.place.erase(e.place.begin() + offset);
  });
  if (c.mask && c.mask->tensor == tensor)
    c.mask->place.erase(c.mask->place.begin() + offset);
}

// Dimensions that every access holds at one coordinate.
static void dropFixedDimensions(Case &c) {
  for (unsigned tensor = 0; tensor < c.tensors.size(); ++tensor)
    for (size_t d = c.tensors[tensor].data.sizes.size(); d-- > 0;) {
      std::optional<int64_t> at;
      bool fixed = true;
      auto read = [&](unsigned other, const std::vector<Position> &place) {
        if (other != tensor)
          return;
        fixed &= place[d].terms.empty() && (!at || *at == place[d].offset);
        at = place[d].offset;
      };
      forEach(c.value, [&](const Expression &e) {
        if (e.kind == Expression::Kind::access)
          read(e.tensor, e.place);
      });
      if (c.mask)
        read(c.mask->tensor, c.mask->place);
      if (fixed && at && c.init != tensor)
        dropDimension(c, tensor, d, *at);
    }
}

static void dropResultDimensions(Case &c) {
  for (size_t d = c.out.size(); d-- > 0;) {
    if (!c.out[d].terms.empty())
      continue;
    auto offset = static_cast<long>(d);
    int64_t at = c.out[d].offset;
    bool dense = c.resultFormat.text.empty();
    c.out.erase(c.out.begin() + offset);
    c.resultSlack.erase(c.resultSlack.begin() + offset);
    c.resultPlaces.clear();
    c.resultFormat = simplest(static_cast<unsigned>(c.out.size()), dense);
    if (!c.init)
      continue;
    dropDimension(c, *c.init, d, at);
    c.tensors[*c.init].format = c.resultFormat;
  }
}

// Removes variable `v`: it is 0 wherever it was used.
static Case without(Case c, unsigned variable) {
  std::erase(c.left, variable);
  fix(c.out, variable);
  if (c.mask)
    fix(c.mask->place, variable);
  forEach(c.value, [&](Expression &e) {
    fix(e.place, variable);
    std::erase(e.reduced, variable);
  });
  // A reduction over nothing is its body.
  for (bool again = true; again;) {
    again = false;
    forEach(c.value, [&](Expression &e) {
      if (again || e.kind != Expression::Kind::reduction || !e.reduced.empty())
        return;
      Expression body = std::move(e.operands[0]);
      e = std::move(body);
      again = true;
    });
  }
  dropFixedDimensions(c);
  dropResultDimensions(c);
  return c;
}

static bool isBound(const Case &c, unsigned variable) {
  bool found = std::ranges::find(c.left, variable) != c.left.end();
  forEach(c.value, [&](const Expression &e) {
    found |= std::ranges::find(e.reduced, variable) != e.reduced.end();
  });
  return found;
}

bool Shrinker::fewerVariables() {
  for (unsigned variable = 0; variable < best.variables.size(); ++variable)
    if (isBound(best, variable) && accept(without(best, variable)))
      return true;
  return false;
}

bool Shrinker::smallerExtents() {
  for (unsigned variable = 0; variable < best.variables.size(); ++variable) {
    int64_t extent = best.variables[variable].extent;
    if (!isBound(best, variable))
      continue;
    for (int64_t smaller : {int64_t(0), int64_t(1), extent / 2, extent - 1}) {
      if (smaller >= extent || smaller < 0)
        continue;
      Case candidate = best;
      candidate.variables[variable].extent = smaller;
      if (accept(std::move(candidate)))
        return true;
    }
  }
  return false;
}

//===------------------------------------------------------------------------------------------===//
// Results, formats, places
//===------------------------------------------------------------------------------------------===//

bool Shrinker::simplerResult() {
  if (best.init) {
    Case candidate = best;
    if (candidate.mask && candidate.mask->tensor == *candidate.init)
      candidate.mask.reset();
    candidate.init.reset();
    candidate.combine.clear();
    candidate.joins = false;
    if (accept(std::move(candidate)))
      return true;
  }
  if (!best.combine.empty() && best.combine != "add") {
    Case candidate = best;
    candidate.combine = "add";
    if (accept(std::move(candidate)))
      return true;
  }
  for (size_t d = 0; d < best.resultSlack.size(); ++d) {
    if (best.resultSlack[d] == 0)
      continue;
    Case candidate = best;
    candidate.resultSlack[d] = 0;
    if (accept(std::move(candidate)))
      return true;
  }
  if (!best.file.empty()) {
    Case candidate = best;
    candidate.file.clear();
    if (accept(std::move(candidate)))
      return true;
  }
  if (best.phases) {
    Case candidate = best;
    candidate.phases = false;
    if (accept(std::move(candidate)))
      return true;
  }
  if (best.staticSizes) {
    Case candidate = best;
    candidate.staticSizes = false;
    if (accept(std::move(candidate)))
      return true;
  }
  if (best.type != STRATA_F64) {
    Case candidate = best;
    candidate.type = STRATA_F64;
    for (Operand &operand : candidate.tensors) {
      if (operand.points)
        continue;
      operand.data.type = STRATA_F64;
      for (Entry &entry : operand.data.entries)
        entry.value = entry.value.real();
    }
    return accept(std::move(candidate));
  }
  return false;
}

bool Shrinker::fewerCommands() {
  for (size_t at = 0; best.schedule && at < best.schedule->size(); ++at) {
    Case candidate = best;
    candidate.schedule->erase(candidate.schedule->begin() + static_cast<long>(at));
    if (accept(std::move(candidate)))
      return true;
  }
  return false;
}

// Whole tensors, and fewer cells.
bool Shrinker::fewerPieces() {
  auto tryWith = [&](auto change) {
    Case candidate = best;
    change(candidate);
    return accept(std::move(candidate));
  };
  if (!best.cells.empty() && tryWith([](Case &c) { c = withoutCells(std::move(c)); }))
    return true;
  for (size_t at = 0; at < best.tensors.size(); ++at)
    if (!best.tensors[at].places.empty() && best.init != at &&
        tryWith([&](Case &c) { c.tensors[at].places.clear(); }))
      return true;
  if (!best.resultPlaces.empty() && tryWith([](Case &c) {
        c.resultPlaces.clear();
        if (c.init)
          c.tensors[*c.init].places.clear();
      }))
    return true;
  for (size_t axis = 0; axis < best.cells.size(); ++axis)
    if (best.cells[axis] > 1 && tryWith([&](Case &c) { --c.cells[axis]; }))
      return true;
  return false;
}

bool Shrinker::simplerMask() {
  auto tryWithout = [&](auto change) {
    Case candidate = best;
    change(candidate);
    return accept(std::move(candidate));
  };
  if (best.joins && tryWithout([](Case &c) { c.joins = false; }))
    return true;
  if (best.empties && tryWithout([](Case &c) { c.empties = false; }))
    return true;
  if (best.empties && best.emptied != 0.0 && tryWithout([](Case &c) { c.emptied = 0; }))
    return true;
  if (!best.mask)
    return false;
  if (tryWithout([](Case &c) { c.mask.reset(); }))
    return true;
  for (bool CaseMask::*flag :
       {&CaseMask::complement, &CaseMask::structural, &CaseMask::replace, &CaseMask::pull})
    if ((*best.mask).*flag && tryWithout([&](Case &c) { (*c.mask).*flag = false; }))
      return true;
  return false;
}

bool Shrinker::fewerFills() {
  for (unsigned at = 0; at <= best.tensors.size(); ++at) {
    bool result = at == best.tensors.size();
    if (result ? !best.resultFill : best.init == at || !best.tensors[at].fill)
      continue;
    Case candidate = best;
    (result ? candidate.resultFill : candidate.tensors[at].fill).reset();
    if (result && candidate.init)
      candidate.tensors[*candidate.init].fill.reset();
    if (accept(std::move(candidate)))
      return true;
  }
  return false;
}

// The simpler formats that a tensor in `format` may have instead, the simplest first.
static std::vector<NamedFormat> simplerFormatsOf(const NamedFormat &format, unsigned order) {
  std::vector<NamedFormat> simpler;
  if (format.text.empty())
    return simpler;
  std::vector<NamedFormat> all = {simplest(order, true), simplest(order, false)};
  for (NamedFormat &named : allFormats(order))
    all.push_back(std::move(named));
  for (NamedFormat &candidate : all) {
    if (candidate.text == format.text)
      break;
    simpler.push_back(std::move(candidate));
  }
  return simpler;
}

bool Shrinker::simplerFormats() {
  for (unsigned at = 0; at <= best.tensors.size(); ++at) {
    bool result = at == best.tensors.size();
    if (!result && best.init == at)
      continue;
    const NamedFormat &format = result ? best.resultFormat : best.tensors[at].format;
    size_t order = result ? best.out.size() : best.tensors[at].data.sizes.size();
    for (NamedFormat &simpler : simplerFormatsOf(format, static_cast<unsigned>(order))) {
      Case candidate = best;
      (result ? candidate.resultFormat : candidate.tensors[at].format) = simpler;
      if (result && candidate.init)
        candidate.tensors[*candidate.init].format = simpler;
      if (accept(std::move(candidate)))
        return true;
    }
  }
  return false;
}

bool Shrinker::simplerPlaces() {
  auto simplify = [&](auto placeOf) {
    for (size_t d = 0; d < placeOf(best).size(); ++d) {
      const Position &position = placeOf(best)[d];
      if (position.plain() || position.terms.empty())
        continue;
      Case candidate = best;
      placeOf(candidate)[d] = Position::of(position.terms[0].variable);
      if (accept(std::move(candidate)))
        return true;
    }
    return false;
  };
  if (simplify([](Case &c) -> std::vector<Position> & { return c.out; }))
    return true;
  if (best.mask && simplify([](Case &c) -> std::vector<Position> & { return c.mask->place; }))
    return true;
  for (unsigned at = 0; at < countNodes(best.value); ++at)
    if (simplify([at](Case &c) -> std::vector<Position> & { return nodeAt(c.value, at)->place; }))
      return true;
  for (unsigned tensor = 0; tensor < best.tensors.size(); ++tensor)
    for (size_t d = 0; d < best.tensors[tensor].slack.size(); ++d) {
      if (best.tensors[tensor].slack[d] == 0)
        continue;
      Case candidate = best;
      candidate.tensors[tensor].slack[d] = 0;
      if (accept(std::move(candidate)))
        return true;
    }
  return false;
}

//===------------------------------------------------------------------------------------------===//
// Entries
//===------------------------------------------------------------------------------------------===//

bool Shrinker::dropEntries(unsigned tensor, size_t from, size_t count) {
  Case candidate = best;
  std::vector<Entry> &entries = candidate.tensors[tensor].data.entries;
  auto begin = entries.begin() + static_cast<long>(from);
  entries.erase(begin, begin + static_cast<long>(std::min(count, entries.size() - from)));
  return accept(std::move(candidate));
}

bool Shrinker::fewerEntries() {
  for (unsigned tensor = 0; tensor < best.tensors.size(); ++tensor)
    for (size_t chunk = best.tensors[tensor].data.entries.size(); chunk > 0; chunk /= 2)
      for (size_t from = 0; from < best.tensors[tensor].data.entries.size(); from += chunk)
        if (dropEntries(tensor, from, chunk))
          return true;
  return false;
}

bool Shrinker::plainerValues() {
  for (unsigned tensor = 0; tensor < best.tensors.size(); ++tensor) {
    Case candidate = best;
    bool changed = false;
    double next = 1;
    for (Entry &entry : candidate.tensors[tensor].data.entries) {
      changed |= entry.value != next;
      entry.value = next++;
    }
    if (changed && accept(std::move(candidate)))
      return true;
  }
  return false;
}

Case shrink(Case failing, const std::function<bool(const Case &)> &fails, int tries) {
  return Shrinker(std::move(failing), fails, tries).run();
}

} // namespace strata::test
