// Gathers from each process whether it goes on, where it is, and a number.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dist/Job.h"

#include <algorithm>
#include <numeric>
#include <unistd.h>

namespace strata::runtime::dist {
namespace {

// Places of the program are not negative.
constexpr int64_t beginning = -1, ending = -2;

// The words that a process brings to a meeting.
enum Word { CodeWord, PlaceWord, BytesWord, NumberWord, words = NumberWord + 3 };

// Hashes by FNV-1a.
int64_t hashOf(std::string_view content) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char byte : content)
    hash = (hash ^ byte) * 0x100000001b3;
  return int64_t(hash);
}

} // namespace

// Gives the words of all; an error if a process has failed or is elsewhere.
Result<std::vector<int64_t>> Job::gather(const Brought &own, std::string_view operation) {
  int64_t brought[words] = {own.code, own.place, int64_t(own.text.size())};
  std::ranges::copy(own.numbers, brought + NumberWord);
  Result<std::vector<int64_t>> all = world->allgather(brought, operation);
  if (!all)
    return all.takeStatus();
  if (Status heard = hear(*all, own.text, operation); !heard.ok())
    return heard;
  for (int32_t other = 0; other < size(); ++other)
    if ((*all)[size_t(other) * words + PlaceWord] != (*all)[PlaceWord])
      return differ("ranks 0 and " + std::to_string(other) +
                    " have gone different ways in the program");
  return all;
}

// Lists one of the numbers of each process.
std::vector<int64_t> Job::numbersIn(const std::vector<int64_t> &all, size_t number) {
  std::vector<int64_t> numbers;
  for (size_t at = NumberWord + number; at < all.size(); at += words)
    numbers.push_back(all[at]);
  return numbers;
}

// Finds the first process whose first number is not that of rank 0.
std::optional<int32_t> Job::findOther(const std::vector<int64_t> &all) const {
  for (int32_t other = 0; other < size(); ++other)
    if (all[size_t(other) * words + NumberWord] != all[NumberWord])
      return other;
  return std::nullopt;
}

// Hears from the first process that has failed why it has.
Status Job::hear(const std::vector<int64_t> &all, std::string_view text,
                 std::string_view operation) {
  Failure heard;
  for (int32_t other = 0; other < size(); ++other)
    if (all[size_t(other) * words + CodeWord])
      heard.ranks.push_back(other);
  if (heard.ranks.empty())
    return Status();
  const int32_t first = heard.ranks.front();
  const int64_t *of = all.data() + size_t(first) * words;
  heard.code = int32_t(of[CodeWord]);
  heard.text = first == rank() ? std::string(text) : std::string(size_t(of[BytesWord]), '\0');
  Status told = world->broadcast(heard.text.data(), int64_t(heard.text.size()), first, operation);
  if (!told.ok())
    return told;
  failed = std::move(heard);
  return Error::alreadyShown(placeOfFailure() + " the job has failed");
}

// Fails with what all find alike, and each says, so that nobody need hear it.
Status Job::differ(const std::string &message) {
  failed = Failure{std::vector<int32_t>(size_t(size())), 1};
  std::iota(failed->ranks.begin(), failed->ranks.end(), 0);
  return Error{Error::RanksDiffer, message, "the same in all ranks"};
}

Result<std::vector<int64_t>> Job::meet(int64_t place, int64_t number, std::string_view operation) {
  Result<std::vector<int64_t>> all = gather({.place = place, .numbers = {number}}, operation);
  if (!all)
    return all;
  return numbersIn(*all, 0);
}

Result<std::optional<int32_t>> Job::findOther(const Agreed &thing) {
  Result<std::vector<int64_t>> all = gather(
      {.place = beginning, .numbers = {hashOf(thing.content)}}, "the agreement on " + thing.name);
  if (!all)
    return all.takeStatus();
  return findOther(*all);
}

Status Job::differ(int32_t other, const Agreed &thing) {
  return differ(world->nameOf(other) + " differs from rank 0 in " + thing.name);
}

Result<std::vector<std::array<int64_t, 2>>> Job::agree(const Agreed &thing,
                                                       std::array<int64_t, 2> numbers) {
  Result<std::vector<int64_t>> all =
      gather({.place = beginning, .numbers = {hashOf(thing.content), numbers[0], numbers[1]}},
             "the agreement on " + thing.name);
  if (!all)
    return all.takeStatus();
  if (const std::optional<int32_t> other = findOther(*all))
    return differ(*other, thing);
  std::vector<std::array<int64_t, 2>> brought;
  for (size_t at = NumberWord + 1; at < all->size(); at += words)
    brought.push_back({(*all)[at], (*all)[at + 1]});
  return brought;
}

Status Job::agree(std::span<const Agreed> things) {
  for (const Agreed &thing : things) {
    Result<std::optional<int32_t>> other = findOther(thing);
    if (!other)
      return other.takeStatus();
    if (*other)
      return differ(**other, thing);
  }
  return Status();
}

Status Job::agreeOnEnvironment(std::span<const std::string_view> prefixes) {
  std::vector<std::string_view> variables;
  for (char **variable = environ; *variable; ++variable)
    for (std::string_view prefix : prefixes)
      if (std::string_view(*variable).starts_with(prefix))
        variables.emplace_back(*variable);
  std::sort(variables.begin(), variables.end());
  std::string content, names;
  for (std::string_view variable : variables)
    (content += variable) += '\n';
  for (std::string_view prefix : prefixes)
    (names += names.empty() ? "" : ", ") += prefix;
  const Agreed thing = {"the environment (" + names + ")", content};
  return agree({&thing, 1});
}

Status Job::fail(int32_t code, std::string_view text) {
  if (failed)
    return Status();
  Result<std::vector<int64_t>> all =
      gather({.place = ending, .code = code, .text = text}, "the end after an error");
  return failed ? Status() : all.takeStatus();
}

Status Job::end() {
  if (failed)
    return Status();
  return gather({.place = ending}, "the end of the program").takeStatus();
}

bool Job::hasToSayFailure() const { return failed && speaks() && failed->ranks.front() != rank(); }

std::string Job::placeOfFailure() const {
  return "on " + (failed->ranks.size() == 1 ? world->nameOf(failed->ranks.front())
                                            : world->namesOf(failed->ranks));
}

int32_t Job::settle(int32_t code, std::string_view said, const Outlet &outlet) {
  if (settled)
    return *settled;
  Status status;
  if (!world->isLost())
    status = code ? fail(code, said) : end();
  else if (!speaks()) // which nobody else will hear of
    outlet.show(std::string(said), "");
  // What all have found, one tells; of what one has lost, each knows alone.
  if (!status.ok() && !status.error().shown && (world->isLost() || speaks()))
    outlet.tell(status.error());
  if (hasToSayFailure())
    outlet.show(failed->text, placeOfFailure());
  settled = world->isLost() ? lostCode : failed ? failed->code : code;
  return *settled;
}

int32_t Job::conclude(int32_t code, std::string_view said, const Outlet &outlet) {
  settle(code, said, outlet);
  if (!world->isLost())
    if (Status closed = world->close(); !closed.ok())
      outlet.tell(closed.error());
  if (!world->isLost())
    return *settled;
  world->stop(lostCode);
  return lostCode;
}

} // namespace strata::runtime::dist
