// Agrees on a file and on who writes where.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/SharedOutput.h"

#include "strata/runtime/Parallel.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <numeric>

namespace strata::runtime {

/// The text that the first rank has.
static Result<std::string> textOfFirst(std::string text, const FileRanks &ranks) {
  const auto bytes = static_cast<int64_t>(text.size());
  Result<std::vector<int64_t>> sizes = ranks.gather({&bytes, 1});
  if (!sizes)
    return sizes.takeStatus();
  const auto size = static_cast<size_t>(sizes->front());
  std::vector<int64_t> words((size + sizeof(int64_t) - 1) / sizeof(int64_t));
  if (ranks.rank == 0 && size > 0)
    std::memcpy(words.data(), text.data(), size);
  Result<std::vector<int64_t>> all = ranks.gather(words);
  if (!all)
    return all.takeStatus();
  text.resize(size);
  if (size > 0)
    std::memcpy(text.data(), all->data(), size);
  return text;
}

Result<std::optional<SharedOutput>> SharedOutput::create(const std::string &path,
                                                         const FileRanks &ranks) {
  const bool isFirst = ranks.rank == 0;
  std::optional<OutputFile> file;
  if (isFirst && OutputFile::canBeShared(path)) {
    Result<OutputFile> created = OutputFile::create(path);
    if (!created)
      return created.takeStatus();
    file.emplace(std::move(*created));
  }
  Result<std::string> name = textOfFirst(
      file ? std::filesystem::absolute(file->placeholder()).string() : std::string(), ranks);
  if (!name)
    return name.takeStatus();
  if (name->empty())
    return std::optional<SharedOutput>();
  if (!isFirst)
    if (Result<OutputFile> joined = OutputFile::join(*name, path))
      file.emplace(std::move(*joined));
  const int64_t sees = file.has_value();
  Result<std::vector<int64_t>> all = ranks.gather({&sees, 1});
  if (!all)
    return all.takeStatus();
  if (std::ranges::find(*all, 0) != all->end())
    return std::optional<SharedOutput>();
  return std::optional(SharedOutput(std::move(*file), ranks));
}

Result<std::vector<int64_t>> SharedOutput::sum(std::span<const int64_t> own) const {
  Result<std::vector<int64_t>> all = ranks->gather(own);
  if (!all)
    return all;
  std::vector<int64_t> sums(own.size());
  for (size_t at = 0; at < all->size(); ++at)
    sums[at % own.size()] += (*all)[at];
  return sums;
}

Status SharedOutput::write(std::string_view header, int64_t items, const ItemText &format) {
  constexpr int64_t perText = 1 << 14;
  std::vector<std::string> texts(static_cast<size_t>((items + perText - 1) / perText));
  parallelFor(size_t{0}, texts.size(), [&](size_t t) {
    const int64_t begin = static_cast<int64_t>(t) * perText;
    format(texts[t], begin, std::min(items, begin + perText));
  });
  if (ranks->rank == 0)
    texts.insert(texts.begin(), std::string(header));
  int64_t bytes = 0;
  for (const std::string &text : texts)
    bytes += static_cast<int64_t>(text.size());
  Result<std::vector<int64_t>> all = ranks->gather({&bytes, 1});
  if (!all)
    return all.takeStatus();
  int64_t at = std::accumulate(all->begin(), all->begin() + ranks->rank, int64_t{0});
  for (const std::string &text : texts) {
    if (Status written = file.writeAt(at, text); !written.ok())
      return written;
    at += static_cast<int64_t>(text.size());
  }
  if (ranks->rank != 0)
    if (Status done = file.commit(); !done.ok())
      return done;
  // The file appears when all have written, and all go on when it has appeared.
  if (Result<std::vector<int64_t>> here = ranks->gather({&bytes, 1}); !here)
    return here.takeStatus();
  if (ranks->rank == 0)
    if (Status done = file.commit(); !done.ok())
      return done;
  return ranks->gather({&bytes, 1}).takeStatus();
}

} // namespace strata::runtime
