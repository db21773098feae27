#include "AnyOrder.h"

#include "strata/dialect/ta/LevelRoom.h"
#include "strata/runtime/storage/Words.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>

namespace strata::test {

namespace {

// A tensor is one list, or has one below each value of dense levels. One buffer tells where each
// begins; arrays have an element for each entry.
struct Lists {
  int64_t begins = -1;
  std::vector<int64_t> arrays;
  bool isOne = true;
};

std::optional<Lists> listsOf(const TensorValue &tensor) {
  if (!tensor.parts.empty() || !tensor.format())
    return std::nullopt;
  Lists lists;
  int64_t buffer = 0;
  for (ta::LevelAttr level : tensor.format().getLevels()) {
    bool begun = lists.begins >= 0;
    if (level.getName() == "dense" && !begun) {
      lists.isOne = false;
      continue;
    }
    if (level.getName() != (begun ? "singleton" : "compressed") || level.getOrdered() ||
        level.getAos())
      return std::nullopt;
    if (!begun)
      lists.begins = buffer++;
    lists.arrays.push_back(buffer++);
  }
  lists.arrays.push_back(buffer);
  // Formats with sorted dimensions store in which order these are, too.
  bool isAll = lists.begins >= 0 && buffer + 1 == tensor.storage->bufferCount();
  return isAll ? std::optional(lists) : std::nullopt;
}

// The entries of all lists in a drawn order, those of each list together. Of one list that may
// repeat entries some come twice.
std::vector<int64_t> drawOrder(const std::vector<int64_t> &begins, bool repeats) {
  std::mt19937 random(unsigned(begins.back()) + 1);
  std::vector<int64_t> order;
  for (size_t list = 0; list + 1 < begins.size(); ++list) {
    auto first = int64_t(order.size());
    for (int64_t entry = begins[list]; entry < begins[list + 1]; ++entry)
      order.insert(order.end(), repeats && random() % 3 == 0 ? 2 : 1, entry);
    std::shuffle(order.begin() + first, order.end(), random);
  }
  return order;
}

} // namespace

runtime::Status disarrange(TensorValue &tensor) {
  std::optional<Lists> lists = listsOf(tensor);
  if (!lists)
    return {};
  runtime::Storage &storage = *tensor.storage;
  std::vector<int64_t> begins;
  runtime::withWords(storage.buffer(lists->begins),
                     [&](auto words) { begins.assign(words.begin(), words.end()); });
  std::vector<int64_t> order =
      drawOrder(begins, lists->isOne && ta::repeatsEntries(tensor.format()));
  for (int64_t number : lists->arrays) {
    const strata_buffer &buffer = storage.buffer(number);
    auto size = size_t(strata_type_bytes(buffer.type));
    auto *from = static_cast<const char *>(buffer.data);
    std::vector<char> before(from, from + size_t(buffer.count) * size);
    if (runtime::Status fine = storage.allocate(number, int64_t(order.size())); !fine.ok())
      return fine;
    auto *to = static_cast<char *>(storage.buffer(number).data);
    std::vector<bool> taken(size_t(begins.back()));
    for (size_t at = 0; at < order.size(); ++at) {
      auto entry = size_t(order[at]);
      // An entry that comes again is worth nothing.
      if (number == lists->arrays.back() && taken[entry])
        std::memset(to + at * size, 0, size);
      else
        std::memcpy(to + at * size, before.data() + entry * size, size);
      taken[entry] = true;
    }
  }
  if (lists->isOne)
    runtime::withWords(storage.buffer(lists->begins), [&](auto words) {
      words.back() = static_cast<std::decay_t<decltype(words.back())>>(order.size());
    });
  return {};
}

} // namespace strata::test
