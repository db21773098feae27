// Runs the loops and branches of a program.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Interpreter.h"

#include "strata/runtime/Counted.h"

#include <algorithm>
#include <cstring>

using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata::host {

bool Interpreter::begin() {
  state = State(program);
  start = std::chrono::steady_clock::now();
  Status made = makeGrids();
  if (!made.ok())
    observer.fail({-1, {}}, made.error());
  return made.ok();
}

bool Interpreter::runBody() {
  Passed none;
  return run(program.body, none) != Flow::Failure;
}

bool Interpreter::call(std::vector<Tensor> arguments,
                       std::optional<KeptTensors::Arguments> unchanged) {
  if (!begin())
    return false;
  for (size_t at = 0; at < arguments.size(); ++at)
    state.define(program.arguments[at].to, std::move(arguments[at]));
  arguments.clear();
  moves.begin(unchanged);
  return runBody();
}

bool Interpreter::run(std::vector<Given> arguments) {
  if (!begin())
    return false;
  for (size_t at = 0; at < program.arguments.size(); ++at) {
    const Argument &argument = program.arguments[at];
    std::span<const char> fill = program.format(argument.type).fill;
    if (arguments[at].silentZero)
      fill = {};
    if (Status given = pack(argument.to, argument.type, std::move(arguments[at].list), fill);
        !given.ok()) {
      observer.fail({-1, {}}, given.error());
      return false;
    }
  }
  return runBody();
}

Result<std::vector<Coordinates>> Interpreter::results() const {
  std::vector<Coordinates> lists;
  for (TensorId result : program.results) {
    Result<Coordinates> list = provider.entriesOf(state.tensor(result));
    if (!list)
      return list.takeStatus();
    lists.push_back(std::move(*list));
  }
  return lists;
}

Interpreter::Flow Interpreter::fail(const Instruction &at, const Error &error) {
  observer.fail(at, error);
  return Flow::Failure;
}

// All processes meet where the current instruction needs them all; gives the numbers that they have
// brought.
Result<std::vector<int64_t>> Interpreter::meet(const std::string &operation, int64_t number) {
  if (!surroundings.job)
    return std::vector<int64_t>{number};
  return surroundings.job->meet(std::max<int64_t>(current->place, 0), number, operation);
}

// Nothing is printed and no file is written if a process has failed before.
Status Interpreter::meetToPrint(const std::string &what) {
  return meet("the printing of " + what).takeStatus();
}

// Instructions that fail in all processes or in none, since these know the same of tensors in
// pieces; and moves, which say so themselves where they do more than to look for what is kept.
template <typename T>
static constexpr bool isAlikeEverywhere =
    std::is_same_v<T, Dim> || std::is_same_v<T, Cells> || std::is_same_v<T, Number> ||
    std::is_same_v<T, SameSize> || std::is_same_v<T, Release> || std::is_same_v<T, Move> ||
    std::is_same_v<T, Needs> || std::is_same_v<T, Fetch>;

Interpreter::Flow Interpreter::run(const Instructions &instructions, Passed &passed) {
  auto hand = [&](const auto &end, Flow flow) {
    passed.clear();
    for (TensorId value : end.values)
      passed.push_back(state.tensor(value));
    for (TensorId value : end.ended)
      state.tensor(value) = Tensor();
    return flow;
  };
  for (const Instruction &at : instructions.list) {
    // The others count on this process while all are together.
    if (!moves.areTogether() && surroundings.interrupt && *surroundings.interrupt)
      return fail(at, Error{Error::Interrupted, "interrupted"});
    Flow flow = std::visit(
        [&]<typename T>(const T &one) {
          if constexpr (!isAlikeEverywhere<T>)
            moves.part();
          if constexpr (std::is_same_v<T, Next>) {
            return hand(one, Flow::Next);
          } else if constexpr (std::is_same_v<T, Break>) {
            return hand(one, Flow::Break);
          } else if constexpr (std::is_same_v<T, If>) {
            return run(at, one, passed);
          } else if constexpr (std::is_same_v<T, For> || std::is_same_v<T, Loop> ||
                               std::is_same_v<T, Distribute>) {
            return run(at, one);
          } else {
            observer.begin(at);
            current = &at;
            Status status = execute(one);
            if (status.ok())
              status = observer.end(at, state);
            return status.ok() ? Flow::Next : fail(at, status.error());
          }
        },
        at.operation);
    if (flow != Flow::Next)
      return flow;
  }
  return Flow::Next;
}

Interpreter::Flow Interpreter::run(const Instruction &at, const If &branch, Passed &passed) {
  Flow flow = run(provider.condition(at, branch, state) ? branch.body : branch.otherwise, passed);
  if (flow == Flow::Next)
    for (size_t at = 0; at < branch.results.size(); ++at)
      state.define(branch.results[at], std::move(passed[at]));
  return flow;
}

// The cells of this process, one after the other.
Interpreter::Flow Interpreter::run(const Instruction &at, const Distribute &cells) {
  if (!cells.rounds.dims.empty())
    return runInRounds(at, cells);
  Result<std::shared_ptr<Pieces>> made = moves.emptyPieces(cells.type, state.sizesOf(cells.sizes));
  if (!made)
    return fail(at, made.error());
  const auto *end = std::get_if<Next>(&cells.body.list.back().operation);
  for (size_t own = 0; own < (*made)->own.size(); ++own) {
    for (size_t tensor = 0; tensor < cells.tensors.size(); ++tensor)
      state.define(cells.pieces[tensor],
                   state.tensor(cells.tensors[tensor]).pieces->own[own].tensor);
    if (end)
      moves.allocateWithHalo(cells, own, end->values.front(), (*made)->own[own].box.sizes());
    Passed passed;
    if (Flow flow = run(cells.body, passed); flow != Flow::Next)
      return flow;
    (*made)->own[own].tensor = std::move(passed.front());
  }
  for (TensorId piece : cells.pieces) // which whoever has the tensor keeps
    state.tensor(piece) = Tensor();
  state.define(cells.to, Tensor{.type = cells.type, .pieces = std::move(*made)});
  return Flow::Next;
}

// Hands what the next round carries to the body.
Status Interpreter::carry(const Rounds &rounds, const std::vector<std::vector<int64_t>> &before,
                          Passed &passed) {
  for (size_t at = 0; at < rounds.carried.size(); ++at) {
    if (passed[at].sizes() != before[at])
      return Error{Error::Extent, rounds.names[at] + " is " + sizesText(before[at]) +
                                      " when an iteration begins and " +
                                      sizesText(passed[at].sizes()) +
                                      " when it ends: sizes cannot change in a loop"};
    state.define(rounds.carried[at], std::move(passed[at]));
  }
  return Status();
}

Interpreter::Flow Interpreter::runRounds(const Instruction &at, const Rounds &rounds,
                                         const std::function<Progress(int64_t round)> &begin) {
  Passed passed;
  for (TensorId init : rounds.inits)
    passed.push_back(state.tensor(init));
  for (TensorId init : rounds.ended)
    state.tensor(init) = Tensor();
  std::vector<std::vector<int64_t>> before;
  for (const Tensor &tensor : passed)
    before.push_back(tensor.sizes());
  observer.enterLoop(at);
  Flow ended = Flow::Next;
  for (int64_t round = 0; ended == Flow::Next; ++round) {
    observer.beginIteration(round + 1);
    Progress progress = begin(round);
    if (progress == Progress::Done)
      break;
    if (progress == Progress::Failed) {
      ended = Flow::Failure;
    } else if (Status carried = carry(rounds, before, passed); !carried.ok()) {
      ended = fail(at, carried.error());
    } else {
      passed.clear();
      ended = run(rounds.body, passed);
    }
  }
  observer.leaveLoop();
  if (ended == Flow::Failure)
    return ended;
  if (passed.size() != rounds.results.size())
    return fail(at, Error{Error::LoopBounds,
                          "the loop has no iteration, and what it would compute is used after it"});
  for (size_t result = 0; result < passed.size(); ++result)
    state.define(rounds.results[result], std::move(passed[result]));
  return Flow::Next;
}

int64_t Interpreter::integerOf(TensorId scalar) const {
  return std::get<int64_t>(scalarOf(*state.tensor(scalar).storage));
}

Interpreter::Flow Interpreter::run(const Instruction &at, const For &loop) {
  int64_t next = integerOf(loop.lower), upper = integerOf(loop.upper), step = integerOf(loop.step);
  if (step == 0)
    return fail(at, Error{Error::LoopBounds, "the step of a loop cannot be 0"});
  bool overflows = false;
  return runRounds(at, loop.rounds, [&](int64_t) {
    if (overflows || (step > 0 ? next >= upper : next <= upper))
      return Progress::Done;
    // The counter's bytes are the lowest ones of the number.
    size_t bytes = program.format(loop.type).fill.size();
    state.define(loop.counter, scalar(loop.type, {reinterpret_cast<const char *>(&next), bytes}));
    overflows = __builtin_add_overflow(next, step, &next);
    return Progress::Round;
  });
}

Interpreter::Flow Interpreter::run(const Instruction &at, const Loop &loop) {
  return runRounds(at, loop.rounds, [&](int64_t round) {
    if (round < loop.limit) {
      hasComparedNan = false;
      return Progress::Round;
    }
    std::string message =
        "the loop has not ended after " + std::to_string(round) + " iterations, its limit";
    if (hasComparedNan)
      message += "; a condition compares NaN, against which only '!=' holds";
    fail(at, Error{Error::LoopBounds, message,
                   "fewer, or a higher limit: while (...) limit 5000000 { ... } or repeat "
                   "limit 5000000 { ... } until (...)"});
    return Progress::Failed;
  });
}

} // namespace strata::host
