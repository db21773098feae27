// strata._core.Tensor: a handle of a tensor.
#include "Buffers.h"
#include "Calls.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

using namespace strata::python;

PyTypeObject *strata::python::tensorType;

PyObject *strata::python::newTensor(strata_tensor *handle) {
  auto *object = PyObject_New(TensorObject, tensorType);
  if (!object) {
    strata_tensor_release(handle);
    return nullptr;
  }
  object->handle = handle;
  object->key = -1;
  return reinterpret_cast<PyObject *>(object);
}

strata_tensor *strata::python::tensorOf(PyObject *object) {
  if (Py_TYPE(object) == tensorType)
    return reinterpret_cast<TensorObject *>(object)->handle;
  // What stands for a tensor computes it when it is asked, and keeps it.
  PyObject *computed = PyObject_GetAttrString(object, "computed");
  if (computed && Py_TYPE(computed) == tensorType) {
    strata_tensor *handle = reinterpret_cast<TensorObject *>(computed)->handle;
    Py_DECREF(computed);
    return handle;
  }
  if (computed || PyErr_ExceptionMatches(PyExc_AttributeError))
    PyErr_SetString(PyExc_TypeError, "a strata._core.Tensor is needed");
  Py_XDECREF(computed);
  return nullptr;
}

static strata_tensor *self(PyObject *object) {
  return reinterpret_cast<TensorObject *>(object)->handle;
}

static void release(PyObject *object) {
  strata_tensor_release(self(object));
  PyObject_Free(object);
  Py_DECREF(tensorType);
}

// ---- Arguments ----

// The sizes of a tensor, one for each dimension of its format; false with an error set.
static bool toSizes(PyObject *object, strata_format *format, std::vector<int64_t> &sizes) {
  if (!toNumbers(object, sizes))
    return false;
  const auto count = Py_ssize_t(sizes.size());
  if (count != strata_format_order(format)) {
    PyErr_Format(PyExc_ValueError, "a format of order %d for a tensor of order %zd",
                 int(strata_format_order(format)), count);
    return false;
  }
  for (int64_t size : sizes)
    if (size < 0) {
      PyErr_SetString(PyExc_ValueError, "sizes are not negative");
      return false;
    }
  return true;
}

// ---- Ways to make one ----

static PyObject *fromBuffers(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  int32_t flags, valuesType;
  if (!hasArguments("from_buffers", count, 5) || !toInt32(arguments[3], flags) ||
      !toInt32(arguments[4], valuesType))
    return nullptr;
  strata_format *format = formatOf(arguments[0]);
  std::vector<int64_t> sizes;
  if (!format || !toSizes(arguments[1], format, sizes))
    return nullptr;
  auto buffers = std::make_unique<Buffers>();
  strata_session *current = session();
  if (!current || !buffers->view(arguments[2], valuesType))
    return nullptr;
  strata_tensor *tensor = nullptr;
  const std::vector<strata_array> &arrays = buffers->arrays();
  bool adopts = flags & STRATA_ADOPT;
  if (!call([&] {
        return strata_tensor_from_buffers(current, format, sizes.data(), arrays.data(),
                                          int32_t(arrays.size()), flags,
                                          adopts ? Buffers::releaseFromAnyThread : nullptr,
                                          adopts ? buffers.release() : nullptr, &tensor);
      }))
    return nullptr;
  return newTensor(tensor);
}

static PyObject *fromCoordinates(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  int32_t duplicates;
  if (!hasArguments("from_coordinates", count, 4) || !toInt32(arguments[3], duplicates))
    return nullptr;
  strata_format *format = formatOf(arguments[0]);
  std::vector<int64_t> sizes;
  if (!format || !toSizes(arguments[1], format, sizes))
    return nullptr;
  Buffers buffers;
  strata_session *current = session();
  if (!current || !buffers.view(arguments[2], -1))
    return nullptr;
  std::vector<strata_array> arrays = buffers.arrays();
  if (arrays.size() != sizes.size() + 1) {
    PyErr_SetString(PyExc_ValueError, "coordinates of each dimension are needed, and values");
    return nullptr;
  }
  strata_array values = arrays.back();
  for (const strata_array &array : arrays)
    if (array.count != values.count) {
      PyErr_SetString(PyExc_ValueError, "there must be as many coordinates as values");
      return nullptr;
    }
  strata_tensor *tensor = nullptr;
  if (!callInterruptible([&] {
        return strata_tensor_from_coordinates(current, format, sizes.data(), values.count,
                                              arrays.data(), values, duplicates, &tensor);
      }))
    return nullptr;
  return newTensor(tensor);
}

static PyObject *empty(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  strata_format *format = hasArguments("empty", count, 2) ? formatOf(arguments[0]) : nullptr;
  std::vector<int64_t> sizes;
  if (!format || !toSizes(arguments[1], format, sizes))
    return nullptr;
  strata_session *current = session();
  strata_tensor *tensor = nullptr;
  if (!current ||
      !call([&] { return strata_tensor_empty(current, format, sizes.data(), &tensor); }))
    return nullptr;
  return newTensor(tensor);
}

// A number where one is wanted, or -1 for None; false after a failure.
static bool toChoice(PyObject *object, int32_t &choice) {
  choice = object == Py_None ? -1 : int32_t(PyLong_AsLong(object));
  return choice != -1 || !PyErr_Occurred();
}

// (path, format), or (path, order, type) of which each may be None.
static PyObject *readFile(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  strata_format *format = nullptr;
  int32_t order = -1, type = -1;
  if (count == 3 ? !toChoice(arguments[1], order) || !toChoice(arguments[2], type)
                 : !hasArguments("read", count, 2) || !(format = formatOf(arguments[1])))
    return nullptr;
  PyObject *path;
  if (!PyUnicode_FSConverter(arguments[0], &path))
    return nullptr;
  strata_session *current = session();
  const char *file = PyBytes_AsString(path);
  strata_tensor *tensor = nullptr;
  bool ok = current && file && callInterruptible([&] {
              return format ? strata_tensor_read(current, file, format, &tensor)
                            : strata_tensor_read_as(current, file, order, type, &tensor);
            });
  Py_DECREF(path);
  return ok ? newTensor(tensor) : nullptr;
}

// (path, order, type): the tensor, and its names as a text in JSON.
static PyObject *readWithNames(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  int32_t order = -1, type = -1;
  PyObject *path;
  if (!hasArguments("read_with_names", count, 3) || !toChoice(arguments[1], order) ||
      !toChoice(arguments[2], type) || !PyUnicode_FSConverter(arguments[0], &path))
    return nullptr;
  strata_session *current = session();
  const char *file = PyBytes_AsString(path);
  strata_tensor *tensor = nullptr;
  char *names = nullptr;
  bool ok = current && file && callInterruptible([&] {
              return strata_tensor_read_names(current, file, order, type, &tensor, &names);
            });
  Py_DECREF(path);
  if (!ok)
    return nullptr;
  PyObject *text = newString(names);
  PyObject *object = newTensor(tensor);
  if (text && object)
    return Py_BuildValue("NN", object, text);
  Py_XDECREF(text);
  Py_XDECREF(object);
  return nullptr;
}

static PyObject *fileTensors(PyObject *, PyObject *argument) {
  PyObject *path;
  if (!PyUnicode_FSConverter(argument, &path))
    return nullptr;
  const char *file = PyBytes_AsString(path);
  char *names = nullptr;
  bool ok = file && callInterruptible([&] { return strata_file_tensors(file, &names); });
  Py_DECREF(path);
  return ok ? newString(names) : nullptr;
}

// ---- Methods ----

static PyObject *writeFile(PyObject *object, PyObject *argument) {
  PyObject *path;
  if (!PyUnicode_FSConverter(argument, &path))
    return nullptr;
  const char *file = PyBytes_AsString(path);
  bool ok = file && callInterruptible([&] { return strata_tensor_write(self(object), file); });
  Py_DECREF(path);
  if (!ok)
    return nullptr;
  Py_RETURN_NONE;
}

static PyObject *drawStorage(PyObject *object, PyObject *) {
  char *text = nullptr;
  if (!callInterruptible([&] { return strata_tensor_draw_storage(self(object), &text); }))
    return nullptr;
  return newString(text);
}

static PyObject *spy(PyObject *object, PyObject *const *arguments, Py_ssize_t count) {
  int32_t down, across, pixels;
  PyObject *path;
  if (!hasArguments("spy", count, 4) || !toInt32(arguments[0], down) ||
      !toInt32(arguments[1], across) || !toInt32(arguments[2], pixels) ||
      !PyUnicode_FSConverter(arguments[3], &path))
    return nullptr;
  const char *file = PyBytes_AsString(path);
  bool ok = file && callInterruptible([&] {
              return strata_tensor_spy(self(object), down, across, pixels, file);
            });
  Py_DECREF(path);
  if (!ok)
    return nullptr;
  Py_RETURN_NONE;
}

static PyObject *convert(PyObject *object, PyObject *argument) {
  strata_format *format = formatOf(argument);
  strata_tensor *tensor = nullptr;
  if (!format ||
      !callInterruptible([&] { return strata_tensor_convert(self(object), format, &tensor); }))
    return nullptr;
  return newTensor(tensor);
}

// A format, and the machine that it names, or None.
static PyObject *place(PyObject *object, PyObject *const *arguments, Py_ssize_t count) {
  strata_format *format = hasArguments("place", count, 2) ? formatOf(arguments[0]) : nullptr;
  strata_machine *machine = nullptr;
  strata_tensor *tensor = nullptr;
  if (!format || (arguments[1] != Py_None && !(machine = machineOf(arguments[1]))) ||
      !callInterruptible(
          [&] { return strata_tensor_place(self(object), format, machine, &tensor); }))
    return nullptr;
  return newTensor(tensor);
}

// A tuple of cell, first coordinates, those behind the last, and the tensor of it.
static PyObject *newPiece(strata_tensor *tensor, int32_t index) {
  strata_tensor *piece = nullptr;
  if (!call([&] { return strata_tensor_piece(tensor, index, &piece); }))
    return nullptr;
  const int32_t order = strata_tensor_order(tensor);
  PyObject *first = newNumbers(strata_tensor_piece_first(tensor, index), order);
  PyObject *end = newNumbers(strata_tensor_piece_end(tensor, index), order);
  PyObject *object = newTensor(piece);
  if (first && end && object)
    return Py_BuildValue("LNNN", static_cast<long long>(strata_tensor_piece_cell(tensor, index)),
                         first, end, object);
  Py_XDECREF(first);
  Py_XDECREF(end);
  Py_XDECREF(object);
  return nullptr;
}

static PyObject *pieces(PyObject *object, PyObject *) {
  const int32_t count = strata_tensor_piece_count(self(object));
  PyObject *result = PyTuple_New(count);
  for (int32_t index = 0; result && index < count; index++) {
    PyObject *piece = newPiece(self(object), index);
    if (!piece || PyTuple_SetItem(result, index, piece) < 0)
      Py_CLEAR(result);
  }
  return result;
}

static PyObject *copy(PyObject *object, PyObject *) {
  strata_tensor *tensor = nullptr;
  if (!call([&] { return strata_tensor_copy(self(object), &tensor); }))
    return nullptr;
  return newTensor(tensor);
}

static PyObject *validate(PyObject *object, PyObject *) {
  if (!call([&] { return strata_tensor_validate(self(object)); }))
    return nullptr;
  Py_RETURN_NONE;
}

static PyObject *arrayAt(PyObject *object, PyObject *argument, bool writable) {
  int32_t index;
  if (!toInt32(argument, index))
    return nullptr;
  if (strata_tensor_machine(self(object))) { // whose pieces have arrays
    char *text = nullptr;
    call([&] { return strata_tensor_draw_storage(self(object), &text); });
    return nullptr;
  }
  if (index < 0 || index >= strata_format_array_count(strata_tensor_format(self(object)))) {
    PyErr_SetString(PyExc_IndexError, "the tensor has no such array");
    return nullptr;
  }
  return newArray(self(object), index, writable);
}

static PyObject *array(PyObject *object, PyObject *argument) {
  return arrayAt(object, argument, false);
}

static PyObject *writableArray(PyObject *object, PyObject *argument) {
  return arrayAt(object, argument, true);
}

static PyObject *item(PyObject *object, PyObject *) {
  const strata_format *format = strata_tensor_format(self(object));
  if (strata_tensor_machine(self(object)) || !strata_format_is_full(format) ||
      strata_tensor_stored(self(object)) != 1)
    Py_RETURN_NONE;
  return numberAt(strata_tensor_array(self(object), strata_format_array_count(format) - 1));
}

static PyObject *isSame(PyObject *object, PyObject *argument) {
  strata_tensor *other = tensorOf(argument);
  return other ? PyBool_FromLong(self(object) == other) : nullptr;
}

// ---- Attributes ----

static PyObject *shape(PyObject *object, void *) {
  return newNumbers(strata_tensor_sizes(self(object)), strata_tensor_order(self(object)));
}

static PyObject *machine(PyObject *object, void *) {
  strata_machine *found = strata_tensor_machine(self(object));
  if (!found)
    Py_RETURN_NONE;
  return newMachine(strata_machine_retain(found));
}

static PyObject *format(PyObject *object, void *) {
  return newFormat(
      strata_format_retain(const_cast<strata_format *>(strata_tensor_format(self(object)))));
}

// Formats with one text and element type, on like machines, have one number, so that what is
// compiled for a tensor is found by comparing numbers.
static Py_ssize_t keyOf(const strata_tensor *tensor) {
  static std::mutex mutex;
  static std::unordered_map<std::string, Py_ssize_t> keys;
  const strata_format *format = strata_tensor_format(tensor);
  std::string text = strata_format_text(format);
  text += char('A' + strata_format_type(format));
  if (const strata_machine *machine = strata_tensor_machine(tensor)) {
    for (int32_t axis = 0; axis < strata_machine_axes(machine); axis++)
      text += ' ' + std::to_string(strata_machine_cells(machine)[axis]);
    text += ' ' + std::to_string(reinterpret_cast<uintptr_t>(strata_machine_ranks(machine)));
  }
  std::lock_guard<std::mutex> lock(mutex);
  return keys.try_emplace(std::move(text), Py_ssize_t(keys.size())).first->second;
}

static PyObject *key(PyObject *object, void *) {
  auto *tensor = reinterpret_cast<TensorObject *>(object);
  if (tensor->key < 0)
    tensor->key = keyOf(tensor->handle);
  return PyLong_FromSsize_t(tensor->key);
}

static PyObject *stored(PyObject *object, void *) {
  return PyLong_FromLongLong(strata_tensor_stored(self(object)));
}

static PyObject *largest(PyObject *object, void *) {
  const int64_t *sizes = strata_tensor_sizes(self(object));
  const int32_t order = strata_tensor_order(self(object));
  return PyLong_FromLongLong(order > 0 ? *std::max_element(sizes, sizes + order) : 0);
}

static PyObject *bytes(PyObject *object, void *) {
  return PyLong_FromLongLong(strata_tensor_bytes(self(object)));
}

static PyMethodDef methods[] = {
    {"write", writeFile, METH_O, "Writes a file, in the format of its ending."},
    {"draw_storage", drawStorage, METH_NOARGS, "Its arrays and coordinates in characters."},
    {"spy", reinterpret_cast<PyCFunction>(spy), METH_FASTCALL,
     "Writes a picture: the dimensions down and across, pixels (0: the usual number), the file."},
    {"convert", convert, METH_O, "The same elements in another format; itself if it has it."},
    {"place", reinterpret_cast<PyCFunction>(place), METH_FASTCALL,
     "The same elements in a format that names a machine, or brought whole to each rank."},
    {"pieces", pieces, METH_NOARGS,
     "What this process has of a tensor on a machine: cell, first coordinates, those behind the "
     "last, and the tensor of each piece."},
    {"copy", copy, METH_NOARGS, "The same with memory of its own."},
    {"validate", validate, METH_NOARGS, "Checks every promise of the format."},
    {"array", array, METH_O, "The array with that index, where it lies; read-only."},
    {"writable_array", writableArray, METH_O,
     "The same, to be written to: only for a tensor that nobody else holds."},
    {"item", item, METH_NOARGS,
     "The only element of a tensor in a full format; None of others, and of 16-bit floats."},
    {"is_same", isSame, METH_O, "Whether both handles are of one tensor."},
    {}};

static PyGetSetDef attributes[] = {
    {"shape", shape, nullptr, "The sizes of the dimensions.", nullptr},
    {"format", format, nullptr, "The format, with every width decided.", nullptr},
    {"machine", machine, nullptr, "That has its pieces; None if there are none.", nullptr},
    {"key", key, nullptr, "A number for its format and element type.", nullptr},
    {"stored", stored, nullptr, "How many values it stores, padding included.", nullptr},
    {"largest", largest, nullptr, "The largest size of a dimension; 0 if there is none.", nullptr},
    {"bytes", bytes, nullptr, "Bytes of all arrays.", nullptr},
    {}};

static PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void *>(release)},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, attributes},
                              {}};

static PyType_Spec spec = {"strata._core.Tensor", sizeof(TensorObject), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

static PyMethodDef functions[] = {
    {"from_buffers", reinterpret_cast<PyCFunction>(fromBuffers), METH_FASTCALL,
     "A tensor from format, shape, the arrays of the format, flags, and the element type of the "
     "values (-1: the last array's)."},
    {"from_coordinates", reinterpret_cast<PyCFunction>(fromCoordinates), METH_FASTCALL,
     "A tensor from format, shape, the coordinates of each dimension with the values last, and "
     "what duplicates mean."},
    {"empty", reinterpret_cast<PyCFunction>(empty), METH_FASTCALL,
     "A tensor of a format and a shape without entries."},
    {"read", reinterpret_cast<PyCFunction>(readFile), METH_FASTCALL,
     "A tensor from a file, in a format, or (None) as the file says."},
    {"read_with_names", reinterpret_cast<PyCFunction>(readWithNames), METH_FASTCALL,
     "A tensor from a file, and the names of its rows, columns, ... in JSON."},
    {"file_tensors", fileTensors, METH_O, "The names of a file's tensors, in JSON."},
    {}};

bool strata::python::addTensors(PyObject *module) {
  tensorType = addType(module, spec);
  return tensorType && PyModule_AddFunctions(module, functions) == 0 &&
         PyModule_AddIntMacro(module, STRATA_COPY) == 0 &&
         PyModule_AddIntMacro(module, STRATA_ADOPT) == 0 &&
         PyModule_AddIntMacro(module, STRATA_VALIDATE) == 0 &&
         PyModule_AddIntMacro(module, STRATA_SUM_DUPLICATES) == 0 &&
         PyModule_AddIntMacro(module, STRATA_REFUSE_DUPLICATES) == 0;
}
