// strata._core.Format: a format for an order and an element type.
#include "Calls.h"

using namespace strata::python;

PyTypeObject *strata::python::formatType;

PyObject *strata::python::newFormat(strata_format *handle) {
  auto *object = PyObject_New(FormatObject, formatType);
  if (!object) {
    strata_format_release(handle);
    return nullptr;
  }
  object->handle = handle;
  return reinterpret_cast<PyObject *>(object);
}

strata_format *strata::python::formatOf(PyObject *object) {
  if (Py_TYPE(object) == formatType)
    return reinterpret_cast<FormatObject *>(object)->handle;
  PyErr_SetString(PyExc_TypeError, "a strata._core.Format is needed");
  return nullptr;
}

static strata_format *self(PyObject *object) {
  return reinterpret_cast<FormatObject *>(object)->handle;
}

static void release(PyObject *object) {
  strata_format_release(self(object));
  PyObject_Free(object);
  Py_DECREF(formatType);
}

static PyObject *parse(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  int32_t order, type;
  if (!hasArguments("parse_format", count, 3) || !toInt32(arguments[1], order) ||
      !toInt32(arguments[2], type))
    return nullptr;
  const char *text = toText(arguments[0]);
  strata_session *current = text ? session() : nullptr;
  strata_format *format = nullptr;
  if (!current ||
      !call([&] { return strata_format_parse(current, text, order, strata_type(type), &format); }))
    return nullptr;
  return newFormat(format);
}

static PyObject *withWidths(PyObject *object, PyObject *const *arguments, Py_ssize_t count) {
  int32_t positions, coordinates;
  if (!hasArguments("with_widths", count, 2) || !toInt32(arguments[0], positions) ||
      !toInt32(arguments[1], coordinates))
    return nullptr;
  strata_format *format = nullptr;
  if (!call(
          [&] { return strata_format_with_widths(self(object), positions, coordinates, &format); }))
    return nullptr;
  return newFormat(format);
}

static PyObject *withType(PyObject *object, PyObject *argument) {
  int32_t type;
  if (!toInt32(argument, type))
    return nullptr;
  strata_format *format = nullptr;
  if (!call([&] { return strata_format_with_type(self(object), strata_type(type), &format); }))
    return nullptr;
  return newFormat(format);
}

static PyObject *equals(PyObject *object, PyObject *argument) {
  strata_format *other = formatOf(argument);
  return other ? PyBool_FromLong(strata_format_equal(self(object), other)) : nullptr;
}

static PyObject *order(PyObject *object, void *) {
  return PyLong_FromLong(strata_format_order(self(object)));
}

static PyObject *type(PyObject *object, void *) {
  return PyLong_FromLong(strata_format_type(self(object)));
}

static PyObject *name(PyObject *object, void *) {
  return PyUnicode_FromString(strata_format_name(self(object)));
}

static PyObject *text(PyObject *object, void *) {
  return PyUnicode_FromString(strata_format_text(self(object)));
}

static PyObject *machine(PyObject *object, void *) {
  const char *name = strata_format_machine(self(object));
  if (!name)
    Py_RETURN_NONE;
  return PyUnicode_FromString(name);
}

static PyObject *isFull(PyObject *object, void *) {
  return PyBool_FromLong(strata_format_is_full(self(object)));
}

static PyObject *fill(PyObject *object, void *) {
  double parts[2] = {0, 0};
  strata_format_fill(self(object), parts);
  return PyComplex_FromDoubles(parts[0], parts[1]);
}

static PyObject *hasFill(PyObject *object, void *) {
  double parts[2];
  return PyBool_FromLong(strata_format_fill(self(object), parts));
}

static PyObject *levels(PyObject *object, void *) {
  int32_t count = strata_format_level_count(self(object));
  PyObject *result = PyTuple_New(count);
  for (int32_t level = 0; result && level < count; level++) {
    PyObject *item = PyUnicode_FromString(strata_format_level(self(object), level));
    if (!item || PyTuple_SetItem(result, level, item) < 0)
      Py_CLEAR(result);
  }
  return result;
}

static PyObject *arrays(PyObject *object, void *) {
  int32_t count = strata_format_array_count(self(object));
  PyObject *result = PyTuple_New(count);
  for (int32_t index = 0; result && index < count; index++) {
    strata_array_role role = strata_format_array(self(object), index);
    PyObject *item = Py_BuildValue("sii", role.name, int(role.level), int(role.type));
    if (!item || PyTuple_SetItem(result, index, item) < 0)
      Py_CLEAR(result);
  }
  return result;
}

static PyMethodDef methods[] = {
    {"with_widths", reinterpret_cast<PyCFunction>(withWidths), METH_FASTCALL,
     "The same with bits of positions and coordinates where they are open; 0 leaves them so."},
    {"with_type", withType, METH_O, "The same for another element type."},
    {"equals", equals, METH_O, "Whether both store tensors in the same way, element type apart."},
    {}};

static PyGetSetDef attributes[] = {
    {"order", order, nullptr, "The number of dimensions.", nullptr},
    {"type", type, nullptr, "The element type, a strata_type.", nullptr},
    {"name", name, nullptr, "Its name if it has one, else its map.", nullptr},
    {"text", text, nullptr, "Its map.", nullptr},
    {"machine", machine, nullptr, "The machine that it names; None if it names none.", nullptr},
    {"is_full", isFull, nullptr, "Whether it has a place for each element.", nullptr},
    {"fill", fill, nullptr, "What elements are worth that are not stored, a complex number.",
     nullptr},
    {"has_fill", hasFill, nullptr, "Whether that is anything but zero.", nullptr},
    {"levels", levels, nullptr, "The names of its levels, from the root.", nullptr},
    {"arrays", arrays, nullptr, "Name, level and element type of each array.", nullptr},
    {}};

static PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void *>(release)},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, attributes},
                              {}};

static PyType_Spec spec = {"strata._core.Format", sizeof(FormatObject), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

static PyMethodDef functions[] = {{"parse_format", reinterpret_cast<PyCFunction>(parse),
                                   METH_FASTCALL,
                                   "A format from its text, an order and an element type."},
                                  {}};

bool strata::python::addFormats(PyObject *module) {
  formatType = addType(module, spec);
  return formatType && PyModule_AddFunctions(module, functions) == 0;
}
