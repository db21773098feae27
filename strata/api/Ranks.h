// The objects behind the handles of ranks and machines, and what ranks compute together.
#ifndef STRATA_API_RANKS_H
#define STRATA_API_RANKS_H

#include "strata/api/Handles.h"
#include "strata/frontend/Program.h"
#include "strata/runtime/dist/Job.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <optional>

struct strata_ranks : strata::api::Counted {
  strata::api::Handle<strata_session> session;
  std::unique_ptr<strata::runtime::dist::World> world; ///< null: this process is alone
  std::string library = "none";                        ///< that carries messages
  int32_t rank = 0, size = 1;
  bool closed = false;
  /// Those that keep messages for further runs, which end before the world does.
  llvm::SmallPtrSet<strata_statement *, 4> statements;
};

struct strata_machine : strata::api::Counted {
  strata::api::Handle<strata_ranks> ranks;
  std::string name;
  std::vector<int64_t> cells; ///< of each axis

  strata::frontend::Machine declaration() const;
  /// Tells whether both have the same cells, of the same ranks.
  bool hasCellsOf(const strata_machine &other) const {
    return cells == other.cells && ranks.get() == other.ranks.get();
  }
};

namespace strata::api {

/// Ranks of which this process is the only one.
Handle<strata_ranks> aloneIn(strata_session &session);

/// Joins the ranks for a call that each of them makes. An error of one is an error of all.
class Together {
public:
  /// Of null this process is alone.
  explicit Together(strata_ranks *ranks);

  /// Null where this process is alone.
  runtime::dist::Job *job() { return joined ? &*joined : nullptr; }
  /// Compares `what` this rank is about to do with what the others are.
  strata_error *agree(llvm::StringRef what);
  /// The same; gives the largest of the widths that the ranks have, and the bits that all have.
  strata_error *agree(llvm::StringRef what, unsigned &width, uint64_t &bits);
  /// Ends it. Takes the error of this rank, and gives that which the caller gets: its own, or one
  /// that tells of another rank's.
  strata_error *end(strata_error *own);
  /// The kind of the error with which it has ended, on any rank; `own` is what `end` gave.
  int32_t kindOf(const strata_error &own) const;

private:
  strata_error *errorOf(const runtime::Status &status) const;

  strata_ranks *ranks;
  std::optional<runtime::dist::Job> joined;
};

/// The machine of this name; null if there is none.
strata_machine *findMachine(llvm::ArrayRef<Handle<strata_machine>> machines, llvm::StringRef name);
/// Adds a machine to a list, once. Those of a computation have the same ranks, and names of their
/// own.
strata_error *addMachine(std::vector<Handle<strata_machine>> &machines, strata_machine *machine);
/// The ranks of these machines; null if there are none.
strata_ranks *ranksOf(llvm::ArrayRef<Handle<strata_machine>> machines);

/// An error about a tensor in pieces, where only one that each process has whole will do.
strata_error *refusePieces(const strata_tensor &tensor);
/// The same about a format that names a machine.
strata_error *refusePlaces(const strata_format &format);

} // namespace strata::api

#endif // STRATA_API_RANKS_H
