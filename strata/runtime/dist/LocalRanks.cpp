// Implements a provider whose processes are threads, of which one works at a time.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dist/LocalRanks.h"

#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <unordered_map>

namespace strata::runtime::dist {
namespace {

enum Code : int32_t { fine, noSuchProcess, otherBytes, allWait, stopped };

using Letter = std::vector<char>;

/// An operation of all ranks of a group.
struct Meeting {
  std::vector<int64_t> words; ///< that ranks have brought, one behind the other
  Letter letter;              ///< of a broadcast
  int32_t arrived = 0, left = 0;
  bool hasRoot = false;
};

/// From one rank to another: the n-th letter that one sends is the n-th that the other asks for,
/// whenever it takes it.
struct Letters {
  std::map<int64_t, Letter> underWay = {}; ///< by their numbers
  int64_t sent = 0, asked = 0;
};

/// What is under way in a group, of which each rank has begun one.
struct Mail {
  std::unordered_map<int64_t, Letters> letters;  ///< by sender and receiver
  std::unordered_map<int64_t, Meeting> meetings; ///< by their numbers
};

double secondsOfThread() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

/// What a thread does for the sake of messages, which is no work of a rank's.
class Aside {
public:
  Aside() : begin(secondsOfThread()) {}
  Aside(const Aside &) = delete;
  ~Aside() { seconds += secondsOfThread() - begin; }

  static thread_local double seconds;

private:
  double begin;
};
thread_local double Aside::seconds = 0;

/// Gives the ranks their turns. But for `mutex` everything belongs to the rank whose turn it is.
class Turns {
public:
  explicit Turns(int32_t ranks) : all(static_cast<size_t>(ranks)) {}

  int32_t size() const { return int32_t(all.size()); }

  /// Waits for the rank's first turn; false if there is none, since not all could begin.
  bool begin(int32_t rank) {
    std::unique_lock lock(mutex);
    all[size_t(rank)].turn.wait(lock, [&] { return running == rank || isCancelled; });
    return !isCancelled;
  }
  void cancel() {
    const std::lock_guard lock(mutex);
    isCancelled = true;
    for (One &one : all)
      one.turn.notify_one();
  }
  /// Lets others work until one has woken this rank; returns an error if nobody could.
  Code waitFor(int32_t rank) {
    std::unique_lock lock(mutex);
    if (code == fine) {
      all[size_t(rank)].isReady = false;
      pass(rank);
      all[size_t(rank)].turn.wait(lock, [&] { return running == rank; });
    }
    return code;
  }
  Code failure() const { return code; }
  void wake(int32_t rank) { all[size_t(rank)].isReady = !all[size_t(rank)].hasEnded; }
  void wakeAll() {
    for (int32_t rank = 0; rank < size(); ++rank)
      wake(rank);
  }
  void end(int32_t rank) {
    const std::lock_guard lock(mutex);
    all[size_t(rank)].isReady = false;
    all[size_t(rank)].hasEnded = true;
    pass(rank);
  }
  void fail(Code why) {
    code = code == fine ? why : code;
    wakeAll();
  }

  std::vector<Mail> groups;
  /// What ranks have made and not ended: of operations that have failed.
  std::unordered_map<void *, std::shared_ptr<void>> left;

private:
  // Passes the turn to the next rank that can go on; where none can, all learn it.
  void pass(int32_t from) {
    for (int32_t round = 0; round < 2; ++round) {
      for (int32_t step = 1; step <= size(); ++step)
        if (const int32_t next = (from + step) % size(); all[size_t(next)].isReady) {
          running = next;
          all[size_t(next)].turn.notify_one();
          return;
        }
      fail(allWait);
    }
    running = -1; // all have ended
  }

  struct One {
    std::condition_variable turn;
    bool isReady = true, hasEnded = false;
  };
  std::mutex mutex;
  std::deque<One> all; // which cannot be moved
  int32_t running = 0;
  Code code = fine;
  bool isCancelled = false;
};

/// What a rank's communicator is.
struct Seat {
  Turns *turns;
  int32_t rank;
  const RankWork *work;
  int32_t groups = 0; ///< that it has begun
};

// Does the work of a rank in its thread.
void *runSeat(void *data) {
  Seat &seat = *static_cast<Seat *>(data);
  if (seat.turns->begin(seat.rank)) {
    (*seat.work)(seat.rank, &seat);
    seat.turns->end(seat.rank);
  }
  return nullptr;
}

} // namespace
} // namespace strata::runtime::dist

using namespace strata::runtime::dist;

struct strata_group {
  strata_group(Turns &turns, int32_t rank, size_t number)
      : turns(turns), rank(rank), number(number) {}

  Turns &turns;
  int32_t rank;
  size_t number;
  int64_t meetings = 0; ///< so far

  Mail &mail() const { return turns.groups[number]; }
};

/// Tells whether it is done, after it has taken what has come.
struct strata_channel {
  virtual ~strata_channel() = default;
  virtual int32_t start() { return fine; }
  virtual bool isDone() = 0;

  explicit strata_channel(strata_group &group) : group(group) {}
  strata_group &group;
};

namespace {

/// The part of a rank in a meeting.
class InMeeting : public strata_channel {
public:
  explicit InMeeting(strata_group &group)
      : strata_channel(group), number(group.meetings++), ranks(group.turns.size()) {}

  bool isDone() override {
    if (isOver)
      return true;
    Meeting &meeting = this->meeting();
    if (!canTake(meeting))
      return false;
    take(meeting);
    isOver = true;
    if (++meeting.left == ranks)
      group.mail().meetings.erase(number);
    return true;
  }

protected:
  Meeting &meeting() const { return group.mail().meetings[number]; }
  void arrive() {
    if (++meeting().arrived == ranks)
      group.turns.wakeAll();
  }
  virtual bool canTake(const Meeting &meeting) const { return meeting.arrived == ranks; }
  virtual void take(const Meeting &meeting) = 0;

private:
  int64_t number;
  bool isOver = false;

protected:
  int32_t ranks;
};

class Broadcast : public InMeeting {
public:
  Broadcast(strata_group &group, void *data, int64_t bytes, int32_t root)
      : InMeeting(group), data(static_cast<char *>(data)), isRoot(root == group.rank) {
    if (isRoot) {
      meeting().letter.assign(this->data, this->data + bytes);
      meeting().hasRoot = true;
      group.turns.wakeAll();
    }
  }

private:
  bool canTake(const Meeting &meeting) const override { return meeting.hasRoot; }
  void take(const Meeting &meeting) override {
    if (!isRoot)
      std::copy(meeting.letter.begin(), meeting.letter.end(), data);
  }

  char *data;
  bool isRoot;
};

/// Each rank brings as many words, and gets those of all, or of each a share.
class Words : public InMeeting {
public:
  Words(strata_group &group, const int64_t *own, int64_t count, int64_t *to, bool shares)
      : InMeeting(group), count(count), to(to), shares(shares) {
    std::vector<int64_t> &words = meeting().words;
    words.resize(size_t(ranks) * size_t(count));
    std::copy_n(own, count, words.begin() + group.rank * count);
    arrive();
  }

private:
  void take(const Meeting &meeting) override {
    if (!shares)
      std::copy(meeting.words.begin(), meeting.words.end(), to);
    else
      for (int64_t rank = 0; rank < ranks; ++rank)
        to[rank] = meeting.words[size_t(rank * count + group.rank)];
  }

  int64_t count, *to;
  bool shares;
};

class Messages : public strata_channel {
public:
  Messages(strata_group &group, const strata_message *out, int32_t outs, const strata_message *in,
           int32_t ins)
      : strata_channel(group), out(out, out + outs), in(in, in + ins) {}

  int32_t start() override {
    for (const strata_message &message : out) {
      if (message.bytes == 0)
        continue;
      const char *data = static_cast<const char *>(message.data);
      Letters &letters = lettersBetween(group.rank, message.peer);
      letters.underWay.emplace(letters.sent++, Letter(data, data + message.bytes));
      group.turns.wake(message.peer);
    }
    for (const strata_message &message : in)
      if (message.bytes > 0)
        expected.push_back({&message, lettersBetween(message.peer, group.rank).asked++});
    return fine;
  }

  bool isDone() override {
    std::erase_if(expected, [&](const Expected &one) { return take(one); });
    return expected.empty();
  }

private:
  struct Expected {
    const strata_message *message;
    int64_t number;
  };

  bool take(const Expected &one) const {
    std::map<int64_t, Letter> &letters = lettersBetween(one.message->peer, group.rank).underWay;
    const auto letter = letters.find(one.number);
    if (letter == letters.end())
      return false;
    if (int64_t(letter->second.size()) == one.message->bytes)
      std::memcpy(one.message->data, letter->second.data(), letter->second.size());
    else
      group.turns.fail(otherBytes);
    letters.erase(letter);
    return true;
  }
  Letters &lettersBetween(int32_t from, int32_t to) const {
    return group.mail().letters[int64_t(from) * group.turns.size() + to];
  }

  std::vector<strata_message> out, in;
  std::vector<Expected> expected;
};

// Ends with the ranks, unless its rank ends it before.
template <typename T, typename... Arguments> T *make(Turns &turns, Arguments &&...arguments) {
  auto made = std::make_shared<T>(std::forward<Arguments>(arguments)...);
  T *object = made.get();
  turns.left.emplace(object, std::move(made));
  return object;
}

int32_t beginGroup(const void *communicator, int64_t, strata_group **made,
                   strata_group_facts *facts) {
  // The seat is this provider's own, whom the interface hands it as the caller's.
  Seat &seat = *static_cast<Seat *>(const_cast<void *>(communicator));
  const auto number = static_cast<size_t>(seat.groups++);
  if (seat.turns->groups.size() <= number)
    seat.turns->groups.resize(number + 1);
  *facts = {.rank = seat.rank, .size = seat.turns->size(), .any_thread = 0, .library = "none"};
  *made = make<strata_group>(*seat.turns, *seat.turns, seat.rank, number);
  return fine;
}

int32_t endGroup(strata_group *group) {
  Turns &turns = group->turns;
  turns.left.erase(group);
  return fine;
}

int32_t broadcast(strata_group *group, void *data, int64_t bytes, int32_t root,
                  strata_channel **made) {
  if (root < 0 || root >= group->turns.size())
    return noSuchProcess;
  const Aside aside;
  *made = make<Broadcast>(group->turns, *group, data, bytes, root);
  return fine;
}

int32_t allgather(strata_group *group, const int64_t *own, int64_t count, int64_t *all,
                  strata_channel **made) {
  const Aside aside;
  *made = make<Words>(group->turns, *group, own, count, all, /*shares=*/false);
  return fine;
}

int32_t alltoall(strata_group *group, const int64_t *out, int64_t *in, strata_channel **made) {
  const Aside aside;
  *made = make<Words>(group->turns, *group, out, group->turns.size(), in, /*shares=*/true);
  return fine;
}

int32_t openChannel(strata_group *group, const strata_message *out, int32_t outs,
                    const strata_message *in, int32_t ins, strata_channel **made) {
  for (const strata_message *one = out; one != out + outs; ++one)
    if (one->peer < 0 || one->peer >= group->turns.size())
      return noSuchProcess;
  for (const strata_message *one = in; one != in + ins; ++one)
    if (one->peer < 0 || one->peer >= group->turns.size())
      return noSuchProcess;
  *made = make<Messages>(group->turns, *group, out, outs, in, ins);
  return fine;
}

int32_t startChannel(strata_channel *channel) {
  const Aside aside;
  return channel->start();
}

int32_t testChannel(strata_channel *channel, int32_t *done) {
  const Aside aside;
  while (!channel->isDone())
    if (Code code = channel->group.turns.waitFor(channel->group.rank))
      return code;
  *done = 1;
  return channel->group.turns.failure();
}

int32_t pendingPeers(strata_channel *, int32_t *, int32_t, int32_t *count) {
  *count = -1;
  return fine;
}

int32_t closeChannel(strata_channel *channel) {
  Turns &turns = channel->group.turns;
  turns.left.erase(channel);
  return fine;
}

void stopGroup(strata_group *group, int32_t) { group->turns.fail(stopped); }

void describe(int32_t code, char *text, int32_t room) {
  std::snprintf(text, size_t(room), "%s",
                code == noSuchProcess ? "there is no such process"
                : code == otherBytes  ? "a message has other bytes where it arrives"
                : code == allWait     ? "all ranks wait"
                                      : "another rank has given up");
}

constexpr strata_provider provider = {STRATA_PROVIDER_ABI, "local",     beginGroup,   endGroup,
                                      broadcast,           allgather,   alltoall,     openChannel,
                                      startChannel,        testChannel, pendingPeers, closeChannel,
                                      stopGroup,           describe};

} // namespace

namespace strata::runtime::dist {

double secondsOfRank() { return secondsOfThread() - Aside::seconds; }

Engine localEngine() { return {&provider}; }

Status runLocalRanks(int32_t ranks, const RankWork &work) {
  Turns turns(ranks);
  std::deque<Seat> seats;
  std::vector<pthread_t> threads;
  Status status;
  // The first turn is that of the rank whose thread comes last.
  for (int32_t rank = ranks - 1; rank >= 0 && status.ok(); --rank) {
    Seat &seat = seats.emplace_back(&turns, rank, &work);
    if (int code = pthread_create(&threads.emplace_back(), nullptr, runSeat, &seat)) {
      threads.pop_back();
      status =
          Error{Error::System, "the system gives no more than " + std::to_string(threads.size()) +
                                   " threads for ranks: " + std::strerror(code)};
      turns.cancel();
    }
  }
  for (pthread_t thread : threads)
    pthread_join(thread, nullptr);
  return status;
}

} // namespace strata::runtime::dist
