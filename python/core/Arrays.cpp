// strata._core.Array: an array of a tensor's storage, where it lies.
#include "Core.h"

using namespace strata::python;

PyTypeObject *strata::python::arrayType;

// The struct module's characters of an element type. Those of bfloat16 are its bits.
static const char *characters(int32_t type) {
  switch (strata_type(type)) {
  case STRATA_I8:
    return "b";
  case STRATA_I16:
    return "h";
  case STRATA_I32:
    return "i";
  case STRATA_I64:
    return "l";
  case STRATA_F32:
    return "f";
  case STRATA_F64:
    return "d";
  case STRATA_C128:
    return "Zd";
  case STRATA_BOOL:
    return "?";
  case STRATA_U8:
    return "B";
  case STRATA_U16:
  case STRATA_BF16:
    return "H";
  case STRATA_U32:
    return "I";
  case STRATA_U64:
    return "L";
  case STRATA_F16:
    return "e";
  case STRATA_C64:
    return "Zf";
  }
  return "B";
}

PyObject *strata::python::newArray(strata_tensor *owner, int32_t index, bool writable) {
  auto *object = PyObject_New(ArrayObject, arrayType);
  if (!object)
    return nullptr;
  object->owner = strata_tensor_retain(owner);
  object->array = strata_tensor_array(owner, index);
  object->writable = writable;
  object->shape = object->array.count;
  object->stride = strata_type_bytes(object->array.type);
  return reinterpret_cast<PyObject *>(object);
}

static ArrayObject *self(PyObject *object) { return reinterpret_cast<ArrayObject *>(object); }

static void release(PyObject *object) {
  strata_tensor_release(self(object)->owner);
  PyObject_Free(object);
  Py_DECREF(arrayType);
}

static int getBuffer(PyObject *object, Py_buffer *view, int flags) {
  // A buffer without elements may have no address, which some consumers take for an error.
  static int64_t nothing[2];
  ArrayObject *array = self(object);
  view->obj = nullptr;
  if ((flags & PyBUF_WRITABLE) && !array->writable) {
    PyErr_SetString(PyExc_BufferError, "the arrays of tensors are read-only");
    return -1;
  }
  Py_INCREF(object);
  view->obj = object;
  view->buf = array->array.data ? array->array.data : nothing;
  view->len = array->shape * array->stride;
  view->itemsize = array->stride;
  view->readonly = !array->writable;
  view->ndim = 1;
  view->format = flags & PyBUF_FORMAT ? const_cast<char *>(characters(array->array.type)) : nullptr;
  view->shape = flags & PyBUF_ND ? &array->shape : nullptr;
  view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? &array->stride : nullptr;
  view->suboffsets = nullptr;
  view->internal = nullptr;
  return 0;
}

static PyObject *type(PyObject *object, void *) {
  return PyLong_FromLong(self(object)->array.type);
}

static PyObject *address(PyObject *object, void *) {
  return PyLong_FromVoidPtr(self(object)->array.data);
}

static Py_ssize_t length(PyObject *object) { return self(object)->shape; }

static PyGetSetDef attributes[] = {
    {"type", type, nullptr, "The element type, a strata_type.", nullptr},
    {"address", address, nullptr, "Where it lies in memory.", nullptr},
    {}};

static PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void *>(release)},
                              {Py_tp_getset, attributes},
                              {Py_bf_getbuffer, reinterpret_cast<void *>(getBuffer)},
                              {Py_sq_length, reinterpret_cast<void *>(length)},
                              {}};

static PyType_Spec spec = {"strata._core.Array", sizeof(ArrayObject), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

bool strata::python::addArrays(PyObject *module) {
  arrayType = addType(module, spec);
  return arrayType != nullptr;
}
