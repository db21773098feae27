// Programs as bytes: words of 64 bits, little-endian, and texts with their lengths, field by field.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Program.h"

#include <cstring>
#include <optional>
#include <type_traits>

namespace strata::host {
namespace {

/// Bytes from another version of the interpreter are refused.
constexpr int64_t version = 13;

template <typename T>
constexpr bool isWord = std::is_integral_v<T> || std::is_enum_v<T> || std::is_same_v<T, double>;
template <typename T>
concept HasFields = requires(T &value, int &archive) { value.fields(archive); };

class Writer {
public:
  std::string bytes;

  template <typename... T> void operator()(const T &...values) { (put(values), ...); }

private:
  void word(int64_t value) { bytes.append(reinterpret_cast<const char *>(&value), sizeof(value)); }

  template <typename T> void put(const T &value) {
    if constexpr (std::is_same_v<T, double>) {
      int64_t bits;
      std::memcpy(&bits, &value, sizeof(bits));
      word(bits);
    } else if constexpr (isWord<T>) {
      word(int64_t(value));
    } else {
      const_cast<T &>(value).fields(*this);
    }
  }
  void put(const std::string &text) {
    word(int64_t(text.size()));
    bytes += text;
  }
  template <typename List>
    requires requires(const List &list) {
      typename List::value_type;
      list.size();
    }
  void put(const List &list) {
    word(int64_t(list.size()));
    for (const auto &value : list)
      put(value);
  }
  void put(const Affine &affine) { put(affine.list()); }
  void put(const Affine::Term &term) { (*this)(term.kind, term.value); }
  void put(const Place::Solution &solution) {
    (*this)(solution.variable, solution.coordinate, solution.factor, solution.rest);
  }
  void put(const Place &place) { (*this)(place.coordinates, place.solutions); }
  void put(const StoredLevel &level) {
    (*this)(level.coordinate, level.numbered, level.listed, level.buffers, level.children);
  }
  void put(const StoredFormat &f) {
    (*this)(f.name, f.element, f.fill, f.hasFill, f.full, f.rows, f.repeats, f.levels, f.inverse,
            f.sorted, f.windows, f.buffers);
  }
  void put(const Division &d) { (*this)(d.kind, d.limit, d.slot, d.counted, d.rooms, d.group); }
  void put(const Operation &operation) {
    word(int64_t(operation.index()));
    std::visit([&](const auto &one) { put(one); }, operation);
  }
};

class Reader {
public:
  explicit Reader(std::string_view bytes) : rest(bytes) {}

  template <typename... T> void operator()(T &...values) { (get(values), ...); }
  bool ended() const { return whole && rest.empty(); }

private:
  int64_t word() {
    int64_t value = 0;
    if (rest.size() < sizeof(value)) {
      whole = false;
      rest = {};
      return 0;
    }
    std::memcpy(&value, rest.data(), sizeof(value));
    rest.remove_prefix(sizeof(value));
    return value;
  }
  // How many elements follow, each of which takes at least a byte.
  size_t count() {
    auto number = size_t(word());
    if (number <= rest.size())
      return number;
    whole = false;
    rest = {};
    return 0;
  }

  template <typename T> void get(T &value) {
    if constexpr (std::is_same_v<T, double>) {
      int64_t bits = word();
      std::memcpy(&value, &bits, sizeof(bits));
    } else if constexpr (std::is_same_v<T, strata_type>) {
      // Other numbers are no values of the enumeration.
      int64_t number = word();
      whole &= number >= STRATA_I8 && number <= STRATA_C64;
      value = whole ? T(number) : STRATA_I8;
    } else if constexpr (isWord<T>) {
      value = T(word());
    } else {
      value.fields(*this);
    }
  }
  void get(std::string &text) {
    size_t size = count();
    text.assign(rest.substr(0, size));
    rest.remove_prefix(size);
  }
  template <typename List>
    requires requires(List &list) { list.push_back(typename List::value_type()); }
  void get(List &list) {
    size_t size = count();
    for (size_t at = 0; at < size && whole; ++at) {
      typename List::value_type value{};
      get(value);
      list.push_back(std::move(value));
    }
  }
  void get(Affine &affine) {
    std::vector<Affine::Term> terms;
    get(terms);
    affine = Affine(std::move(terms));
  }
  void get(Affine::Term &term) { (*this)(term.kind, term.value); }
  void get(Place::Solution &solution) {
    (*this)(solution.variable, solution.coordinate, solution.factor, solution.rest);
  }
  void get(Place &place) { (*this)(place.coordinates, place.solutions); }
  void get(StoredLevel &level) {
    (*this)(level.coordinate, level.numbered, level.listed, level.buffers, level.children);
  }
  void get(StoredFormat &f) {
    (*this)(f.name, f.element, f.fill, f.hasFill, f.full, f.rows, f.repeats, f.levels, f.inverse,
            f.sorted, f.windows, f.buffers);
  }
  void get(Division &d) { (*this)(d.kind, d.limit, d.slot, d.counted, d.rooms, d.group); }
  void get(Operation &operation) {
    auto kind = size_t(word());
    if (!make(kind, operation, std::make_index_sequence<std::variant_size_v<Operation>>()))
      whole = false;
  }
  template <size_t... Kinds>
  bool make(size_t kind, Operation &operation, std::index_sequence<Kinds...>) {
    auto one = [&](auto tag) {
      if (kind != decltype(tag)::value)
        return false;
      std::variant_alternative_t<decltype(tag)::value, Operation> made{};
      get(made);
      operation = std::move(made);
      return true;
    };
    return (one(std::integral_constant<size_t, Kinds>()) || ...);
  }

  std::string_view rest;
  bool whole = true;
};

} // namespace

std::string encode(const Program &program) {
  Writer writer;
  writer(version, program);
  return std::move(writer.bytes);
}

std::optional<Program> decode(std::string_view bytes) {
  Reader reader(bytes);
  int64_t number = 0;
  Program program;
  reader(number);
  if (number != version)
    return std::nullopt;
  reader(program);
  return reader.ended() ? std::optional(std::move(program)) : std::nullopt;
}

} // namespace strata::host
