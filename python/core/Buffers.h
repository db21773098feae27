// Arrays of other libraries, through Python's buffer protocol.
#ifndef STRATA_PYTHON_BUFFERS_H
#define STRATA_PYTHON_BUFFERS_H

#include "Core.h"

#include <vector>

namespace strata::python {

/// Views of objects that export the buffer protocol, held until it is deleted. The memory is taken
/// as one run of elements: which dimension is contiguous is the caller's business.
class Buffers {
public:
  Buffers() = default;
  Buffers(const Buffers &) = delete;
  /// The interpreter's lock must be held.
  ~Buffers();

  /// Views every object of a sequence. `valuesType`, if not negative, replaces the type of the
  /// last one, of as many bytes: Python's buffers have no bfloat16. False with an error set.
  bool view(PyObject *objects, int32_t valuesType);
  /// The same of arrays that are written to.
  bool viewWritable(PyObject *objects) { return viewAll(objects, PyBUF_WRITABLE); }
  const std::vector<strata_array> &arrays() const { return described; }

  /// A strata_release_fn that deletes a Buffers from any thread.
  static void releaseFromAnyThread(void *buffers);

private:
  bool viewAll(PyObject *objects, int flags);
  bool viewOne(PyObject *object, Py_ssize_t index, int flags);

  std::vector<Py_buffer> views;
  std::vector<strata_array> described;
};

} // namespace strata::python

#endif // STRATA_PYTHON_BUFFERS_H
