// Loops over the coordinates of a level, for parts of tensors: NumPy would take several passes and
// arrays for each.
#include "Buffers.h"
#include "Calls.h"

#include <algorithm>

using namespace strata::python;

namespace {

/// Ranges of places among the coordinates of a level, one below each position of the level above.
struct Ranges {
  const int64_t *begins, *ends;
  int64_t count;
};

/// Coordinates at equal distances: each is at one place of a part, or at none.
struct Window {
  int64_t start, step, count;

  int64_t timesOf(int64_t coordinate) const { return numberOf(coordinate) >= 0; }
  template <typename Emit> void places(int64_t coordinate, Emit emit) const {
    if (int64_t number = numberOf(coordinate); number >= 0)
      emit(number);
  }

private:
  int64_t numberOf(int64_t coordinate) const {
    int64_t distance = coordinate - start, number = distance;
    if (step != 1) {
      number = step == -1 ? -distance : distance / step;
      if (number * step != distance)
        return -1;
    }
    return number >= 0 && number < count ? number : -1;
  }
};

/// Coordinates in a table, each at all places where the table has it. The distinct ones have
/// numbers; those of a number stand in `order`, or are the number where that is null, from one of
/// `starts` to the next, or one each where that is null.
struct Table {
  const int64_t *numbers, *starts, *order;
  int64_t size;
  bool isDirect; ///< `numbers` has one for each coordinate; else it is the distinct ones, ascending

  int64_t timesOf(int64_t coordinate) const {
    int64_t number = numberOf(coordinate);
    if (number < 0)
      return 0;
    return starts ? starts[number + 1] - starts[number] : 1;
  }
  template <typename Emit> void places(int64_t coordinate, Emit emit) const {
    int64_t number = numberOf(coordinate);
    if (number < 0)
      return;
    int64_t begin = starts ? starts[number] : number;
    int64_t end = starts ? starts[number + 1] : number + 1;
    for (int64_t at = begin; at < end; at++)
      emit(order ? order[at] : at);
  }

private:
  int64_t numberOf(int64_t coordinate) const {
    if (isDirect)
      return coordinate >= 0 && coordinate < size ? numbers[coordinate] : -1;
    const int64_t *found = std::lower_bound(numbers, numbers + size, coordinate);
    return found < numbers + size && *found == coordinate ? found - numbers : -1;
  }
};

// Counts what is selected of each range, as a sum from the first on. Returns all of it.
template <typename Coordinate, typename Rule>
int64_t countSelected(const Ranges &ranges, const Coordinate *coordinates, const Rule &rule,
                      int64_t *offsets) {
  int64_t total = offsets[0] = 0;
  for (int64_t range = 0; range < ranges.count; range++) {
    for (int64_t at = ranges.begins[range]; at < ranges.ends[range]; at++)
      total += rule.timesOf(coordinates[at]);
    offsets[range + 1] = total;
  }
  return total;
}

// Writes it, too, into arrays of so many elements. Returns all of it, of which no more is written.
template <typename Coordinate, typename Rule>
int64_t writeSelected(const Ranges &ranges, const Coordinate *coordinates, const Rule &rule,
                      int64_t *offsets, int64_t *positions, int64_t *places, int64_t capacity) {
  int64_t total = offsets[0] = 0;
  for (int64_t range = 0; range < ranges.count; range++) {
    for (int64_t at = ranges.begins[range]; at < ranges.ends[range]; at++)
      rule.places(coordinates[at], [&](int64_t place) {
        if (total < capacity) {
          positions[total] = at;
          places[total] = place;
        }
        total++;
      });
    offsets[range + 1] = total;
  }
  return total;
}

// Tells whether all arrays are of integers of 64 bits but for the coordinates, which have 32 or 64,
// and whether the ranges lie among them.
bool areRanges(const std::vector<strata_array> &arrays) {
  const strata_array &begins = arrays[0], &ends = arrays[1], &coordinates = arrays[2];
  bool fits = begins.count == ends.count &&
              (coordinates.type == STRATA_I32 || coordinates.type == STRATA_I64);
  for (size_t at = 0; at < arrays.size(); at++)
    fits = fits && (at == 2 || arrays[at].type == STRATA_I64);
  if (fits) {
    auto *begin = static_cast<const int64_t *>(begins.data);
    auto *end = static_cast<const int64_t *>(ends.data);
    for (int64_t range = 0; range < begins.count && fits; range++)
      fits = begin[range] >= 0 && (begin[range] >= end[range] || end[range] <= coordinates.count);
  }
  if (!fits)
    PyErr_SetString(PyExc_ValueError, "the ranges are none of these coordinates");
  return fits;
}

Ranges rangesOf(const std::vector<strata_array> &arrays) {
  return {static_cast<const int64_t *>(arrays[0].data),
          static_cast<const int64_t *>(arrays[1].data), arrays[0].count};
}

// Calls a function with the coordinates, as they are stored.
template <typename Body> auto withCoordinates(const strata_array &coordinates, Body body) {
  Unlocked unlocked;
  if (coordinates.type == STRATA_I32)
    return body(static_cast<const int32_t *>(coordinates.data));
  return body(static_cast<const int64_t *>(coordinates.data));
}

// A writable array of so many integers of 64 bits; null with an error set.
int64_t *outputOf(const strata_array &array, int64_t count) {
  if (array.type == STRATA_I64 && array.count == count)
    return static_cast<int64_t *>(const_cast<void *>(array.data));
  PyErr_Format(PyExc_ValueError, "an array of %lld integers of 64 bits is needed",
               static_cast<long long>(count));
  return nullptr;
}

// Counts what a rule selects into the only output, or writes it into two more.
template <typename Rule>
PyObject *runRule(const std::vector<strata_array> &inputs, const std::vector<strata_array> &outputs,
                  const Rule &rule) {
  Ranges ranges = rangesOf(inputs);
  if (outputs.size() != 1 && outputs.size() != 3) {
    PyErr_SetString(PyExc_ValueError, "offsets are needed, or also positions and places");
    return nullptr;
  }
  int64_t *offsets = outputOf(outputs[0], ranges.count + 1);
  if (!offsets)
    return nullptr;
  if (outputs.size() == 1)
    return PyLong_FromLongLong(withCoordinates(
        inputs[2], [&](auto *crd) { return countSelected(ranges, crd, rule, offsets); }));
  int64_t capacity = outputs[1].count;
  int64_t *positions = outputOf(outputs[1], capacity);
  int64_t *places = positions ? outputOf(outputs[2], capacity) : nullptr;
  if (!places)
    return nullptr;
  return PyLong_FromLongLong(withCoordinates(inputs[2], [&](auto *crd) {
    return writeSelected(ranges, crd, rule, offsets, positions, places, capacity);
  }));
}

} // namespace

static bool toInt64(PyObject *object, int64_t &value) {
  value = PyLong_AsLongLong(object);
  return value != -1 || !PyErr_Occurred();
}

static PyObject *selectWindow(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  Buffers inputs, outputs;
  Window window;
  if (!hasArguments("select_window", count, 5) || !toInt64(arguments[1], window.start) ||
      !toInt64(arguments[2], window.step) || !toInt64(arguments[3], window.count) ||
      !inputs.view(arguments[0], -1) || !outputs.viewWritable(arguments[4]))
    return nullptr;
  if (inputs.arrays().size() != 3 || !window.step) {
    PyErr_SetString(PyExc_ValueError, "begins, ends and coordinates are needed, and a step");
    return nullptr;
  }
  return areRanges(inputs.arrays()) ? runRule(inputs.arrays(), outputs.arrays(), window) : nullptr;
}

static PyObject *selectListed(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  Buffers inputs, outputs;
  if (!hasArguments("select_listed", count, 3) || !inputs.view(arguments[0], -1) ||
      !outputs.viewWritable(arguments[2]))
    return nullptr;
  int isDirect = PyObject_IsTrue(arguments[1]);
  const std::vector<strata_array> &arrays = inputs.arrays();
  if (isDirect < 0)
    return nullptr;
  if (arrays.size() != 6) {
    PyErr_SetString(PyExc_ValueError, "three arrays of ranges and three of a table are needed");
    return nullptr;
  }
  auto data = [&](size_t at) {
    return arrays[at].count ? static_cast<const int64_t *>(arrays[at].data) : nullptr;
  };
  Table table = {data(3), data(4), data(5), arrays[3].count, bool(isDirect)};
  return areRanges(arrays) ? runRule(arrays, outputs.arrays(), table) : nullptr;
}

static PyObject *lowerBounds(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  Buffers inputs, outputs;
  if (!hasArguments("lower_bounds", count, 2) || !inputs.view(arguments[0], -1) ||
      !outputs.viewWritable(arguments[1]))
    return nullptr;
  const std::vector<strata_array> &arrays = inputs.arrays();
  if (arrays.size() != 4 || outputs.arrays().size() != 1 || arrays[3].count != arrays[0].count) {
    PyErr_SetString(PyExc_ValueError, "ranges, coordinates and a wanted one for each are needed");
    return nullptr;
  }
  int64_t *found = outputOf(outputs.arrays()[0], arrays[0].count);
  if (!found || !areRanges(arrays))
    return nullptr;
  Ranges ranges = rangesOf(arrays);
  auto *wanted = static_cast<const int64_t *>(arrays[3].data);
  withCoordinates(arrays[2], [&](auto *crd) {
    for (int64_t range = 0; range < ranges.count; range++) {
      int64_t begin = ranges.begins[range], end = std::max(begin, ranges.ends[range]);
      found[range] = std::lower_bound(crd + begin, crd + end, wanted[range]) - crd;
    }
  });
  Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"select_window", reinterpret_cast<PyCFunction>(selectWindow), METH_FASTCALL,
     "Which coordinates of ranges (begins, ends, coordinates) are one of so many from a start on, "
     "a "
     "step apart: counts them into offsets, or writes also positions, and places among the many."},
    {"select_listed", reinterpret_cast<PyCFunction>(selectListed), METH_FASTCALL,
     "The same of coordinates in a table: numbers, starts and places follow the ranges; says "
     "whether there is a number for each coordinate, instead of the distinct ones in order."},
    {"lower_bounds", reinterpret_cast<PyCFunction>(lowerBounds), METH_FASTCALL,
     "For ranges of ascending coordinates, and a wanted one each, the first place that is not "
     "below it."},
    {}};

bool strata::python::addPlaces(PyObject *module) {
  return PyModule_AddFunctions(module, functions) == 0;
}
