// strata._core.Statement: a statement compiled for formats.
#include "Calls.h"
#include "Operands.h"

#include <algorithm>
#include <vector>

using namespace strata::python;

PyTypeObject *strata::python::statementType;

static strata_statement *self(PyObject *object) {
  return reinterpret_cast<StatementObject *>(object)->handle;
}

static void release(PyObject *object) {
  {
    Unlocked unlocked;
    strata_statement_release(self(object));
  }
  PyObject_Free(object);
  Py_DECREF(statementType);
}

bool strata::python::toOperands(PyObject *names, PyObject *formats,
                                std::vector<strata_operand> &operands) {
  if (!PyTuple_Check(names) || !PyTuple_Check(formats) ||
      PyTuple_Size(names) != PyTuple_Size(formats)) {
    PyErr_SetString(PyExc_TypeError, "a tuple of names is needed, and one of as many formats");
    return false;
  }
  for (Py_ssize_t at = 0; at < PyTuple_Size(names); at++) {
    const char *name = toText(PyTuple_GetItem(names, at));
    strata_format *format = name ? formatOf(PyTuple_GetItem(formats, at)) : nullptr;
    if (!format)
      return false;
    operands.push_back({name, format});
  }
  return true;
}

// The machines of a tuple; false with an error set.
static bool toMachines(PyObject *tuple, std::vector<strata_machine *> &machines) {
  const Py_ssize_t count = PyTuple_Size(tuple);
  for (Py_ssize_t at = 0; at < count; at++) {
    strata_machine *machine = machineOf(PyTuple_GetItem(tuple, at));
    if (!machine)
      return false;
    machines.push_back(machine);
  }
  return count >= 0;
}

static PyObject *newStatement(strata_statement *statement) {
  auto *object = PyObject_New(StatementObject, statementType);
  if (!object) {
    strata_statement_release(statement);
    return nullptr;
  }
  object->handle = statement;
  return reinterpret_cast<PyObject *>(object);
}

static PyObject *create(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  std::vector<strata_operand> operands;
  if (!hasArguments("compile_statement", count, 7) ||
      !toOperands(arguments[1], arguments[2], operands))
    return nullptr;
  strata_statement_options options = {};
  if (arguments[3] != Py_None && !(options.result = formatOf(arguments[3])))
    return nullptr;
  if (arguments[4] != Py_None && !(options.schedule = toText(arguments[4])))
    return nullptr;
  options.deterministic = PyObject_IsTrue(arguments[5]);
  std::vector<strata_machine *> machines;
  if (!toMachines(arguments[6], machines))
    return nullptr;
  options.machines = machines.data();
  options.machine_count = int32_t(machines.size());
  const char *text = options.deterministic < 0 ? nullptr : toText(arguments[0]);
  strata_session *current = text ? session() : nullptr;
  strata_statement *statement = nullptr;
  if (!current || !callInterruptible([&] {
        return strata_statement_create(current, text, operands.data(), int32_t(operands.size()),
                                       &options, &statement);
      }))
    return nullptr;
  return newStatement(statement);
}

// The steps of a program that join_statements makes, with what they refer to.
class Steps {
public:
  /// Of tuples (text, names, sources, format or None); false with an error set.
  bool take(PyObject *tuple) {
    const Py_ssize_t count = PyTuple_Size(tuple);
    names.resize(size_t(std::max<Py_ssize_t>(count, 0)));
    sources.resize(names.size());
    for (Py_ssize_t at = 0; at < count; at++)
      if (!add(PyTuple_GetItem(tuple, at), names[size_t(at)], sources[size_t(at)]))
        return false;
    return count >= 0;
  }
  std::vector<strata_step> list;

private:
  bool add(PyObject *step, std::vector<const char *> &ownNames, std::vector<int32_t> &ownSources) {
    PyObject *text, *given, *from, *format;
    if (!PyArg_ParseTuple(step, "OO!O!O", &text, &PyTuple_Type, &given, &PyTuple_Type, &from,
                          &format))
      return false;
    if (PyTuple_Size(given) != PyTuple_Size(from)) {
      PyErr_SetString(PyExc_TypeError, "a step needs as many names as sources");
      return false;
    }
    strata_step made = {};
    made.text = toText(text);
    if (!made.text || (format != Py_None && !(made.result = formatOf(format))))
      return false;
    for (Py_ssize_t at = 0; at < PyTuple_Size(given); at++) {
      ownNames.push_back(toText(PyTuple_GetItem(given, at)));
      int32_t source;
      if (!ownNames.back() || !toInt32(PyTuple_GetItem(from, at), source))
        return false;
      ownSources.push_back(source);
    }
    made.names = ownNames.data();
    made.sources = ownSources.data();
    made.count = int32_t(ownNames.size());
    list.push_back(made);
    return true;
  }

  std::vector<std::vector<const char *>> names;
  std::vector<std::vector<int32_t>> sources;
};

static PyObject *join(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  Steps steps;
  if (!hasArguments("join_statements", count, 4) || !steps.take(arguments[0]))
    return nullptr;
  std::vector<const strata_format *> formats;
  for (Py_ssize_t at = 0; at < PyTuple_Size(arguments[1]); at++) {
    formats.push_back(formatOf(PyTuple_GetItem(arguments[1], at)));
    if (!formats.back())
      return nullptr;
  }
  std::vector<int64_t> numbers;
  const int deterministic = PyObject_IsTrue(arguments[3]);
  strata_session *current = session();
  if (!current || deterministic < 0 || !toNumbers(arguments[2], numbers))
    return nullptr;
  const std::vector<int32_t> returned(numbers.begin(), numbers.end());
  strata_statement *statement = nullptr;
  if (!callInterruptible([&] {
        return strata_statement_join(current, steps.list.data(), int32_t(steps.list.size()),
                                     formats.data(), int32_t(formats.size()), returned.data(),
                                     int32_t(returned.size()), deterministic, &statement);
      }))
    return nullptr;
  return newStatement(statement);
}

// The operands of a call: a few in place, as many as there are else.
class Operands {
public:
  /// False with an error set.
  bool take(PyObject *const *arguments, Py_ssize_t number) {
    if (number > inPlace)
      more.resize(size_t(number));
    list = number > inPlace ? more.data() : few;
    for (Py_ssize_t at = 0; at < number; at++)
      if (!(list[at] = tensorOf(arguments[at])))
        return false;
    count = int32_t(number);
    return true;
  }

  strata_tensor **list = nullptr;
  int32_t count = 0;

private:
  static constexpr Py_ssize_t inPlace = 16;
  strata_tensor *few[inPlace];
  std::vector<strata_tensor *> more;
};

// Tells whether a run was ended by a Ctrl-C that was meant for the main thread. Runs of several
// ranks have told each other, and end.
static bool isAnothers(const strata_error *error, const Operands &operands) {
  if (!error || strata_error_kind(error) != STRATA_ERROR_INTERRUPTED || isMainThread())
    return false;
  return std::none_of(operands.list, operands.list + operands.count, strata_tensor_machine);
}

static bool runInto(PyObject *object, PyObject *const *arguments, Py_ssize_t count,
                    strata_tensor **results) {
  Operands operands;
  return operands.take(arguments, count) && callInterruptible([&] {
           strata_error *error = nullptr;
           do {
             strata_error_free(error);
             error = strata_statement_run(self(object), operands.list, operands.count, results);
           } while (isAnothers(error, operands));
           return error;
         });
}

static PyObject *runAll(PyObject *object, PyObject *const *arguments, Py_ssize_t count) {
  std::vector<strata_tensor *> results(size_t(strata_statement_result_count(self(object))));
  if (!runInto(object, arguments, count, results.data()))
    return nullptr;
  PyObject *tuple = PyTuple_New(Py_ssize_t(results.size()));
  for (size_t at = 0; at < results.size(); at++) {
    PyObject *result = newTensor(results[at]);
    if (!result || !tuple || PyTuple_SetItem(tuple, Py_ssize_t(at), result) < 0)
      Py_CLEAR(tuple);
  }
  return tuple;
}

static PyObject *run(PyObject *object, PyObject *const *arguments, Py_ssize_t count) {
  strata_tensor *result = nullptr;
  if (strata_statement_result_count(self(object)) != 1)
    return runAll(object, arguments, count);
  return runInto(object, arguments, count, &result) ? newTensor(result) : nullptr;
}

static PyObject *assemble(PyObject *object, PyObject *const *arguments, Py_ssize_t count) {
  Operands operands;
  strata_tensor *pattern = nullptr;
  if (!operands.take(arguments, count) || !callInterruptible([&] {
        return strata_statement_assemble(self(object), operands.list, operands.count, &pattern);
      }))
    return nullptr;
  return newTensor(pattern);
}

static PyObject *compute(PyObject *object, PyObject *const *arguments, Py_ssize_t count) {
  if (count < 1) {
    PyErr_SetString(PyExc_TypeError, "compute() needs a pattern");
    return nullptr;
  }
  Operands operands;
  strata_tensor *pattern = tensorOf(arguments[0]), *result = nullptr;
  if (!pattern || !operands.take(arguments + 1, count - 1) || !callInterruptible([&] {
        return strata_statement_compute(self(object), operands.list, operands.count, pattern,
                                        &result);
      }))
    return nullptr;
  return newTensor(result);
}

static PyObject *show(PyObject *object, PyObject *argument) {
  const char *stage = toText(argument);
  char *text = nullptr;
  if (!stage ||
      !callInterruptible([&] { return strata_statement_show(self(object), stage, &text); }))
    return nullptr;
  return newString(text);
}

static PyObject *explain(PyObject *object, PyObject *const *arguments, Py_ssize_t count) {
  if (count < 1) {
    PyErr_SetString(PyExc_TypeError, "explain() needs to know what to write");
    return nullptr;
  }
  Operands operands;
  char *text = nullptr;
  int32_t as = 0;
  if (!toInt32(arguments[0], as) || !operands.take(arguments + 1, count - 1) ||
      !callInterruptible([&] {
        return strata_statement_explain(self(object), count > 1 ? operands.list : nullptr,
                                        operands.count, as, &text);
      }))
    return nullptr;
  return newString(text);
}

static PyObject *result(PyObject *object, void *) {
  return newFormat(
      strata_format_retain(const_cast<strata_format *>(strata_statement_result(self(object)))));
}

static PyObject *operands(PyObject *object, void *) {
  PyObject *names = PyList_New(0);
  int32_t at = 0;
  while (const char *name = names ? strata_statement_operand(self(object), at++) : nullptr) {
    PyObject *item = PyUnicode_FromString(name);
    if (!item || PyList_Append(names, item) < 0)
      Py_CLEAR(names);
    Py_XDECREF(item);
  }
  PyObject *tuple = names ? PyList_AsTuple(names) : nullptr;
  Py_XDECREF(names);
  return tuple;
}

static PyMethodDef methods[] = {
    {"run", reinterpret_cast<PyCFunction>(run), METH_FASTCALL,
     "Computes it; a tuple of several results."},
    {"run_all", reinterpret_cast<PyCFunction>(runAll), METH_FASTCALL,
     "Computes it; a tuple of its results."},
    {"assemble", reinterpret_cast<PyCFunction>(assemble), METH_FASTCALL,
     "The result's entries, without values."},
    {"compute", reinterpret_cast<PyCFunction>(compute), METH_FASTCALL,
     "The values of a result with the entries of the first argument."},
    {"show", show, METH_O, "The plan in words, or the kernel at a stage."},
    {"explain", reinterpret_cast<PyCFunction>(explain), METH_FASTCALL,
     "What it does, as text (0), as JSON (1) or as HTML (2); with operands, how much that is."},
    {}};

static PyGetSetDef attributes[] = {
    {"result", result, nullptr, "The format of the result.", nullptr},
    {"operands", operands, nullptr, "The names of the operands, in the order of run.", nullptr},
    {}};

static PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void *>(release)},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, attributes},
                              {}};

static PyType_Spec spec = {"strata._core.Statement", sizeof(StatementObject), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

static PyMethodDef functions[] = {
    {"compile_statement", reinterpret_cast<PyCFunction>(create), METH_FASTCALL,
     "A statement from its text, the names and formats of its operands, the result's format and "
     "the schedule (None: the compiler's own), whether bits are the same on all processors, and "
     "the machines that formats and the schedule name."},
    {"join_statements", reinterpret_cast<PyCFunction>(join), METH_FASTCALL,
     "A program of steps (text, names, sources, format or None), the formats of its operands, the "
     "numbers of the steps whose results it has, and whether bits are the same everywhere."},
    {}};

bool strata::python::addStatements(PyObject *module) {
  statementType = addType(module, spec);
  return statementType && PyModule_AddFunctions(module, functions) == 0;
}
