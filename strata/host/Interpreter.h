// Runs programs that are data (Program.h), whoever has their kernels (Provider.h).
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_INTERPRETER_H
#define STRATA_HOST_INTERPRETER_H

#include "strata/host/Moves.h"
#include "strata/host/Observer.h"
#include "strata/host/Provider.h"
#include "strata/runtime/dist/Job.h"
#include "strata/runtime/dist/Progress.h"
#include "strata/runtime/io/FileRanks.h"
#include "strata/runtime/io/TensorFile.h"

#include <chrono>
#include <functional>
#include <map>

namespace strata::host {

/// What a program gets from its surroundings.
struct Surroundings {
  std::map<std::string, std::string> parameters = {}; ///< names of files, numbers, sizes
  const volatile int32_t *interrupt = nullptr;        ///< non-zero asks the program to stop
  int64_t indexBase = 1;                              ///< what FROSTT files count from: 1, or 0
  /// Makes what a file's reader reports to; empty: nothing is reported.
  std::function<runtime::Progress(const std::string &file)> progress = {};
  /// Of processes that run the same program; null: this one is alone. Their observers show what the
  /// one that speaks for all prints, and what another one has failed of.
  runtime::dist::Job *job = nullptr;
};

class Interpreter {
public:
  Interpreter(const Program &program, Provider &provider, Observer &observer,
              Surroundings surroundings = {})
      : program(program), provider(provider), observer(observer),
        surroundings(std::move(surroundings)), state(program),
        moves(
            program, provider, observer, state, grids, this->surroundings.job,
            [this](const std::string &operation, int64_t number) {
              return meet(operation, number);
            },
            current) {}
  Interpreter(const Interpreter &) = delete;

  /// A list of the entries of an argument; what it does not hold is zero, or the fill of the
  /// argument's format.
  struct Given {
    runtime::Coordinates list;
    bool silentZero = true;
  };
  /// Runs the program once; false after an error, which has been told.
  bool run(std::vector<Given> arguments = {});
  /// The same on tensors, whose storages stay as they are as long as somebody else holds them, too.
  /// Of the arguments in `unchanged` those in pieces are the tensors of the last call, in all
  /// processes, and what was moved of them then is not moved again; nothing: there is no such call.
  bool call(std::vector<Tensor> arguments,
            std::optional<KeptTensors::Arguments> unchanged = std::nullopt);
  /// The next call is one of this job.
  void join(runtime::dist::Job *job) { surroundings.job = job; }
  /// Lets go of all tensors but those that are kept for another call.
  void rest() { state = State(program); }
  const Tensor &value(TensorId tensor) const { return state.tensor(tensor); }
  const State &values() const { return state; }
  /// The cells of a machine of the program, in a run.
  const runtime::dist::Grid &grid(size_t machine) const { return grids[machine]; }
  /// The entries of what the program has returned, sorted.
  runtime::Result<std::vector<runtime::Coordinates>> results() const;

private:
  enum class Flow { Next, Break, Failure };
  enum class Progress { Round, Done, Failed };
  using Passed = std::vector<Tensor>; // what instructions hand over at their end

  // Control.cpp
  bool begin();
  bool runBody();
  Flow run(const Instructions &instructions, Passed &passed);
  Flow runRounds(const Instruction &at, const Rounds &rounds,
                 const std::function<Progress(int64_t round)> &begin);
  Flow run(const Instruction &at, const For &loop);
  Flow run(const Instruction &at, const Loop &loop);
  Flow run(const Instruction &at, const If &branch, Passed &passed);
  Flow run(const Instruction &at, const Distribute &cells);
  runtime::Status carry(const Rounds &rounds, const std::vector<std::vector<int64_t>> &sizes,
                        Passed &passed);
  Flow fail(const Instruction &at, const runtime::Error &error);
  runtime::Result<std::vector<int64_t>> meet(const std::string &operation, int64_t number = 0);
  runtime::Status meetToPrint(const std::string &what);
  bool speaks() const { return !surroundings.job || surroundings.job->speaks(); }
  int64_t integerOf(TensorId scalar) const;

  // CellRounds.cpp
  struct RoundsOfCells {
    std::vector<std::optional<WindowSource>> sources; // of each tensor, if rounds have chunks of it
    int64_t chunk = 0, count = 0;
  };
  Flow runInRounds(const Instruction &at, const Distribute &cells);
  runtime::Result<RoundsOfCells> roundsOf(const Distribute &cells);
  using RoundMoves = std::vector<std::optional<WindowMove>>; // of each tensor, if it has chunks
  runtime::Result<RoundMoves> beginRound(const Distribute &cells, const RoundsOfCells &rounds,
                                         int64_t round, const std::string &operation);
  runtime::Result<std::vector<Tensor>> operandsOf(const Distribute &cells, RoundMoves moved);
  std::unique_ptr<runtime::dist::Progress> progressOf(RoundMoves &moved) const;
  Flow computeRound(const Distribute &cells, const std::vector<Tensor> &operands, Pieces &made);

  // Sources.cpp
  runtime::Status execute(const Read &read);
  runtime::Status execute(const Parameter &parameter);
  runtime::Status execute(const Fill &fill);
  runtime::Status execute(const Random &random);
  runtime::Status execute(const Stencil &stencil);
  runtime::Status execute(const Iota &iota);
  runtime::Status execute(const Constant &constant);
  runtime::Status execute(const OneHot &one);
  runtime::Status allowInside(std::vector<int64_t> sizes, TypeId type);
  runtime::Status execute(const Inside &inside);
  runtime::Status execute(const DenseAlgebra &algebra);
  runtime::Status execute(const Concat &concat);
  runtime::Status execute(const LexiOrder &order);
  // Grids.cpp
  runtime::Status makeGrids();
  runtime::Status checkCells() const;
  runtime::Result<std::vector<int64_t>> axesOf(const Machine &machine) const;

  runtime::Status execute(const Move &move) { return moves.execute(move); }
  runtime::Status execute(const Needs &needs) { return moves.execute(needs); }
  runtime::Status execute(const ReachList &reach) { return moves.execute(reach); }
  runtime::Status execute(const Fetch &fetch) { return moves.execute(fetch); }
  runtime::Status execute(const Scatter &scatter) { return moves.execute(scatter); }

  // Interpreter.cpp
  runtime::Status execute(const Convert &convert);
  runtime::Status execute(const Component &component);
  runtime::Status execute(const Values &values);
  runtime::Status execute(const WithValues &with);
  runtime::Status execute(const Gather &gather);
  runtime::Status execute(const InsertPart &insert);
  runtime::Status execute(const Compute &compute);
  runtime::Status execute(const Release &release);
  runtime::Status execute(const Write &write);
  runtime::Result<bool> writePieces(const Tensor &tensor, const std::string &file,
                                    const std::string &operation);
  runtime::Status execute(const Print &print);
  runtime::Status execute(const PrintStorage &print);
  runtime::Status execute(const PrintText &print);
  runtime::Status execute(const Checkpoint &checkpoint);
  runtime::Status execute(const Time &time);
  runtime::Status execute(const PrintElapsed &print);
  runtime::Status execute(const Dim &dim);
  runtime::Status execute(const Cells &cells);
  runtime::Status execute(const Number &number);
  runtime::Status execute(const SameSize &same);
  runtime::Status execute(const Fit &fit);
  runtime::Status execute(const Holds &comparison);
  runtime::Status execute(const Logic &logic);

  runtime::Result<std::string> fileOf(const FileName &file) const;
  runtime::Result<std::string> textOf(const std::string &parameter) const;
  runtime::Result<int64_t> givenSize(const std::string &parameter) const;
  runtime::Status giveSizes(const Read &read, std::vector<int64_t> &declared) const;
  runtime::Status read(const Read &read, const std::string &file);
  runtime::FileRanks fileRanks(const std::string &operation);
  runtime::Status compareRead(const std::string &file, int64_t number);
  runtime::Status packContent(const Read &read, const std::string &file,
                              runtime::TensorFileContent content,
                              const std::vector<int64_t> &declared);
  runtime::Result<Tensor> filledTensor(TypeId type, std::vector<int64_t> sizes,
                                       std::span<const char> element);
  Tensor scalar(TypeId type, std::span<const char> element) const;
  runtime::Status checkDeclared(TensorId to, const std::vector<int64_t> &sizes,
                                const std::vector<int64_t> &declared) const;
  /// The element `fill` stands for what the list does not hold; zero does, if that has no bytes.
  runtime::Status pack(TensorId to, TypeId type, runtime::Result<runtime::Coordinates> list,
                       std::span<const char> fill = {});
  runtime::Status generate(TensorId to, TypeId type, runtime::Result<runtime::Coordinates> list);

  const Program &program;
  Provider &provider;
  Observer &observer;
  Surroundings surroundings;
  State state;
  std::vector<runtime::dist::Grid> grids; ///< of the program's machines
  const Instruction *current = nullptr;   ///< that is being executed
  Moves moves;
  /// The files that say no sizes and whose tensors were not declared any: their largest indices.
  std::map<std::string, std::vector<int64_t>> foundSizes;
  bool hasComparedNan = false; ///< in the current round of the innermost loop
  std::chrono::steady_clock::time_point start;
};

} // namespace strata::host

#endif // STRATA_HOST_INTERPRETER_H
