// How the operands of a statement are named and stored.
#ifndef STRATA_PYTHON_OPERANDS_H
#define STRATA_PYTHON_OPERANDS_H

#include "Core.h"

namespace strata::python {

/// Pairs names with formats; false with an error set. The names live as long as their tuple.
bool toOperands(PyObject *names, PyObject *formats, std::vector<strata_operand> &operands);

} // namespace strata::python

#endif // STRATA_PYTHON_OPERANDS_H
