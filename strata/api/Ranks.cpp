// Ranks and machines as handles; what ranks compute together.
#include "strata/api/Statement.h"

#include "strata/frontend/ErrorCodes.h"
#include "strata/frontend/Sema.h"
#include "strata/runtime/Counted.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstdio>

using namespace strata;
using namespace strata::api;
using strata::runtime::Result;
using strata::runtime::dist::Job;
using strata::runtime::dist::World;

//===------------------------------------------------------------------------------------------===//
// Ranks
//===------------------------------------------------------------------------------------------===//

// Returns what other ranks are told of an error: its code goes with the message.
static std::string withMark(const strata_error &error) {
  return error.mistake.empty() ? error.message : error.message + " [" + error.mistake + "]";
}

// Makes an error in the words of somebody else, behind which its code may stand.
static strata_error *saidByOthers(strata_error_code kind, llvm::StringRef text) {
  return makeError(kind, Mistake::of(text, runtime::Error::Communication),
                   frontend::splitCode(text).first);
}

strata_error *strata_ranks_create(strata_session *session, const void *communicator,
                                  double deadline, strata_ranks **ranks) {
  Turn turn(session->turn);
  if (!(deadline >= 0))
    return makeError(STRATA_ERROR_ARGUMENT, Refusal::Argument,
                     "a deadline is a number of seconds; 0: there is none");
  Handle<strata_ranks> made = aloneIn(*session);
  if (communicator || runtime::dist::hasOthers()) {
    auto note = [](const std::string &text) {
      fprintf(stderr, "strata: note: %s\n", text.c_str());
    };
    Result<std::unique_ptr<World>> world = World::open(
        {.communicator = communicator, .patience = {.deadline = deadline, .note = note}});
    if (!world)
      return makeError(STRATA_ERROR_RANKS, world.error());
    made->library = (*world)->library();
    made->rank = (*world)->rank();
    made->size = (*world)->size();
    made->world = std::move(*world);
  }
  *ranks = made.release();
  return nullptr;
}

strata_ranks *strata_ranks_retain(strata_ranks *ranks) {
  ranks->retain();
  return ranks;
}

void strata_ranks_release(strata_ranks *ranks) {
  if (!ranks)
    return;
  Handle<strata_session> session = ranks->session;
  ranks->release();
}

strata_error *strata_ranks_close(strata_ranks *ranks) {
  Turn turn(ranks->session->turn);
  ranks->closed = true;
  for (strata_statement *statement : ranks->statements)
    statement->forget();
  std::unique_ptr<World> world = std::move(ranks->world);
  if (!world || world->isLost())
    return nullptr;
  runtime::Status closed = world->close();
  return closed.ok() ? nullptr : makeError(STRATA_ERROR_RANKS, closed.error());
}

strata_error *strata_ranks_settle(strata_ranks *ranks, int32_t kind, const char *message) {
  Turn turn(ranks->session->turn);
  Together together(ranks);
  strata_error *own = kind ? saidByOthers(strata_error_code(kind), message) : together.agree("");
  strata_error *error = together.end(own);
  if (error != own || !kind)
    return error;
  strata_error_free(own);
  return nullptr;
}

int32_t strata_ranks_rank(const strata_ranks *ranks) { return ranks->rank; }
int32_t strata_ranks_size(const strata_ranks *ranks) { return ranks->size; }
const char *strata_ranks_library(const strata_ranks *ranks) { return ranks->library.c_str(); }

int64_t strata_ranks_sent(const strata_ranks *ranks) {
  Turn turn(ranks->session->turn);
  return ranks->world ? ranks->world->passed().bytes : 0;
}

//===------------------------------------------------------------------------------------------===//
// Machines
//===------------------------------------------------------------------------------------------===//

static bool isIdentifier(llvm::StringRef text) {
  return !text.empty() && !llvm::isDigit(text.front()) &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

strata_error *strata_machine_create(strata_ranks *ranks, const char *name, const int64_t *cells,
                                    int32_t axes, strata_machine **machine) {
  constexpr int32_t mostAxes = 8;
  constexpr int64_t mostCells = int64_t(1) << 24;
  if (!isIdentifier(name))
    return makeError(STRATA_ERROR_ARGUMENT, Refusal::Machine,
                     "'" + llvm::Twine(name) + "' cannot be the name of a machine",
                     "letters, digits and underscores, as in M or nodes_2");
  if (axes < 1 || axes > mostAxes)
    return makeError(
        STRATA_ERROR_ARGUMENT, runtime::Error::Cells,
        llvm::formatv("a machine has from 1 to {0} axes, not {1}", mostAxes, axes).str());
  auto made = Handle<strata_machine>::adopt(new strata_machine);
  made->ranks = Handle<strata_ranks>(ranks);
  made->name = name;
  int64_t all = 1;
  for (int64_t count : llvm::ArrayRef(cells, size_t(axes))) {
    if (count < 0)
      return makeError(STRATA_ERROR_ARGUMENT, runtime::Error::Cells,
                       llvm::formatv("an axis cannot have {0} cells", count).str());
    if (__builtin_mul_overflow(all, std::max<int64_t>(count, 1), &all) || all > mostCells)
      return makeError(STRATA_ERROR_ARGUMENT, runtime::Error::Cells,
                       llvm::formatv("a machine has at most {0} cells", mostCells).str());
  }
  // Cells of 0 are as many as the ranks leave.
  made->cells = runtime::dist::Grid({cells, cells + axes}, ranks->size).axes();
  *machine = made.release();
  return nullptr;
}

strata_machine *strata_machine_retain(strata_machine *machine) {
  machine->retain();
  return machine;
}

void strata_machine_release(strata_machine *machine) {
  if (!machine)
    return;
  Handle<strata_session> session = machine->ranks->session;
  machine->release();
}

const char *strata_machine_name(const strata_machine *machine) { return machine->name.c_str(); }
int32_t strata_machine_axes(const strata_machine *machine) {
  return int32_t(machine->cells.size());
}
const int64_t *strata_machine_cells(const strata_machine *machine) { return machine->cells.data(); }
strata_ranks *strata_machine_ranks(const strata_machine *machine) { return machine->ranks.get(); }

frontend::Machine strata_machine::declaration() const {
  frontend::Machine machine{name, {}};
  for (auto [axis, count] : llvm::enumerate(cells))
    machine.axes.push_back({frontend::axisName(axis), count});
  return machine;
}

namespace strata::api {

Handle<strata_ranks> aloneIn(strata_session &session) {
  auto ranks = Handle<strata_ranks>::adopt(new strata_ranks);
  ranks->session = Handle<strata_session>(&session);
  return ranks;
}

strata_machine *findMachine(llvm::ArrayRef<Handle<strata_machine>> machines, llvm::StringRef name) {
  for (const Handle<strata_machine> &machine : machines)
    if (machine->name == name)
      return machine.get();
  return nullptr;
}

strata_error *addMachine(std::vector<Handle<strata_machine>> &machines, strata_machine *machine) {
  if (!machine)
    return nullptr;
  if (strata_machine *known = findMachine(machines, machine->name)) {
    if (known->hasCellsOf(*machine))
      return nullptr;
    return makeError(STRATA_ERROR_ARGUMENT, Refusal::Machine,
                     "two machines are called '" + machine->name + "'",
                     "another name for one of them");
  }
  if (!machines.empty() && machines.front()->ranks.get() != machine->ranks.get())
    return makeError(STRATA_ERROR_ARGUMENT, Refusal::Machine,
                     "the machines '" + machines.front()->name + "' and '" + machine->name +
                         "' have different ranks");
  machines.emplace_back(machine);
  return nullptr;
}

strata_ranks *ranksOf(llvm::ArrayRef<Handle<strata_machine>> machines) {
  return machines.empty() ? nullptr : machines.front()->ranks.get();
}

//===------------------------------------------------------------------------------------------===//
// Calls that they make together
//===------------------------------------------------------------------------------------------===//

Together::Together(strata_ranks *ranks) : ranks(ranks) {
  if (ranks && ranks->world)
    joined.emplace(*ranks->world);
}

strata_error *Together::errorOf(const runtime::Status &status) const {
  return status.ok() ? nullptr : makeError(STRATA_ERROR_RANKS, status.error());
}

strata_error *Together::agree(llvm::StringRef what) {
  unsigned width = 0;
  uint64_t bits = 0;
  return agree(what, width, bits);
}

strata_error *Together::agree(llvm::StringRef what, unsigned &width, uint64_t &bits) {
  if (ranks && ranks->closed)
    return makeError(STRATA_ERROR_RANKS, Refusal::Machine,
                     "the ranks of the machine have been closed");
  if (!joined)
    return nullptr;
  Result<std::vector<std::array<int64_t, 2>>> brought =
      joined->agree({"what it is to compute", what}, {int64_t(width), int64_t(bits)});
  if (!brought)
    return errorOf(brought.takeStatus());
  for (const auto &[otherWidth, otherBits] : *brought) {
    width = std::max(width, unsigned(otherWidth));
    bits &= uint64_t(otherBits);
  }
  return nullptr;
}

strata_error *Together::end(strata_error *own) {
  if (!joined)
    return own;
  World &world = joined->processes();
  runtime::Status status;
  if (!world.isLost() && !joined->failure())
    status = own ? joined->fail(own->kind, withMark(*own)) : joined->end();
  const std::optional<runtime::dist::Failure> &failure = joined->failure();
  if (failure && !llvm::is_contained(failure->ranks, joined->rank())) {
    strata_error_free(own);
    return saidByOthers(STRATA_ERROR_RANKS, joined->placeOfFailure() + ": " + failure->text);
  }
  if (own || status.ok() || status.error().shown)
    return own;
  return errorOf(status);
}

int32_t Together::kindOf(const strata_error &own) const {
  return joined && joined->failure() ? joined->failure()->code : int32_t(own.kind);
}

strata_error *refusePieces(const strata_tensor &tensor) {
  if (!tensor.value.pieces)
    return nullptr;
  return makeError(STRATA_ERROR_UNSUPPORTED, Refusal::Pieces,
                   "the tensor is in pieces on machine '" + tensor.machine->name + "'",
                   "a piece of it, or all of it on each rank (strata_tensor_place; in Python "
                   "gather())");
}

strata_error *refusePlaces(const strata_format &format) {
  if (format.facts->machine.empty())
    return nullptr;
  return makeError(
      STRATA_ERROR_FORMAT, Refusal::Pieces,
      "the format " + format.name() + " is one of pieces, which are not made like this",
      "a format without places; strata_tensor_place (in Python asformat) then brings the "
      "tensor onto a machine");
}

} // namespace strata::api
