// Runs the loops and branches of a program.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Interpreter.h"

#include <algorithm>
#include <cstring>

using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata::host {

void Interpreter::begin() {
  tensors.assign(size_t(program.tensors), {});
  tensorSizes.assign(size_t(program.tensors), {});
  sizes.assign(size_t(program.sizes), 0);
  start = std::chrono::steady_clock::now();
}

bool Interpreter::runBody() {
  Passed none;
  return run(program.body, none) != Flow::Failure;
}

bool Interpreter::call(const std::vector<Tensor> &arguments) {
  begin();
  for (size_t at = 0; at < arguments.size(); ++at)
    define(program.arguments[at].to, arguments[at]);
  return runBody();
}

bool Interpreter::run(std::vector<Given> arguments) {
  begin();
  for (size_t at = 0; at < program.arguments.size(); ++at) {
    const Argument &argument = program.arguments[at];
    if (Status given = pack(argument.to, argument.type, std::move(arguments[at].list),
                            arguments[at].silentZero);
        !given.ok()) {
      fail({program.name, {}}, given.error());
      return false;
    }
  }
  return runBody();
}

Result<std::vector<Coordinates>> Interpreter::results() const {
  std::vector<Coordinates> lists;
  for (TensorId result : program.results) {
    Result<Coordinates> list = listOf(tensors[size_t(result)]);
    if (!list)
      return list.takeStatus();
    lists.push_back(std::move(*list));
  }
  return lists;
}

Interpreter::Flow Interpreter::fail(const Instruction &at, const Error &error) {
  std::fflush(surroundings.out);
  std::fprintf(surroundings.messages, "%s: error: %s\n", at.place.c_str(),
               error.sentence().c_str());
  return Flow::Failure;
}

Interpreter::Flow Interpreter::run(const Instructions &instructions, Passed &passed) {
  auto hand = [&](const auto &end, Flow flow) {
    passed.clear();
    for (TensorId value : end.values)
      passed.push_back(tensors[size_t(value)]);
    for (TensorId value : end.ended)
      tensors[size_t(value)] = Tensor();
    return flow;
  };
  for (const Instruction &at : instructions.list) {
    if (surroundings.interrupt && *surroundings.interrupt)
      return fail(at, Error{"interrupted"});
    Flow flow = std::visit(
        [&]<typename T>(const T &one) {
          if constexpr (std::is_same_v<T, Next>) {
            return hand(one, Flow::Next);
          } else if constexpr (std::is_same_v<T, Break>) {
            return hand(one, Flow::Break);
          } else if constexpr (std::is_same_v<T, If>) {
            return run(one, passed);
          } else if constexpr (std::is_same_v<T, For> || std::is_same_v<T, Loop>) {
            return run(at, one);
          } else {
            Status status = execute(one);
            return status.ok() ? Flow::Next : fail(at, status.error());
          }
        },
        at.operation);
    if (flow != Flow::Next)
      return flow;
  }
  return Flow::Next;
}

Interpreter::Flow Interpreter::run(const If &branch, Passed &passed) {
  bool condition = sizes[size_t(branch.condition)] != 0;
  Flow flow = run(condition ? branch.body : branch.otherwise, passed);
  if (flow == Flow::Next)
    for (size_t at = 0; at < branch.results.size(); ++at)
      define(branch.results[at], std::move(passed[at]));
  return flow;
}

static std::string sizesText(const std::vector<int64_t> &sizes) {
  std::string text;
  for (int64_t size : sizes)
    text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text;
}

// Hands what the next round carries to the body.
Status Interpreter::carry(const Rounds &rounds, const std::vector<std::vector<int64_t>> &before,
                          Passed &passed) {
  for (size_t at = 0; at < rounds.carried.size(); ++at) {
    if (passed[at].sizes() != before[at])
      return Error{rounds.names[at] + " is " + sizesText(before[at]) +
                   " when an iteration begins and " + sizesText(passed[at].sizes()) +
                   " when it ends: sizes cannot change in a loop"};
    define(rounds.carried[at], std::move(passed[at]));
  }
  return Status();
}

Interpreter::Flow Interpreter::runRounds(const Instruction &at, const Rounds &rounds,
                                         const std::function<Progress(int64_t round)> &begin) {
  Passed passed;
  for (TensorId init : rounds.inits)
    passed.push_back(tensors[size_t(init)]);
  for (TensorId init : rounds.ended)
    tensors[size_t(init)] = Tensor();
  std::vector<std::vector<int64_t>> before;
  for (const Tensor &tensor : passed)
    before.push_back(tensor.sizes());
  for (int64_t round = 0;; ++round) {
    Progress progress = begin(round);
    if (progress == Progress::Failed)
      return Flow::Failure;
    if (progress == Progress::Done)
      break;
    if (Status carried = carry(rounds, before, passed); !carried.ok())
      return fail(at, carried.error());
    passed.clear();
    Flow flow = run(rounds.body, passed);
    if (flow == Flow::Failure)
      return flow;
    if (flow == Flow::Break)
      break;
  }
  if (passed.size() != rounds.results.size())
    return fail(at, Error{"the loop has no iteration, and what it would compute is used after it"});
  for (size_t result = 0; result < passed.size(); ++result)
    define(rounds.results[result], std::move(passed[result]));
  return Flow::Next;
}

int64_t Interpreter::integerOf(TensorId scalar) const {
  return std::get<int64_t>(scalarOf(*tensors[size_t(scalar)].storage));
}

Interpreter::Flow Interpreter::run(const Instruction &at, const For &loop) {
  int64_t next = integerOf(loop.lower), upper = integerOf(loop.upper), step = integerOf(loop.step);
  if (step == 0)
    return fail(at, Error{"the step of a loop cannot be 0"});
  bool overflows = false;
  return runRounds(at, loop.rounds, [&](int64_t) {
    if (overflows || (step > 0 ? next >= upper : next <= upper))
      return Progress::Done;
    // The counter's bytes are the lowest ones of the number.
    size_t bytes = program.types[size_t(loop.type)].parts.front().fill.size();
    define(loop.counter, scalar(loop.type, {reinterpret_cast<const char *>(&next), bytes}));
    overflows = __builtin_add_overflow(next, step, &next);
    return Progress::Round;
  });
}

Interpreter::Flow Interpreter::run(const Instruction &at, const Loop &loop) {
  return runRounds(at, loop.rounds, [&](int64_t round) {
    if (round < loop.limit)
      return Progress::Round;
    fail(at,
         Error{"the loop has not ended after " + std::to_string(round) + " iterations, its limit"});
    return Progress::Failed;
  });
}

} // namespace strata::host
