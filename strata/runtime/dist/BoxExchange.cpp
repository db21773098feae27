// Intersects boxes, packs what lies in both, and sends it.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dist/BoxExchange.h"

#include "strata/runtime/dist/Exchange.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace strata::runtime::dist {
namespace {

struct Axis {
  int64_t count, from, to; ///< how many places, and from one to the next in bytes
};

// Returns the dimensions of a copy, the ones with the longest steps first; those that lie one in
// the other without a gap, in both arrays, as one.
std::vector<Axis> axesOf(const Box &box, const BoxArray &from, const BoxArray &to) {
  std::vector<Axis> axes;
  for (size_t dim = 0; dim < box.lo.size(); ++dim)
    if (const int64_t count = box.hi[dim] - box.lo[dim]; count != 1)
      axes.push_back({count, from.strides[dim], to.strides[dim]});
  std::sort(axes.begin(), axes.end(),
            [](const Axis &one, const Axis &other) { return one.to > other.to; });
  for (size_t at = axes.size(); at-- > 1;) {
    const Axis &inner = axes[at];
    Axis &outer = axes[at - 1];
    if (outer.from != inner.count * inner.from || outer.to != inner.count * inner.to)
      continue;
    outer = {outer.count * inner.count, inner.from, inner.to};
    axes.erase(axes.begin() + int64_t(at));
  }
  return axes;
}

template <size_t bytes> void copyStrided(const Axis &axis, const char *from, char *to) {
  for (int64_t at = 0; at < axis.count; ++at)
    std::memcpy(to + at * axis.to, from + at * axis.from, bytes);
}

void copyLine(const Axis &axis, const char *from, char *to, int64_t elementBytes) {
  if (axis.from == elementBytes && axis.to == elementBytes) {
    std::memcpy(to, from, size_t(axis.count * elementBytes));
    return;
  }
  switch (elementBytes) {
  case 1:
    return copyStrided<1>(axis, from, to);
  case 2:
    return copyStrided<2>(axis, from, to);
  case 4:
    return copyStrided<4>(axis, from, to);
  case 8:
    return copyStrided<8>(axis, from, to);
  default:
    return copyStrided<16>(axis, from, to);
  }
}

void copyAxes(std::span<const Axis> axes, const char *from, char *to, int64_t elementBytes) {
  if (axes.size() == 1)
    return copyLine(axes.front(), from, to, elementBytes);
  for (int64_t at = 0; at < axes.front().count; ++at)
    copyAxes(axes.subspan(1), from + at * axes.front().from, to + at * axes.front().to,
             elementBytes);
}

char *placeIn(const Box &box, const BoxArray &array, const std::vector<int64_t> &place) {
  int64_t offset = 0;
  for (size_t dim = 0; dim < place.size(); ++dim)
    offset += (place[dim] - box.lo[dim]) * array.strides[dim];
  return array.data + offset;
}

// Copies the places of a box from an array to another one, each of which has them; `fromBox` and
// `toBox` are the boxes of the arrays.
void copyBox(const Box &box, const Box &fromBox, const BoxArray &from, const Box &toBox,
             const BoxArray &to, int64_t elementBytes) {
  const char *source = placeIn(fromBox, from, box.lo);
  char *target = placeIn(toBox, to, box.lo);
  const std::vector<Axis> axes = axesOf(box, from, to);
  if (axes.empty())
    std::memcpy(target, source, size_t(elementBytes));
  else
    copyAxes(axes, source, target, elementBytes);
}

// Returns how a box lies packed, the last dimension without a gap.
BoxArray packed(const Box &box, char *data, int64_t elementBytes) {
  BoxArray array{data, std::vector<int64_t>(box.lo.size())};
  int64_t stride = elementBytes;
  for (size_t dim = box.lo.size(); dim-- > 0;) {
    array.strides[dim] = stride;
    stride *= box.hi[dim] - box.lo[dim];
  }
  return array;
}

int64_t placesOf(const Box &box) {
  int64_t places = 1;
  for (size_t dim = 0; dim < box.lo.size(); ++dim)
    places *= box.hi[dim] - box.lo[dim];
  return places;
}

// A part of a target, and the home that it comes from: numbers of boxes.
struct Part {
  size_t home, target;
  Box box;
};

// Tells whether boxes have a place in common.
bool meet(const Box &one, const Box &other) {
  for (size_t dim = 0; dim < one.lo.size(); ++dim)
    if (std::max(one.lo[dim], other.lo[dim]) >= std::min(one.hi[dim], other.hi[dim]))
      return false;
  return true;
}

// Finds the homes that have a place in a box. They are sorted by their intervals of the dimension
// in which these differ most, which are equal or apart, as those of any dimension are.
class Homes {
public:
  // Homes with the same box, by their ranks, as a range of numbers.
  struct Same {
    size_t begin, end;
  };

  Homes(std::span<const BoxOfRank> homes, int32_t rank) : homes(homes) {
    for (size_t home = 0; home < homes.size(); ++home)
      if (!isEmpty(homes[home].box))
        numbers.push_back(home);
    if (numbers.empty())
      return;
    dim = mostCut();
    auto keyOf = [&](size_t home) {
      const BoxOfRank &one = homes[home];
      return std::tuple<int64_t, const std::vector<int64_t> &, int32_t, size_t>(
          lowest(one.box), one.box.lo, one.rank, home);
    };
    std::sort(numbers.begin(), numbers.end(),
              [&](size_t one, size_t other) { return keyOf(one) < keyOf(other); });
    for (size_t begin = 0, end; begin < numbers.size(); begin = end) {
      bool hasOwn = false;
      for (end = begin; end < numbers.size() && box({end, 0}) == box({begin, 0}); ++end)
        hasOwn |= homes[numbers[end]].rank == rank;
      all.push_back({begin, end});
      if (hasOwn)
        own.push_back({begin, end});
    }
  }

  // Calls the body with the boxes of homes that have a place in a target: of all homes, or only
  // those that this rank has.
  template <typename Body> void forEachIn(const Box &target, bool areOwn, const Body &body) const {
    const std::vector<Same> &boxes = areOwn ? own : all;
    auto at = std::ranges::partition_point(
        boxes, [&](const Same &same) { return highest(box(same)) <= lowest(target); });
    for (; at != boxes.end() && lowest(box(*at)) < highest(target); ++at)
      if (meet(box(*at), target))
        body(*at);
  }

  // Chooses the home that a rank takes a box from: one of its own, or else another one than its
  // neighbours take.
  size_t chosenFor(int32_t rank, const Same &same) const {
    const std::span<const size_t> those(numbers.data() + same.begin, same.end - same.begin);
    const auto near =
        std::ranges::lower_bound(those, rank, {}, [&](size_t home) { return homes[home].rank; });
    return near != those.end() && homes[*near].rank == rank ? *near
                                                            : those[size_t(rank) % those.size()];
  }

private:
  const Box &box(const Same &same) const { return homes[numbers[same.begin]].box; }
  // A box without dimensions has one place.
  int64_t lowest(const Box &box) const { return box.lo.empty() ? 0 : box.lo[dim]; }
  int64_t highest(const Box &box) const { return box.hi.empty() ? 1 : box.hi[dim]; }

  // Returns the dimension in which the boxes begin at the most places.
  size_t mostCut() const {
    size_t found = 0, most = 0;
    for (size_t other = 0; other < box({0, 0}).lo.size(); ++other) {
      std::vector<int64_t> begins;
      for (size_t home : numbers)
        begins.push_back(homes[home].box.lo[other]);
      std::ranges::sort(begins);
      const auto count = size_t(std::ranges::unique(begins).begin() - begins.begin());
      if (count > most)
        std::tie(found, most) = std::pair(other, count);
    }
    return found;
  }

  std::span<const BoxOfRank> homes;
  size_t dim = 0;
  std::vector<size_t> numbers; // of the homes that have a place
  std::vector<Same> all, own;
};

// Numbers the boxes of a rank among its own ones; the others have 0.
std::vector<size_t> numbersOfOwn(std::span<const BoxOfRank> boxes, int32_t rank) {
  std::vector<size_t> numbers(boxes.size());
  size_t next = 0;
  for (size_t at = 0; at < boxes.size(); ++at)
    if (boxes[at].rank == rank)
      numbers[at] = next++;
  return numbers;
}

} // namespace

Box common(const Box &one, const Box &other) {
  Box both = one;
  for (size_t dim = 0; dim < both.lo.size(); ++dim) {
    both.lo[dim] = std::max(one.lo[dim], other.lo[dim]);
    both.hi[dim] = std::max(std::min(one.hi[dim], other.hi[dim]), both.lo[dim]);
  }
  return both;
}

bool isEmpty(const Box &box) {
  for (size_t dim = 0; dim < box.lo.size(); ++dim)
    if (box.lo[dim] >= box.hi[dim])
      return true;
  return false;
}

// Copies what goes to a rank, part by part.
static Result<Buffer> packedParts(std::span<const Part> parts, int64_t bytes,
                                  std::span<const BoxOfRank> homes,
                                  std::span<const size_t> numbersOfHomes,
                                  std::span<const BoxArray> own, int64_t elementBytes) {
  Result<Buffer> out = roomForMessages(bytes);
  if (!out)
    return out;
  char *at = static_cast<char *>(out->data());
  for (const Part &part : parts) {
    copyBox(part.box, homes[part.home].box, own[numbersOfHomes[part.home]], part.box,
            packed(part.box, at, elementBytes), elementBytes);
    at += placesOf(part.box) * elementBytes;
  }
  return out;
}

Result<BoxTransfer> BoxTransfer::prepare(World *world, std::span<const BoxOfRank> homes,
                                         std::span<const BoxOfRank> targets,
                                         std::span<const BoxArray> own,
                                         std::span<const BoxArray> made, int64_t elementBytes,
                                         std::string_view operation) {
  const int32_t rank = world ? world->rank() : 0;
  const Homes sorted(homes, rank);
  const std::vector<size_t> ownHome = numbersOfOwn(homes, rank),
                            ownTarget = numbersOfOwn(targets, rank);
  BoxTransfer transfer(elementBytes);
  const auto size = size_t(world ? world->size() : 1);
  transfer.incoming.resize(size);
  std::vector<std::vector<Part>> sent(size);
  std::vector<int64_t> bytesOut(size), bytesIn(size);
  for (size_t number = 0; number < targets.size(); ++number) {
    const BoxOfRank &target = targets[number];
    const bool isOwn = target.rank == rank;
    sorted.forEachIn(target.box, /*areOwn=*/!isOwn, [&](const Homes::Same &same) {
      const size_t home = sorted.chosenFor(target.rank, same);
      const int32_t from = homes[home].rank;
      if (!isOwn && from != rank)
        return;
      Box box = common(homes[home].box, target.box);
      const int64_t bytes = placesOf(box) * elementBytes;
      if (!isOwn) {
        bytesOut[size_t(target.rank)] += bytes;
        sent[size_t(target.rank)].push_back({home, number, std::move(box)});
      } else if (from == rank) {
        copyBox(box, homes[home].box, own[ownHome[home]], target.box, made[ownTarget[number]],
                elementBytes);
      } else {
        bytesIn[size_t(from)] += bytes;
        transfer.incoming[size_t(from)].push_back(
            {std::move(box), target.box, made[ownTarget[number]]});
      }
    });
  }
  if (!world)
    return transfer;
  std::vector<Buffer> out;
  for (size_t peer = 0; peer < size; ++peer) {
    Result<Buffer> parts =
        packedParts(sent[peer], bytesOut[peer], homes, ownHome, own, elementBytes);
    if (!parts)
      return parts.takeStatus();
    out.push_back(std::move(*parts));
  }
  Result<Transfer> messages = Transfer::prepare(*world, std::move(out), bytesIn, operation);
  if (!messages)
    return messages.takeStatus();
  transfer.messages.emplace(std::move(*messages));
  return transfer;
}

Status BoxTransfer::start() { return messages ? messages->start() : Status(); }

Status BoxTransfer::finish() {
  if (!messages)
    return Status();
  Result<std::vector<Buffer>> in = messages->finish();
  if (!in)
    return in.takeStatus();
  for (size_t peer = 0; peer < incoming.size(); ++peer) {
    char *at = static_cast<char *>((*in)[peer].data());
    for (const Incoming &part : incoming[peer]) {
      copyBox(part.box, part.box, packed(part.box, at, elementBytes), part.target, part.made,
              elementBytes);
      at += placesOf(part.box) * elementBytes;
    }
  }
  return Status();
}

} // namespace strata::runtime::dist
