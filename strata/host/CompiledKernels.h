// Kernels that were compiled ahead, as a program numbers them.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_COMPILEDKERNELS_H
#define STRATA_HOST_COMPILEDKERNELS_H

#include "strata/host/Kernel.h"
#include "strata/host/Provider.h"

namespace strata::host {

class CompiledKernels : public Provider {
public:
  /// The kernels are in the order of their numbers in the program. Where `interrupt` is given, a
  /// number in it that is not zero asks them to stop.
  CompiledKernels(const Program &program, const strata_kernel *kernels,
                  const volatile int32_t *interrupt = nullptr)
      : program(program), kernels(kernels), interrupt(interrupt) {}

  runtime::Result<Tensor> pack(runtime::Coordinates list, TypeId type,
                               std::span<const char> fill) override;
  runtime::Result<runtime::Coordinates> entriesOf(const Tensor &tensor) override;
  runtime::Result<Tensor> convert(const Convert &convert, const Tensor &from) override;
  runtime::Result<Tensor> compute(const Compute &compute, State &state) override;

private:
  Kernel kernel(KernelId number) const;
  runtime::Result<std::shared_ptr<runtime::Storage>>
  packPart(runtime::Coordinates list, TypeId type, size_t part, std::span<const char> fill) const;
  runtime::Result<runtime::Coordinates> unsortedEntries(const Tensor &tensor) const;
  runtime::Result<int64_t> slotsOf(const CountedSlots &slots, runtime::Storage &from) const;
  runtime::Result<Tensor> convertByKernel(const Convert &convert, const Tensor &from) const;
  runtime::Result<std::shared_ptr<runtime::Storage>> resultFor(const Compute &compute,
                                                               State &state) const;

  const Program &program;
  const strata_kernel *kernels;
  const volatile int32_t *interrupt;
};

} // namespace strata::host

#endif // STRATA_HOST_COMPILEDKERNELS_H
