// Storages whose entries are in no order, as a format permits that packing does not use.
#ifndef STRATA_TEST_GENERATOR_ANYORDER_H
#define STRATA_TEST_GENERATOR_ANYORDER_H

#include "strata/tensor/TensorValue.h"

namespace strata::test {

/// Where all levels that store coordinates promise no order, brings the entries below each parent
/// into another one. Where a list may also repeat entries, it gets some of them again, as zeros.
runtime::Status disarrange(TensorValue &tensor);

} // namespace strata::test

#endif // STRATA_TEST_GENERATOR_ANYORDER_H
