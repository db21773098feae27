// Divides entries by the coordinates that they have in the levels of a part.
#include "strata/execution/SumParts.h"

#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/execution/ElementTypes.h"
#include "strata/execution/LevelSpace.h"
#include "strata/execution/Unpacking.h"
#include "strata/runtime/CopyBytes.h"

#include <numeric>

using namespace mlir;
using strata::runtime::Buffer;
using strata::runtime::Coordinates;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata {
namespace {

// For each entry of a list: does a part take it?
using Taken = std::vector<char>;

// Entries in the space of a part's levels, sorted by them; their values are their numbers in the
// list that is divided.
class PartLevels {
public:
  PartLevels(ta::FormatAttr part, std::vector<int64_t> sizes)
      : part(part), sizes(std::move(sizes)), given(part.givenLevels()) {}

  Status read(const Coordinates &list);
  Taken taken(int64_t limit) const;

private:
  // The columns of the levels above one, but for slots: an entry begins a group where one changes.
  SmallVector<int> columnsAbove(unsigned lvl) const;
  bool begins(int64_t entry, ArrayRef<int> columns) const {
    return entry == 0 || llvm::any_of(columns, [&](int column) {
             return levels.coordinate(column, entry) != levels.coordinate(column, entry - 1);
           });
  }
  int columnOf(unsigned lvl) const { return int(llvm::find(given, lvl) - given.begin()); }
  int64_t numberOf(int64_t entry) const { return levels.values().as<int64_t>()[entry]; }
  unsigned slotLevel() const;
  int64_t usualSlots() const;
  void takeSlots(int64_t limit, Taken &taken) const;
  void takeRoom(unsigned lvl, Taken &taken) const;
  void takeShare(int64_t percent, Taken &taken) const;

  ta::FormatAttr part;
  std::vector<int64_t> sizes;
  SmallVector<unsigned> given;
  Coordinates levels;
};

Status PartLevels::read(const Coordinates &list) {
  std::vector<Buffer> columns;
  for (int dim = 0; dim < list.order(); ++dim) {
    Result<Buffer> column = list.column(dim).clone();
    if (!column)
      return column.takeStatus();
    columns.push_back(std::move(*column));
  }
  Result<Buffer> numbers = Buffer::allocate(STRATA_I64, list.count());
  if (!numbers)
    return numbers.takeStatus();
  std::iota(numbers->as<int64_t>(), numbers->as<int64_t>() + list.count(), int64_t(0));
  Result<Coordinates> numbered =
      Coordinates::assemble(sizes, std::move(columns), std::move(*numbers));
  if (!numbered)
    return numbered.takeStatus();
  // Which entries a part takes does not depend on the order of its rows.
  part =
      ta::FormatAttr::get(part.getContext(), part.getDimToLvl(), part.getLevels(), part.getFill());
  Result<Coordinates> mapped = toLevels(std::move(*numbered), part);
  if (!mapped)
    return mapped.takeStatus();
  levels = std::move(*mapped);
  SmallVector<int64_t> slots;
  return part.hasSlots() ? countSlots(levels, part, sizes, slots) : levels.sort();
}

SmallVector<int> PartLevels::columnsAbove(unsigned lvl) const {
  SmallVector<int> columns;
  for (auto [column, above] : llvm::enumerate(given))
    if (above < lvl && !part.isSlot(above))
      columns.push_back(int(column));
  return columns;
}

unsigned PartLevels::slotLevel() const {
  return *llvm::find_if(given, [&](unsigned lvl) { return part.isSlot(lvl); });
}

int64_t PartLevels::usualSlots() const {
  unsigned slot = slotLevel();
  SmallVector<int> above = columnsAbove(ta::numberedLevel(part.getDimToLvl(), slot));
  std::vector<int64_t> filled; // in how many rows slot k holds something
  for (int64_t entry = 0; entry < levels.count(); ++entry) {
    auto number = size_t(levels.coordinate(columnOf(slot), entry));
    if (!begins(entry, above) && !begins(entry, columnOf(slot)))
      continue;
    filled.resize(std::max(filled.size(), number + 1));
    ++filled[number];
  }
  double rows = 1;
  for (AffineExpr counted : ta::countedBy(part.getDimToLvl().getResult(slot)))
    rows *= double(extentOf(counted, sizes).extent);
  return strata::usualSlots(filled, rows);
}

void PartLevels::takeSlots(int64_t limit, Taken &taken) const {
  int64_t slots = limit ? limit : usualSlots();
  int column = columnOf(slotLevel());
  for (int64_t entry = 0; entry < levels.count(); ++entry)
    taken[size_t(numberOf(entry))] = levels.coordinate(column, entry) < slots;
}

// The first coordinates below each parent, as many as there are places.
void PartLevels::takeRoom(unsigned lvl, Taken &taken) const {
  SmallVector<int> above = columnsAbove(lvl);
  int64_t places = std::max<int64_t>(part.getLevels()[lvl].getParameter(), 1), held = 0;
  for (int64_t entry = 0; entry < levels.count(); ++entry) {
    if (begins(entry, above))
      held = 1;
    else
      held += begins(entry, columnOf(lvl));
    taken[size_t(numberOf(entry))] &= held <= places;
  }
}

// The groups of places of which enough hold an entry.
void PartLevels::takeShare(int64_t percent, Taken &taken) const {
  unsigned first = ta::firstOfGroup(part);
  SmallVector<int> above = columnsAbove(first);
  double places = 1;
  SmallVector<LevelExtent> extents = levelExtents(part, sizes);
  for (unsigned lvl : given)
    if (lvl >= first)
      places *= double(extents[lvl].extent);
  for (int64_t begin = 0, end = 0; begin < levels.count(); begin = end) {
    for (end = begin + 1; end < levels.count() && !begins(end, above);)
      ++end;
    bool enough = 100 * double(end - begin) >= double(percent) * places;
    for (int64_t entry = begin; entry < end; ++entry)
      taken[size_t(numberOf(entry))] = enough;
  }
}

Taken PartLevels::taken(int64_t limit) const {
  Taken taken(size_t(levels.count()), 1);
  switch (*ta::divisionOf(part)) {
  case ta::Division::Slots:
    takeSlots(limit, taken);
    break;
  case ta::Division::Room:
    for (unsigned lvl : given)
      if (findLevelTraits(part.getLevels()[lvl].getName())->pads)
        takeRoom(lvl, taken);
    break;
  case ta::Division::Share:
    takeShare(limit ? limit : 50, taken);
    break;
  }
  return taken;
}

// The elements of one or the other kind.
Result<Buffer> chosen(const Buffer &from, const Taken &taken, bool which, int64_t count) {
  Result<Buffer> to = Buffer::allocate(from.type(), count);
  if (!to)
    return to;
  size_t bytes = strata_type_bytes(from.type());
  const char *source = static_cast<const char *>(from.data());
  char *target = static_cast<char *>(to->data());
  for (size_t entry = 0; entry < taken.size(); ++entry)
    if (bool(taken[entry]) == which) {
      runtime::copyBytes(target, source + entry * bytes, bytes);
      target += bytes;
    }
  return to;
}

Result<Coordinates> chosen(const Coordinates &list, const Taken &taken, bool which) {
  int64_t count = llvm::count_if(taken, [&](char own) { return bool(own) == which; });
  std::vector<Buffer> columns;
  for (int dim = 0; dim < list.order(); ++dim) {
    Result<Buffer> column = chosen(list.column(dim), taken, which, count);
    if (!column)
      return column.takeStatus();
    columns.push_back(std::move(*column));
  }
  Result<Buffer> values = chosen(list.values(), taken, which, count);
  if (!values)
    return values.takeStatus();
  return Coordinates::assemble(list.sizes(), std::move(columns), std::move(*values));
}

// Appends the entries of a list with the same sizes.
Status append(Coordinates &to, const Coordinates &from) {
  int64_t before = to.count();
  if (Status status = to.resize(before + from.count()); !status.ok())
    return status;
  auto copy = [&](Buffer &target, const Buffer &source) {
    size_t bytes = strata_type_bytes(source.type());
    if (source.count() > 0)
      std::memcpy(static_cast<char *>(target.data()) + size_t(before) * bytes, source.data(),
                  size_t(source.count()) * bytes);
  };
  for (int dim = 0; dim < to.order(); ++dim)
    copy(to.column(dim), from.column(dim));
  copy(to.values(), from.values());
  return Status();
}

} // namespace

int64_t usualSlots(ArrayRef<int64_t> filled, double rows) {
  const int64_t *end =
      llvm::find_if(filled, [&](int64_t count) { return 3 * double(count) < rows; });
  return end - filled.begin();
}

TensorValue sumOfParts(RankedTensorType type, std::vector<TensorValue> parts) {
  SmallVector<ta::FormatAttr> formats;
  for (const TensorValue &part : parts)
    formats.push_back(part.format());
  TensorValue whole;
  whole.type = ta::withFormat(type, ta::sumOf(type).withParts(formats));
  whole.parts = std::move(parts);
  return whole;
}

Result<std::vector<Coordinates>> divide(Coordinates list, ta::SumAttr sum) {
  std::vector<Coordinates> lists;
  for (auto [part, limit] : llvm::zip(sum.getParts(), sum.getLimits())) {
    PartLevels levels(part, list.sizes());
    if (Status status = levels.read(list); !status.ok())
      return status;
    Taken taken = levels.taken(limit);
    Result<Coordinates> own = chosen(list, taken, true), rest = chosen(list, taken, false);
    if (!own || !rest)
      return own ? rest.takeStatus() : own.takeStatus();
    lists.push_back(std::move(*own));
    list = std::move(*rest);
  }
  lists.push_back(std::move(list));
  return lists;
}

Result<TensorValue> packParts(KernelCompiler &compiler, Coordinates list, RankedTensorType type,
                              PackTimes *times, bool force, Attribute fill) {
  ta::SumAttr sum = ta::sumOf(type);
  if (Status status = list.convertValues(*runtimeType(type.getElementType())); !status.ok())
    return status;
  if (Result<int64_t> summed = list.sumDuplicates(); !summed)
    return summed.takeStatus();
  Result<std::vector<Coordinates>> lists = divide(std::move(list), sum);
  if (!lists)
    return lists.takeStatus();
  std::vector<TensorValue> parts;
  for (auto [own, part] : llvm::zip(*lists, sum.getParts())) {
    Result<TensorValue> packed =
        pack(compiler, std::move(own), ta::withFormat(type, part), times, force, fill);
    if (!packed)
      return packed;
    parts.push_back(std::move(*packed));
  }
  return sumOfParts(type, std::move(parts));
}

Result<Coordinates> unpackParts(KernelCompiler &compiler, const TensorValue &tensor) {
  std::optional<Coordinates> all;
  strata_type width = runtime::coordinateTypeFor(tensor.sizes());
  for (const TensorValue &part : tensor.parts) {
    Result<Coordinates> list = unpackUnsorted(compiler, part);
    if (!list)
      return list;
    if (Status status = list->convertCoordinates(width); !status.ok())
      return status;
    if (!all)
      all = std::move(*list);
    else if (Status status = append(*all, *list); !status.ok())
      return status;
  }
  return std::move(*all);
}

} // namespace strata
