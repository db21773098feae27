// That a result is the same, bit for bit, however many threads compute it.
#ifndef STRATA_TEST_GENERATOR_THREADS_H
#define STRATA_TEST_GENERATOR_THREADS_H

#include "strata/tensor/TensorValue.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace strata::test {

/// Calls `body` where so many threads work, also if the machine has fewer cores.
void withThreads(int count, llvm::function_ref<void()> body);

/// Are the buffers the same, bit for bit?
bool identical(const TensorValue &a, const TensorValue &b);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_THREADS_H
