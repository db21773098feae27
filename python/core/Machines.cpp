// strata._core.Ranks and strata._core.Machine: the processes that compute together, and the grids
// of cells that they have. Tensors in pieces.
#include "Calls.h"

#include <vector>

using namespace strata::python;

PyTypeObject *strata::python::ranksType, *strata::python::machineType;

strata_ranks *strata::python::ranksOf(PyObject *object) {
  if (Py_TYPE(object) == ranksType)
    return reinterpret_cast<RanksObject *>(object)->handle;
  PyErr_SetString(PyExc_TypeError, "a strata._core.Ranks is needed");
  return nullptr;
}

strata_machine *strata::python::machineOf(PyObject *object) {
  if (Py_TYPE(object) == machineType)
    return reinterpret_cast<MachineObject *>(object)->handle;
  PyErr_SetString(PyExc_TypeError, "a strata._core.Machine is needed");
  return nullptr;
}

static strata_ranks *ranks(PyObject *object) {
  return reinterpret_cast<RanksObject *>(object)->handle;
}

static strata_machine *machine(PyObject *object) {
  return reinterpret_cast<MachineObject *>(object)->handle;
}

static PyObject *newRanks(strata_ranks *handle) {
  auto *object = PyObject_New(RanksObject, ranksType);
  if (!object) {
    strata_ranks_release(handle);
    return nullptr;
  }
  object->handle = handle;
  return reinterpret_cast<PyObject *>(object);
}

PyObject *strata::python::newMachine(strata_machine *handle) {
  auto *object = PyObject_New(MachineObject, machineType);
  if (!object) {
    strata_machine_release(handle);
    return nullptr;
  }
  object->handle = handle;
  return reinterpret_cast<PyObject *>(object);
}

static void releaseRanks(PyObject *object) {
  {
    Unlocked unlocked;
    strata_ranks_release(ranks(object));
  }
  PyObject_Free(object);
  Py_DECREF(ranksType);
}

static void releaseMachine(PyObject *object) {
  {
    Unlocked unlocked;
    strata_machine_release(machine(object));
  }
  PyObject_Free(object);
  Py_DECREF(machineType);
}

PyObject *strata::python::newNumbers(const int64_t *numbers, int32_t count) {
  PyObject *tuple = PyTuple_New(count);
  for (int32_t at = 0; tuple && at < count; at++) {
    PyObject *number = PyLong_FromLongLong(numbers[at]);
    if (!number || PyTuple_SetItem(tuple, at, number) < 0)
      Py_CLEAR(tuple);
  }
  return tuple;
}

bool strata::python::toNumbers(PyObject *object, std::vector<int64_t> &numbers) {
  const Py_ssize_t count = PySequence_Size(object);
  for (Py_ssize_t at = 0; at < count; at++) {
    PyObject *item = PySequence_GetItem(object, at);
    const int64_t number = item ? PyLong_AsLongLong(item) : -1;
    Py_XDECREF(item);
    if (number == -1 && PyErr_Occurred())
      return false;
    numbers.push_back(number);
  }
  return count >= 0;
}

// ---- Ranks ----

// The address of an MPI_Comm, or None, and a deadline in seconds.
static PyObject *openRanks(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  if (!hasArguments("open_ranks", count, 2))
    return nullptr;
  const void *communicator = nullptr;
  if (arguments[0] != Py_None && !(communicator = PyLong_AsVoidPtr(arguments[0])))
    return nullptr;
  const double deadline = PyFloat_AsDouble(arguments[1]);
  strata_session *current = PyErr_Occurred() ? nullptr : session();
  strata_ranks *made = nullptr;
  if (!current || !callInterruptible(
                      [&] { return strata_ranks_create(current, communicator, deadline, &made); }))
    return nullptr;
  return newRanks(made);
}

static PyObject *closeRanks(PyObject *object, PyObject *) {
  if (!call([&] { return strata_ranks_close(ranks(object)); }))
    return nullptr;
  Py_RETURN_NONE;
}

static PyObject *settle(PyObject *object, PyObject *const *arguments, Py_ssize_t count) {
  int32_t kind;
  if (!hasArguments("settle", count, 2) || !toInt32(arguments[0], kind))
    return nullptr;
  const char *message = toText(arguments[1]);
  if (!message || !call([&] { return strata_ranks_settle(ranks(object), kind, message); }))
    return nullptr;
  Py_RETURN_NONE;
}

static PyObject *rank(PyObject *object, void *) {
  return PyLong_FromLong(strata_ranks_rank(ranks(object)));
}

static PyObject *size(PyObject *object, void *) {
  return PyLong_FromLong(strata_ranks_size(ranks(object)));
}

static PyObject *library(PyObject *object, void *) {
  return PyUnicode_FromString(strata_ranks_library(ranks(object)));
}

static PyObject *sent(PyObject *object, void *) {
  int64_t bytes;
  {
    Unlocked unlocked;
    bytes = strata_ranks_sent(ranks(object));
  }
  return PyLong_FromLongLong(bytes);
}

static PyMethodDef ranksMethods[] = {
    {"close", closeRanks, METH_NOARGS, "Ends what carries messages."},
    {"settle", reinterpret_cast<PyCFunction>(settle), METH_FASTCALL,
     "Tells the others the kind and the message of this rank's error (0: none), and raises "
     "theirs."},
    {}};

static PyGetSetDef ranksAttributes[] = {
    {"rank", rank, nullptr, "The number of this process.", nullptr},
    {"size", size, nullptr, "How many processes there are.", nullptr},
    {"library", library, nullptr, "What carries the messages.", nullptr},
    {"sent", sent, nullptr, "The bytes that this process has sent.", nullptr},
    {}};

static PyType_Slot ranksSlots[] = {{Py_tp_dealloc, reinterpret_cast<void *>(releaseRanks)},
                                   {Py_tp_methods, ranksMethods},
                                   {Py_tp_getset, ranksAttributes},
                                   {}};

static PyType_Spec ranksSpec = {"strata._core.Ranks", sizeof(RanksObject), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, ranksSlots};

// ---- Machines ----

static PyObject *makeMachine(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  if (!hasArguments("make_machine", count, 3))
    return nullptr;
  strata_ranks *owners = ranksOf(arguments[0]);
  const char *name = owners ? toText(arguments[1]) : nullptr;
  std::vector<int64_t> cells;
  if (!name || !toNumbers(arguments[2], cells))
    return nullptr;
  strata_machine *made = nullptr;
  if (!call([&] {
        return strata_machine_create(owners, name, cells.data(), int32_t(cells.size()), &made);
      }))
    return nullptr;
  return newMachine(made);
}

static PyObject *machineName(PyObject *object, void *) {
  return PyUnicode_FromString(strata_machine_name(machine(object)));
}

static PyObject *cells(PyObject *object, void *) {
  return newNumbers(strata_machine_cells(machine(object)), strata_machine_axes(machine(object)));
}

static PyObject *ranksOfMachine(PyObject *object, void *) {
  return newRanks(strata_ranks_retain(strata_machine_ranks(machine(object))));
}

static PyObject *machineAddress(PyObject *object, void *) {
  return PyLong_FromVoidPtr(machine(object));
}

static PyGetSetDef machineAttributes[] = {
    {"name", machineName, nullptr, "What formats call it.", nullptr},
    {"cells", cells, nullptr, "The cells of each axis.", nullptr},
    {"ranks", ranksOfMachine, nullptr, "The processes that have its cells.", nullptr},
    {"address", machineAddress, nullptr, "A number that no other machine has.", nullptr},
    {}};

static PyType_Slot machineSlots[] = {{Py_tp_dealloc, reinterpret_cast<void *>(releaseMachine)},
                                     {Py_tp_getset, machineAttributes},
                                     {}};

static PyType_Spec machineSpec = {"strata._core.Machine", sizeof(MachineObject), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                  machineSlots};

// ---- Tensors in pieces ----

static PyObject *fromPiece(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  if (!hasArguments("from_piece", count, 5))
    return nullptr;
  strata_machine *owner = machineOf(arguments[0]);
  strata_format *format = owner ? formatOf(arguments[1]) : nullptr;
  strata_tensor *piece = format ? tensorOf(arguments[3]) : nullptr;
  std::vector<int64_t> sizes, first;
  if (!piece || !toNumbers(arguments[2], sizes) || !toNumbers(arguments[4], first))
    return nullptr;
  const auto order = size_t(strata_format_order(format));
  if (sizes.size() != order || first.size() != order) {
    PyErr_SetString(PyExc_ValueError, "a size and a first coordinate of each dimension are needed");
    return nullptr;
  }
  strata_tensor *made = nullptr;
  if (!callInterruptible([&] {
        return strata_tensor_from_piece(owner, format, sizes.data(), piece, first.data(), &made);
      }))
    return nullptr;
  return newTensor(made);
}

static PyMethodDef functions[] = {
    {"open_ranks", reinterpret_cast<PyCFunction>(openRanks), METH_FASTCALL,
     "The processes of a communicator, whose address is given, or (None) of the launcher; seconds "
     "that one waits for another (0: any)."},
    {"make_machine", reinterpret_cast<PyCFunction>(makeMachine), METH_FASTCALL,
     "A machine of ranks, with a name and the cells of each axis."},
    {"from_piece", reinterpret_cast<PyCFunction>(fromPiece), METH_FASTCALL,
     "A tensor of a machine, a format and a shape, from what this process has, and where that "
     "begins."},
    {}};

bool strata::python::addMachines(PyObject *module) {
  ranksType = addType(module, ranksSpec);
  machineType = ranksType ? addType(module, machineSpec) : nullptr;
  return machineType && PyModule_AddFunctions(module, functions) == 0;
}
