// strata._core.Function: a function of MLIR's text.
#include "Calls.h"

#include <vector>

using namespace strata::python;

PyTypeObject *strata::python::functionType;

static strata_function *self(PyObject *object) {
  return reinterpret_cast<FunctionObject *>(object)->handle;
}

static void release(PyObject *object) {
  {
    Unlocked unlocked;
    strata_function_release(self(object));
  }
  PyObject_Free(object);
  Py_DECREF(functionType);
}

static PyObject *create(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  if (!hasArguments("read_function", count, 3))
    return nullptr;
  const char *text = toText(arguments[0]), *name = text ? toText(arguments[1]) : nullptr;
  const char *entry = nullptr;
  if (!name || (arguments[2] != Py_None && !(entry = toText(arguments[2]))))
    return nullptr;
  strata_session *current = session();
  strata_function *function = nullptr;
  if (!current || !callInterruptible([&] {
        return strata_function_create(current, text, name, entry, &function);
      }))
    return nullptr;
  auto *object = PyObject_New(FunctionObject, functionType);
  if (!object) {
    Unlocked unlocked;
    strata_function_release(function);
    return nullptr;
  }
  object->handle = function;
  return reinterpret_cast<PyObject *>(object);
}

static PyObject *run(PyObject *object, PyObject *const *arguments, Py_ssize_t count) {
  std::vector<strata_tensor *> operands;
  for (Py_ssize_t at = 0; at < count; at++) {
    operands.push_back(tensorOf(arguments[at]));
    if (!operands.back())
      return nullptr;
  }
  strata_outcome *outcome = nullptr;
  if (!callInterruptible([&] {
        return strata_function_run(self(object), operands.data(), int32_t(operands.size()),
                                   &outcome);
      }))
    return nullptr;
  return newOutcome(outcome);
}

using FormatAt = strata_format *(*)(const strata_function *, int32_t);

// A tuple of the formats that the function has in a list.
static PyObject *formats(PyObject *object, FormatAt formatAt) {
  PyObject *list = PyList_New(0);
  int32_t at = 0;
  while (strata_format *format = list ? formatAt(self(object), at++) : nullptr) {
    PyObject *item = newFormat(format);
    if (!item || PyList_Append(list, item) < 0)
      Py_CLEAR(list);
    Py_XDECREF(item);
  }
  PyObject *tuple = list ? PyList_AsTuple(list) : nullptr;
  Py_XDECREF(list);
  return tuple;
}

static PyObject *operands(PyObject *object, void *) {
  return formats(object, strata_function_operand);
}

static PyObject *results(PyObject *object, void *) {
  return formats(object, strata_function_result);
}

static PyMethodDef methods[] = {
    {"run", reinterpret_cast<PyCFunction>(run), METH_FASTCALL,
     "Calls it with tensors in the formats of its operands. Returns what it printed, and the "
     "results by their numbers."},
    {}};

static PyGetSetDef attributes[] = {
    {"operands", operands, nullptr, "The formats of what it takes.", nullptr},
    {"results", results, nullptr, "The formats of what it returns.", nullptr},
    {}};

static PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void *>(release)},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, attributes},
                              {}};

static PyType_Spec spec = {"strata._core.Function", sizeof(FunctionObject), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

static PyMethodDef functions[] = {
    {"read_function", reinterpret_cast<PyCFunction>(create), METH_FASTCALL,
     "A function of a module from MLIR's text, the text's name in messages, and the function's own "
     "(None: main, or the only one)."},
    {}};

bool strata::python::addFunctions(PyObject *module) {
  functionType = addType(module, spec);
  return functionType && PyModule_AddFunctions(module, functions) == 0;
}
