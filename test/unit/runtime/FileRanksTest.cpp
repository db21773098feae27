// Files that several ranks read together: what they have read is what one reads, and so is the
// error, whatever the bytes are.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/FileRanks.h"
#include "strata/runtime/io/FileFormats.h"

#include <algorithm>
#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>
#include <random>
#include <thread>
#include <tuple>

using namespace strata::runtime;

namespace {

/// Where threads that stand for ranks bring their words.
class Meeting {
public:
  explicit Meeting(size_t count) : brought(count) {}

  Result<std::vector<int64_t>> gather(size_t rank, std::span<const int64_t> own) {
    std::unique_lock lock(mutex);
    brought[rank].assign(own.begin(), own.end());
    const size_t here = round;
    ++arrived;
    proceed();
    changed.wait(lock, [&] { return round != here; });
    if (incomplete)
      return Error{Error::Communication, "another rank has failed"};
    return all;
  }
  /// A rank that has failed comes to no more gatherings.
  void fail() {
    const std::lock_guard lock(mutex);
    ++failed;
    proceed();
  }

private:
  void proceed() {
    if (arrived == 0 || arrived + failed < brought.size())
      return;
    all.clear();
    for (const std::vector<int64_t> &words : brought)
      all.insert(all.end(), words.begin(), words.end());
    incomplete = failed > 0;
    arrived = 0;
    ++round;
    changed.notify_all();
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::vector<int64_t>> brought;
  std::vector<int64_t> all;
  size_t arrived = 0, failed = 0, round = 0;
  bool incomplete = false; ///< the last gathering: a rank had failed
};

/// Entries by their places; those at one place in their order.
std::vector<std::string> entriesOf(const std::vector<TensorFileContent> &contents) {
  struct Entry {
    std::vector<int64_t> place;
    size_t number;
    std::complex<double> value;
  };
  std::vector<Entry> entries;
  for (const TensorFileContent &content : contents)
    for (int64_t e = 0; e < content.list.count(); ++e) {
      Entry &entry =
          entries.emplace_back(std::vector<int64_t>(), entries.size(), content.list.value(e));
      for (int d = 0; d < content.list.order(); ++d)
        entry.place.push_back(content.list.coordinate(d, e));
    }
  std::ranges::sort(entries, {},
                    [](const Entry &entry) { return std::tie(entry.place, entry.number); });
  std::vector<std::string> texts;
  for (const Entry &entry : entries) {
    std::string &text = texts.emplace_back();
    for (int64_t coordinate : entry.place)
      text += std::to_string(coordinate) + " ";
    text += std::to_string(entry.value.real()) + " " + std::to_string(entry.value.imag());
  }
  return texts;
}

/// What one reader or several have read, or the error of the first that has failed.
struct Outcome {
  std::vector<TensorFileContent> contents = {};
  std::string error = {};
};

Outcome readAlone(const std::string &name, const std::string &text, TensorFileOptions options) {
  Result<InputFile> file = InputFile::fromText(name, text);
  if (!file)
    return {.error = file.error().text()};
  Outcome outcome;
  Result<TensorFileContent> content = formatOf(*file).read(*file, options);
  if (content)
    outcome.contents.push_back(std::move(*content));
  else
    outcome.error = content.error().text();
  return outcome;
}

Outcome readTogether(const std::string &name, const std::string &text, TensorFileOptions options,
                     size_t count) {
  Meeting meeting(count);
  std::vector<Outcome> outcomes(count);
  std::vector<std::thread> threads;
  for (size_t rank = 0; rank < count; ++rank)
    threads.emplace_back([&, rank] {
      FileRanks ranks{
          .rank = static_cast<int32_t>(rank),
          .count = static_cast<int32_t>(count),
          .gather = [&, rank](std::span<const int64_t> own) { return meeting.gather(rank, own); },
          .leastBytes = 0};
      TensorFileOptions own = options;
      own.ranks = &ranks;
      outcomes[rank] = readAlone(name, text, own);
      if (!outcomes[rank].error.empty())
        meeting.fail();
    });
  for (std::thread &thread : threads)
    thread.join();
  Outcome all;
  for (Outcome &outcome : outcomes)
    if (!outcome.error.empty() && outcome.error.find("another rank") == std::string::npos)
      return {.error = std::move(outcome.error)};
    else if (outcome.error.empty())
      all.contents.push_back(std::move(outcome.contents.front()));
  return all;
}

/// Gives how many ranks have got a part; 0 if each has read all.
size_t expectSame(const std::string &name, const std::string &text,
                  const TensorFileOptions &options, size_t count) {
  Outcome one = readAlone(name, text, options);
  Outcome several = readTogether(name, text, options, count);
  EXPECT_EQ(one.error, several.error) << text;
  if (!one.error.empty() || !several.error.empty())
    return 0;
  size_t parts = 0;
  for (const TensorFileContent &content : several.contents) {
    EXPECT_EQ(content.list.sizes(), one.contents.front().list.sizes()) << text;
    EXPECT_EQ(content.list.coordinateType(), several.contents.front().list.coordinateType());
    parts += content.isPart;
  }
  EXPECT_TRUE(parts == 0 || parts == count);
  EXPECT_EQ(several.contents.front().remarks, one.contents.front().remarks) << text;
  if (parts == 0) // each has read all
    several.contents.resize(1);
  EXPECT_EQ(entriesOf(one.contents), entriesOf(several.contents)) << text;
  return parts;
}

class Draw {
public:
  explicit Draw(uint32_t seed) : random(seed) {}

  int64_t below(int64_t bound) {
    return std::uniform_int_distribution<int64_t>(0, bound - 1)(random);
  }
  template <typename T> T oneOf(std::initializer_list<T> all) {
    return all.begin()[below(static_cast<int64_t>(all.size()))];
  }
  std::string lineEnd() { return crlf ? "\r\n" : "\n"; }
  std::string between(char comment) {
    if (below(8) != 0)
      return "";
    return oneOf<std::string>({"", "  ", std::string(1, comment) + " 1 2 3"}) + lineEnd();
  }
  std::string value(const std::string &field) {
    if (field == "pattern")
      return "";
    if (field == "complex")
      return " " + std::to_string(below(9)) + " " + std::to_string(below(3));
    if (field == "integer")
      return " " + std::to_string(below(100) - 50);
    return below(4) == 0 ? " " + std::to_string(below(100)) + ".5"
                         : " " + std::to_string(below(100));
  }

  std::string matrixMarket() {
    crlf = below(4) == 0;
    const auto field = oneOf<std::string>({"real", "integer", "complex", "pattern"});
    auto symmetry =
        oneOf<std::string>({"general", "general", "symmetric", "skew-symmetric", "hermitian"});
    if (field == "pattern" && symmetry != "general")
      symmetry = "symmetric";
    const int64_t rows = 1 + below(20), columns = symmetry == "general" ? 1 + below(20) : rows,
                  entries = below(60);
    const bool lower = below(3) != 0;
    std::string text = "%%MatrixMarket matrix coordinate " + field + " " + symmetry + lineEnd() +
                       between('%') + std::to_string(rows) + " " + std::to_string(columns) + " " +
                       std::to_string(entries + (below(12) == 0 ? below(3) - 1 : 0)) + lineEnd();
    for (int64_t e = 0; e < entries; ++e) {
      int64_t row = 1 + below(rows), column = 1 + below(columns);
      if (symmetry != "general" && lower && row < column)
        std::swap(row, column);
      if (symmetry == "skew-symmetric" && row == column && below(10) != 0)
        row = row == 1 ? rows : row;
      text += between('%') + std::to_string(row) + " " + std::to_string(column) + value(field) +
              lineEnd();
    }
    return text;
  }
  std::string frostt() {
    crlf = below(4) == 0;
    const int64_t order = 1 + below(3), entries = below(60);
    const int64_t most = oneOf<int64_t>({5, 100, int64_t{3} << 30});
    std::string text;
    if (below(3) == 0) { // COMET's header
      for (int64_t d = 0; d < order; ++d)
        text += std::to_string(most + 1) + " ";
      text += std::to_string(entries) + lineEnd();
    }
    for (int64_t e = 0; e < entries; ++e) {
      text += between('#');
      for (int64_t d = 0; d < order; ++d)
        text += std::to_string(1 + below(most)) + " ";
      text += value("real") + lineEnd();
    }
    return text;
  }
  /// Damages a text, or does not.
  std::string changed(std::string text) {
    if (text.empty())
      return text;
    const auto at = static_cast<size_t>(below(static_cast<int64_t>(text.size())));
    switch (below(6)) {
    case 0:
      return text.substr(0, at);
    case 1:
      text[at] = oneOf({'x', '0', ' ', '\n', '-', '.', '%'});
      return text;
    case 2:
      return text + "1 1 1\n";
    default:
      return text;
    }
  }

private:
  std::mt19937 random;
  bool crlf = false;
};

TEST(FileRanks, ReadWhatOneReads) {
  size_t divided = 0, failed = 0;
  constexpr uint32_t files = 600;
  for (uint32_t seed = 0; seed < files; ++seed) {
    Draw draw(seed);
    const bool matrix = draw.below(2) == 0;
    const std::string name = matrix ? "drawn.mtx" : "drawn.tns";
    const std::string text = draw.changed(matrix ? draw.matrixMarket() : draw.frostt());
    TensorFileOptions options;
    options.comet = draw.below(4) == 0;
    if (draw.below(6) != 0)
      options.valueType = draw.oneOf({STRATA_F64, STRATA_F32, STRATA_I32, STRATA_C128, STRATA_U8});
    const size_t count = 2 + static_cast<size_t>(draw.below(4));
    divided += expectSame(name, text, options, count) > 0;
    failed += !readAlone(name, text, options).error.empty();
    if (HasFailure()) {
      ADD_FAILURE() << "seed " << seed << ", " << count << " ranks";
      return;
    }
  }
  // The draw is of use only if it reaches both.
  EXPECT_GT(divided, files / 8);
  EXPECT_GT(failed, files / 8);
}

TEST(FileRanks, TellWhoHasAnotherFile) {
  Meeting meeting(2);
  std::vector<std::string> errors(2);
  std::vector<std::thread> threads;
  for (size_t rank = 0; rank < 2; ++rank)
    threads.emplace_back([&, rank] {
      const std::string text = rank == 0 ? "1 1 1\n2 2 2\n" : "1 1 1\n";
      Result<InputFile> file = InputFile::fromText("a.tns", text);
      const FileRanks ranks{
          .rank = static_cast<int32_t>(rank),
          .count = 2,
          .gather = [&, rank](std::span<const int64_t> own) { return meeting.gather(rank, own); }};
      errors[rank] = compareFiles(*file, ranks).error().text();
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &error : errors)
    EXPECT_EQ(error, "a.tns: error: the file has 12 bytes on rank 0, and 6 bytes on rank 1; "
                     "expected the same file on all ranks");
}

} // namespace
