// Runs a host program: reads files, compiles and calls kernels, writes and prints results.
#ifndef STRATA_RUN_EXECUTOR_H
#define STRATA_RUN_EXECUTOR_H

#include "strata/compile/Kernel.h"
#include "strata/conversion/Conversion.h"
#include "strata/cost/Prediction.h"
#include "strata/estimate/Memory.h"
#include "strata/estimate/Work.h"
#include "strata/lower/analysis/ContractionShape.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/run/Activity.h"
#include "strata/run/Check.h"
#include "strata/run/Output.h"
#include "strata/runtime/Stopwatch.h"
#include "strata/runtime/io/TensorFile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace strata {

struct RunOptions {
  /// What every statement is checked against, by the reference interpreter; null: nothing is
  /// checked.
  const WrittenProgram *written = nullptr;
  bool force = false;    ///< make storages however large they are for what they hold
  bool explain = false;  ///< keep the loops of every statement in the report
  bool phases = false;   ///< assemble a result first, then compute it, where that can be
  int repeat = 1;        ///< how often each statement is run, for timing
  bool optimize = false; ///< kernels will run often: all are optimized, however little they do
  /// What tensors and kernels may take together, in bytes; 0: whatever there is.
  int64_t maxMemory = 0;
  /// Whose speeds the time of each statement is predicted for, on so many threads; if that is not
  /// asked for: null.
  const machine::Machine *machine = nullptr;
  int64_t threads = 1;
  bool keepPrinted = false; ///< keep the values that the program prints
  unsigned widths = 0;      ///< bits of positions and coordinates where a format leaves them open
  int64_t indexBase = 1;    ///< what FROSTT files count from: 1, or 0
  std::shared_ptr<Activity> activity = std::make_shared<Activity>(); ///< is told what is done
  /// Makes what a file's reader reports to; empty: nothing is reported.
  std::function<runtime::Progress(const std::string &file)> progress = {};
};

/// A tensor that a step made.
struct TensorReport {
  std::string name;
  std::vector<int64_t> sizes;
  int64_t stored; ///< values, padding included
  std::string type, format;
  int64_t bytes;
};

/// One operation of the program and what it took, in all rounds of the loops around it.
struct StepReport {
  std::string what; ///< "read bcsstk15.mtx", "y(i) = ..."
  /// Seconds. `read` includes the making of random values; `run` is the fastest of the runs that
  /// --repeat asks for, in each round.
  double read = 0, sort = 0, compile = 0, pack = 0, run = 0, write = 0;
  std::vector<double> runs = {}; ///< each run of a statement, seconds
  CompileTimes compileParts = {};
  double flops = 0;   ///< estimated operations on elements, one run a round
  double traffic = 0; ///< bytes of operands and result, each once, one run a round
  int64_t rounds = 0; ///< of the loops around it
  std::optional<cost::Prediction> predicted = {}; ///< of the first round
  /// The products of dense matrices in it, each with the number of rounds that had it.
  std::vector<std::pair<ContractionShape, int64_t>> contractions = {};
  double estimatedBytes = 0;           ///< of the result and of what its making needs
  int64_t scratchBytes = 0;            ///< the most that the kernel held besides what it returned
  std::string loops = {};              ///< the loops chosen, in words
  std::vector<std::string> notes = {}; ///< conversions and other announcements
  std::optional<TensorReport> made = {};
};

/// A statement as it was written, and what the check of its last value compared.
struct CheckReport {
  std::string statement;
  std::string compared = {};
  double seconds = 0; ///< in all rounds of the loops around it
};

/// A run-time failure becomes a diagnostic at the operation.
mlir::LogicalResult fail(mlir::Operation *op, const runtime::Error &error);

/// What is told of a tensor that a step made.
TensorReport reportOf(mlir::Value value, const TensorValue &tensor);

class Executor {
public:
  Executor(KernelCompiler &compiler, RunOptions options, llvm::raw_ostream &out)
      : compiler(compiler), options(std::move(options)), out(out) {}

  /// Gives an argument of the function its tensor, before run.
  void define(mlir::Value value, TensorValue tensor);
  /// Results that leave widths of positions and coordinates open get these.
  void setWidths(unsigned bits) { options.widths = bits; }
  /// From here on all kernels are optimized, those that were prepared before included.
  void optimize() {
    options.optimize = true;
    prepared.clear();
  }
  /// Runs the function's body. Errors are diagnostics at the operations' places.
  mlir::LogicalResult run(mlir::func::FuncOp main);
  /// The same, but of the statement whose result the function returns one phase alone: its pattern
  /// is assembled, or its values are computed in the pattern of another tensor of its format,
  /// which stays as it is, and to whose arrays the result refers.
  mlir::LogicalResult assemble(mlir::func::FuncOp main);
  mlir::LogicalResult compute(mlir::func::FuncOp main, TensorValue pattern);

  const std::vector<StepReport> &report() const { return steps; }
  const std::vector<CheckReport> &checks() const { return checked; }
  /// What the program has printed, in its order, if that is kept.
  const std::vector<PrintedTensor> &printed() const { return keptPrints; }
  /// The value that an SSA value has, after run; null if nothing needed it any more;
  /// what the function returns is there.
  const TensorValue *value(mlir::Value value) const;
  /// Did the run end because a label got two sizes, or an access would leave its tensor?
  bool sizesDisagree() const { return badSizes; }
  /// A step of a run that can be repeated for operands of the same types and sizes: a kernel's
  /// call, or a look-up's selector. Values are numbered: the function's arguments, then what steps
  /// made.
  struct RepeatedStep {
    ta::OneHotOp lookUp;   ///< null of a call
    CompiledKernel kernel; ///< of a call
    std::vector<unsigned> operands;
    std::optional<unsigned> init = {}; ///< the kernel changes a copy of this value
    std::vector<int64_t> extents = {};
    mlir::RankedTensorType result = {};
    std::vector<int64_t> sizes = {}; ///< of the result
    double work = 0;                 ///< about how many values a call visits
  };
  /// The operand that is the copy of `init`.
  static constexpr unsigned itsResult = ~0U;
  /// The last run of the function, whose result is that of the last step; nothing if there was more
  /// to it.
  std::optional<std::vector<RepeatedStep>> repeatable(mlir::func::FuncOp main) const;
  /// Lets go of all tensors; kernels that were prepared stay, for the next run of the function.
  void forget();

private:
  // ExecuteControl.cpp
  enum class Flow { Next, Break, Failure };
  enum class Progress { Round, Done, Failed };
  using Passed = std::vector<TensorValue>; // what a block hands over at its end
  Flow runBlock(mlir::Block &block, Passed &passed);
  Flow run(ta::ForOp op);
  Flow run(ta::LoopOp op);
  Flow run(ta::IfOp op, Passed &passed);
  struct TermsAndEntries {
    double terms = 0, entries = 0;
  };
  TermsAndEntries termsAndEntries(ta::IfOp op);
  bool hasFewTerms(ta::IfOp op);
  Flow runRounds(mlir::Operation *loop, Passed passed, mlir::Block::BlockArgListType arguments,
                 llvm::function_ref<Progress(int64_t round)> begin);
  Passed enter(mlir::ValueRange inits, llvm::ArrayRef<int64_t> moved);
  Passed handedOn(mlir::Operation &end);
  mlir::LogicalResult carry(mlir::Operation *loop, mlir::Block::BlockArgListType arguments,
                            const std::vector<std::vector<int64_t>> &sizes, Passed &passed);
  mlir::LogicalResult holds(ta::HoldsOp op);
  int64_t integerOf(mlir::Value scalar);

  // ExecuteMemory.cpp
  int64_t heldBytes() const;
  mlir::LogicalResult allowMemory(mlir::Operation *op, const MemoryNeed &need, StepReport &step);
  mlir::LogicalResult allowConversion(mlir::Operation *op, const TensorValue &from,
                                      mlir::RankedTensorType type, StepReport &step);

  mlir::LogicalResult checkElementTypes(mlir::func::FuncOp main);
  mlir::LogicalResult checkResults(mlir::Block &program);
  mlir::LogicalResult execute(mlir::Operation &op);
  static llvm::StringRef activityOf(mlir::Operation &op);
  // ExecuteSources.cpp
  mlir::LogicalResult read(ta::ReadOp op);
  mlir::LogicalResult fill(ta::FillOp op);
  mlir::LogicalResult generate(mlir::Operation *op, runtime::Result<runtime::Coordinates> list);
  mlir::LogicalResult stencil(ta::StencilOp op);
  /// What the list does not hold is worth `fill`; zero, if that is null.
  mlir::LogicalResult packInto(mlir::Operation *op, runtime::Coordinates list,
                               mlir::Attribute fill = {});
  mlir::LogicalResult readFill(ta::ReadOp op, std::complex<double> number, mlir::Attribute &fill);
  mlir::LogicalResult defineConverted(ta::ReadOp op, TensorValue given);
  mlir::LogicalResult random(ta::RandomOp op);
  mlir::LogicalResult countUp(ta::IotaOp op);
  mlir::LogicalResult constant(mlir::arith::ConstantOp op);
  mlir::LogicalResult selector(ta::OneHotOp op);
  mlir::LogicalResult inside(ta::InsideOp op);
  mlir::LogicalResult denseAlgebra(ta::DenseAlgebraOp op);
  mlir::LogicalResult concatenate(ta::ConcatOp op);
  mlir::LogicalResult compute(ta::ComputeOp op); // ExecuteStatements.cpp
  mlir::LogicalResult copy(ta::ComputeOp op, const TensorValue &from);
  mlir::LogicalResult convertTensor(ta::ConvertOp op);
  mlir::LogicalResult reindex(ta::GatherOp op);
  mlir::LogicalResult overlay(ta::InsertPartOp op);
  mlir::LogicalResult write(ta::WriteOp op);
  mlir::LogicalResult print(ta::PrintOp op);
  mlir::LogicalResult sameSize(ta::SameSizeOp op);
  mlir::LogicalResult time(ta::TimeOp op);
  mlir::LogicalResult printElapsed(ta::PrintElapsedOp op);
  mlir::LogicalResult checkpoint(ta::CheckpointOp op);
  mlir::LogicalResult checkStored(mlir::Operation *op, const TensorValue &stored,
                                  const runtime::Coordinates &list);
  mlir::RankedTensorType typeOf(mlir::Operation *op) const;

  StepReport &stepOf(mlir::Operation *op, llvm::function_ref<std::string()> what);

  /// What a kernel is compiled for besides its types.
  struct KernelFacts {
    bool windowed = false; ///< some access reaches a part of its operand only
    bool hashed = false;   ///< the workspace is a hash table
    bool parts = false;    ///< sums are divided
    bool operator==(const KernelFacts &) const = default;
  };
  /// A statement's kernel, for the types that its operands had.
  struct Prepared {
    std::vector<mlir::RankedTensorType> types; // of the inputs, then of the result
    KernelFacts facts;
    std::map<Phase, CompiledKernel> kernels; ///< those that were needed
    KernelArguments arguments;
    double work = 0;                   ///< about how many values the last call visited
    std::optional<std::string> sweeps; ///< what is told of loops over all values; empty: none
  };
  std::optional<RepeatedStep>
  repeatedCall(ta::ComputeOp op, const llvm::DenseMap<mlir::Value, unsigned> &numbers) const;
  Prepared &prepare(ta::ComputeOp op, mlir::RankedTensorType result, KernelFacts facts);
  runtime::Result<CompiledKernel> kernelFor(ta::ComputeOp op, Phase phase, double work,
                                            Prepared &known, StepReport &step);
  mlir::FailureOr<llvm::SmallVector<Phase>>
  phasesOf(ta::ComputeOp op, mlir::RankedTensorType result, StepReport &step) const;
  runtime::Result<TensorValue> resultInPattern(ta::ComputeOp op);
  mlir::LogicalResult runPhase(mlir::func::FuncOp main, Phase phase);
  double workOf(ta::ComputeOp op, double flops, const TensorValue &result) const;
  mlir::OwningOpRef<mlir::ModuleOp> outline(ta::ComputeOp op, Prepared &known);
  std::optional<cost::Prediction> predict(ta::ComputeOp op, Prepared &known,
                                          const TensorValue &result);
  runtime::Result<TensorValue> resultFor(ta::ComputeOp op);
  std::vector<int64_t> sizesOf(mlir::RankedTensorType type, mlir::ValueRange dynamic) const;
  std::vector<int64_t> numbersOf(mlir::ValueRange sizes) const;
  runtime::Result<std::shared_ptr<const runtime::Coordinates>> sourceOf(const TensorValue &tensor);

  KernelCompiler &compiler;
  RunOptions options;
  /// Of one statement alone a phase may be asked for, its values in a pattern.
  struct {
    mlir::Operation *statement = nullptr;
    Phase phase = Phase::All;
    TensorValue pattern = {};
  } apart;
  llvm::raw_ostream &out;
  Stopwatch sinceBegin;
  double elapsed = 0;
  bool badSizes = false;
  llvm::DenseMap<mlir::Value, TensorValue> tensors;
  llvm::DenseMap<mlir::Value, std::vector<int64_t>> sizes; // also of tensors that are gone
  llvm::DenseMap<mlir::Value, int64_t> indices;            // booleans too
  llvm::DenseMap<mlir::Operation *, Prepared> prepared;
  std::optional<Checker> checker;
  std::vector<CheckReport> checked;
  llvm::DenseMap<int64_t, size_t> checkNumbers;
  std::vector<StepReport> steps;
  std::vector<PrintedTensor> keptPrints;
  llvm::DenseMap<mlir::Operation *, size_t> stepNumbers;
};

} // namespace strata

#endif // STRATA_RUN_EXECUTOR_H
