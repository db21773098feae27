// Arrays of other libraries, through Python's buffer protocol.
#include "Buffers.h"

#include <cstring>

using namespace strata::python;

Buffers::~Buffers() {
  for (Py_buffer &view : views)
    PyBuffer_Release(&view);
}

// The element type of integers of so many bytes, or -1.
static int32_t integerType(Py_ssize_t bytes, bool isSigned) {
  switch (bytes) {
  case 1:
    return isSigned ? STRATA_I8 : STRATA_U8;
  case 2:
    return isSigned ? STRATA_I16 : STRATA_U16;
  case 4:
    return isSigned ? STRATA_I32 : STRATA_U32;
  case 8:
    return isSigned ? STRATA_I64 : STRATA_U64;
  default:
    return -1;
  }
}

// The element type of a buffer's format in the struct module's characters, or -1.
static int32_t typeOf(const char *format, Py_ssize_t bytes) {
  if (!format)
    return STRATA_U8;
  if (*format == '@' || *format == '=' || *format == '<' || *format == '^')
    format++;
  if (!std::strcmp(format, "Zd"))
    return STRATA_C128;
  if (!std::strcmp(format, "Zf"))
    return STRATA_C64;
  if (!*format || format[1])
    return -1;
  if (std::strchr("bhilqn", *format))
    return integerType(bytes, true);
  if (std::strchr("BHILQN", *format))
    return integerType(bytes, false);
  switch (*format) {
  case '?':
    return STRATA_BOOL;
  case 'e':
    return STRATA_F16;
  case 'f':
    return STRATA_F32;
  case 'd':
    return STRATA_F64;
  default:
    return -1;
  }
}

bool Buffers::viewOne(PyObject *object, Py_ssize_t index, int flags) {
  Py_buffer view;
  if (PyObject_GetBuffer(object, &view, PyBUF_ANY_CONTIGUOUS | PyBUF_FORMAT | flags) < 0)
    return false;
  views.push_back(view);
  int32_t type = typeOf(view.format, view.itemsize);
  if (type < 0) {
    PyErr_Format(PyExc_TypeError, "array %zd has elements of a type that Strata lacks: '%s'", index,
                 view.format);
    return false;
  }
  Py_ssize_t alignment =
      type == STRATA_C128 || type == STRATA_C64 ? view.itemsize / 2 : view.itemsize;
  if (view.len && reinterpret_cast<uintptr_t>(view.buf) % alignment) {
    PyErr_Format(PyExc_ValueError, "array %zd is not aligned to its elements", index);
    return false;
  }
  described.push_back({view.buf, view.len / view.itemsize, type});
  return true;
}

bool Buffers::viewAll(PyObject *objects, int flags) {
  Py_ssize_t count = PySequence_Size(objects);
  if (count < 0)
    return false;
  views.reserve(count);
  described.reserve(count);
  for (Py_ssize_t index = 0; index < count; index++) {
    PyObject *object = PySequence_GetItem(objects, index);
    bool ok = object && viewOne(object, index, flags);
    Py_XDECREF(object);
    if (!ok)
      return false;
  }
  return true;
}

bool Buffers::view(PyObject *objects, int32_t valuesType) {
  if (!viewAll(objects, 0))
    return false;
  if (valuesType >= 0 && !described.empty())
    described.back().type = valuesType;
  return true;
}

void Buffers::releaseFromAnyThread(void *buffers) {
  // At the end of the process there is no interpreter left that could free them.
  if (!Py_IsInitialized())
    return;
  PyGILState_STATE state = PyGILState_Ensure();
  delete static_cast<Buffers *>(buffers);
  PyGILState_Release(state);
}
