// Processes that do one job together: each runs the same program on the same data, and the first
// speaks for all.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_DIST_JOB_H
#define STRATA_RUNTIME_DIST_JOB_H

#include "strata/runtime/dist/World.h"

#include <array>
#include <functional>
#include <optional>

namespace strata::runtime::dist {

/// Something that must be the same everywhere.
struct Agreed {
  std::string name;         ///< in messages: "the program", "the parameters"
  std::string_view content; ///< any bytes
};

/// Processes that could not go on.
struct Failure {
  std::vector<int32_t> ranks; ///< ascending
  int32_t code = 0;           ///< with which the first of them ends, and all others, too
  std::string text = {};      ///< what the first of them has said
};

/// How a process says what it has not said before.
struct Outlet {
  /// What a process has told of its failure, word for word, and where it is; empty: here.
  std::function<void(const std::string &text, const std::string &place)> show;
  std::function<void(const Error &error)> tell;
};

/// All processes come to the same meetings in the same order. One that fails goes to the next
/// meeting of the others, whichever that is, and there they learn of it: whatever needs all
/// processes is a meeting, or stands behind one, so nobody waits for one that has failed. After a
/// failure, and after `end`, there are no more meetings.
class Job {
public:
  explicit Job(World &world) : world(&world) {}

  World &processes() { return *world; }
  int32_t rank() const { return world->rank(); }
  int32_t size() const { return world->size(); }
  /// Tells whether this process speaks for all: it prints, and writes files.
  bool speaks() const { return rank() == 0; }

  /// Gives the numbers that all have brought, rank by rank. `place` is where in the program this
  /// is, so that processes which have gone different ways do not take each other's numbers.
  Result<std::vector<int64_t>> meet(int64_t place, int64_t number, std::string_view operation);
  /// Fails in all processes, and names the first rank that differs from rank 0 and in what.
  /// Contents are compared by a hash of 64 bits.
  Status agree(std::span<const Agreed> things);
  /// The same of the variables of the environment that begin with one of these texts: launchers do
  /// not hand all of them to other nodes.
  Status agreeOnEnvironment(std::span<const std::string_view> prefixes);
  /// The same of one thing; gives two numbers that each process has brought besides, rank by rank.
  Result<std::vector<std::array<int64_t, 2>>> agree(const Agreed &thing,
                                                    std::array<int64_t, 2> numbers);
  /// The first rank that differs from rank 0 in something; nothing if none does.
  Result<std::optional<int32_t>> findOther(const Agreed &thing);

  /// This process has said `text`, and ends with a code that is not 0: tells the others.
  Status fail(int32_t code, std::string_view text);
  /// Verifies that all others have come to the end, too.
  Status end();

  /// What has failed, as soon as this process knows.
  const std::optional<Failure> &failure() const { return failed; }
  /// Tells whether this process has to say what has failed: it speaks for all, and has not failed.
  bool hasToSayFailure() const;
  /// "on rank 2 of 4", "on ranks 1, 2"
  std::string placeOfFailure() const;

  /// Ends the job, if it has not ended yet: `code` is 0 or what this process would exit with by
  /// itself, `said` what it has told of its failure. Gives what it exits with.
  int32_t settle(int32_t code, std::string_view said, const Outlet &outlet);
  /// The same, and closes the world: the last thing that a process does in a job.
  int32_t conclude(int32_t code, std::string_view said, const Outlet &outlet);

private:
  struct Brought {
    int64_t place;
    std::array<int64_t, 3> numbers = {};
    int64_t code = 0;           ///< of a failure
    std::string_view text = {}; ///< that tells of it
  };
  Result<std::vector<int64_t>> gather(const Brought &own, std::string_view operation);
  static std::vector<int64_t> numbersIn(const std::vector<int64_t> &words, size_t number);
  std::optional<int32_t> findOther(const std::vector<int64_t> &words) const;
  Status differ(int32_t other, const Agreed &thing);
  Status hear(const std::vector<int64_t> &words, std::string_view text, std::string_view operation);
  Status differ(const std::string &message);

  World *world;
  std::optional<Failure> failed;
  std::optional<int32_t> settled; ///< what the process exits with
};

} // namespace strata::runtime::dist
#endif // STRATA_RUNTIME_DIST_JOB_H
