// Declarations that all parts of the extension module strata._core share.
//
// The module binds the functions of strata.h one to one, in the stable ABI of CPython 3.11. It
// converts between Python's objects and handles: what a call means to a user is written in Python,
// in the modules beside it. Places.cpp alone has loops of its own, for parts of tensors.
#ifndef STRATA_PYTHON_CORE_H
#define STRATA_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "strata/api/strata.h"

#include <vector>

namespace strata::python {

struct FormatObject {
  PyObject_HEAD strata_format *handle;
};

struct TensorObject {
  PyObject_HEAD strata_tensor *handle;
  Py_ssize_t key; ///< a number for each format and element type; -1 until somebody asks
};

struct StatementObject {
  PyObject_HEAD strata_statement *handle;
};

struct FunctionObject {
  PyObject_HEAD strata_function *handle;
};

struct RanksObject {
  PyObject_HEAD strata_ranks *handle;
};

struct MachineObject {
  PyObject_HEAD strata_machine *handle;
};

/// An array of a tensor, which exports Python's buffer protocol.
struct ArrayObject {
  PyObject_HEAD strata_tensor *owner;
  strata_array array;
  bool writable;
  Py_ssize_t shape, stride;
};

/// Their types; the module's initialization makes them.
extern PyTypeObject *formatType, *tensorType, *statementType, *functionType, *arrayType, *ranksType,
    *machineType;

/// Each adds its types and functions to the module. False with a Python error set.
bool addSession(PyObject *module);
bool addFormats(PyObject *module);
bool addArrays(PyObject *module);
bool addExchange(PyObject *module);
bool addTensors(PyObject *module);
bool addScalars(PyObject *module);
bool addStatements(PyObject *module);
bool addGradients(PyObject *module);
bool addPrograms(PyObject *module);
bool addFunctions(PyObject *module);
bool addMachines(PyObject *module);
bool addPlaces(PyObject *module);

/// Makes a type that only C++ instantiates and adds it to the module; null with an error set.
PyTypeObject *addType(PyObject *module, PyType_Spec &spec);

/// Takes over one reference to the handle.
PyObject *newFormat(strata_format *handle);
PyObject *newTensor(strata_tensor *handle);
PyObject *newMachine(strata_machine *handle);
/// Returns what was printed, and a dictionary of the results by their names; releases the outcome.
PyObject *newOutcome(strata_outcome *outcome);
/// A string of a text of the library, which is freed.
PyObject *newString(char *text);
/// Takes a reference of its own. Only what nobody else holds may be writable.
PyObject *newArray(strata_tensor *owner, int32_t index, bool writable);

/// The first element of an array as a number of Python's; None if there is no such number. Null
/// with an error set.
PyObject *numberAt(const strata_array &array);

/// The handle of an argument; null with a TypeError set if it is something else.
strata_format *formatOf(PyObject *object);
strata_tensor *tensorOf(PyObject *object);
strata_ranks *ranksOf(PyObject *object);
strata_machine *machineOf(PyObject *object);

/// A tuple of integers; null with an error set.
PyObject *newNumbers(const int64_t *numbers, int32_t count);
/// The integers of a sequence; false with an error set.
bool toNumbers(PyObject *object, std::vector<int64_t> &numbers);

/// Checks the number of arguments; false with a TypeError set.
bool hasArguments(const char *function, Py_ssize_t given, Py_ssize_t expected);
/// An integer argument; false with an error set.
bool toInt32(PyObject *object, int32_t &value);
/// A text argument as UTF-8, which lives as long as the object; null with an error set.
const char *toText(PyObject *object);

} // namespace strata::python

#endif // STRATA_PYTHON_CORE_H
