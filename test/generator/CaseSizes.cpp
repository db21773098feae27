// Operands as large as their accesses need.
#include "Case.h"

namespace strata::test {

int64_t sizeOf(const Position &position, const std::vector<IndexVariable> &variables) {
  if (std::optional<unsigned> variable = position.plain())
    return variables[*variable].extent;
  int64_t greatest = position.offset;
  for (const Position::Term &term : position.terms)
    if (term.factor > 0)
      greatest += term.factor * std::max<int64_t>(variables[term.variable].extent - 1, 0);
  greatest /= position.divisor;
  return (position.modulus ? std::min(greatest, position.modulus - 1) : greatest) + 1;
}

std::vector<int64_t> Case::resultSizes() const {
  std::vector<int64_t> sizes;
  for (size_t d = 0; d < out.size(); ++d)
    sizes.push_back(sizeOf(out[d], variables) + resultSlack[d]);
  return sizes;
}

// What is looked up are coordinates.
static void fitPointers(Operand &operand) {
  operand.length = operand.data.sizes.back();
  operand.data.sizes.pop_back();
  auto last = static_cast<double>(operand.length - 1);
  for (Entry &entry : operand.data.entries)
    entry.value = std::max(0.0, std::min(entry.value.real(), last));
}

void Case::fitResult(const Expression &access) {
  for (size_t d = 0; d < out.size(); ++d) {
    int64_t missing = sizeOf(access.place[d], variables) - sizeOf(out[d], variables);
    resultSlack[d] = std::max(resultSlack[d], missing);
  }
}

void Case::fitSizes() {
  std::vector<std::vector<int64_t>> sizes(tensors.size());
  auto read = [&](unsigned tensor, const std::vector<Position> &place) {
    std::vector<int64_t> &needed = sizes[tensor];
    needed.resize(place.size());
    for (size_t d = 0; d < place.size(); ++d)
      needed[d] = std::max(needed[d], sizeOf(place[d], variables) + tensors[tensor].slack[d]);
  };
  forEach(value, [&](const Expression &e) {
    if (e.kind == Expression::Kind::access)
      init == e.tensor ? fitResult(e) : read(e.tensor, e.place);
  });
  if (mask && init != mask->tensor)
    read(mask->tensor, mask->place);
  if (init)
    sizes[*init] = resultSizes();
  for (size_t at = 0; at < tensors.size(); ++at) {
    TensorData &data = tensors[at].data;
    if (sizes[at].size() != data.sizes.size() + tensors[at].points)
      continue; // unused
    data.sizes = sizes[at];
    if (tensors[at].points)
      fitPointers(tensors[at]);
    std::erase_if(data.entries, [&](const Entry &entry) {
      for (size_t d = 0; d < data.sizes.size(); ++d)
        if (entry.at[d] >= data.sizes[d])
          return true;
      return false;
    });
  }
}

void Case::dropUnused() {
  std::vector<unsigned> uses = usesOf(*this), renamed(tensors.size());
  if (init)
    ++uses[*init];
  std::vector<Operand> kept;
  for (size_t at = 0; at < tensors.size(); ++at) {
    renamed[at] = static_cast<unsigned>(kept.size());
    if (uses[at])
      kept.push_back(std::move(tensors[at]));
  }
  tensors = std::move(kept);
  forEach(value, [&](Expression &e) {
    if (e.kind == Expression::Kind::access)
      e.tensor = renamed[e.tensor];
  });
  if (init)
    init = renamed[*init];
  if (mask)
    mask->tensor = renamed[mask->tensor];
}

} // namespace strata::test
