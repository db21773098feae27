// The element types that files hold are those that are read, and no integer loses bits.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "TemporaryFile.h"
#include "strata/runtime/io/FileFormats.h"
#include "strata/runtime/io/TensorFile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

using namespace strata::runtime;
using namespace strata::test;
using testing::HasSubstr;

namespace {

constexpr strata_type everyType[] = {STRATA_BOOL, STRATA_I8,  STRATA_I16, STRATA_I32, STRATA_I64,
                                     STRATA_U8,   STRATA_U16, STRATA_U32, STRATA_U64, STRATA_F16,
                                     STRATA_BF16, STRATA_F32, STRATA_F64, STRATA_C64, STRATA_C128};

/// Matrices with the extremes of a type, which float64 may not hold.
template <typename V> std::vector<V> extremes() {
  if constexpr (std::is_same_v<V, bool>)
    return {true, true, true};
  else if constexpr (std::is_integral_v<V>)
    return {std::numeric_limits<V>::min(), std::numeric_limits<V>::max(),
            static_cast<V>(std::numeric_limits<V>::max() / 1023 + 1)};
  else if constexpr (isComplexNumber<V>)
    return {V(0.5, -1.25), V(0, 3), V(-8, 0.125)};
  else
    return {static_cast<V>(0.5f), static_cast<V>(-1.25f), static_cast<V>(1024.0f)};
}

template <typename V> Coordinates matrixOf(const std::vector<V> &values) {
  const auto count = static_cast<int64_t>(values.size());
  Result<Coordinates> list = Coordinates::create({count, count}, typeOf<V>(), count);
  EXPECT_TRUE(list.ok());
  for (int64_t e = 0; e < count; ++e) {
    list->column(0).as<int32_t>()[e] = list->column(1).as<int32_t>()[e] = static_cast<int32_t>(e);
    list->values().as<V>()[e] = values[static_cast<size_t>(e)];
  }
  return std::move(*list);
}

/// What a file of this format holds of values of a type.
strata_type storedAs(std::string_view format, strata_type type) {
  if (type == STRATA_BF16)
    type = STRATA_F32;
  if (format.starts_with("NumPy"))
    return type;
  if (format.starts_with("binsparse"))
    return type == STRATA_F16 ? STRATA_F32 : type;
  if (isComplexType(type))
    return STRATA_C128;
  if (!isIntegerType(type))
    return STRATA_F64;
  if (format == "smtx")
    return STRATA_BOOL;
  const bool market = format == "Matrix Market" || format == "TensorMarket";
  if (market && type == STRATA_BOOL)
    return STRATA_BOOL; // a pattern
  if (market && type == STRATA_U32)
    return STRATA_U64;
  if (type == STRATA_U64)
    return STRATA_U64;
  if (format.ends_with("FROSTT"))
    return type == STRATA_I64 ? STRATA_I64 : STRATA_F64;
  return STRATA_I64;
}

/// Whether two buffers hold the same numbers, one converted to the type of the other without loss.
void expectSame(Buffer &found, const Buffer &written, const std::string &what) {
  ASSERT_TRUE(convertValues(found, written.type()).ok()) << what;
  ASSERT_EQ(found.count(), written.count()) << what;
  const auto bytes = static_cast<size_t>(written.count() * strata_type_bytes(written.type()));
  EXPECT_EQ(std::memcmp(found.data(), written.data(), bytes), 0) << what;
}

TEST(StoredTypesTest, AreKept) {
  TemporaryFolder folder;
  int files = 0;
  for (const FileFormat &format : fileFormats())
    for (strata_type type : everyType)
      withValueType(type, [&]<typename V>(V *) {
        const Coordinates list = matrixOf(extremes<V>());
        const std::string path = folder.file("a" + std::string(format.endings.front()));
        const std::string what = path + " of " + typeName(type);
        if (!writeTensorFile(path, list).ok()) // such a file holds no such values
          return;
        const std::optional<strata_type> told = valueTypeOfFile(path);
        Result<TensorFileContent> back = readTensorFile(path);
        ASSERT_TRUE(back.ok()) << what << ": " << back.error().text();
        EXPECT_EQ(back->list.valueType(), storedAs(format.name, type)) << what;
        if (told) {
          EXPECT_EQ(*told, back->list.valueType()) << what;
        }
        expectSame(back->list.values(), list.values(), what);
        ++files;
      });
  EXPECT_GE(files, 100);
}

TEST(StoredTypesTest, DenseArraysKeepTheirs) {
  TemporaryFolder folder;
  for (std::string name : {"a.npy", "a.mtx", "a.ttx"})
    for (strata_type type : everyType)
      withValueType(type, [&]<typename V>(V *) {
        const std::vector<V> values = extremes<V>();
        const Coordinates list = matrixOf(values);
        const std::string path = folder.file(name);
        std::optional<Status> written =
            writeDenseTensorFile(path, {{3}, {1}, type, list.values().data()});
        ASSERT_TRUE(written && written->ok());
        Result<TensorFileContent> back = readTensorFile(path);
        ASSERT_TRUE(back.ok()) << back.error().text();
        strata_type stored = storedAs(name == "a.npy" ? "NumPy" : "Matrix Market", type);
        if (name != "a.npy" && type == STRATA_BOOL)
          stored = STRATA_I64; // an array cannot be a pattern
        EXPECT_EQ(back->list.valueType(), stored) << name << " of " << typeName(type);
        EXPECT_EQ(valueTypeOfFile(path), stored) << name << " of " << typeName(type);
        expectSame(back->list.values(), list.values(), name);
      });
}

/// The entries `value`, … and their type, or the error.
std::string read(const std::string &name, const std::string &text,
                 const TensorFileOptions &options = {}) {
  TemporaryFolder folder;
  writeText(folder.file(name), text);
  Result<TensorFileContent> content = readTensorFile(folder.file(name), options);
  if (!content) {
    std::string error = content.error().text();
    return error.substr(error.find(name));
  }
  std::string all = typeName(content->list.valueType());
  withValueType(content->list.valueType(), [&]<typename V>(V *) {
    for (int64_t e = 0; e < content->list.count(); ++e)
      if constexpr (std::is_integral_v<V>)
        all += " " + std::to_string(content->list.values().template as<V>()[e]);
      else
        all += " " + std::to_string(content->list.value(e).real());
  });
  return all;
}

TEST(StoredTypesTest, IntegersOfTextKeepTheirBits) {
  const std::string market = "%%MatrixMarket matrix coordinate ";
  EXPECT_EQ(read("a.mtx", market + "integer general\n2 2 2\n1 1 9007199254740993\n"
                                   "2 2 9223372036854775807\n"),
            "i64 9007199254740993 9223372036854775807");
  EXPECT_EQ(read("a.mtx", market + "unsigned-integer general\n2 2 2\n1 1 18446744073709551615\n"
                                   "2 2 9007199254740993\n"),
            "u64 18446744073709551615 9007199254740993");
  EXPECT_EQ(read("a.mtx", market + "unsigned-integer symmetric\n2 2 1\n2 1 7\n"), "u64 7 7");
  EXPECT_EQ(read("a.mtx", "%%MatrixMarket matrix array unsigned-integer general\n1 1\n3\n"),
            "u64 3");
  EXPECT_EQ(
      read("a.mtx", market + "unsigned-integer general\n2 2 1\n1 1 -3\n"),
      "a.mtx:3: error: the value '-3' does not fit the type u64; expected an integer from 0 on "
      "in a file of field 'unsigned-integer'");
  EXPECT_EQ(read("a.mtx", market + "unsigned-integer general\n2 2 1\n1 1 18446744073709551616\n"),
            "a.mtx:3: error: the value '18446744073709551616' does not fit the type u64; expected "
            "an integer from 0 on in a file of field 'unsigned-integer'");
  EXPECT_EQ(read("a.mtx", market + "integer general\n2 2 1\n1 1 18446744073709551615\n"),
            "a.mtx:3: error: the value '18446744073709551615' does not fit the type i64; expected "
            "an integer in a file of field 'integer', or values of type uint64 or double");
  EXPECT_EQ(read("a.mtx", market + "pattern general\n2 2 1\n1 2\n"), "bool 1");
  // Nothing says a type there; integers that float64 does not hold are seen by themselves.
  EXPECT_EQ(read("a.tns", "1 1 9007199254740993\n2 2 -3\n"), "i64 9007199254740993 -3");
  EXPECT_EQ(read("a.tns", "1 1 18446744073709551615\n"), "u64 18446744073709551615");
  EXPECT_EQ(read("a.tns", "1 1 9007199254740993\n2 2 0.5\n"),
            "f64 9007199254740992.000000 0.500000");
  EXPECT_EQ(read("a.tns", "1 1 7\n"), "f64 7.000000");
  const std::string boeing =
      "title                                                                 "
      "  |KEY     \n             3             1             1             1\n"
      "iua                        2             2             2             0\n"
      "(3I2)           (2I2)           (2I20)              \n 1 2 3\n 1 2\n";
  EXPECT_EQ(read("a.rb", boeing + "18446744073709551615                   7\n"),
            "u64 18446744073709551615 7");
  EXPECT_EQ(read("a.rb", boeing + "                  -5                   7\n"), "i64 -5 7");
  EXPECT_THAT(read("a.rb", boeing + "18446744073709551615                  -7\n"),
              HasSubstr("expected integers that one type of 64 bits holds"));
}

TEST(StoredTypesTest, ADeclaredTypeRefusesWhatItCannotHold) {
  const std::string integers = "%%MatrixMarket matrix coordinate integer general\n% c\n2 2 2\n"
                               "1 1 5\n2 1 300\n";
  EXPECT_EQ(read("a.mtx", integers, {.valueType = STRATA_I16}), "i16 5 300");
  EXPECT_EQ(read("a.mtx", integers, {.valueType = STRATA_F64}), "f64 5.000000 300.000000");
  EXPECT_EQ(read("a.mtx", integers, {.valueType = STRATA_I8}),
            "a.mtx:5: error: the value 300 of entry 2 does not fit the type i8");
  EXPECT_EQ(read("a.mtx",
                 "%%MatrixMarket matrix coordinate complex general\n2 2 2\n1 1 2 0\n"
                 "2 1 2 1\n",
                 {.valueType = STRATA_F64}),
            "a.mtx:4: error: the value (2, 1) of entry 2 does not fit the type f64; expected the "
            "element type complex (Tensor<complex>, -t A:complex)");
  EXPECT_EQ(read("a.mtx",
                 "%%MatrixMarket matrix coordinate unsigned-integer general\n2 2 1\n"
                 "1 1 9223372036854775808\n",
                 {.valueType = STRATA_I64}),
            "a.mtx:3: error: the value 9223372036854775808 of entry 1 does not fit the type i64");
  EXPECT_EQ(read("a.tns", "# c\n1 1 5\n1 2 -1\n", {.valueType = STRATA_U8}),
            "a.tns:3: error: the value -1 of entry 2 does not fit the type u8");
  EXPECT_EQ(read("a.tns", "2 2 2\n1 1 5\n1 2 300\n", {.valueType = STRATA_U8, .comet = true}),
            "a.tns:3: error: the value 300 of entry 2 does not fit the type u8");
  EXPECT_EQ(read("a.mtx",
                 "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n"
                 "2 1 -128\n",
                 {.valueType = STRATA_I8}),
            "a.mtx:3: error: the negative of this entry does not fit the type i8");
}

} // namespace
