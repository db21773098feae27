// The extension module strata._core.
#include "Core.h"

#include <climits>

using namespace strata::python;

PyTypeObject *strata::python::addType(PyObject *module, PyType_Spec &spec) {
  PyObject *type = PyType_FromModuleAndSpec(module, &spec, nullptr);
  if (!type || PyModule_AddType(module, reinterpret_cast<PyTypeObject *>(type)) < 0)
    return nullptr;
  return reinterpret_cast<PyTypeObject *>(type);
}

bool strata::python::hasArguments(const char *function, Py_ssize_t given, Py_ssize_t expected) {
  if (given == expected)
    return true;
  PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, not %zd", function, expected, given);
  return false;
}

bool strata::python::toInt32(PyObject *object, int32_t &value) {
  long number = PyLong_AsLong(object);
  if (number == -1 && PyErr_Occurred())
    return false;
  if (number < INT32_MIN || number > INT32_MAX) {
    PyErr_SetString(PyExc_OverflowError, "a number of 32 bits is needed");
    return false;
  }
  value = int32_t(number);
  return true;
}

const char *strata::python::toText(PyObject *object) {
  Py_ssize_t length;
  return PyUnicode_AsUTF8AndSize(object, &length);
}

static PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                 "strata._core",
                                 "The C interface of Strata.",
                                 -1,
                                 nullptr,
                                 nullptr,
                                 nullptr,
                                 nullptr,
                                 nullptr};

PyMODINIT_FUNC PyInit__core() {
  PyObject *module = PyModule_Create(&definition);
#ifdef Py_GIL_DISABLED
  // Calls need no lock of the interpreter's: the session has its own (Calls.h).
  if (module && PyUnstable_Module_SetGIL(module, Py_MOD_GIL_NOT_USED) < 0)
    Py_CLEAR(module);
#endif
  if (module && addSession(module) && addFormats(module) && addArrays(module) &&
      addExchange(module) && addTensors(module) && addScalars(module) && addStatements(module) &&
      addGradients(module) && addPrograms(module) && addFunctions(module) && addMachines(module) &&
      addPlaces(module))
    return module;
  Py_XDECREF(module);
  return nullptr;
}
