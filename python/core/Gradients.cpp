// strata._core.gradient: the statements of a gradient, as tuples.
#include "Calls.h"
#include "Operands.h"

#include <vector>

using namespace strata::python;

// A list of texts that a function gives until it gives null; null with an error set.
template <typename Next> static PyObject *texts(Next next) {
  PyObject *list = PyList_New(0);
  int32_t at = 0;
  while (const char *text = list ? next(at++) : nullptr) {
    PyObject *item = PyUnicode_FromString(text);
    if (!item || PyList_Append(list, item) < 0)
      Py_CLEAR(list);
    Py_XDECREF(item);
  }
  PyObject *tuple = list ? PyList_AsTuple(list) : nullptr;
  Py_XDECREF(list);
  return tuple;
}

// (text, result, operands, format)
static PyObject *statementAt(const strata_gradient *gradient, int32_t index) {
  PyObject *operands =
      texts([&](int32_t at) { return strata_gradient_operand(gradient, index, at); });
  const strata_format *format = strata_gradient_format(gradient, index);
  PyObject *own = format ? newFormat(strata_format_retain(const_cast<strata_format *>(format)))
                         : Py_NewRef(Py_None);
  PyObject *made = operands && own
                       ? Py_BuildValue("(ssOO)", strata_gradient_statement(gradient, index),
                                       strata_gradient_result(gradient, index), operands, own)
                       : nullptr;
  Py_XDECREF(operands);
  Py_XDECREF(own);
  return made;
}

static PyObject *statementsOf(const strata_gradient *gradient) {
  PyObject *list = PyList_New(0);
  for (int32_t at = 0; list && strata_gradient_statement(gradient, at); ++at) {
    PyObject *item = statementAt(gradient, at);
    if (!item || PyList_Append(list, item) < 0)
      Py_CLEAR(list);
    Py_XDECREF(item);
  }
  PyObject *tuple = list ? PyList_AsTuple(list) : nullptr;
  Py_XDECREF(list);
  return tuple;
}

static PyObject *gradient(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  std::vector<strata_operand> operands;
  if (!hasArguments("gradient", count, 4) || !toOperands(arguments[1], arguments[2], operands))
    return nullptr;
  std::vector<const char *> by;
  const Py_ssize_t wanted = PyTuple_Size(arguments[3]);
  for (Py_ssize_t at = 0; at < wanted; at++) {
    by.push_back(toText(PyTuple_GetItem(arguments[3], at)));
    if (!by.back())
      return nullptr;
  }
  const char *text = wanted < 0 ? nullptr : toText(arguments[0]);
  strata_session *current = text ? session() : nullptr;
  strata_gradient *made = nullptr;
  if (!current || !callInterruptible([&] {
        return strata_gradient_create(current, text, operands.data(), int32_t(operands.size()),
                                      by.data(), int32_t(by.size()), &made);
      }))
    return nullptr;
  PyObject *statements = statementsOf(made);
  PyObject *names = texts([&](int32_t at) { return strata_gradient_name(made, at); });
  PyObject *result = statements && names ? Py_BuildValue("(sOO)", strata_gradient_cotangent(made),
                                                         names, statements)
                                         : nullptr;
  Py_XDECREF(statements);
  Py_XDECREF(names);
  Unlocked unlocked;
  strata_gradient_release(made);
  return result;
}

static PyMethodDef functions[] = {
    {"gradient", reinterpret_cast<PyCFunction>(gradient), METH_FASTCALL,
     "The gradient of a statement by operands, from its text, the names and formats of its "
     "operands, and the names of those: the cotangent's name, the gradients' names, and for each "
     "statement its text, its result, its operands and its format."},
    {}};

bool strata::python::addGradients(PyObject *module) {
  return PyModule_AddFunctions(module, functions) == 0;
}
