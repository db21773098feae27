// Tests of descriptions: what is read, and what is refused where.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/accelerator/Accelerator.h"

#include "gtest/gtest.h"

using namespace strata::accelerator;

namespace {

// Returns what is said of a description, without the code, which is that of descriptions.
std::string errorOf(const std::string &text) {
  auto parsed = parseAccelerator(text, "a.toml");
  const std::string said = parsed ? "" : parsed.error().sentence(), code = " [SE1508]";
  return said.ends_with(code) ? said.substr(0, said.size() - code.size()) : said + " (no code)";
}

TEST(Description, ReadsAllValues) {
  auto parsed = parseAccelerator(R"(name = "mine"
count = 3
kernel = { rows = 8, columns = 12, depth = 5, type = "float32" }
array.rows = 4
array.columns = 6
units.multipliers = 10
latency.add = 3
scratchpad.banks = [2, 3, 4]
scratchpad.buffers = 2
clock.megahertz = 1.5e3
technology.nanometers = 16
transfer.bytes_per_cycle = 8
)",
                                 "a.toml");
  ASSERT_TRUE(parsed.ok()) << parsed.error().sentence();
  EXPECT_EQ(parsed->name, "mine");
  EXPECT_EQ(parsed->count, 3);
  EXPECT_EQ(parsed->rows, 8);
  EXPECT_EQ(parsed->columns, 12);
  EXPECT_EQ(parsed->depth, 5);
  EXPECT_EQ(parsed->type, Type::float32);
  EXPECT_EQ(parsed->multiplierCount(), 10);
  EXPECT_EQ(parsed->adderCount(), 24);
  EXPECT_EQ(parsed->addLatency, 3);
  EXPECT_EQ(parsed->banks, (std::array<int64_t, 3>{2, 3, 4}));
  EXPECT_EQ(parsed->buffers, 2);
  EXPECT_EQ(parsed->hertz(), 1.5e9);
  EXPECT_EQ(parsed->nanometers, 16);
  EXPECT_EQ(parsed->bytesPerCycle, 8);
}

TEST(Description, IsCalledLikeItsFile) {
  EXPECT_EQ(parseAccelerator("", "some/where/a.toml")->name, "a.toml");
}

TEST(Description, SaysWhereItIsWrong) {
  EXPECT_EQ(errorOf("count = 1\n[kernel]\nrow = 8\n"),
            "a.toml:3:1: there is no parameter 'kernel.row'");
  EXPECT_EQ(errorOf("count = 0\n"), "a.toml:1:9: count is 0; expected from 1 to 1024");
  EXPECT_EQ(errorOf("count = \"2\"\n"),
            "a.toml:1:9: count has a value of another type; expected an integer");
  EXPECT_EQ(errorOf("count = 2.5\n"),
            "a.toml:1:9: count has a value of another type; expected an integer");
  EXPECT_EQ(errorOf("clock = 100\n"), "a.toml:1:1: there is no parameter 'clock'");
  EXPECT_EQ(errorOf("[clock]\nmegahertz = nan\n"),
            "a.toml:2:13: clock.megahertz is nan; expected from 1 to 10000");
  EXPECT_EQ(
      errorOf("[kernel]\n  type = \"double\"\n"),
      "a.toml:2:10: accelerators have no type 'double'; expected int8, int32, float16, float32 "
      "or float64");
  EXPECT_EQ(
      errorOf("[scratchpad]\nbanks = [4, 4]\n"),
      "a.toml:2:9: scratchpad.banks has 2 numbers; expected three: the banks of A, of B and of C");
  EXPECT_EQ(errorOf("[scratchpad]\nbanks = 4\n"),
            "a.toml:2:9: scratchpad.banks has a value of another type; expected three integers");
  EXPECT_EQ(errorOf("[kernel\n").substr(0, 10), "a.toml:1:8");
  EXPECT_EQ(errorOf("[technology]\nnanometers = 28\n"),
            "a.toml: nothing is known of a technology of 28 nm");
  EXPECT_EQ(errorOf("array = { rows = 7, columns = 16 }\n"),
            "a.toml: an array of 7 x 16 does not divide a micro-kernel of 64 x 64");
  EXPECT_EQ(
      errorOf("kernel = { rows = 2, columns = 2, depth = 2 }\narray = { rows = 2, columns = 2 }\n"),
      "a.toml: a scratchpad of 4 elements has 16 banks");
  EXPECT_EQ(
      errorOf("kernel = { rows = 1024, columns = 1024, depth = 1024 }\n"),
      "a.toml: a micro-kernel of 1073741824 products on an array of 16 x 16 is too long to be "
      "modelled");
  EXPECT_EQ(readAccelerator("nowhere.toml").error().sentence(),
            "cannot read 'nowhere.toml' [SE1301]");
}

TEST(Description, TakesParametersFromText) {
  Accelerator accelerator;
  EXPECT_TRUE(setParameter(accelerator, "size", "32").ok());
  EXPECT_TRUE(setParameter(accelerator, "array", "8x4").ok());
  EXPECT_TRUE(setParameter(accelerator, "banks", "8x4x2").ok());
  EXPECT_TRUE(setParameter(accelerator, "clock", "250.5").ok());
  EXPECT_TRUE(setParameter(accelerator, "type", "float16").ok());
  EXPECT_TRUE(setParameter(accelerator, "latency.add", "2").ok());
  EXPECT_EQ(accelerator.rows + accelerator.columns + accelerator.depth, 96);
  EXPECT_EQ(accelerator.arrayRows, 8);
  EXPECT_EQ(accelerator.arrayColumns, 4);
  EXPECT_EQ(accelerator.banks[C], 2);
  EXPECT_EQ(accelerator.megahertz, 250.5);
  EXPECT_EQ(accelerator.type, Type::float16);
  EXPECT_EQ(accelerator.addLatency, 2);
  EXPECT_FALSE(setParameter(accelerator, "size", "2k").ok());
  EXPECT_FALSE(setParameter(accelerator, "size", "").ok());
  EXPECT_FALSE(setParameter(accelerator, "array", "8").ok());
  EXPECT_FALSE(setParameter(accelerator, "array", "8x0").ok());
  EXPECT_FALSE(setParameter(accelerator, "clock", "fast").ok());
  EXPECT_FALSE(setParameter(accelerator, "name", "a").ok());
  for (const ParameterName &one : parameters())
    EXPECT_FALSE(one.meaning.empty()) << one.name;
}

} // namespace
