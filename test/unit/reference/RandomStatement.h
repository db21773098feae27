// Small statements drawn at random: expressions, accesses, formats, fills, operands, inits.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_TEST_UNIT_REFERENCE_RANDOMSTATEMENT_H
#define STRATA_TEST_UNIT_REFERENCE_RANDOMSTATEMENT_H

#include "Program.h"

namespace strata::reference {

struct RandomStatement {
  std::string arguments, body;
  std::vector<Tensor> inputs;
  std::optional<Tensor> init;

  const Tensor *initOrNull() const { return init ? &*init : nullptr; }
};

RandomStatement drawStatement(uint64_t seed);

} // namespace strata::reference
#endif // STRATA_TEST_UNIT_REFERENCE_RANDOMSTATEMENT_H
