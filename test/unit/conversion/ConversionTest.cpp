// Conversions between all pairs of formats keep the tensor.
#include "generator/Share.h"
#include "generator/Workbench.h"

#include "generator/Threads.h"
#include "strata/conversion/Slots.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/runtime/io/TensorFile.h"
#include "strata/tensor/Validate.h"

#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <iostream>
#include <set>

namespace {

using namespace strata;
using namespace strata::test;

// Any number of threads gives the same storage.
TEST(ConversionInPieces, IsTheSameForAnyNumberOfThreads) {
  Workbench &bench = Workbench::instance();
  Random random(5);
  TensorData data =
      drawData(random, {350, 300}, STRATA_F64, {.density = 0.4, .zeros = 10, .shuffled = false});
  const auto counted = int64_t(contentOf(data, false).size()),
             withZeros = int64_t(contentOf(data, true).size());
  std::vector<NamedFormat> formats = namedFormats(2);
  for (const std::string word : {"(i : dense, j : compressed(unordered))", "(j : dense, i : dense)",
                                 "(j : compressed(nonunique), i : singleton)"})
    formats.push_back({word, "#ta.format<(i, j) -> " + word + ">"});
  int64_t pairs = 0;
  for (const NamedFormat &from : formats) {
    auto packed = pack(bench.compiler, toCoordinates(data), bench.type(from, 2, STRATA_F64));
    ASSERT_TRUE(packed.ok()) << packed.error().text();
    for (const NamedFormat &to : formats) {
      SCOPED_TRACE("from " + from.name + " to " + to.name);
      std::optional<TensorValue> first;
      for (int threads : {1, 2, 5}) {
        runtime::Result<TensorValue> made = runtime::Error::alreadyShown("not run");
        withThreads(threads, [&] {
          made = convert(bench.compiler, *packed, bench.type(to, 2, STRATA_F64));
        });
        ASSERT_TRUE(made.ok()) << made.error().text();
        if (first) {
          EXPECT_TRUE(identical(*first, *made)) << threads << " threads";
        } else {
          first = *made;
          auto unpacked = unpack(bench.compiler, *made);
          ASSERT_TRUE(unpacked.ok()) << unpacked.error().text();
          bool zeros = keepsZeros(packed->type) && keepsZeros(made->type);
          EXPECT_EQ(unpacked->count(), zeros ? withZeros : counted);
        }
      }
      ++pairs;
    }
  }
  std::cout << "  " << pairs << " pairs with 1, 2 and 5 threads\n";
}

struct Example {
  std::string name;
  TensorData data;
};

int64_t cases = 0;

bool isRefusedForSize(const runtime::Error &error) {
  return error.text().find("as much as a list of them") != std::string::npos;
}

// Are there so many places for each entry that formats with a place for each may be refused?
bool isScattered(const TensorData &data) {
  double places = 1;
  for (int64_t size : data.sizes)
    places *= double(size);
  return places > 1e4 * double(data.entries.size() + 1);
}

// Empty if a tensor keeps its entries on the way from one format to another, and the storage keeps
// its promises; else what is wrong.
std::string wrongWith(const TensorValue &packed, const TensorData &data, const NamedFormat &to) {
  Workbench &bench = Workbench::instance();
  mlir::RankedTensorType target = bench.type(to, unsigned(data.sizes.size()), data.type);
  auto converted = convert(bench.compiler, packed, target);
  ++cases;
  if (!converted.ok() && isScattered(data) && isRefusedForSize(converted.error()))
    return "";
  if (!converted.ok())
    return "not converted: " + converted.error().text();
  if (converted->sizes() != data.sizes)
    return "converted with other sizes";
  if (runtime::Status valid = validate(*converted); !valid.ok())
    return "invalid: " + valid.error().text();
  auto unpacked = unpack(bench.compiler, *converted);
  if (!unpacked.ok())
    return "not unpacked: " + unpacked.error().text();
  bool zeros = keepsZeros(packed.type) && keepsZeros(target);
  Content expected = contentOf(data, zeros), actual = contentOf(*unpacked);
  if (int64_t(actual.size()) != unpacked->count())
    return "a coordinate comes twice";
  if (storesEntriesOnly(converted->type) && converted->storedCount() != unpacked->count())
    return std::to_string(converted->storedCount()) + " stored, not " +
           std::to_string(unpacked->count());
  if (actual != expected)
    return "expected\n" + text(expected) + "found\n" + text(actual);
  return "";
}

// Every pair of these formats.
void convertAllPairs(const std::vector<NamedFormat> &formats, const Example &example) {
  Workbench &bench = Workbench::instance();
  const TensorData &data = example.data;
  Random random(formats.size());
  for (const NamedFormat &from : formats) {
    if (!takes(Share::some) && !random.chance(15))
      continue;
    mlir::RankedTensorType type = bench.type(from, unsigned(data.sizes.size()), data.type);
    auto packed = pack(bench.compiler, toCoordinates(data), type);
    if (!packed.ok() && isScattered(data) && isRefusedForSize(packed.error()))
      continue;
    ASSERT_TRUE(packed.ok()) << from.name << ", " << example.name << ": " << packed.error().text();
    for (const NamedFormat &to : formats) {
      std::string wrong = wrongWith(*packed, data, to);
      EXPECT_EQ(wrong, "") << "from " << from.name << " to " << to.name << ", " << example.name;
      if (!wrong.empty())
        break; // others will fail alike
    }
  }
}

void printCases(const std::string &what) {
  std::cout << "  " << cases << " conversions, " << what << "\n";
  cases = 0;
}

// Entries at `places`, values 1, 2, ....
TensorData entriesAt(std::vector<int64_t> sizes, const std::vector<Coordinate> &places,
                     double value = 0) {
  TensorData data{std::move(sizes), STRATA_F64, {}};
  for (const Coordinate &at : places)
    data.entries.push_back({at, value == 0 ? double(data.entries.size() + 1) : value});
  return data;
}

// Of a matrix or tensor: entries in the first, the last and no other slice of each dimension; one
// slice; every slice of each dimension but for those in the middle.
std::vector<Example> sparseExamples(unsigned order, Random &random) {
  std::vector<int64_t> sizes(order);
  for (unsigned dim = 0; dim < order; ++dim)
    sizes[dim] = order == 1 ? 50 : order == 2 ? 9 + 3 * dim : 5 + dim;
  Coordinate first(order, 0), last(sizes);
  for (int64_t &at : last)
    --at;
  std::vector<Example> examples = {{"no entry", entriesAt(sizes, {})},
                                   {"the first place", entriesAt(sizes, {first})},
                                   {"the last place", entriesAt(sizes, {last})},
                                   {"both corners, twice", entriesAt(sizes, {last, first, last})},
                                   {"zeros alone", entriesAt(sizes, {first, last}, 1e-300)}};
  for (Entry &zero : examples.back().data.entries)
    zero.value = 0;
  for (unsigned dim = 0; dim < order; ++dim) {
    std::string name = std::to_string(dim);
    std::vector<int64_t> thin = sizes;
    thin[dim] = 1;
    examples.push_back({"one coordinate of dimension " + name,
                        drawData(random, thin, STRATA_F64, {.density = 0.6, .zeros = 20})});
    thin[dim] = 0;
    examples.push_back({"no coordinate of dimension " + name, entriesAt(thin, {})});
    Example gaps{"empty slices of dimension " + name,
                 drawData(random, sizes, STRATA_F64, {.density = 0.5, .duplicates = 10})};
    std::erase_if(gaps.data.entries, [&](const Entry &entry) { return entry.at[dim] % 4 < 3; });
    examples.push_back(std::move(gaps));
  }
  return examples;
}

class Conversion : public testing::TestWithParam<unsigned> {
protected:
  std::vector<int64_t> sizes() const {
    switch (GetParam()) {
    case 1:
      return {13};
    case 2:
      return {9, 14};
    case 3:
      return {4, 5, 3};
    default:
      return std::vector<int64_t>(GetParam(), 3);
    }
  }
};

TEST_P(Conversion, AllPairs) {
  Random random(GetParam());
  DrawData drawn{.density = 0.3, .zeros = 20, .duplicates = 10};
  convertAllPairs(GetParam() <= 3 ? allFormats(GetParam()) : namedFormats(GetParam()),
                  {"random entries", drawData(random, sizes(), STRATA_F64, drawn)});
  printCases("random entries, order " + std::to_string(GetParam()));
}

TEST_P(Conversion, NamedPairsOfEveryShape) {
  unsigned order = GetParam();
  Random random(order);
  std::vector<Example> examples = sparseExamples(order, random);
  for (const DrawData &how : {DrawData{.density = 0.05, .zeros = 50},
                              DrawData{.density = 0.4, .zeros = 20, .duplicates = 40},
                              DrawData{.density = 1, .shuffled = false}})
    examples.push_back(
        {"density " + std::to_string(how.density), drawData(random, sizes(), STRATA_F64, how)});
  for (const Example &example : examples)
    convertAllPairs(namedFormats(order), example);
  printCases("named formats and special shapes, order " + std::to_string(order));
}

INSTANTIATE_TEST_SUITE_P(Orders, Conversion, testing::Range(1u, 6u));

TensorData dataOf(const runtime::Coordinates &list) {
  TensorData data{list.sizes(), list.valueType(), {}};
  for (int64_t entry = 0; entry < list.count(); ++entry) {
    Coordinate at(list.sizes().size());
    for (size_t dim = 0; dim < at.size(); ++dim)
      at[dim] = list.coordinate(int(dim), entry);
    data.entries.push_back({at, list.value(entry)});
  }
  return data;
}

TEST(ConversionOfRealMatrices, AllNamedPairs) {
  namespace fs = std::filesystem;
  const char *folder = std::getenv("STRATA_DATA");
  if (!folder)
    GTEST_SKIP() << "skipped: no data (set STRATA_DATA)";
  uintmax_t largest = std::getenv("STRATA_LONG") ? 40'000 : 1'400;
  int64_t files = 0;
  for (const fs::directory_entry &file : fs::directory_iterator(fs::path(folder) / "matrices")) {
    if (file.path().extension() != ".mtx" || file.file_size() > largest)
      continue;
    auto content = runtime::readTensorFile(file.path().string(), {});
    ASSERT_TRUE(content.ok()) << file.path() << ": " << content.error().text();
    TensorData data = dataOf(content->list);
    if (data.sizes.size() != 2 || data.sizes[0] > 100'000 || data.sizes[1] > 100'000)
      continue;
    convertAllPairs(namedFormats(2), {file.path().filename(), data});
    ++files;
  }
  EXPECT_GT(files, 0);
  printCases("named formats, " + std::to_string(files) + " real matrices");
}

// 3000 columns with one entry each, all in one row or far from each other.
TensorData absurdFor(int64_t rows, bool oneLongRow) {
  TensorData data{{rows, 3000}, STRATA_F64, {}};
  for (int64_t at = 0; at < 3000; ++at)
    data.entries.push_back({{oneLongRow ? 7 : at * 1019 % rows, at}, 1.0 + double(at % 5)});
  return data;
}

// Refused from every format that itself can hold the matrix; those of `forced` are made where that
// is asked for.
void refusesWhatIsAbsurd(const TensorData &data, const std::set<std::string> &refused,
                         const std::set<std::string> &forced) {
  Workbench &bench = Workbench::instance();
  std::set<std::string> seen;
  std::vector<NamedFormat> formats = namedFormats(2);
  llvm::erase_if(formats, [](const NamedFormat &one) { return one.name == "ELLPACK"; }); // is ELL
  for (const NamedFormat &from : formats) {
    if (refused.contains(from.name) || from.text.empty())
      continue;
    SCOPED_TRACE("from " + from.name);
    auto packed = pack(bench.compiler, toCoordinates(data), bench.type(from, 2, STRATA_F64));
    ASSERT_TRUE(packed.ok()) << packed.error().text();
    for (const NamedFormat &to : formats) {
      mlir::RankedTensorType type = bench.type(to, 2, STRATA_F64);
      if (to.text.empty())
        continue;
      auto converted = convert(bench.compiler, *packed, type);
      ++cases;
      EXPECT_EQ(converted.ok(), !refused.contains(to.name)) << to.name;
      if (converted.ok())
        continue;
      seen.insert(to.name);
      EXPECT_THAT(
          converted.error().text(),
          testing::AllOf(testing::AnyOf(testing::HasSubstr("times as much as a list of them"),
                                        testing::HasSubstr("the places alone would take")),
                         testing::HasSubstr(to.name)));
      if (!forced.contains(to.name) || (from.name != "COO" && from.name != "BCOO"))
        continue; // one direct conversion and one via a list
      auto made = convert(bench.compiler, *packed, type, nullptr, true);
      ASSERT_TRUE(made.ok()) << made.error().text();
      auto unpacked = unpack(bench.compiler, *made);
      ASSERT_TRUE(unpacked.ok()) << unpacked.error().text();
      EXPECT_TRUE(contentOf(*unpacked) == contentOf(data, true)) << to.name;
    }
  }
  EXPECT_EQ(seen, refused);
}

TEST(ConversionRefused, DiagonalsOfScatteredEntries) {
  refusesWhatIsAbsurd(absurdFor(3000, false), {"Bitmap", "DIA", "ModeGeneric"},
                      {"DIA", "ModeGeneric"});
  printCases("some refused, entries scattered over diagonals");
}

TEST(ConversionRefused, SlotsOfOneLongRow) {
  refusesWhatIsAbsurd(absurdFor(3000, true), {"Bitmap", "BELL", "DIA", "ELL"},
                      {"BELL", "DIA", "ELL"});
  printCases("some refused, one long row");
}

TEST(ConversionRefused, PlacesForRowsThatAreEmpty) {
  refusesWhatIsAbsurd(
      absurdFor(20'000'000, false),
      {"CSR", "CSB", "BELL", "DIA", "ELL", "ModeGeneric", "Bitmap", "Skyline", "VBL", "RLE", "JDS"},
      {"CSR"});
  printCases("some refused, rows almost all empty");
}

// The bytes of the counts are more than an integer counts.
TEST(ConversionSlots, CountsOfHugeDimensionsAreNoSmallNumberOfBytes) {
  Workbench &bench = Workbench::instance();
  std::string why;
  ta::FormatAttr rows = ta::shorthand(&bench.context, "ELL", 2, why);
  EXPECT_EQ(slotCountBytes(rows, {int64_t{1} << 61, 5}), 0x1p64);
  EXPECT_EQ(slotCountBytes(rows, {0, 5}), 0);
}

TEST(ConversionOfTypes, AllPairs) {
  Workbench &bench = Workbench::instance();
  Random random(7);
  NamedFormat format{"CSR", "#ta.format<(i, j) -> (i : dense, j : compressed)>"};
  for (strata_type from : allTypes)
    for (strata_type to : allTypes) {
      SCOPED_TRACE(std::string(runtime::typeName(from)) + " to " + runtime::typeName(to));
      // Values that both have.
      strata_type drawn = from == STRATA_BOOL || to == STRATA_BOOL ? STRATA_BOOL
                          : isNatural(from) || isNatural(to)       ? STRATA_U8
                                                                   : STRATA_I32;
      TensorData data = drawData(random, {6, 7}, drawn, {.density = 0.3, .zeros = 10});
      data.type = from;
      auto packed = pack(bench.compiler, toCoordinates(data), bench.type(format, 2, from));
      ASSERT_TRUE(packed.ok()) << packed.error().text();
      auto converted = convert(bench.compiler, *packed, bench.type(format, 2, to));
      ASSERT_TRUE(converted.ok()) << converted.error().text();
      auto unpacked = unpack(bench.compiler, *converted);
      ASSERT_TRUE(unpacked.ok()) << unpacked.error().text();
      EXPECT_EQ(unpacked->valueType(), to);
      EXPECT_EQ(text(contentOf(*unpacked)), text(contentOf(data, true)));
    }
}

} // namespace
