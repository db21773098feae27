// The processes that run a program together: who they are, and messages between them.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_DIST_WORLD_H
#define STRATA_RUNTIME_DIST_WORLD_H

#include "strata/runtime/dist/Loader.h"
#include "strata/runtime/dist/RollCall.h"
#include "strata/runtime/dist/Wait.h"

#include <memory>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

namespace strata::runtime::dist {

using Message = strata_message;

/// The largest message that is sent in one piece, in bytes: libraries of MPI count in `int`.
constexpr int64_t largestPiece = int64_t(1) << 30;

struct WorldOptions {
  /// The address of an MPI_Comm of the caller's; null: all processes that the launcher has started.
  const void *communicator = nullptr;
  Patience patience = {};
  /// Is told why, before all processes are ended since one was not heard of in time.
  std::function<void(const Error &error)> lost = {};
  /// Longer messages are cut; tests lower it.
  int64_t pieceBytes = largestPiece;
};

class Channel;

/// What passes between a process and others.
struct Traffic {
  int64_t bytes = 0, messages = 0; ///< that it has sent by channels
  int64_t bytesCome = 0, messagesCome = 0;
  int64_t collectives = 0;     ///< operations of all processes together
  int64_t collectiveBytes = 0; ///< that these have given it

  static constexpr int64_t Traffic::*all[] = {&Traffic::bytes,       &Traffic::messages,
                                              &Traffic::bytesCome,   &Traffic::messagesCome,
                                              &Traffic::collectives, &Traffic::collectiveBytes};
  Traffic &operator+=(const Traffic &other) {
    for (int64_t Traffic::*number : all)
      this->*number += other.*number;
    return *this;
  }
  Traffic operator-(const Traffic &other) const {
    Traffic left = *this;
    for (int64_t Traffic::*number : all)
      left.*number -= other.*number;
    return left;
  }
};

/// All processes of the world call the same collective functions in the same order: open,
/// broadcast, allgather, the functions of Job.h and Exchange.h, and close. `operation` says in
/// messages what is waited for: "the exchange of sizes".
class World {
public:
  /// Loads what carries messages, and begins.
  static Result<std::unique_ptr<World>> open(WorldOptions options = {});
  /// Begins with what is loaded.
  static Result<std::unique_ptr<World>> join(Engine engine, WorldOptions options);
  /// One process, without MPI.
  static Result<std::unique_ptr<World>> self();
  World(const World &) = delete;
  World &operator=(const World &) = delete;
  /// Closes, unless an operation has failed.
  ~World();

  /// What has passed so far.
  const Traffic &passed() const { return traffic; }

  /// Seconds that this process has waited for others so far.
  double secondsWaited() const { return waited; }

  int32_t rank() const { return facts.rank; }
  int32_t size() const { return facts.size; }
  const Engine &engine() const { return used; }
  /// What carries the messages: "Open MPI v4.1.4"; "none" of a process that is alone.
  std::string library() const { return shortVersion(facts.library); }
  /// The name of the node of each process.
  const std::vector<std::string> &nodes() const { return nodeNames; }
  /// "rank 2 of 4 (node n17)"; the node is named where there are several.
  std::string nameOf(int32_t rank) const;
  /// "ranks 0, 2, 5": the first of many.
  std::string namesOf(const std::vector<int32_t> &ranks) const;
  /// How many processors there are for this process alone, if those on its node that may use the
  /// same ones share them evenly: at least 1.
  int32_t processors() const { return processorShare; }

  Status broadcast(void *data, int64_t bytes, int32_t root, std::string_view operation);
  /// The words of all processes, rank by rank; each gives the same number.
  Result<std::vector<int64_t>> allgather(std::span<const int64_t> own, std::string_view operation);
  /// The words of all processes for this one, of which each gives one for each.
  Result<std::vector<int64_t>> alltoall(std::span<const int64_t> out, std::string_view operation);
  /// Prepares messages that can be sent again and again, at most one to each process and one from
  /// each. Both sides give the same number of bytes; nothing is sent for an empty message.
  Result<Channel> prepare(std::span<const Message> out, std::span<const Message> in,
                          std::string_view operation);

  /// Tells whether any thread may call, one at a time; otherwise only that which has begun the
  /// world.
  bool servesAnyThread() const { return facts.any_thread != 0; }
  /// Ends the world; messages may not be under way. Nothing else may be called then.
  Status close();
  /// An operation has failed or its deadline has passed: the other processes can no longer be
  /// relied on, and nothing but `stop` helps.
  bool isLost() const { return lost; }
  /// Loses the world, since this process cannot take part in an operation that others wait for.
  /// Returns what to tell.
  Status lose(const Status &why, std::string_view operation);
  /// Ends all processes of the world, where the launcher can, with this exit code. May return.
  void stop(int32_t code);

private:
  friend class Channel;
  World(Engine engine, WorldOptions options) : used(std::move(engine)), options(options) {}

  Status checkLauncher() const;
  Status gatherNodes();
  Status checkThread() const;
  /// The error of a code that is not 0, which loses the world.
  Status failure(int32_t code, std::string_view operation);
  /// Waits for a started channel; its operation has this number in roll calls.
  Status finish(strata_channel *channel, std::string_view operation, int64_t number);
  Status finishAndClose(strata_channel *channel, std::string_view operation);
  Result<std::vector<int64_t>>
  exchangeWords(size_t words, std::string_view operation,
                const std::function<int32_t(int64_t *words, strata_channel **channel)> &begin);
  Awaited awaited(strata_channel *channel, int64_t number);

  Engine used;
  WorldOptions options;
  strata_group_facts facts = {};
  strata_group *group = nullptr;
  RollCall rollCall;
  std::vector<std::string> nodeNames;
  int32_t processorShare = 1;
  std::thread::id opener = std::this_thread::get_id();
  Traffic traffic;
  double waited = 0;
  bool isFirstToFail = true; ///< as far as is known, no process before this one waits
  bool isQuiet = false;      ///< this process tells in no roll call that it waits
  bool lost = false;
};

/// Messages that can be sent again and again from and to the same places. It ends before its world.
class Channel {
public:
  Channel(Channel &&other)
      : world(other.world), channel(std::exchange(other.channel, nullptr)),
        operation(std::move(other.operation)), each(other.each), started(other.started) {}
  Channel &operator=(Channel &&) = delete;
  /// Messages under way are waited for.
  ~Channel();

  /// Begins to send and receive; processes start the channels that they share in one order.
  Status start();
  /// Has everything been sent and received? Does not wait.
  Result<bool> test();
  /// Waits until it has.
  Status finish();

private:
  friend class World;
  Channel(World &world, strata_channel *channel, std::string_view operation, Traffic each)
      : world(&world), channel(channel), operation(operation), each(each) {}

  World *world;
  strata_channel *channel;
  std::string operation;
  Traffic each; ///< of a start
  bool started = false;
};

} // namespace strata::runtime::dist
#endif // STRATA_RUNTIME_DIST_WORLD_H
