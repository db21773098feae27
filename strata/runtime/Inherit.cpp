// Results that have the pattern of an operand: it is copied, and the values of all places are
// computed at once.
//
// Nothing here has a destructor to run, since what allocates may leave by a jump. Part of Strata,
// under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/assembly.h"

#include <cstring>

namespace {

constexpr int64_t mostStorages = 64, mostExtents = 64, mostLevels = 32;

/// What is read of an array without knowing its width at compile time.
template <typename Work> auto withWidth(int64_t bytes, Work work) {
  switch (bytes) {
  case 1:
    return work(uint8_t());
  case 2:
    return work(uint16_t());
  case 4:
    return work(uint32_t());
  default:
    return work(uint64_t());
  }
}

uint64_t elementAt(const strata_buffer &buffer, int64_t bytes, int64_t at) {
  return withWidth(bytes, [&](auto zero) {
    return uint64_t(static_cast<const decltype(zero) *>(buffer.data)[at]);
  });
}

/// Has each parent a child? `positions` says where the children of each begin.
bool hasNoEmptyParent(const strata_buffer &positions, int64_t bytes, int64_t parents) {
  constexpr int64_t block = 4096;
  return withWidth(bytes, [&](auto zero) {
    const auto *at = static_cast<const decltype(zero) *>(positions.data);
    for (int64_t first = 0; first < parents; first += block) {
      const int64_t last = first + block < parents ? first + block : parents;
      int64_t empty = 0;
      for (int64_t parent = first; parent < last; ++parent)
        empty += at[parent] == at[parent + 1];
      if (empty)
        return false;
    }
    return true;
  });
}

void copyElements(void *to, int64_t toBytes, const void *from, int64_t fromBytes, int64_t count) {
  if (toBytes == fromBytes) {
    std::memcpy(to, from, size_t(count * toBytes));
    return;
  }
  withWidth(toBytes, [&](auto wanted) {
    withWidth(fromBytes, [&](auto given) {
      for (int64_t at = 0; at < count; ++at)
        static_cast<decltype(wanted) *>(to)[at] =
            static_cast<decltype(wanted)>(static_cast<const decltype(given) *>(from)[at]);
    });
  });
}

bool areEqual(const void *left, int64_t leftBytes, const void *right, int64_t rightBytes,
              int64_t count) {
  if (leftBytes == rightBytes)
    return left == right || std::memcmp(left, right, size_t(count * leftBytes)) == 0;
  return withWidth(leftBytes, [&](auto one) {
    return withWidth(rightBytes, [&](auto other) {
      for (int64_t at = 0; at < count; ++at)
        if (uint64_t(static_cast<const decltype(one) *>(left)[at]) !=
            uint64_t(static_cast<const decltype(other) *>(right)[at]))
          return false;
      return true;
    });
  });
}

bool fits(int64_t most, int64_t bytes) { return bytes >= 8 || most < int64_t(1) << (8 * bytes); }

/// One call of a kernel whose result inherits its pattern.
class Inheritance {
public:
  Inheritance(strata_context *context, strata_storage *const *storages, const int64_t *extents,
              const strata_inheritance *plan)
      : context(context), storages(storages), extents(extents), plan(plan),
        levels(reinterpret_cast<const strata_inherited_level *>(plan + 1)),
        placeDims(reinterpret_cast<const int64_t *>(levels + plan->levels)),
        operand(*storages[plan->operand]), result(*storages[0]) {}

  /// Has each entry of the pattern something below it, and the result the sizes of the operand?
  bool inherits();
  /// Has the result this pattern already?
  bool hasPattern() const;
  void copyPattern();
  /// Room for the values, which are zero if nobody computes them.
  void makeValues(bool zero);
  void computeValues(strata_kernel_body *values);
  void publish();

private:
  const strata_buffer &buffer(int64_t level, int64_t which) const {
    return operand.buffers[firstBuffer(level) + which];
  }
  // Of the operand and, among the levels that are shared, of the result.
  int64_t firstBuffer(int64_t level) const {
    int64_t first = 0;
    for (int64_t above = 0; above < level; ++above)
      first += levels[above].compressed ? 2 : 0;
    return first;
  }
  int64_t parentsOf(int64_t level) const { return level == 0 ? 1 : counts[level - 1]; }
  bool hasWholeSizes() const;
  bool countLevel(int64_t level);

  strata_context *context;
  strata_storage *const *storages;
  const int64_t *extents;
  const strata_inheritance *plan;
  const strata_inherited_level *levels;
  const int64_t *placeDims;
  const strata_storage &operand;
  strata_storage &result;
  int64_t counts[mostLevels] = {}; ///< positions of each level
  void *copies[2 * mostLevels] = {};
  void *values = nullptr;
  int64_t valueCount = 0;
};

bool Inheritance::hasWholeSizes() const {
  for (int64_t at = 0; at < plan->extents; ++at)
    if (extents[at] <= 0)
      return false;
  for (int64_t at = 0; at < plan->shared; ++at)
    if (operand.sizes[levels[at].dim] != extents[levels[at].extent] ||
        result.sizes[levels[at].result_dim] != extents[levels[at].extent])
      return false;
  return true;
}

bool Inheritance::countLevel(int64_t level) {
  const strata_inherited_level &one = levels[level];
  const int64_t parents = parentsOf(level);
  if (!one.compressed) {
    counts[level] = parents * operand.sizes[one.dim];
    return counts[level] > 0;
  }
  const strata_buffer &positions = buffer(level, 0);
  if (positions.count <= parents || elementAt(positions, one.position_bytes, 0) != 0)
    return false;
  counts[level] = int64_t(elementAt(positions, one.position_bytes, parents));
  if (counts[level] <= 0 || buffer(level, 1).count < counts[level])
    return false;
  if (level < plan->shared && (!fits(counts[level], one.result_position_bytes) ||
                               !fits(operand.sizes[one.dim] - 1, one.result_coordinate_bytes)))
    return false;
  // A parent that has a place in any case may be empty, as far as the result has its level; so may
  // all where the result has the pattern already: an empty sum is the fill.
  const bool mayBeEmpty = level == 0 || plan->phase == STRATA_PHASE_COMPUTE ||
                          (level < plan->shared && !levels[level - 1].compressed);
  return mayBeEmpty || hasNoEmptyParent(positions, one.position_bytes, parents);
}

bool Inheritance::inherits() {
  if (plan->storages > mostStorages || plan->extents >= mostExtents || plan->levels > mostLevels ||
      !hasWholeSizes())
    return false;
  for (int64_t level = 0; level < plan->levels; ++level)
    if (!countLevel(level))
      return false;
  valueCount = counts[plan->shared - 1];
  for (int64_t at = 0; at < plan->places; ++at)
    if (__builtin_mul_overflow(valueCount, result.sizes[placeDims[at]], &valueCount))
      strata_kernel_fail(context, STRATA_OVERFLOW);
  return true;
}

bool Inheritance::hasPattern() const {
  for (int64_t level = 0, at = 0; level < plan->shared; ++level) {
    const strata_inherited_level &one = levels[level];
    if (!one.compressed)
      continue;
    const strata_buffer &positions = result.buffers[at++], &coordinates = result.buffers[at++];
    const int64_t parents = parentsOf(level);
    if (positions.count <= parents || coordinates.count < counts[level] ||
        !areEqual(positions.data, one.result_position_bytes, buffer(level, 0).data,
                  one.position_bytes, parents + 1) ||
        !areEqual(coordinates.data, one.result_coordinate_bytes, buffer(level, 1).data,
                  one.coordinate_bytes, counts[level]))
      return false;
  }
  return result.buffers[firstBuffer(plan->shared)].count >= valueCount;
}

void Inheritance::copyPattern() {
  for (int64_t level = 0, at = 0; level < plan->shared; ++level) {
    const strata_inherited_level &one = levels[level];
    if (!one.compressed)
      continue;
    const int64_t ends = parentsOf(level) + 1;
    copies[at] = strata_kernel_allocate(context, ends, one.result_position_bytes);
    copyElements(copies[at++], one.result_position_bytes, buffer(level, 0).data, one.position_bytes,
                 ends);
    copies[at] = strata_kernel_allocate(context, counts[level], one.result_coordinate_bytes);
    copyElements(copies[at++], one.result_coordinate_bytes, buffer(level, 1).data,
                 one.coordinate_bytes, counts[level]);
  }
}

void Inheritance::makeValues(bool zero) {
  values = strata_kernel_allocate(context, valueCount, plan->value_bytes);
  if (zero)
    std::memset(values, 0, size_t(valueCount * plan->value_bytes));
}

// The positions of the last level that is shared are the rows of both storages.
void Inheritance::computeValues(strata_kernel_body *compute) {
  int64_t rows[mostLevels], resultRows[mostLevels], extent[mostExtents];
  const int64_t count = counts[plan->shared - 1], first = firstBuffer(plan->shared);
  rows[0] = resultRows[0] = extent[plan->extents] = count;
  for (int64_t level = plan->shared; level < plan->levels; ++level)
    rows[level - plan->shared + 1] = operand.sizes[levels[level].dim];
  for (int64_t at = 0; at < plan->places; ++at)
    resultRows[at + 1] = result.sizes[placeDims[at]];
  std::memcpy(extent, extents, size_t(plan->extents) * sizeof *extent);
  strata_buffer own = result.buffers[first];
  if (values) {
    own.data = values;
    own.count = own.capacity = valueCount;
    own.owned = 0;
  }
  strata_storage from{static_cast<int32_t>(plan->levels - plan->shared + 1),
                      static_cast<int32_t>(operand.buffer_count - first), rows,
                      operand.buffers + first};
  strata_storage to{static_cast<int32_t>(plan->places + 1), 1, resultRows, &own};
  strata_storage *all[mostStorages];
  std::memcpy(all, storages, size_t(plan->storages) * sizeof *all);
  all[plan->operand] = &from;
  all[0] = &to;
  compute(context, all, extent);
}

void Inheritance::publish() {
  int64_t at = 0;
  for (int64_t level = 0; level < plan->shared; ++level) {
    const strata_inherited_level &one = levels[level];
    if (!one.compressed)
      continue;
    const int64_t ends = parentsOf(level) + 1, count = counts[level];
    strata_kernel_publish(context, &result, at, copies[at], ends, ends, one.result_position_bytes);
    ++at;
    strata_kernel_publish(context, &result, at, copies[at], count, count,
                          one.result_coordinate_bytes);
    ++at;
  }
  if (values)
    strata_kernel_publish(context, &result, at, values, valueCount, valueCount, plan->value_bytes);
}

} // namespace

void strata_kernel_inherit(strata_context *context, strata_storage *const *storages,
                           const int64_t *extents, const strata_inheritance *plan,
                           strata_kernel_body *general, strata_kernel_body *values) {
  Inheritance inheritance(context, storages, extents, plan);
  const bool refills = plan->phase == STRATA_PHASE_COMPUTE;
  if (!inheritance.inherits() || (refills && !inheritance.hasPattern()))
    return general(context, storages, extents);
  if (!refills)
    inheritance.copyPattern();
  if (plan->phase == STRATA_PHASE_ALL || plan->phase == STRATA_PHASE_ASSEMBLE)
    inheritance.makeValues(plan->phase == STRATA_PHASE_ASSEMBLE);
  if (plan->phase == STRATA_PHASE_ALL || refills)
    inheritance.computeValues(values);
  if (!refills)
    inheritance.publish();
}
