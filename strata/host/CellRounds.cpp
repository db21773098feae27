// Executes what cells compute round by round: of some tensors each round has a chunk of a
// dimension.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Interpreter.h"
#include "strata/runtime/Stopwatch.h"

#include <algorithm>

using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::dist::Grid;

namespace strata::host {

// Returns how many rounds can have something to do: one for each coordinate, and as many before
// these as the last cell along the axes that rotate is ahead of the first one.
static int64_t mostRounds(int64_t coordinates, const Grid &grid, const CellRounds &rounds) {
  int64_t most = std::max<int64_t>(coordinates, 1);
  for (int64_t axis : rounds.rotated)
    if (__builtin_add_overflow(most, grid.axes()[size_t(axis)] - 1, &most))
      return coordinates;
  return most;
}

// Finds the tensors of which rounds have chunks, as this process has them, and how many rounds
// there are.
Result<Interpreter::RoundsOfCells> Interpreter::roundsOf(const Distribute &cells) {
  const CellRounds &rounds = cells.rounds;
  RoundsOfCells made{std::vector<std::optional<WindowSource>>(cells.tensors.size())};
  int64_t size = 0;
  for (size_t tensor = 0; tensor < made.sources.size(); ++tensor) {
    const int64_t dim = rounds.dims[tensor];
    if (dim < 0)
      continue;
    const Tensor &from = state.tensor(cells.tensors[tensor]);
    size = from.sizes()[size_t(dim)];
    Result<WindowSource> source = moves.windowSource(from, rounds.types[tensor], dim);
    if (!source)
      return source.takeStatus();
    made.sources[tensor] = std::move(*source);
  }
  if (rounds.parts < 0) {
    made.chunk = std::clamp<int64_t>(rounds.chunk, 1, std::max<int64_t>(size, 1));
    made.count = size / made.chunk + (size % made.chunk != 0);
  } else {
    const Grid &grid = grids[size_t(program.type(cells.type).machine)];
    made.count = std::clamp<int64_t>(state.size(rounds.parts), 1, mostRounds(size, grid, rounds));
    made.chunk = runtime::dist::shareOf(size, made.count);
  }
  return made;
}

// Begins to bring the chunks that a round has; nothing behind the last one.
Result<Interpreter::RoundMoves> Interpreter::beginRound(const Distribute &cells,
                                                        const RoundsOfCells &rounds, int64_t round,
                                                        const std::string &operation) {
  RoundMoves moved(rounds.sources.size() - 1);
  for (size_t tensor = 0; tensor < moved.size() && round < rounds.count; ++tensor) {
    const std::optional<WindowSource> &source = rounds.sources[tensor];
    if (!source)
      continue;
    const Window window{cells.rounds.dims[tensor], rounds.chunk, rounds.count, round,
                        &cells.rounds.rotated};
    Result<WindowMove> part = moves.beginWindow(*source, window, operation);
    if (!part)
      return part.takeStatus();
    moved[tensor].emplace(std::move(*part));
  }
  return moved;
}

// Returns the operands of a round: chunks, and what all rounds have.
Result<std::vector<Tensor>> Interpreter::operandsOf(const Distribute &cells, RoundMoves moved) {
  std::vector<Tensor> tensors;
  for (size_t tensor = 0; tensor < moved.size(); ++tensor) {
    if (!moved[tensor]) {
      tensors.push_back(state.tensor(cells.tensors[tensor]));
      continue;
    }
    Result<Tensor> part = moves.finishWindow(std::move(*moved[tensor]));
    if (!part)
      return part.takeStatus();
    tensors.push_back(std::move(*part));
  }
  return tensors;
}

// Lets the messages of a round go on; returns null where there are none.
std::unique_ptr<runtime::dist::Progress> Interpreter::progressOf(RoundMoves &moved) const {
  std::vector<runtime::dist::Channel *> channels;
  for (std::optional<WindowMove> &one : moved)
    if (runtime::dist::Channel *channel = one ? one->channel() : nullptr)
      channels.push_back(channel);
  if (channels.empty())
    return nullptr;
  return std::make_unique<runtime::dist::Progress>(surroundings.job->processes(),
                                                   std::move(channels));
}

// Lets each cell of this process add to its piece.
Interpreter::Flow Interpreter::computeRound(const Distribute &cells,
                                            const std::vector<Tensor> &operands, Pieces &made) {
  for (size_t own = 0; own < made.own.size(); ++own) {
    for (size_t tensor = 0; tensor < operands.size(); ++tensor)
      state.define(cells.pieces[tensor], operands[tensor].pieces->own[own].tensor);
    state.define(cells.pieces.back(), std::move(made.own[own].tensor));
    Passed passed;
    if (Flow flow = run(cells.body, passed); flow != Flow::Next)
      return flow;
    made.own[own].tensor = std::move(passed.front());
  }
  return Flow::Next;
}

// Runs all rounds. The chunks of the next one are on their way while the cells compute.
Interpreter::Flow Interpreter::runInRounds(const Instruction &at, const Distribute &cells) {
  observer.begin(at);
  current = &at;
  const std::string operation = "the rounds of " + program.names[size_t(cells.to)];
  const int64_t before = moves.sentBytes();
  double waited = 0;
  Stopwatch watch;
  Result<RoundsOfCells> rounds = roundsOf(cells);
  if (!rounds)
    return fail(at, rounds.error());
  auto made = std::make_shared<Pieces>(*state.tensor(cells.tensors.back()).pieces);
  Result<RoundMoves> next = beginRound(cells, *rounds, 0, operation);
  for (int64_t round = 0; round < rounds->count; ++round) {
    Result<std::vector<Tensor>> operands =
        next ? operandsOf(cells, std::move(*next)) : next.takeStatus();
    if (operands)
      next = beginRound(cells, *rounds, round + 1, operation);
    if (!operands || !next)
      return fail(at, operands ? next.error() : operands.error());
    {
      const std::unique_ptr<runtime::dist::Progress> progress = progressOf(*next);
      waited += watch.lap();
      if (Flow flow = computeRound(cells, *operands, *made); flow != Flow::Next)
        return flow;
    }
    watch.lap();
    current = &at;
  }
  observer.waited(at, waited);
  state.define(cells.to, Tensor{.type = cells.type, .pieces = std::move(made)});
  Status ended = moves.tellMoved(before, operation);
  if (ended.ok())
    ended = observer.end(at, state);
  return ended.ok() ? Flow::Next : fail(at, ended.error());
}

} // namespace strata::host
