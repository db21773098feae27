// Programs as bytes; what the interpreter says of wrong data.
#include "strata/host/CompiledKernels.h"
#include "strata/host/Entry.h"
#include "strata/host/Interpreter.h"

#include <gtest/gtest.h>
#include <random>

using namespace strata::host;

namespace {

StoredFormat scalarFormat() {
  StoredFormat format;
  format.name = "Dense";
  format.fill.assign(8, 0);
  format.full = true;
  format.buffers = {STRATA_F64};
  return format;
}

// x = 1; while x < 3 (at most `limit` rounds): x = 3; print x.
Program example(int64_t limit) {
  Program program;
  program.name = "example";
  program.places = {"example.ta:1:1"};
  program.types.push_back({{scalarFormat()}, {}, {{}}, {}});
  program.tensors = 5;
  program.names.assign(5, "'x'");
  program.sizes = 1;
  auto number = [](double value) {
    const char *bytes = reinterpret_cast<const char *>(&value);
    return std::vector<char>(bytes, bytes + sizeof(value));
  };
  auto add = [](Instructions &to, Operation operation) {
    to.list.push_back({0, std::move(operation)});
  };
  add(program.body, Fill{0, 0, {}, number(1)});
  add(program.body, Fill{1, 0, {}, number(3)});
  Loop loop{limit, {{0}, {2}, {4}, {0}, {"'x'"}, {}}};
  add(loop.rounds.body, Holds{0, Relation::Less, 2, 1});
  If branch{0, {}, {}, {}};
  add(branch.body, Next{{}, {}});
  add(branch.otherwise, Break{{2}, {2}});
  add(loop.rounds.body, branch);
  add(loop.rounds.body, Fill{3, 0, {}, number(3)});
  add(loop.rounds.body, Next{{3}, {2, 3}});
  add(program.body, loop);
  add(program.body, Print{4, "x", false});
  return program;
}

bool run(const Program &program, FILE *out, FILE *messages, int32_t *interrupt = nullptr) {
  CompiledKernels kernels(program, nullptr);
  Console console(program, out, messages);
  return Interpreter(program, kernels, console, {.interrupt = interrupt}).run();
}

std::string textOf(FILE *file) {
  std::rewind(file);
  std::string text(256, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

TEST(Program, RunsFromItsBytes) {
  std::optional<Program> program = decode(encode(example(10)));
  ASSERT_TRUE(program);
  FILE *out = std::tmpfile();
  EXPECT_TRUE(run(*program, out, stderr));
  EXPECT_EQ(textOf(out), "x = 3\n");
}

TEST(Program, TellsWhereItFails) {
  Program program = example(1);
  FILE *out = std::tmpfile(), *messages = std::tmpfile();
  EXPECT_FALSE(run(program, out, messages));
  EXPECT_EQ(textOf(out), "");
  EXPECT_EQ(textOf(messages),
            "example.ta:1:1: error: the loop has not ended after 1 iterations, its limit; expected "
            "fewer, or a higher limit: while (...) limit 5000000 { ... } or repeat limit 5000000 "
            "{ ... } until (...) [SE0802]\n");
}

TEST(Program, IsInterrupted) {
  Program program = example(10);
  int32_t interrupt = 1;
  FILE *messages = std::tmpfile();
  EXPECT_FALSE(run(program, stdout, messages, &interrupt));
  EXPECT_EQ(textOf(messages), "example.ta:1:1: error: interrupted [SE1505]\n");
}

TEST(Program, RefusesBytesThatAreCutOrChanged) {
  std::string bytes = encode(example(10));
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decode(std::string_view(bytes).substr(0, size))) << size;
  EXPECT_FALSE(decode(bytes + "x"));
  std::mt19937 random(1);
  for (int round = 0; round < 5000; ++round) { // whatever comes out, nothing breaks
    std::string changed = bytes;
    changed[random() % changed.size()] = char(random());
    (void)decode(changed);
  }
}

TEST(Program, SaysWhatItsParametersAre) {
  Program program = example(10);
  program.places.push_back("example.ta:2:1");
  program.body.list.push_back({1, Write{4, {"", "out"}, -1, -1}});
  std::string bytes = encode(program);
  const char *wrong[] = {"in=x.mtx"};
  testing::internal::CaptureStderr();
  EXPECT_EQ(strata_program_run(bytes.data(), int64_t(bytes.size()), nullptr, 1, wrong), 1);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "error: the program has no parameter 'in'\n");
  testing::internal::CaptureStderr();
  EXPECT_EQ(strata_program_run(bytes.data(), int64_t(bytes.size()), nullptr, 0, nullptr), 1);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "example.ta:2:1: error: 'out' has no value: give the file's name with -D out=FILE "
            "[SE0205]\n");
}

} // namespace
