// Runs a host program: reads files, compiles and calls kernels, writes and prints results.
#ifndef STRATA_RUN_EXECUTOR_H
#define STRATA_RUN_EXECUTOR_H

#include "strata/compile/Kernel.h"
#include "strata/conversion/Conversion.h"
#include "strata/estimate/KernelFacts.h"
#include "strata/estimate/Memory.h"
#include "strata/estimate/Work.h"
#include "strata/host/Interpreter.h"
#include "strata/run/Activity.h"
#include "strata/run/Check.h"
#include "strata/run/Output.h"
#include "strata/run/Reports.h"
#include "strata/runtime/Stopwatch.h"
#include "strata/translate/OpenProgram.h"

#include <map>

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
  /// Tensors and kernels may take so many bytes together; negative: there is no limit.
  int64_t maxMemory = -1;
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
  runtime::dist::Job *job = nullptr; ///< of processes that run the same program; null: alone
};

/// A run-time failure becomes a diagnostic at the operation.
mlir::LogicalResult fail(mlir::Operation *op, const runtime::Error &error);
/// The error of what such a diagnostic has told.
runtime::Error told();

/// Runs programs that are data (host/), with kernels that are compiled when they are needed, for
/// the types that tensors have then.
class Executor : private host::Provider, private host::Observer {
public:
  Executor(KernelCompiler &compiler, RunOptions options, llvm::raw_ostream &out)
      : compiler(compiler), options(std::move(options)), out(out) {}

  /// Gives an argument of the function its tensor, before run.
  void define(mlir::Value value, TensorValue tensor);
  /// Results that leave widths of positions and coordinates open get these.
  void setWidths(unsigned bits) { options.widths = bits; }
  /// The next run is one of a job of several processes; null: of this one alone.
  void join(runtime::dist::Job *job) { options.job = job; }
  /// Runs a function that may have been run before, after which it rested. Of the arguments in
  /// `unchanged` those in pieces are the tensors of that run, in all processes, and what was moved
  /// of them is not moved again.
  mlir::LogicalResult runAgain(mlir::func::FuncOp main, host::KeptTensors::Arguments unchanged);
  /// Lets go of all tensors but those that are kept for the next run of the function.
  void rest();
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
  /// The same in place: the values of `target` are overwritten, and the result is `target`.
  mlir::LogicalResult computeInto(mlir::func::FuncOp main, TensorValue target);
  /// Returns why the values of what the function returns cannot be computed apart from its pattern;
  /// null if they can.
  static const char *whyNotApart(mlir::func::FuncOp main);

  const std::vector<StepReport> &report() const { return steps.list(); }
  const std::vector<CheckReport> &checks() const { return checked; }
  /// What the program has printed, in its order, if that is kept.
  const std::vector<PrintedTensor> &printed() const { return keptPrints; }
  /// The value that an SSA value has, after run; nothing if nothing needed it any more;
  /// what the function returns is there.
  std::optional<TensorValue> value(mlir::Value value) const;
  /// The cells of each axis of a machine of the program that has run.
  std::vector<int64_t> cellsOf(llvm::StringRef machine) const;
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
  /// The last run of the function, with the steps that make its results, which are calls; nothing
  /// if there was more to it. `last`: which kernel of the last step was called.
  std::optional<std::vector<RepeatedStep>> repeatable(mlir::func::FuncOp main,
                                                      std::vector<unsigned> &returned,
                                                      Phase last = Phase::All) const;
  /// Lets go of all tensors; kernels that were prepared stay, for the next run of the function.
  void forget();

private:
  //===----------------------------------------------------------------------------------------===//
  // What the interpreter asks for (Provide.cpp)
  //===----------------------------------------------------------------------------------------===//

  runtime::Result<host::Tensor> pack(runtime::Coordinates list, host::TypeId type,
                                     std::span<const char> fill) override;
  runtime::Result<runtime::Coordinates> entriesOf(const host::Tensor &tensor) override;
  runtime::Result<std::shared_ptr<const runtime::Coordinates>>
  listOf(const host::Tensor &tensor) override;
  runtime::Result<host::Tensor> convert(const host::Convert &convert,
                                        const host::Tensor &from) override;
  runtime::Result<host::Tensor> compute(const host::Compute &compute, host::State &state) override;
  host::TypeId decided(host::TypeId type, const std::vector<int64_t> &sizes,
                       std::optional<int64_t> entries = std::nullopt) override;
  bool condition(const host::Instruction &at, const host::If &branch,
                 const host::State &state) override;
  runtime::Status allowList(const std::vector<int64_t> &sizes, host::TypeId type,
                            std::string_view what, std::string_view smaller) override;
  runtime::Status check(const host::Checkpoint &checkpoint, const host::Tensor &tensor) override;
  std::optional<host::Tensor> adopt(const runtime::LevelArrays &arrays, host::TypeId type) override;
  runtime::Result<host::Tensor> finish(host::Tensor adopted, host::TypeId type) override;
  std::optional<runtime::LevelArrays> levelsOf(const host::Tensor &tensor) override;
  std::string textOf(const host::PrintStorage &print, const host::Tensor &tensor) override;
  double secondsSpent() const override { return compiler.secondsSpent(); }

  //===----------------------------------------------------------------------------------------===//
  // What it tells (Observe.cpp)
  //===----------------------------------------------------------------------------------------===//

  void print(std::string_view text) override;
  void flush() override { out.flush(); }
  void warn(const host::Instruction &at, const std::string &text) override;
  void fail(const host::Instruction &at, const runtime::Error &error) override;
  void begin(const host::Instruction &at) override;
  runtime::Status end(const host::Instruction &at, const host::State &state) override;
  void moved(const host::Instruction &at, std::span<const int64_t> bytes) override;
  void fetched(const host::Instruction &at, std::span<const int64_t> bytes, bool isNew) override;
  void copied(const host::Instruction &at, int64_t bytes) override;
  void waited(const host::Instruction &at, double seconds) override;
  void enterLoop(const host::Instruction &at) override;
  void beginIteration(int64_t number) override;
  void leaveLoop() override;

  //===----------------------------------------------------------------------------------------===//
  // Values
  //===----------------------------------------------------------------------------------------===//

  double secondsWaited() const {
    return options.job ? options.job->processes().secondsWaited() : 0;
  }
  mlir::Operation *operationOf(const host::Instruction &at) const {
    return open->operations[size_t(at.place)];
  }
  const host::State &state() const { return interpreter->values(); }
  const host::Tensor &tensorOf(mlir::Value value) const {
    return state().tensor(open->tensors.lookup(value));
  }
  TensorValue valueOf(mlir::Value value) const { return valueOf(tensorOf(value)); }
  TensorValue valueOf(const host::Tensor &tensor) const;
  host::Tensor tensorOf(TensorValue value);
  int64_t indexOf(mlir::Value size) const { return state().size(open->sizes.lookup(size)); }
  std::vector<int64_t> numbersOf(mlir::ValueRange sizes) const;
  const std::vector<int64_t> &sizesOf(mlir::Value tensor) const {
    return state().tensorSizes[size_t(open->tensors.lookup(tensor))];
  }
  /// The type; widths that its format leaves open are those asked for.
  mlir::RankedTensorType asked(host::TypeId type) const;

  // ExecuteMemory.cpp
  mlir::LogicalResult allowMemory(mlir::Operation *op, const MemoryNeed &need, StepReport &step);
  mlir::LogicalResult allowConversion(mlir::Operation *op, const TensorValue &from,
                                      mlir::RankedTensorType type, StepReport &step);

  mlir::LogicalResult begin(mlir::func::FuncOp main);
  mlir::LogicalResult call(mlir::func::FuncOp main,
                           std::optional<host::KeptTensors::Arguments> unchanged);
  mlir::LogicalResult checkElementTypes(mlir::func::FuncOp main);
  mlir::LogicalResult checkResults(mlir::Block &program);
  mlir::LogicalResult checkStored(mlir::Operation *op, const TensorValue &stored,
                                  const runtime::Coordinates &list);

  //===----------------------------------------------------------------------------------------===//
  // Statements (ExecuteStatements.cpp, ChooseWay.cpp)
  //===----------------------------------------------------------------------------------------===//

  /// Holds what the two ways of a branch have to do (choosesWay): the terms that the first sorts,
  /// or its steps; and the values that the second converts, with its steps, conversions included.
  struct BothWays {
    double terms = 0, steps = 0;
    double values = 0, stepsConverted = 0;
  };
  BothWays bothWays(ta::IfOp op);

  /// A statement's kernel, for the types that its operands had.
  struct Prepared {
    std::vector<mlir::RankedTensorType> types = {}; ///< of the inputs, then of the result
    KernelFacts facts = {};
    std::map<Phase, CompiledKernel> kernels = {}; ///< those that were needed
    KernelArguments arguments = {};
    double work = 0;                        ///< about how many values the last call visited
    double mostWork = 0;                    ///< for so many at most the kernels were compiled
    std::optional<std::string> sweeps = {}; ///< what is told of loops over all values; empty: none
  };
  /// The statement that is computed, with what it reads.
  struct Statement {
    ta::ComputeOp op;
    llvm::DenseMap<mlir::Value, TensorValue> operands;
    TensorValue result;

    mlir::ValueRange inputs() const { return ta::ComputeOp(op).getInputs(); }
    const TensorValue &operand(mlir::Value value) const { return operands.find(value)->second; }
  };
  std::optional<RepeatedStep> repeatedCall(ta::ComputeOp op,
                                           const llvm::DenseMap<mlir::Value, unsigned> &numbers,
                                           Phase phase) const;
  runtime::Result<host::Tensor> computeStatement(Statement &statement);
  mlir::LogicalResult checkStatement(Statement &statement, bool &windowed);
  void note(ta::ComputeOp op, StepReport &step);
  runtime::Status callKernels(Statement &statement, Prepared &ready, llvm::ArrayRef<Phase> phases,
                              llvm::ArrayRef<CompiledKernel> kernels, StepReport &step);
  Prepared &prepare(const Statement &statement, KernelFacts facts);
  runtime::Result<CompiledKernel> kernelFor(const Statement &statement, Phase phase, double work,
                                            Prepared &known, StepReport &step);
  mlir::FailureOr<llvm::SmallVector<Phase>> phasesOf(const Statement &statement,
                                                     StepReport &step) const;
  runtime::Result<TensorValue> resultInPattern(const host::Compute &compute);
  mlir::LogicalResult runPhase(mlir::func::FuncOp main, Phase phase);
  double workOf(const Statement &statement, double flops) const;
  mlir::OwningOpRef<mlir::ModuleOp> outline(const Statement &statement, Prepared &known);
  std::optional<cost::Prediction> predict(const Statement &statement, Prepared &known);
  runtime::Result<TensorValue> resultFor(ta::ComputeOp op, const host::Compute &compute,
                                         host::State &state);
  runtime::Result<host::Tensor> copy(ta::ComputeOp op, const host::Compute &compute,
                                     const TensorValue &from);

  KernelCompiler &compiler;
  RunOptions options;
  /// Of one statement alone a phase may be asked for, its values in a pattern.
  struct {
    mlir::Operation *statement = nullptr;
    Phase phase = Phase::All;
    TensorValue pattern = {};
    bool inPlace = false; ///< the result is the pattern
  } apart;
  llvm::raw_ostream &out;
  bool badSizes = false;

  llvm::DenseMap<mlir::Value, TensorValue> given; ///< arguments of the next run
  std::unique_ptr<OpenProgram> open;
  std::optional<host::Interpreter> interpreter;
  mlir::Operation *current = nullptr; ///< that is being executed
  Stopwatch sinceBegin;               ///< of that
  double packing = 0;                 ///< seconds of it that are counted elsewhere
  double waitedBefore = 0;            ///< seconds that this process had waited for others

  llvm::DenseMap<mlir::Operation *, Prepared> prepared;
  std::optional<Checker> checker;
  std::vector<CheckReport> checked;
  llvm::DenseMap<int64_t, size_t> checkNumbers;
  Steps steps;
  std::vector<PrintedTensor> keptPrints;
};

} // namespace strata

#endif // STRATA_RUN_EXECUTOR_H
