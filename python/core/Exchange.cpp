// Gives other libraries the memory of a tensor: by Python's buffer protocol, and by DLPack 1.x.
#include "Core.h"

#include <memory>

using namespace strata::python;

// ---- DLPack ----

namespace {

// The structures of DLPack, as its version 1.0 lays them out.
struct DlDevice {
  int32_t kind, number;
};
struct DlType {
  uint8_t code, bits;
  uint16_t lanes;
};
struct DlTensor {
  void *data;
  DlDevice device;
  int32_t ndim;
  DlType type;
  int64_t *shape, *strides;
  uint64_t offset;
};
struct DlManaged {
  DlTensor tensor;
  void *context;
  void (*release)(DlManaged *);
};
struct DlVersioned {
  uint32_t major, minor;
  void *context;
  void (*release)(DlVersioned *);
  uint64_t flags;
  DlTensor tensor;
};

// Holds all that a capsule refers to in one piece.
template <typename Managed> struct Exported {
  Managed managed = {};
  std::vector<int64_t> shape, strides;
  PyObject *owner = nullptr;
};

template <typename Managed> constexpr const char *capsuleName = "dltensor";
template <> constexpr const char *capsuleName<DlVersioned> = "dltensor_versioned";

DlType typeOf(int32_t type) {
  enum : uint8_t { Int, UInt, Float, Opaque, BFloat, Complex, Bool };
  const auto bits = uint8_t(8 * strata_type_bytes(type));
  switch (strata_type(type)) {
  case STRATA_BOOL:
    return {Bool, bits, 1};
  case STRATA_U8:
  case STRATA_U16:
  case STRATA_U32:
  case STRATA_U64:
    return {UInt, bits, 1};
  case STRATA_F16:
  case STRATA_F32:
  case STRATA_F64:
    return {Float, bits, 1};
  case STRATA_BF16:
    return {BFloat, bits, 1};
  case STRATA_C64:
  case STRATA_C128:
    return {Complex, bits, 1};
  case STRATA_I8:
  case STRATA_I16:
  case STRATA_I32:
  case STRATA_I64:
    return {Int, bits, 1};
  }
  return {Opaque, bits, 1};
}

// Consumers release in any thread, also when Python has ended.
template <typename Managed> void releaseExported(Managed *managed) {
  std::unique_ptr<Exported<Managed>> exported(static_cast<Exported<Managed> *>(managed->context));
  if (!Py_IsInitialized())
    return;
  PyGILState_STATE state = PyGILState_Ensure();
  Py_DECREF(exported->owner);
  PyGILState_Release(state);
}

// A capsule that nobody has taken still has its name.
template <typename Managed> void releaseCapsule(PyObject *capsule) {
  if (!PyCapsule_IsValid(capsule, capsuleName<Managed>))
    return;
  auto *managed = static_cast<Managed *>(PyCapsule_GetPointer(capsule, capsuleName<Managed>));
  managed->release(managed);
}

template <typename Managed>
PyObject *newCapsule(PyObject *array, std::unique_ptr<Exported<Managed>> exported) {
  static int64_t nothing[2];
  const strata_array &values = reinterpret_cast<ArrayObject *>(array)->array;
  DlTensor &tensor = exported->managed.tensor;
  tensor.data = values.data ? values.data : nothing;
  tensor.device = {1, 0};
  tensor.ndim = int32_t(exported->shape.size());
  tensor.type = typeOf(values.type);
  tensor.shape = exported->shape.data();
  tensor.strides = exported->strides.data();
  exported->managed.context = exported.get();
  exported->managed.release = releaseExported<Managed>;
  exported->owner = Py_NewRef(array);
  PyObject *capsule =
      PyCapsule_New(&exported->managed, capsuleName<Managed>, releaseCapsule<Managed>);
  if (!capsule) {
    Py_DECREF(array);
    return nullptr;
  }
  exported.release();
  return capsule;
}

template <typename Managed>
std::unique_ptr<Exported<Managed>> exportedOf(PyObject *shape, PyObject *strides) {
  auto exported = std::make_unique<Exported<Managed>>();
  if (!toNumbers(shape, exported->shape) || !toNumbers(strides, exported->strides))
    return nullptr;
  return exported;
}

} // namespace

// An array, the shape and the strides of the tensor (in elements), and flags; None: as before
// DLPack 1, which has none.
static PyObject *exportDlpack(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  if (!hasArguments("export_dlpack", count, 4))
    return nullptr;
  if (Py_TYPE(arguments[0]) != arrayType) {
    PyErr_SetString(PyExc_TypeError, "an array of a tensor is needed");
    return nullptr;
  }
  if (arguments[3] == Py_None) {
    auto exported = exportedOf<DlManaged>(arguments[1], arguments[2]);
    return exported ? newCapsule(arguments[0], std::move(exported)) : nullptr;
  }
  int32_t flags;
  if (!toInt32(arguments[3], flags))
    return nullptr;
  auto exported = exportedOf<DlVersioned>(arguments[1], arguments[2]);
  if (!exported)
    return nullptr;
  exported->managed.major = 1;
  exported->managed.flags = uint64_t(flags);
  return newCapsule(arguments[0], std::move(exported));
}

// ---- The buffer protocol ----

// Exports what the tensor's method _exported returns, which refuses or has the memory.
static int getBuffer(PyObject *object, Py_buffer *view, int flags) {
  view->obj = nullptr;
  PyObject *exported = PyObject_CallMethod(object, "_exported", nullptr);
  if (!exported)
    return -1;
  const int result = PyObject_GetBuffer(exported, view, flags);
  Py_DECREF(exported);
  return result;
}

static PyType_Slot slots[] = {{Py_bf_getbuffer, reinterpret_cast<void *>(getBuffer)}, {}};

static PyType_Spec spec = {"strata._core.Exporter", sizeof(PyObject), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

static PyMethodDef functions[] = {
    {"export_dlpack", reinterpret_cast<PyCFunction>(exportDlpack), METH_FASTCALL,
     "A capsule of DLPack: of an array, a shape, strides in elements, and flags; None instead of "
     "them: of the versions before 1."},
    {}};

bool strata::python::addExchange(PyObject *module) {
  return addType(module, spec) && PyModule_AddFunctions(module, functions) == 0;
}
