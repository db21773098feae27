// Lists the reasons; docs/from/MLIR.md says the same of each operation, and a test compares.
#include "strata/interop/UpstreamOps.h"

#include "llvm/ADT/StringMap.h"

namespace strata::interop {

llvm::StringRef reasonToRefuse(llvm::StringRef operation) {
  static constexpr llvm::StringLiteral buffers =
      "a program has tensors, whose buffers are the runtime's; give the tensor as an argument, or "
      "read it from its result";
  static constexpr llvm::StringLiteral inKernels =
      "it is a step of code for kernels, which Strata generates itself";
  static constexpr llvm::StringLiteral loops =
      "a loop over entries has effects; write it as linalg.generic with sparse_tensor.unary, "
      "binary, select or reduce";
  static constexpr llvm::StringLiteral layouts =
      "it moves elements for a layout in memory; the format of a tensor says its layout, with "
      "floordiv and mod";
  static constexpr llvm::StringLiteral winograd =
      "upstream has no definition of it in structured operations";
  static const llvm::StringMap<llvm::StringRef> reasons = {
      {"sparse_tensor.assemble", buffers},
      {"sparse_tensor.disassemble", buffers},
      {"sparse_tensor.positions", buffers},
      {"sparse_tensor.coordinates", buffers},
      {"sparse_tensor.coordinates_buffer", buffers},
      {"sparse_tensor.values", buffers},
      {"sparse_tensor.reinterpret_map",
       "a tensor of level coordinates is a step of upstream's lowering; Strata's statements walk "
       "levels by the format's map"},
      {"sparse_tensor.storage_specifier.init", inKernels},
      {"sparse_tensor.storage_specifier.get", inKernels},
      {"sparse_tensor.storage_specifier.set", inKernels},
      {"sparse_tensor.crd_translate", inKernels},
      {"sparse_tensor.push_back", inKernels},
      {"sparse_tensor.expand", inKernels},
      {"sparse_tensor.compress", inKernels},
      {"sparse_tensor.sort", inKernels},
      {"sparse_tensor.foreach", loops},
      {"sparse_tensor.extract_iteration_space", loops},
      {"sparse_tensor.extract_value", loops},
      {"sparse_tensor.iterate", loops},
      {"sparse_tensor.coiterate", loops},
      {"sparse_tensor.has_runtime_library",
       "a program does not depend on how upstream would have lowered it"},
      {"linalg.pack", layouts},
      {"linalg.unpack", layouts},
      {"linalg.winograd_filter_transform", winograd},
      {"linalg.winograd_input_transform", winograd},
      {"linalg.winograd_output_transform", winograd},
  };
  return reasons.lookup(operation);
}

} // namespace strata::interop
