// Numbers from text: exact, and only what is a number.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/NumberText.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <string>

namespace {

using namespace strata::runtime;

template <typename V> using Reader = NumberFault (*)(const char *&, V &, const char *readable);

/// What `read` makes of a text that stands before `end`: the value, or why not.
template <typename V>
std::string outcome(Reader<V> read, const char *p, const char *end, const char *readable) {
  V value{};
  switch (read(p, value, readable)) {
  case NumberFault::notANumber:
    return "no number";
  case NumberFault::outOfRange:
    return "out of range";
  case NumberFault::none:
    break;
  }
  char digits[40];
  *std::to_chars(digits, digits + sizeof digits, value).ptr = 0;
  return digits + (p == end ? "" : " before " + std::string(p, end));
}

/// The same of a whole text, read byte by byte, by words where all of them lie within it, and by
/// words with digits behind it, which do not count.
template <typename V> std::string outcome(Reader<V> read, const std::string &text) {
  const char *begin = text.c_str(), *end = begin + text.size();
  const std::string bytes = outcome(read, begin, end, nullptr);
  EXPECT_EQ(outcome(read, begin, end, end + 1), bytes) << text;
  const std::string longer = text + '\0' + "123456789012345";
  EXPECT_EQ(
      outcome(read, longer.data(), longer.data() + text.size(), longer.data() + longer.size()),
      bytes)
      << text;
  return bytes;
}

/// The real number that is all of a text.
void expectReal(const std::string &text, double expected) {
  const std::string line = text + " 12345678";
  for (const char *readable : {static_cast<const char *>(nullptr), line.data() + line.size()}) {
    const char *p = line.c_str();
    double value = 0;
    ASSERT_EQ(readReal(p, value, readable), NumberFault::none) << text;
    ASSERT_EQ(p, line.c_str() + text.size()) << text;
    ASSERT_EQ(std::memcmp(&value, &expected, sizeof value), 0) << text;
  }
}

TEST(NumberTextTest, Integers) {
  auto read = [](const std::string &text) { return outcome<int64_t>(readInteger, text); };
  EXPECT_EQ(read("0"), "0");
  EXPECT_EQ(read("-17 x"), "-17 before  x");
  EXPECT_EQ(read("+17"), "17");
  EXPECT_EQ(read("0000000000000000000000000000012"), "12");
  EXPECT_EQ(read("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(read("9223372036854775808"), "out of range");
  EXPECT_EQ(read("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(read("-9223372036854775809"), "out of range");
  EXPECT_EQ(read("18446744073709551616"), "out of range");
  EXPECT_EQ(read("99999999999999999999999999"), "out of range");
  EXPECT_EQ(read(""), "no number");
  EXPECT_EQ(read("-"), "no number");
  EXPECT_EQ(read("--1"), "no number");
  EXPECT_EQ(read("x"), "no number");
  EXPECT_EQ(read("1.5"), "1 before .5");
}

TEST(NumberTextTest, WholeNumbers) {
  auto read = [](const std::string &text) { return outcome<int64_t>(readWholeNumber, text); };
  EXPECT_EQ(read("12"), "12");
  EXPECT_EQ(read("-12.0"), "-12");
  EXPECT_EQ(read("1e6"), "1000000");
  EXPECT_EQ(read("1.25E2"), "125");
  EXPECT_EQ(read("1.5"), "no number");
  EXPECT_EQ(read("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(read("9223372036854775808"), "out of range");
  EXPECT_EQ(read("1e16"), "out of range");
  EXPECT_EQ(read("1e999"), "out of range");
  EXPECT_EQ(read("inf"), "no number");
}

TEST(NumberTextTest, IntegersOfAnyLengthAsReals) {
  auto read = [](const std::string &text) { return outcome<double>(readIntegerAsReal, text); };
  EXPECT_EQ(read("-3"), "-3");
  EXPECT_EQ(read("18446744073709551615"), "18446744073709551616");
  EXPECT_EQ(read("-19223372036854775808"), "-19223372036854775808");
  EXPECT_EQ(read("1" + std::string(400, '0')), "out of range");
  EXPECT_EQ(read("inf"), "no number");
}

TEST(NumberTextTest, Reals) {
  auto read = [](const std::string &text) { return outcome<double>(readReal, text); };
  EXPECT_EQ(read("0"), "0");
  EXPECT_EQ(read("-0"), "-0");
  EXPECT_EQ(read("12."), "12");
  EXPECT_EQ(read(".5"), "0.5");
  EXPECT_EQ(read("-.5e1 x"), "-5 before  x");
  EXPECT_EQ(read("+1.5E+01"), "15");
  EXPECT_EQ(read("1e-5"), "1e-05");
  EXPECT_EQ(read("123456789012345678901234567890"), "1.2345678901234568e+29");
  EXPECT_EQ(read("0.00000000000000000000000000001"), "1e-29");
  EXPECT_EQ(read("1e23"), "1e+23");
  EXPECT_EQ(read("9007199254740993"), "9007199254740992");
  EXPECT_EQ(read("1.7976931348623157e308"), "1.7976931348623157e+308");
  EXPECT_EQ(read("1.8e308"), "out of range");
  EXPECT_EQ(read("-1e99999999999999999999"), "out of range");
  EXPECT_EQ(read("5e-324"), "5e-324");
  EXPECT_EQ(read("1e-400"), "0");
  EXPECT_EQ(read("-1e-99999999999999999999"), "-0");
  EXPECT_EQ(read("0." + std::string(500, '0') + "1"), "0");
  EXPECT_EQ(read("0." + std::string(500, '0') + "1e501"), "1");
  EXPECT_EQ(read(std::string(400, '1') + "e-390"), "1111111111.1111112");
  EXPECT_EQ(read("0e999999"), "0");
  EXPECT_EQ(read("inf"), "inf");
  EXPECT_EQ(read("-Infinity"), "-inf");
  EXPECT_EQ(read("NaN"), "nan");
  for (const char *text : {"", "-", "+", ".", "e5", "-e5", "--1", "+-1", "x", "(1,2)", "i", "n"})
    EXPECT_EQ(read(text), "no number") << text;
  EXPECT_EQ(read("1e"), "1 before e");
  EXPECT_EQ(read("1e+"), "1 before e+");
  EXPECT_EQ(read("1.5.2"), "1.5 before .2");
  EXPECT_EQ(read("1d5"), "1 before d5");
  EXPECT_EQ(read("0x10"), "0 before x10");
}

/// Numbers of 16 to 19 digits, where the mantissa has more bits than a double; and the middles
/// between two doubles, which go to the even one.
TEST(NumberTextTest, RealsOfManyDigits) {
  std::mt19937_64 random(2);
  auto check = [](const std::string &text) {
    expectReal(text, std::strtod(text.c_str(), nullptr));
  };
  for (int i = 0; i < 100000; ++i) {
    std::string digits = std::to_string(random() % 9000000000000000000u + 1000000000000000000u);
    digits.resize(16 + random() % 4);
    check(digits + "e-" + std::to_string(random() % 30));
    check("0." + digits.substr(1));
    check(digits.insert(random() % digits.size(), "."));
    const uint64_t n = (uint64_t{1} << 51) + random() % (uint64_t{1} << 51);
    check(std::to_string(n) + ".25");
    check(std::to_string(n) + ".75");
    check(std::to_string(n / 2) + ".125");
    check(std::to_string(n / 2) + ".375");
    check("-" + std::to_string(4 * n + 1) + ".0");
    check(std::to_string(4 * n + 2) + "e-1");
  }
}

TEST(NumberTextTest, RealsAreTheNearestDoubles) {
  std::mt19937_64 random(1);
  auto check = [](const std::string &text) {
    expectReal(text, std::strtod(text.c_str(), nullptr));
  };
  for (int i = 0; i < 200000; ++i) {
    const uint64_t bits = random();
    double value;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value))
      continue;
    char digits[40];
    check(std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr));
    // Short decimals, as people write them.
    const auto whole = static_cast<int64_t>(random() % 2000000) - 1000000;
    check(std::to_string(whole) + "." + std::to_string(random() % 100000) + "e" +
          std::to_string(static_cast<int>(random() % 60) - 30));
  }
}

} // namespace
