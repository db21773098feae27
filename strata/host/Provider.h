// What an interpreter asks of who has the kernels.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_PROVIDER_H
#define STRATA_HOST_PROVIDER_H

#include "strata/host/State.h"
#include "strata/runtime/io/LevelArrays.h"

#include <optional>
#include <span>
#include <string_view>

namespace strata::host {

/// Makes tensors, by kernels that were compiled ahead (CompiledKernels.h), or that are compiled as
/// a run needs them (run/Executor.h).
class Provider {
public:
  virtual ~Provider();

  /// A tensor of a list's entries, which are added up where they repeat. The element `fill` stands
  /// for what the list does not hold; zero does, if that has no bytes.
  virtual runtime::Result<Tensor> pack(runtime::Coordinates list, TypeId type,
                                       std::span<const char> fill) = 0;
  /// The entries, sorted, each once.
  virtual runtime::Result<runtime::Coordinates> entriesOf(const Tensor &tensor) = 0;
  /// The same, of a list that is kept where there is one.
  virtual runtime::Result<std::shared_ptr<const runtime::Coordinates>> listOf(const Tensor &tensor);
  virtual runtime::Result<Tensor> convert(const Convert &convert, const Tensor &from) = 0;
  virtual runtime::Result<Tensor> compute(const Compute &compute, State &state) = 0;

  /// A type without anything open, for a tensor of that type, those sizes, and that many stored
  /// entries; nothing: of every place.
  virtual TypeId decided(TypeId type, const std::vector<int64_t> &sizes,
                         std::optional<int64_t> entries = std::nullopt);
  /// Tells whether the first way of the branch is taken.
  virtual bool condition(const Instruction &at, const If &branch, const State &state);
  /// Refuses a list with one entry for each place of these sizes that memory does not hold; `what`
  /// is the list of, and `smaller` what would be allowed.
  virtual runtime::Status allowList(const std::vector<int64_t> &sizes, TypeId type,
                                    std::string_view what, std::string_view smaller);
  /// Compares a tensor with what the program as it was written makes.
  virtual runtime::Status check(const Checkpoint &checkpoint, const Tensor &tensor);

  /// A tensor with these arrays of a file as its buffers, if that serves to make one of the type.
  virtual std::optional<Tensor> adopt(const runtime::LevelArrays &arrays, TypeId type);
  /// That tensor as one of the type.
  virtual runtime::Result<Tensor> finish(Tensor adopted, TypeId type);
  /// The tensor's buffers as a file's arrays, if a file can have them.
  virtual std::optional<runtime::LevelArrays> levelsOf(const Tensor &tensor);
  /// The buffers of a tensor's storages, and what else is known of these, as text.
  virtual std::string textOf(const PrintStorage &print, const Tensor &tensor);

  /// Seconds of the run that went into the making of kernels.
  virtual double secondsSpent() const { return 0; }
};

} // namespace strata::host

#endif // STRATA_HOST_PROVIDER_H
