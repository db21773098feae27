// Executes what cells compute round by round: of some tensors each round has a chunk of a
// dimension.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Interpreter.h"

#include <algorithm>

using strata::runtime::Result;
using strata::runtime::Status;

namespace strata::host {

// The tensors of which rounds have chunks, as this process has them, and how many rounds there are.
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
    made.chunk = rounds.chunk;
    made.count = (size + made.chunk - 1) / made.chunk;
  } else {
    made.count = std::max<int64_t>(state.size(rounds.parts), 1);
    made.chunk = (size + made.count - 1) / made.count;
  }
  return made;
}

// The operands of a round: chunks, and what all rounds have.
Result<std::vector<Tensor>> Interpreter::operandsOf(const Distribute &cells,
                                                    const RoundsOfCells &rounds, int64_t round,
                                                    const std::string &operation) {
  std::vector<Tensor> tensors;
  for (size_t tensor = 0; tensor + 1 < rounds.sources.size(); ++tensor) {
    const std::optional<WindowSource> &source = rounds.sources[tensor];
    if (!source) {
      tensors.push_back(state.tensor(cells.tensors[tensor]));
      continue;
    }
    const Window window{cells.rounds.dims[tensor], rounds.chunk, rounds.count, round,
                        &cells.rounds.rotated};
    Result<Tensor> part = moves.windowed(*source, window, operation);
    if (!part)
      return part.takeStatus();
    tensors.push_back(std::move(*part));
  }
  return tensors;
}

// All cells get their chunks before one computes.
Interpreter::Flow Interpreter::runInRounds(const Instruction &at, const Distribute &cells) {
  observer.begin(at);
  current = &at;
  const std::string operation = "the rounds of " + program.names[size_t(cells.to)];
  const int64_t before = moves.sentBytes();
  Result<RoundsOfCells> rounds = roundsOf(cells);
  if (!rounds)
    return fail(at, rounds.error());
  auto made = std::make_shared<Pieces>(*state.tensor(cells.tensors.back()).pieces);
  for (int64_t round = 0; round < rounds->count; ++round) {
    Result<std::vector<Tensor>> operands = operandsOf(cells, *rounds, round, operation);
    if (!operands)
      return fail(at, operands.error());
    for (size_t own = 0; own < made->own.size(); ++own) {
      for (size_t tensor = 0; tensor < operands->size(); ++tensor)
        state.define(cells.pieces[tensor], (*operands)[tensor].pieces->own[own].tensor);
      state.define(cells.pieces.back(), std::move(made->own[own].tensor));
      Passed passed;
      if (Flow flow = run(cells.body, passed); flow != Flow::Next)
        return flow;
      made->own[own].tensor = std::move(passed.front());
    }
    current = &at;
  }
  state.define(cells.to, Tensor{.type = cells.type, .pieces = std::move(made)});
  Status ended = moves.tellMoved(before, operation);
  if (ended.ok())
    ended = observer.end(at, state);
  return ended.ok() ? Flow::Next : fail(at, ended.error());
}

} // namespace strata::host
