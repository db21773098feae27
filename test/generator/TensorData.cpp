// Draws entries and turns them into what packing takes.
#include "TensorData.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <bit>
#include <cmath>
#include <limits>

namespace strata::test {

std::complex<double> drawValue(Random &random, strata_type type) {
  auto small = [&] {
    auto magnitude = static_cast<double>(random.between(1, 4));
    return isNatural(type) ? magnitude : magnitude * random.pick({-1.0, 1.0});
  };
  if (type == STRATA_BOOL)
    return 1;
  if (isInteger(type))
    return small();
  if (isHalf(type))
    return small() / 2;
  double real = random.chance(70) ? small() / 2 : small() + random.between(0, 999) / 1000.0;
  if (isComplex(type))
    return {real, random.chance(80) ? small() / 2 : 0};
  return real;
}

static std::complex<double> drawEntry(Random &random, strata_type type, const DrawData &how) {
  if (!how.nonzero && random.chance(how.zeros))
    return 0;
  if ((type == STRATA_F64 || type == STRATA_F32) && random.chance(how.special))
    return random.chance(50) ? std::numeric_limits<double>::infinity()
                             : std::numeric_limits<double>::quiet_NaN();
  return drawValue(random, type);
}

TensorData drawData(Random &random, std::vector<int64_t> sizes, strata_type type,
                    const DrawData &how) {
  TensorData data{std::move(sizes), type, {}};
  int64_t places = 1;
  for (int64_t size : data.sizes)
    places *= size;
  Coordinate at(data.sizes.size());
  int64_t threshold = static_cast<int64_t>(how.density * 10000);
  for (int64_t place = 0; place < places; ++place) {
    if (random.below(10000) >= threshold)
      continue;
    int64_t rest = place;
    for (size_t d = data.sizes.size(); d-- > 0; rest /= data.sizes[d])
      at[d] = rest % data.sizes[d];
    data.entries.push_back({at, drawEntry(random, type, how)});
    if (!how.nonzero && random.chance(how.duplicates))
      data.entries.push_back({at, drawEntry(random, type, how)});
  }
  if (how.shuffled)
    random.shuffle(data.entries);
  return data;
}

runtime::Coordinates toCoordinates(const TensorData &data) {
  auto count = static_cast<int64_t>(data.entries.size());
  auto list = runtime::Coordinates::create(data.sizes, data.type, count);
  for (int64_t entry = 0; entry < count; ++entry) {
    const Entry &from = data.entries[static_cast<size_t>(entry)];
    for (size_t d = 0; d < data.sizes.size(); ++d)
      runtime::withCoordinateType(list->coordinateType(), [&]<typename C>(C *) {
        list->column(static_cast<int>(d)).template as<C>()[entry] = static_cast<C>(from.at[d]);
      });
    runtime::withValueType(data.type, [&]<typename V>(V *) {
      if constexpr (runtime::isComplexNumber<V>)
        list->values().template as<V>()[entry] = V(from.value);
      else
        list->values().template as<V>()[entry] = static_cast<V>(from.value.real());
    });
  }
  return std::move(*list);
}

std::map<Coordinate, std::complex<double>> contentOf(const TensorData &data, bool zeros) {
  std::map<Coordinate, std::complex<double>> content;
  auto narrow = [&](std::complex<double> value) {
    return runtime::withValueType(data.type, [&]<typename V>(V *) -> std::complex<double> {
      if constexpr (runtime::isComplexNumber<V>)
        return std::complex<double>(V(value));
      else
        return static_cast<double>(static_cast<V>(value.real()));
    });
  };
  for (const Entry &entry : data.entries) {
    auto [place, isNew] = content.try_emplace(entry.at, narrow(entry.value));
    if (!isNew)
      place->second = narrow(place->second + narrow(entry.value));
  }
  if (!zeros)
    std::erase_if(content, [](const auto &entry) { return entry.second == 0.0; });
  return content;
}

std::map<Coordinate, std::complex<double>> contentOf(const runtime::Coordinates &list) {
  std::map<Coordinate, std::complex<double>> content;
  Coordinate at(static_cast<size_t>(list.order()));
  for (int64_t entry = 0; entry < list.count(); ++entry) {
    for (int d = 0; d < list.order(); ++d)
      at[static_cast<size_t>(d)] = list.coordinate(d, entry);
    content[at] = list.value(entry);
  }
  return content;
}

std::string typeText(strata_type type) {
  return type != STRATA_BOOL && isNatural(type) ? "u" + valueTypeText(type) : valueTypeText(type);
}

std::string valueTypeText(strata_type type) {
  if (isComplex(type))
    return type == STRATA_C128 ? "complex<f64>" : "complex<f32>";
  if (type == STRATA_BOOL)
    return "i1";
  return isNatural(type) ? "i" + std::string(runtime::typeName(type)).substr(1)
                         : runtime::typeName(type);
}

std::string numberText(double value, strata_type type) {
  if (isInteger(type))
    return std::to_string(static_cast<int64_t>(value));
  if (!std::isfinite(value))
    return type == STRATA_F32
               ? "0x" + llvm::utohexstr(std::bit_cast<uint32_t>(static_cast<float>(value)))
               : "0x" + llvm::utohexstr(std::bit_cast<uint64_t>(value));
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.17g", value);
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  else if (text.find('.') == std::string::npos)
    text.insert(text.find('e'), ".0");
  return text;
}

} // namespace strata::test
