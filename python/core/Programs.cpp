// Whole programs in the language.
#include "Calls.h"

#include <vector>

using namespace strata::python;

// The texts of a tuple of strings, which live as long as it; false with an error set.
static bool toTexts(PyObject *tuple, std::vector<const char *> &texts) {
  if (!PyTuple_Check(tuple)) {
    PyErr_SetString(PyExc_TypeError, "a tuple of texts is needed");
    return false;
  }
  for (Py_ssize_t at = 0; at < PyTuple_Size(tuple); at++) {
    const char *text = toText(PyTuple_GetItem(tuple, at));
    if (!text)
      return false;
    texts.push_back(text);
  }
  return true;
}

// A tuple of what was printed, and a dictionary of the results.
static PyObject *describe(const strata_outcome *outcome) {
  PyObject *results = PyDict_New();
  for (int32_t at = 0; results; at++) {
    const char *name = strata_outcome_name(outcome, at);
    if (!name)
      break;
    PyObject *tensor = newTensor(strata_tensor_retain(strata_outcome_tensor(outcome, at)));
    if (!tensor || PyDict_SetItemString(results, name, tensor) < 0)
      Py_CLEAR(results);
    Py_XDECREF(tensor);
  }
  return results ? Py_BuildValue("sN", strata_outcome_printed(outcome), results) : nullptr;
}

PyObject *strata::python::newOutcome(strata_outcome *outcome) {
  PyObject *described = describe(outcome);
  Unlocked unlocked;
  strata_outcome_release(outcome);
  return described;
}

static PyObject *run(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  std::vector<const char *> names, values, wanted;
  if (!hasArguments("run_program", count, 6) || !toTexts(arguments[2], names) ||
      !toTexts(arguments[3], values) || !toTexts(arguments[4], wanted))
    return nullptr;
  if (names.size() != values.size()) {
    PyErr_SetString(PyExc_ValueError, "there must be as many values as names");
    return nullptr;
  }
  std::vector<strata_parameter> parameters;
  for (size_t at = 0; at < names.size(); at++)
    parameters.push_back({names[at], values[at]});
  strata_ranks *ranks = nullptr;
  if (arguments[5] != Py_None && !(ranks = ranksOf(arguments[5])))
    return nullptr;
  const char *text = toText(arguments[0]), *name = text ? toText(arguments[1]) : nullptr;
  strata_session *current = name ? session() : nullptr;
  strata_outcome *outcome = nullptr;
  if (!current || !callInterruptible([&] {
        return strata_program_run(
            current, text, name, parameters.data(), int32_t(parameters.size()),
            wanted.empty() ? nullptr : wanted.data(), int32_t(wanted.size()), ranks, &outcome);
      }))
    return nullptr;
  return newOutcome(outcome);
}

static PyMethodDef functions[] = {
    {"run_program", reinterpret_cast<PyCFunction>(run), METH_FASTCALL,
     "Runs a program from its text, its name in messages, names and values of parameters, and the "
     "names of results (none: all), and the ranks that run it together (None: this process). "
     "Returns what it printed, and the results by name."},
    {}};

bool strata::python::addPrograms(PyObject *module) {
  return PyModule_AddFunctions(module, functions) == 0;
}
