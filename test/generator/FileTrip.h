// Writes what came out to a file and reads it again.
#ifndef STRATA_TEST_GENERATOR_FILETRIP_H
#define STRATA_TEST_GENERATOR_FILETRIP_H

#include "Case.h"
#include "Random.h"
#include "strata/compile/KernelCompiler.h"
#include "strata/tensor/TensorValue.h"

#include <string>

namespace strata::test {

/// The ending of a kind of file that can hold the case's result; empty if none can.
std::string drawFile(Random &random, const Case &c);

/// Writes a tensor to a file with this ending and reads it: what is wrong then, if anything.
/// `content` are the tensor's entries.
std::string differenceInFile(KernelCompiler &compiler, const TensorValue &tensor,
                             const runtime::Coordinates &content, const std::string &ending);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_FILETRIP_H
