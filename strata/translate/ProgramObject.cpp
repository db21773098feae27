// Object files of whole programs, and what declares their functions: the kernels, each program as
// bytes, and its entry points.
#include "strata/host/Parameters.h"
#include "strata/lower/LowerKernels.h"
#include "strata/target/cpu/Jit.h"
#include "strata/translate/CompiledProgram.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using strata::runtime::Error;
using strata::runtime::Result;

namespace strata {

namespace {

// The kernels, in the order of their numbers; they are nobody else's.
void addTable(ModuleOp module, OpBuilder &b, const CompiledProgram &compiled) {
  Location loc = module.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  for (const std::string &kernel : compiled.names)
    module.lookupSymbol<LLVM::LLVMFuncOp>(kernel).setLinkage(LLVM::Linkage::Internal);
  Type type = LLVM::LLVMArrayType::get(pointer, std::max<size_t>(compiled.names.size(), 1));
  auto table = LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                      compiled.program.name + "_kernels", Attribute());
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&table.getInitializerRegion());
  Value all = LLVM::ZeroOp::create(b, loc, type);
  for (auto [at, kernel] : llvm::enumerate(compiled.names)) {
    Value address = LLVM::AddressOfOp::create(b, loc, pointer, kernel);
    all = LLVM::InsertValueOp::create(b, loc, all, address, int64_t(at));
  }
  LLVM::ReturnOp::create(b, loc, all);
}

// A function of two arguments that hands the program, and these, to a function of the runtime.
void addEntry(ModuleOp module, const std::string &program, const std::string &entry, StringRef runs,
              Type first) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  Type word = b.getI64Type(), integer = b.getI32Type();
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  auto runtime = module.lookupSymbol<LLVM::LLVMFuncOp>(runs);
  if (!runtime)
    runtime = LLVM::LLVMFuncOp::create(
        b, loc, runs,
        LLVM::LLVMFunctionType::get(integer, {pointer, word, pointer, first, pointer}));
  auto function = LLVM::LLVMFuncOp::create(b, loc, entry,
                                           LLVM::LLVMFunctionType::get(integer, {first, pointer}));
  Block *block = function.addEntryBlock(b);
  b.setInsertionPointToStart(block);
  EmbeddedProgram own = embeddedProgram(module, b, program);
  auto call = LLVM::CallOp::create(
      b, loc, runtime,
      ValueRange{own.bytes, own.size, own.kernels, block->getArgument(0), block->getArgument(1)});
  LLVM::ReturnOp::create(b, loc, call.getResult());
}

} // namespace

void embedProgram(ModuleOp module, const CompiledProgram &compiled) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  std::string bytes = host::encode(compiled.program);
  Type type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
  LLVM::GlobalOp::create(b, module.getLoc(), type, /*isConstant=*/true, LLVM::Linkage::Internal,
                         compiled.program.name + "_program", b.getStringAttr(bytes),
                         /*alignment=*/8);
  addTable(module, b, compiled);
}

EmbeddedProgram embeddedProgram(ModuleOp module, OpBuilder &b, StringRef name) {
  Location loc = module.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  std::string bytes = (name + "_program").str(), kernels = (name + "_kernels").str();
  auto global = module.lookupSymbol<LLVM::GlobalOp>(bytes);
  auto count = int64_t(cast<LLVM::LLVMArrayType>(global.getType()).getNumElements());
  return {LLVM::AddressOfOp::create(b, loc, pointer, bytes),
          LLVM::ConstantOp::create(b, loc, b.getI64Type(), b.getI64IntegerAttr(count)),
          LLVM::AddressOfOp::create(b, loc, pointer, kernels)};
}

Result<std::string> objectOf(std::vector<CompiledProgram> programs, const Processor &processor,
                             bool withMain) {
  Result<std::unique_ptr<Jit>> jit = Jit::create(processor, Optimization::Full);
  if (!jit)
    return jit.takeStatus();
  ModuleOp kernels = *programs.front().kernels;
  for (const CompiledProgram &other : llvm::drop_begin(programs))
    for (Operation &kernel : *const_cast<CompiledProgram &>(other).kernels->getBody())
      OpBuilder::atBlockEnd(kernels.getBody()).clone(kernel);
  if (failed(lowerKernels(kernels, Stage::Llvm,
                          {.vectorBytes = (*jit)->vectorBytes(),
                           .vectorRegisters = (*jit)->vectorRegisters(),
                           .caches = (*jit)->caches()})))
    return Error::alreadyShown("the kernels could not be compiled");
  Type pointer = LLVM::LLVMPointerType::get(kernels.getContext());
  Type integer = IntegerType::get(kernels.getContext(), 32);
  for (const CompiledProgram &program : programs) {
    embedProgram(kernels, program);
    const std::string &name = program.program.name;
    if (program.caller == Caller::Code)
      addEntry(kernels, name, name, "strata_program_call", pointer);
    else
      addEntry(kernels, name, name + "_run", "strata_program_run", integer);
    if (withMain && &program == &programs.front())
      addEntry(kernels, name, "main", "strata_program_main", integer);
  }
  return (*jit)->emit(kernels, MachineStage::Object);
}

// "`parameters` are texts NAME=VALUE:\n *   alpha=NUMBER\n *"
static std::string parametersText(const host::Program &program) {
  auto parameters = host::parametersOf(program);
  if (parameters.empty())
    return "It has no parameters.";
  std::string text = "`parameters` are texts NAME=VALUE:\n";
  for (const auto &[name, kind] : parameters)
    text += " *   " + name + "=" + host::wordOf(kind) + "\n";
  return text + " *";
}

static std::string declarationOf(const CompiledProgram &compiled) {
  const host::Program &program = compiled.program;
  if (compiled.caller == Caller::Process)
    return "/* Runs the program. " + parametersText(program) +
           " Returns 0, or 1 after an error, which is told on\n * standard error. */\nint32_t " +
           program.name + "_run(int32_t count, const char *const *parameters);\n";
  std::string returned = program.results.empty() ? "" : " Gives `returned`, to be released.";
  return "/* Takes storages in this order." + returned +
         " Returns 0, or 1 after an error,\n * which is told on standard error.\n" +
         compiled.comment + " */\nint32_t " + program.name +
         "(const strata_storage *const *arguments, strata_returned **returned);\n";
}

std::string headerOf(StringRef name, llvm::ArrayRef<CompiledProgram> programs) {
  bool isCalled =
      llvm::any_of(programs, [](const CompiledProgram &one) { return one.caller == Caller::Code; });
  std::string text = "/* The program '" + name.str() + "', compiled by Strata. */\n" +
                     (isCalled ? "#include \"strata/host/call.h\"\n" : "#include <stdint.h>\n") +
                     "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  for (const CompiledProgram &program : programs)
    text += "\n" + declarationOf(program);
  return text + "\n#ifdef __cplusplus\n}\n#endif\n";
}

} // namespace strata
