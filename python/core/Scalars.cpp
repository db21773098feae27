// Numbers of Python's as tensors without dimensions, and back, without NumPy.
#include "Calls.h"

#include <cstring>

using namespace strata::python;

// ---- From Python ----

template <typename T> static void store(T value, void *memory) {
  std::memcpy(memory, &value, sizeof value);
}

// Writes an integer that has so many bits; false with an error set if it does not fit.
static bool storeSigned(PyObject *object, int bits, void *memory) {
  long long value = PyLong_AsLongLong(object);
  if (value == -1 && PyErr_Occurred())
    return false;
  if (bits < 64 && (value < -(1LL << (bits - 1)) || value >= 1LL << (bits - 1))) {
    PyErr_Format(PyExc_OverflowError, "the integer %lld does not fit %d bits", value, bits);
    return false;
  }
  std::memcpy(memory, &value, size_t(bits / 8)); // of a little-endian machine
  return true;
}

static bool storeUnsigned(PyObject *object, int bits, void *memory) {
  unsigned long long value = PyLong_AsUnsignedLongLong(object);
  if (value == static_cast<unsigned long long>(-1) && PyErr_Occurred())
    return false;
  if (bits < 64 && value >> bits) {
    PyErr_Format(PyExc_OverflowError, "the integer %llu does not fit %d bits", value, bits);
    return false;
  }
  std::memcpy(memory, &value, size_t(bits / 8));
  return true;
}

static bool storeReal(PyObject *object, bool isDouble, void *memory) {
  double value = PyFloat_AsDouble(object);
  if (value == -1 && PyErr_Occurred())
    return false;
  isDouble ? store(value, memory) : store(float(value), memory);
  return true;
}

static bool storeComplex(PyObject *object, bool isDouble, void *memory) {
  double parts[] = {PyComplex_RealAsDouble(object), PyComplex_ImagAsDouble(object)};
  if (PyErr_Occurred())
    return false;
  for (int part = 0; part < 2; part++) {
    char *at = static_cast<char *>(memory) + part * (isDouble ? 8 : 4);
    isDouble ? store(parts[part], at) : store(float(parts[part]), at);
  }
  return true;
}

// Writes a number as an element; false with an error set.
static bool storeNumber(PyObject *object, int32_t type, void *memory) {
  switch (type) {
  case STRATA_BOOL: {
    int truth = PyObject_IsTrue(object);
    store(uint8_t(truth > 0), memory);
    return truth >= 0;
  }
  case STRATA_I8:
  case STRATA_I16:
  case STRATA_I32:
  case STRATA_I64:
    return storeSigned(object, int(8 * strata_type_bytes(type)), memory);
  case STRATA_U8:
  case STRATA_U16:
  case STRATA_U32:
  case STRATA_U64:
    return storeUnsigned(object, int(8 * strata_type_bytes(type)), memory);
  case STRATA_F32:
  case STRATA_F64:
    return storeReal(object, type == STRATA_F64, memory);
  case STRATA_C64:
  case STRATA_C128:
    return storeComplex(object, type == STRATA_C128, memory);
  default:
    PyErr_SetString(PyExc_TypeError, "no number of Python's has that element type");
    return false;
  }
}

static PyObject *scalar(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  strata_format *format = hasArguments("scalar", count, 2) ? formatOf(arguments[0]) : nullptr;
  if (!format)
    return nullptr;
  alignas(16) char element[16];
  strata_array array = {element, 1, strata_format_type(format)};
  strata_session *current = session();
  strata_tensor *tensor = nullptr;
  if (!current || !storeNumber(arguments[1], array.type, element) || !call([&] {
        return strata_tensor_from_buffers(current, format, nullptr, &array, 1, STRATA_COPY, nullptr,
                                          nullptr, &tensor);
      }))
    return nullptr;
  return newTensor(tensor);
}

// ---- To Python ----

template <typename T> static T load(const void *memory) {
  T value;
  std::memcpy(&value, memory, sizeof value);
  return value;
}

PyObject *strata::python::numberAt(const strata_array &array) {
  const void *at = array.data;
  switch (array.type) {
  case STRATA_BOOL:
    return PyBool_FromLong(load<uint8_t>(at) != 0);
  case STRATA_I8:
    return PyLong_FromLong(load<int8_t>(at));
  case STRATA_I16:
    return PyLong_FromLong(load<int16_t>(at));
  case STRATA_I32:
    return PyLong_FromLong(load<int32_t>(at));
  case STRATA_I64:
    return PyLong_FromLongLong(load<int64_t>(at));
  case STRATA_U8:
    return PyLong_FromUnsignedLong(load<uint8_t>(at));
  case STRATA_U16:
    return PyLong_FromUnsignedLong(load<uint16_t>(at));
  case STRATA_U32:
    return PyLong_FromUnsignedLong(load<uint32_t>(at));
  case STRATA_U64:
    return PyLong_FromUnsignedLongLong(load<uint64_t>(at));
  case STRATA_F32:
    return PyFloat_FromDouble(double(load<float>(at)));
  case STRATA_F64:
    return PyFloat_FromDouble(load<double>(at));
  case STRATA_C64:
    return PyComplex_FromDoubles(double(load<float>(at)),
                                 double(load<float>(static_cast<const char *>(at) + 4)));
  case STRATA_C128:
    return PyComplex_FromDoubles(load<double>(at), load<double>(static_cast<const char *>(at) + 8));
  default:
    Py_RETURN_NONE;
  }
}

static PyMethodDef functions[] = {
    {"scalar", reinterpret_cast<PyCFunction>(scalar), METH_FASTCALL,
     "A tensor without dimensions that holds a number, from its format and the number."},
    {}};

bool strata::python::addScalars(PyObject *module) {
  return PyModule_AddFunctions(module, functions) == 0;
}
