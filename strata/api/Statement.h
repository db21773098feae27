// What a statement's handle is inside.
#ifndef STRATA_API_STATEMENT_H
#define STRATA_API_STATEMENT_H

#include "strata/api/Ranks.h"
#include "strata/run/Executor.h"

struct strata_statement : strata::api::Counted {
  ~strata_statement() override;

  strata::api::Handle<strata_session> session;
  mlir::OwningOpRef<mlir::ModuleOp>
      module;         ///< whose main takes the operands and returns the result
  std::string source; ///< as it was written
  std::vector<std::string> operands;
  std::vector<mlir::RankedTensorType> types; ///< of the operands
  strata::api::Handle<strata_format> result;
  std::vector<strata::api::Handle<strata_machine>>
      machines; ///< those that formats name, and others
  std::string text;
  llvm::raw_string_ostream printed{text};
  std::optional<strata::Executor> executor; ///< keeps the kernels that it has prepared

  /// An earlier run that was calls of kernels and look-ups only: its operands and its steps.
  struct Repeatable {
    std::vector<strata::Executor::RepeatedStep> steps;
    std::vector<std::vector<strata_type>> buffers; ///< of each step's result
    std::vector<bool> looksUpFull; ///< whether the vector of a step's look-ups stores every element
    std::vector<unsigned> returned; ///< the steps that make the results
    std::vector<strata::api::FormatFacts *> results;
    struct Operand {
      mlir::RankedTensorType type;
      std::vector<int64_t> sizes;
      int64_t stored;
    };
    std::vector<Operand> operands;
    /// Operands that must be finite, and that must be finite and nowhere zero: in the second way of
    /// a branch, which was run, their values decide (HeldZeros).
    std::vector<unsigned> factors, divisors;
    double visited = 0;   ///< values, by its repetitions
    bool inPlace = false; ///< the last step computes values in memory that is there
  };
  /// Protects what finds an earlier run: `known`, `optimized` and `planned`. Who holds the
  /// session's turn may take it, not the other way round.
  std::mutex finding;
  /// The last runs for different sizes.
  std::vector<std::shared_ptr<Repeatable>> known;
  bool optimized = false; ///< its kernels, although they have little to do

  /// The pieces of the operands of the last run.
  std::vector<std::weak_ptr<const strata::TensorPieces>> lastPieces;

  /// The program before the passes, if sizes may decide what these make of it; else null.
  mlir::OwningOpRef<mlir::ModuleOp> unplanned;
  bool deterministic = false, scheduled = false;
  /// The same statement planned for such sizes, each rounded up to a power of two.
  std::vector<std::pair<std::vector<int64_t>, strata::api::Handle<strata_statement>>> planned;

  /// Takes the program through the passes, and makes the executor.
  strata_error *plan();
  /// The same for a program that nobody has planned.
  strata_error *planAtFirst(bool sameBits);
  size_t resultCount() const;
  /// Gives each result memory of its own where the passes made one value of several.
  static strata::runtime::Status separate(llvm::SmallVectorImpl<strata::TensorValue> &results);
  /// An error where there is not one result.
  strata_error *refuseSeveral() const;
  /// Lets go of what is kept for further runs.
  void forget();
  /// The statement that is planned for the sizes of these operands: itself where they decide
  /// nothing.
  strata_error *planFor(llvm::ArrayRef<strata_tensor *> tensors, strata_statement *&chosen);
  /// The same statement planned for sizes that are rounded; null if it has not been.
  strata_statement *findPlan(llvm::ArrayRef<int64_t> sizes) const;
  strata_error *checkOperands(llvm::ArrayRef<strata_tensor *> tensors) const;
  /// The run for operands such as these, with about as many entries, for which nothing is to be
  /// decided anew; null if there was none. It counts what the run will visit, and is null, too, if
  /// the kernels have run so long that optimizing them is worth its time, as the next whole run
  /// does.
  std::shared_ptr<Repeatable> findRepeatable(llvm::ArrayRef<strata_tensor *> tensors,
                                             bool inPlace = false);
  /// The same of the statement that is planned for the sizes of the operands.
  std::shared_ptr<Repeatable> findPlannedRepeatable(llvm::ArrayRef<strata_tensor *> tensors);
  /// Does such a run again without a turn, so that several threads do so at once; false if there
  /// was none, or if a step failed, which a whole run will tell. `interrupted`: that is why.
  bool repeatBesideTurns(llvm::ArrayRef<strata_tensor *> tensors, strata_tensor **results,
                         bool &interrupted);
  /// The same for who has the turn. `target`, of a run in place, becomes the result.
  bool repeatInTurn(llvm::ArrayRef<strata_tensor *> tensors, strata_tensor **results,
                    strata_tensor *target = nullptr);
  bool repeatSteps(const Repeatable &run, llvm::ArrayRef<strata_tensor *> tensors,
                   strata_tensor **results, const strata::KernelCompiler::Limits &limits,
                   strata_tensor *target = nullptr) const;
  void remember(llvm::ArrayRef<strata_tensor *> tensors, strata_tensor *const *results,
                bool inPlace = false);
  /// Runs it, and makes `target`, of the same format and of the sizes of the result, the result.
  strata_error *runInto(llvm::ArrayRef<strata_tensor *> tensors, strata_tensor &target);
  /// Lets go of runs, in a turn: machine code is given back in turns. Those that somebody still
  /// repeats are kept until nobody does.
  void retire(std::vector<std::shared_ptr<Repeatable>> &runs);
  /// Gives the executor the operands, and results this width; then it runs as `run` says.
  using Run = llvm::function_ref<mlir::LogicalResult(mlir::func::FuncOp main, uint64_t unchanged)>;
  mlir::LogicalResult compute(llvm::ArrayRef<strata_tensor *> tensors, unsigned width,
                              uint64_t unchanged, Run run);
  /// The same with operands checked, and with the width that they need.
  strata_error *compute(llvm::ArrayRef<strata_tensor *> tensors, Run run, strata_tensor **result);
  /// The same, once, with all ranks of its machines; `width` becomes the largest of theirs, and 0
  /// if another one cannot help.
  strata_error *computeTogether(llvm::ArrayRef<strata_tensor *> tensors, Run run, unsigned &width,
                                strata_tensor **result);
  /// Takes the results of the run that has ended from the executor.
  strata_error *takeResults(std::vector<strata::api::Handle<strata_tensor>> &computed) const;
  std::string description(llvm::ArrayRef<strata_tensor *> tensors) const;
  /// The operands in pieces that are those of the last run, one bit each.
  uint64_t unchangedOperands(llvm::ArrayRef<strata_tensor *> tensors) const;
  void rememberPieces(llvm::ArrayRef<strata_tensor *> tensors);
};

#endif // STRATA_API_STATEMENT_H
