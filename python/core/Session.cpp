// The process's session, its threads and its interruption; errors as Python's exceptions.
#include "Calls.h"

#include <atomic>
#include <mutex>
#include <unistd.h>

using namespace strata::python;

static std::atomic<strata_session *> theSession;
static std::mutex sessionMutex;

// ---- Errors ----

// strata.errors.make, which makes an exception of an error's parts.
static PyObject *exceptionMaker() {
  static PyObject *maker;
  if (maker)
    return maker;
  PyObject *errors = PyImport_ImportModule("strata.errors");
  if (errors)
    maker = PyObject_GetAttrString(errors, "make");
  Py_XDECREF(errors);
  return maker;
}

bool strata::python::raise(strata_error *error) {
  // A pending Ctrl-C says it best.
  if (strata_error_kind(error) == STRATA_ERROR_INTERRUPTED && PyErr_CheckSignals() < 0) {
    strata_error_free(error);
    return false;
  }
  PyObject *maker = exceptionMaker(), *exception = nullptr;
  if (maker)
    exception = PyObject_CallFunction(maker, "isssiis", int(strata_error_kind(error)),
                                      strata_error_message(error), strata_error_hint(error),
                                      strata_error_text(error), int(strata_error_line(error)),
                                      int(strata_error_column(error)), strata_error_mistake(error));
  strata_error_free(error);
  if (exception) {
    PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(exception)), exception);
    Py_DECREF(exception);
  }
  return false;
}

// ---- The session ----

strata_session *strata::python::session() {
  if (strata_session *made = theSession.load(std::memory_order_acquire))
    return made;
  bool ok = call([]() -> strata_error * {
    std::lock_guard<std::mutex> lock(sessionMutex);
    strata_session *made = theSession.load();
    strata_error *error = made ? nullptr : strata_session_create(&made);
    if (!error)
      theSession.store(made, std::memory_order_release);
    return error;
  });
  return ok ? theSession.load() : nullptr;
}

// ---- Ctrl-C ----

/// Python's own handler, which notes the signal for the interpreter.
static void (*pythonsHandler)(int);

static void interruptSession(int signal) {
  if (strata_session *running = theSession.load())
    strata_session_interrupt(running);
  pythonsHandler(signal);
}

bool strata::python::isMainThread() { return gettid() == getpid(); }

Interruptible::Interruptible() {
  if (!isMainThread() || sigaction(SIGINT, nullptr, &previous) != 0)
    return;
  if ((previous.sa_flags & SA_SIGINFO) || previous.sa_handler == SIG_DFL ||
      previous.sa_handler == SIG_IGN || previous.sa_handler == interruptSession)
    return;
  pythonsHandler = previous.sa_handler;
  struct sigaction action = previous;
  action.sa_handler = interruptSession;
  installed = sigaction(SIGINT, &action, nullptr) == 0;
}

Interruptible::~Interruptible() {
  if (installed)
    sigaction(SIGINT, &previous, nullptr);
}

// ---- Functions of the module ----

PyObject *strata::python::newString(char *text) {
  PyObject *string = PyUnicode_FromString(text);
  strata_text_free(text);
  return string;
}

static PyObject *version(PyObject *, PyObject *) { return PyUnicode_FromString(strata_version()); }

static PyObject *setThreads(PyObject *, PyObject *argument) {
  int32_t count;
  if (!toInt32(argument, count))
    return nullptr;
  strata_set_threads(count);
  Py_RETURN_NONE;
}

static PyObject *settingValue(PyObject *, PyObject *argument) {
  const char *key = PyUnicode_AsUTF8AndSize(argument, nullptr);
  if (!key)
    return nullptr;
  char *text = strata_settings_value(key);
  if (!text)
    Py_RETURN_NONE;
  return newString(text);
}

static PyObject *threads(PyObject *, PyObject *) { return PyLong_FromLong(strata_threads()); }

static PyObject *limitMemory(PyObject *, PyObject *argument) {
  int64_t bytes = PyLong_AsLongLong(argument);
  if (bytes == -1 && PyErr_Occurred())
    return nullptr;
  strata_session *current = session();
  if (!current)
    return nullptr;
  {
    Unlocked unlocked;
    strata_session_limit_memory(current, bytes);
  }
  Py_RETURN_NONE;
}

static PyObject *keepKernels(PyObject *, PyObject *argument) {
  PyObject *path = nullptr;
  if (argument != Py_None && !PyUnicode_FSConverter(argument, &path))
    return nullptr;
  const char *folder = path ? PyBytes_AsString(path) : nullptr;
  strata_session *current = session();
  bool ok =
      current && callInterruptible([&] { return strata_session_keep_kernels(current, folder); });
  Py_XDECREF(path);
  if (!ok)
    return nullptr;
  Py_RETURN_NONE;
}

static PyObject *countOf(int64_t (*function)(strata_session *)) {
  strata_session *current = session();
  if (!current)
    return nullptr;
  int64_t count;
  {
    Unlocked unlocked;
    count = function(current);
  }
  return PyLong_FromLongLong(count);
}

static PyObject *compiled(PyObject *, PyObject *) { return countOf(strata_session_compiled); }

static PyObject *repeated(PyObject *, PyObject *) { return countOf(strata_session_repeated); }

static PyMethodDef functions[] = {
    {"version", version, METH_NOARGS, "The library's version."},
    {"setting_value", settingValue, METH_O,
     "The value of a setting of strata.toml or the environment; None if nothing gives one."},
    {"set_threads", setThreads, METH_O, "At most so many threads compute at once; 0: all."},
    {"threads", threads, METH_NOARGS, "How many threads compute at once, at most."},
    {"limit_memory", limitMemory, METH_O, "Bytes that a computation may take; negative: all."},
    {"keep_kernels", keepKernels, METH_O, "The folder in which kernels are kept; None: in none."},
    {"compiled", compiled, METH_NOARGS, "How many kernels the session has made ready."},
    {"repeated", repeated, METH_NOARGS, "How many runs have repeated an earlier one."},
    {}};

bool strata::python::addSession(PyObject *module) {
  if (strata_error *error = strata_settings_read())
    return raise(error);
  return PyModule_AddFunctions(module, functions) == 0;
}
