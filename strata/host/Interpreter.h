// Runs programs that are data (Program.h) with kernels that are machine code.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_INTERPRETER_H
#define STRATA_HOST_INTERPRETER_H

#include "strata/host/Kernel.h"
#include "strata/host/Program.h"
#include "strata/runtime/storage/Coordinates.h"

#include <chrono>
#include <cstdio>
#include <map>
#include <memory>

namespace strata::host {

/// A tensor at run time: a storage, or those whose sum it is.
struct Tensor {
  TypeId type = -1;
  std::shared_ptr<runtime::Storage> storage; ///< shared until somebody writes
  std::vector<std::shared_ptr<runtime::Storage>> parts = {};

  const std::vector<int64_t> &sizes() const {
    return (parts.empty() ? storage : parts[0])->sizes();
  }
};

/// What a program gets from its surroundings.
struct Surroundings {
  std::map<std::string, std::string> parameters = {}; ///< names of files, numbers, sizes
  FILE *out = stdout;
  FILE *messages = stderr;                     ///< errors, with their places, and warnings
  const volatile int32_t *interrupt = nullptr; ///< non-zero asks the program to stop
};

class Interpreter {
public:
  /// The kernels are in the order of their numbers in the program.
  Interpreter(const Program &program, const strata_kernel *kernels, Surroundings surroundings)
      : program(program), kernels(kernels), surroundings(std::move(surroundings)) {}

  /// A list of the entries of an argument; what it does not hold is zero, or the fill of the
  /// argument's format.
  struct Given {
    runtime::Coordinates list;
    bool silentZero = true;
  };
  /// Runs the program once; false after an error, which has been told.
  bool run(std::vector<Given> arguments = {});
  /// The same on storages, which stay as they are as long as somebody else holds them, too.
  bool call(const std::vector<Tensor> &arguments);
  const Tensor &value(TensorId tensor) const { return tensors[size_t(tensor)]; }
  /// The entries of what the program has returned, sorted.
  runtime::Result<std::vector<runtime::Coordinates>> results() const;

private:
  enum class Flow { Next, Break, Failure };
  enum class Progress { Round, Done, Failed };
  using Passed = std::vector<Tensor>; // what instructions hand over at their end

  // Control.cpp
  void begin();
  bool runBody();
  Flow run(const Instructions &instructions, Passed &passed);
  Flow runRounds(const Instruction &at, const Rounds &rounds,
                 const std::function<Progress(int64_t round)> &begin);
  Flow run(const Instruction &at, const For &loop);
  Flow run(const Instruction &at, const Loop &loop);
  Flow run(const If &branch, Passed &passed);
  runtime::Status carry(const Rounds &rounds, const std::vector<std::vector<int64_t>> &sizes,
                        Passed &passed);
  Flow fail(const Instruction &at, const runtime::Error &error);

  // Each instruction that is no control flow.
  runtime::Status execute(const Read &read);
  runtime::Status execute(const Parameter &parameter);
  runtime::Status execute(const Fill &fill);
  runtime::Status execute(const Random &random);
  runtime::Status execute(const Stencil &stencil);
  runtime::Status execute(const Iota &iota);
  runtime::Status execute(const Constant &constant);
  runtime::Status execute(const OneHot &oneHot);
  runtime::Status execute(const Inside &inside);
  runtime::Status execute(const DenseAlgebra &algebra);
  runtime::Status execute(const Concat &concat);
  runtime::Status execute(const Convert &convert);
  runtime::Status execute(const Component &component);
  runtime::Status execute(const Gather &gather);
  runtime::Status execute(const InsertPart &insert);
  runtime::Status execute(const Compute &compute);
  runtime::Status execute(const Release &release);
  runtime::Status execute(const Write &write);
  runtime::Status execute(const Print &print);
  runtime::Status execute(const PrintStorage &print);
  runtime::Status execute(const PrintText &print);
  runtime::Status execute(const Time &time);
  runtime::Status execute(const PrintElapsed &print);
  runtime::Status execute(const Dim &dim);
  runtime::Status execute(const Number &number);
  runtime::Status execute(const SameSize &same);
  runtime::Status execute(const Fit &fit);
  runtime::Status execute(const Holds &comparison);
  runtime::Status execute(const Logic &logic);

  void define(TensorId to, Tensor tensor);
  std::vector<int64_t> sizesOf(const std::vector<SizeId> &ids) const;
  runtime::Result<std::string> fileOf(const FileName &file) const;
  runtime::Result<std::string> textOf(const std::string &parameter) const;
  runtime::Result<int64_t> givenSize(const std::string &parameter) const;
  runtime::Status giveSizes(const Read &read, std::vector<int64_t> &declared) const;
  int64_t integerOf(TensorId scalar) const;
  runtime::Result<int64_t> slotsOf(const CountedSlots &slots, runtime::Storage &from) const;
  runtime::Result<Tensor> convertedByKernel(const Convert &convert) const;
  Tensor scalar(TypeId type, std::span<const char> element) const;

  Kernel kernel(KernelId number) const;
  runtime::Result<Tensor> packed(runtime::Coordinates list, TypeId type, bool silentZero) const;
  runtime::Result<runtime::Coordinates> entriesOf(const Tensor &tensor) const;
  runtime::Result<runtime::Coordinates> listOf(const Tensor &tensor) const;
  static runtime::Status checkDeclared(const std::vector<int64_t> &sizes,
                                       const std::vector<int64_t> &declared);
  runtime::Status pack(TensorId to, TypeId type, runtime::Result<runtime::Coordinates> list,
                       bool silentZero = true);
  runtime::Status generate(TensorId to, TypeId type, runtime::Result<runtime::Coordinates> list);
  runtime::Result<std::shared_ptr<runtime::Storage>> resultFor(const Compute &compute);
  runtime::Status checkReaches(const Compute &compute,
                               const std::vector<int64_t> &resultSizes) const;

  const Program &program;
  const strata_kernel *kernels;
  Surroundings surroundings;
  std::vector<Tensor> tensors;
  std::vector<std::vector<int64_t>> tensorSizes; ///< also of tensors that are gone
  std::vector<int64_t> sizes;
  std::chrono::steady_clock::time_point start;
};

} // namespace strata::host

#endif // STRATA_HOST_INTERPRETER_H
