// The statements that compute contractions, of one session for the whole process.
#ifndef STRATA_API_TAPP_STATEMENTS_H
#define STRATA_API_TAPP_STATEMENTS_H

#include "strata/api/strata.h"
#include "strata/api/tapp/Contraction.h"

namespace strata::tapp {

/// A statement, which products of the same contraction share, with the formats of its tensors.
struct Statement {
  strata_statement *statement = nullptr;
  strata_format *A = nullptr, *B = nullptr, *result = nullptr;
};

/// Makes it, or finds it. It is retained until `release`.
TAPP_error statementFor(const Contraction &contraction, Statement &statement);
void release(Statement &statement);

/// A dense tensor that refers to memory of the caller.
TAPP_error adopt(strata_format *format, const std::vector<int64_t> &sizes, int64_t count,
                 TAPP_datatype type, const void *elements, strata_tensor **tensor);

} // namespace strata::tapp

#endif // STRATA_API_TAPP_STATEMENTS_H
