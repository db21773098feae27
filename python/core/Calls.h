// How the library is called: without the interpreter's lock, and so that Ctrl-C ends what runs.
#ifndef STRATA_PYTHON_CALLS_H
#define STRATA_PYTHON_CALLS_H

#include "Core.h"

#include <csignal>

namespace strata::python {

/// The process's session, made by the first call; null with a Python error set.
strata_session *session();

/// Sets the Python exception for an error, and frees it. Returns false.
bool raise(strata_error *error);

/// Tells whether Python handles signals in this thread.
bool isMainThread();

/// Releases the interpreter's lock while it lives. Whatever may wait for the session's turn runs
/// under one: the thread that has the turn may wait for the lock, to give back adopted arrays.
class Unlocked {
public:
  Unlocked() : state(PyEval_SaveThread()) {}
  ~Unlocked() { PyEval_RestoreThread(state); }
  Unlocked(const Unlocked &) = delete;

private:
  PyThreadState *state;
};

/// While it lives, Ctrl-C in the main thread interrupts the session before Python hears of it.
class Interruptible {
public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible &) = delete;

private:
  struct sigaction previous;
  bool installed = false;
};

/// Calls a function that may wait, and raises the error that it returns. False after an error.
template <typename Body> bool call(Body &&body) {
  strata_error *error;
  {
    Unlocked unlocked;
    error = body();
  }
  return !error || raise(error);
}

/// The same for what may take long.
template <typename Body> bool callInterruptible(Body &&body) {
  return call([&] {
    Interruptible interruptible;
    return body();
  });
}

} // namespace strata::python

#endif // STRATA_PYTHON_CALLS_H
