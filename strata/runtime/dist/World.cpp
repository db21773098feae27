// Begins and ends worlds, and turns a provider's codes into errors that name ranks and operations.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dist/World.h"
#include "strata/runtime/Stopwatch.h"
#include "strata/runtime/dist/Self.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <sched.h>
#include <unistd.h>

namespace strata::runtime::dist {

Result<std::unique_ptr<World>> World::open(WorldOptions options) {
  Result<Engine> engine = findEngine(options.communicator != nullptr);
  if (!engine)
    return engine.takeStatus();
  return join(std::move(*engine), options);
}

Result<std::unique_ptr<World>> World::self() { return join(Engine{&selfProvider()}, {}); }

Result<std::unique_ptr<World>> World::join(Engine engine, WorldOptions options) {
  options.pieceBytes = std::clamp(options.pieceBytes, int64_t(1), largestPiece);
  std::unique_ptr<World> world(new World(std::move(engine), options));
  const strata_provider &provider = *world->used.provider;
  int32_t code =
      provider.begin(options.communicator, options.pieceBytes, &world->group, &world->facts);
  if (!code)
    code = world->rollCall.begin(provider, options.communicator);
  Status status = code ? world->failure(code, "the start of " + world->used.library) : Status();
  if (status.ok() && !options.communicator)
    status = world->checkLauncher();
  if (status.ok())
    status = world->gatherNodes();
  if (status.ok())
    return world;
  if (world->isLost()) {
    if (world->options.lost)
      world->options.lost(status.error());
    status.error().shown = true;
    world->stop(lostCode);
  }
  return status;
}

// Finds a launcher that starts processes which load the library of another MPI: each is alone then,
// and would do the whole work and write the same files.
Status World::checkLauncher() const {
  std::optional<Launcher> launcher = findLauncher();
  if (!launcher || launcher->processes == 0 || launcher->processes == size() ||
      used.provider == &selfProvider())
    return Status();
  Error error{Error::Library,
              launcher->name + " started " + std::to_string(launcher->processes) +
                  " processes, but " + library() + " (" +
                  (used.library.empty() ? used.plugin : used.library) + ") sees " +
                  std::to_string(size()),
              "the launcher of that library, or in STRATA_MPI a library of the launcher's MPI"};
  // Each process finds the same; the first one says it.
  error.shown = launcher->rank > 0;
  return error;
}

Status World::gatherNodes() {
  constexpr size_t nameWords = 8, words = nameWords + 1;
  int64_t own[words] = {};
  if (gethostname(reinterpret_cast<char *>(own), nameWords * sizeof(int64_t) - 1) != 0)
    std::memcpy(own, "?", 2);
  cpu_set_t usable;
  CPU_ZERO(&usable);
  const bool isKnown = sched_getaffinity(0, sizeof usable, &usable) == 0;
  own[nameWords] = int64_t(
      std::hash<std::string_view>()({reinterpret_cast<const char *>(&usable), sizeof usable}));
  Result<std::vector<int64_t>> all = allgather(own, "the exchange of the nodes' names");
  if (!all)
    return all.takeStatus();
  int32_t sharers = 0;
  for (size_t at = 0; at < all->size(); at += words) {
    nodeNames.emplace_back(reinterpret_cast<const char *>(all->data() + at));
    sharers += std::equal(own, own + words, all->begin() + ptrdiff_t(at));
  }
  const auto usableCount = isKnown ? CPU_COUNT(&usable) : int(std::thread::hardware_concurrency());
  processorShare = std::max(usableCount / std::max(sharers, 1), 1);
  return Status();
}

World::~World() {
  if (group && !lost)
    if (Status status = close(); !status.ok() && options.patience.note)
      options.patience.note(status.error().sentence());
}

Status World::close() {
  const int64_t nothing = 0;
  Result<std::vector<int64_t>> all = allgather({&nothing, 1}, "the end");
  if (!all)
    return all.takeStatus();
  // Whoever has told in a roll call that it waits, has told it those who came in time, too. From
  // here on nobody tells it.
  isQuiet = true;
  const int64_t rounds = rollCall.rounds();
  all = allgather({&rounds, 1}, "the end");
  if (!all)
    return all.takeStatus();
  int32_t code = rollCall.finish(*std::max_element(all->begin(), all->end()));
  if (!code)
    code = rollCall.end();
  if (!code)
    code = used.provider->end(group);
  group = nullptr;
  return code ? failure(code, "the end") : Status();
}

void World::stop(int32_t code) {
  lost = true;
  if (group)
    used.provider->stop(group, code);
}

std::string World::nameOf(int32_t rank) const {
  std::string name = "rank " + std::to_string(rank) + " of " + std::to_string(size());
  const bool several = std::any_of(nodeNames.begin(), nodeNames.end(),
                                   [&](const std::string &node) { return node != nodeNames[0]; });
  return several ? name + " (node " + nodeNames[size_t(rank)] + ")" : name;
}

Status World::checkThread() const {
  if (lost)
    return Error{Error::Communication,
                 nameOf(rank()) + " cannot go on: an operation has failed before"};
  if (!facts.any_thread && std::this_thread::get_id() != opener)
    return Error{Error::Communication,
                 library() + " was started for one thread, and another one communicates",
                 "MPI_THREAD_SERIALIZED or more where MPI is started"};
  return Status();
}

Status World::lose(const Status &why, std::string_view operation) {
  lost = true;
  Error error = why.error();
  error.message = nameOf(rank()) + ": " + std::string(operation) + " failed: " + error.message;
  return error;
}

Status World::failure(int32_t code, std::string_view operation) {
  char text[256];
  used.provider->describe(code, text, sizeof text);
  return lose(Error{Error::Communication, text}, operation);
}

std::string World::namesOf(const std::vector<int32_t> &ranks) const {
  constexpr size_t most = 8;
  std::string names = ranks.size() == 1 ? "rank " : "ranks ";
  for (size_t at = 0; at < std::min(ranks.size(), most); ++at)
    names += (at ? ", " : "") + std::to_string(ranks[at]);
  return ranks.size() > most ? names + " and " + std::to_string(ranks.size() - most) + " others"
                             : names;
}

// Names those that this process waits for and that do not themselves wait: they have kept all
// others.
Awaited World::awaited(strata_channel *channel, int64_t number) {
  std::vector<int32_t> peers(static_cast<size_t>(size()), 0);
  int32_t count = 0;
  if (used.provider->pending(channel, peers.data(), size(), &count) != 0)
    count = -1;
  peers.resize(static_cast<size_t>(std::max(count, 0)));
  std::optional<RollCall::Answers> answers;
  if (!isQuiet)
    answers = rollCall.ask(number);
  if (!answers)
    return {peers.empty() ? "another rank" : namesOf(peers)};
  isFirstToFail = answers->isFirstAnywhere;
  std::vector<int32_t> named = answers->silent;
  if (!peers.empty()) {
    std::erase_if(named, [&](int32_t rank) {
      return std::find(peers.begin(), peers.end(), rank) == peers.end();
    });
    if (named.empty())
      named = peers;
  } else if (named.empty()) {
    named = answers->elsewhere;
  }
  return {named.empty() ? "messages under way" : namesOf(named), answers->isFirst};
}

Status World::finish(strata_channel *channel, std::string_view operation, int64_t number) {
  Stopwatch watch;
  Status status = waitFor(*used.provider, channel, options.patience, nameOf(rank()),
                          std::string(operation), [&] { return awaited(channel, number); });
  waited += watch.lap();
  if (!status.ok()) {
    lost = true;
    // All that wait learn the same at once: the first of them ends the others before they tell it.
    // A rank before it that it cannot reach may do so, too, if the launcher reaches both.
    // Without a launcher none is ended.
    const std::chrono::seconds each(used.plugin.empty() ? 0 : 2);
    std::this_thread::sleep_for(!isFirstToFail ? 2 * each : rank() > 0 ? each : 0 * each);
  }
  return status;
}

Status World::finishAndClose(strata_channel *channel, std::string_view operation) {
  Status status = finish(channel, operation, 2 * traffic.collectives);
  if (!status.ok())
    return status;
  int32_t code = used.provider->close(channel);
  return code ? failure(code, operation) : Status();
}

Status World::broadcast(void *data, int64_t bytes, int32_t root, std::string_view operation) {
  if (Status status = checkThread(); !status.ok())
    return status;
  ++traffic.collectives;
  traffic.collectiveBytes += rank() == root ? 0 : bytes;
  strata_channel *channel = nullptr;
  if (int32_t code = used.provider->broadcast(group, data, bytes, root, &channel))
    return failure(code, operation);
  return finishAndClose(channel, operation);
}

// Gets words by an operation of all processes, which `begin` begins.
Result<std::vector<int64_t>> World::exchangeWords(
    size_t words, std::string_view operation,
    const std::function<int32_t(int64_t *words, strata_channel **channel)> &begin) {
  if (Status status = checkThread(); !status.ok())
    return status;
  ++traffic.collectives;
  traffic.collectiveBytes += int64_t(words * sizeof(int64_t));
  std::vector<int64_t> all(words);
  strata_channel *channel = nullptr;
  if (int32_t code = begin(all.data(), &channel))
    return failure(code, operation);
  Status status = finishAndClose(channel, operation);
  if (!status.ok())
    return status;
  return all;
}

Result<std::vector<int64_t>> World::allgather(std::span<const int64_t> own,
                                              std::string_view operation) {
  return exchangeWords(
      own.size() * size_t(size()), operation, [&](int64_t *all, strata_channel **channel) {
        return used.provider->allgather(group, own.data(), int64_t(own.size()), all, channel);
      });
}

Result<std::vector<int64_t>> World::alltoall(std::span<const int64_t> out,
                                             std::string_view operation) {
  return exchangeWords(out.size(), operation, [&](int64_t *in, strata_channel **channel) {
    return used.provider->alltoall(group, out.data(), in, channel);
  });
}

Result<Channel> World::prepare(std::span<const Message> out, std::span<const Message> in,
                               std::string_view operation) {
  if (Status status = checkThread(); !status.ok())
    return status;
  strata_channel *channel = nullptr;
  if (int32_t code = used.provider->open(group, out.data(), int32_t(out.size()), in.data(),
                                         int32_t(in.size()), &channel))
    return failure(code, operation);
  Traffic each;
  for (const Message &message : out)
    if (message.peer != rank() && message.bytes > 0) {
      each.bytes += message.bytes;
      ++each.messages;
    }
  for (const Message &message : in)
    if (message.peer != rank() && message.bytes > 0) {
      each.bytesCome += message.bytes;
      ++each.messagesCome;
    }
  return Channel(*this, channel, operation, each);
}

Channel::~Channel() {
  if (!channel || world->isLost())
    return;
  if (started && !finish().ok())
    return;
  if (int32_t code = world->used.provider->close(channel))
    static_cast<void>(world->failure(code, operation));
}

Status Channel::start() {
  if (Status status = world->checkThread(); !status.ok())
    return status;
  if (int32_t code = world->used.provider->start(channel))
    return world->failure(code, operation);
  world->traffic += each;
  started = true;
  return Status();
}

Result<bool> Channel::test() {
  if (Status status = world->checkThread(); !status.ok())
    return status;
  int32_t done = 0;
  if (int32_t code = world->used.provider->test(channel, &done))
    return world->failure(code, operation);
  started = started && !done;
  return done != 0;
}

Status Channel::finish() {
  if (!started)
    return Status();
  if (Status status = world->checkThread(); !status.ok())
    return status;
  // Messages between single processes stand between two collective operations.
  Status status = world->finish(channel, operation, 2 * world->traffic.collectives + 1);
  started = started && !status.ok();
  return status;
}

} // namespace strata::runtime::dist
