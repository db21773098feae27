// Moves tensors between the cells of machines, and brings cells what they need.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_MOVES_H
#define STRATA_HOST_MOVES_H

#include "strata/host/FetchPlan.h"
#include "strata/host/KeptTensors.h"
#include "strata/host/Observer.h"
#include "strata/host/Provider.h"
#include "strata/runtime/dist/BoxExchange.h"
#include "strata/runtime/dist/ExchangeEntries.h"
#include "strata/runtime/dist/Job.h"
#include "strata/runtime/dist/SortedEntries.h"
#include "strata/runtime/storage/Halo.h"

#include <functional>
#include <map>
#include <tuple>

namespace strata::host {

class ScatterPlan;

/// The part of a dimension that a round has: on each cell a chunk of its coordinates.
struct Window {
  int64_t dim, chunk, rounds, round;
  /// The axes of the machine along which cells have chunks further on, so that no two neighbours
  /// have the same one in a round.
  const std::vector<int64_t> *rotated;

  std::pair<int64_t, int64_t> interval(const runtime::dist::Grid &grid, int64_t cell,
                                       int64_t size) const;
};

/// A tensor of which rounds have parts, as this process has it.
struct WindowSource {
  Tensor from;
  TypeId type;  ///< how a round has it placed
  bool isArray; ///< in boxes, which need no lists
  bool isHere;  ///< each cell has all chunks
  /// Of all but arrays: what this process has, or, where it is here, each of its cells.
  std::vector<runtime::dist::SortedEntries> entries = {};
};

/// An array that is on its way to boxes.
struct BoxMove {
  std::vector<runtime::dist::BoxOfRank> targets; ///< of all cells
  std::vector<Tensor> tensors;                   ///< of this process, with room for what comes
  runtime::dist::BoxTransfer transfer;
};

/// The part of a tensor that is on its way to a round.
struct WindowMove {
  const WindowSource *source;
  std::vector<runtime::dist::BoxOfRank> targets = {}; ///< of all but arrays
  std::optional<BoxMove> boxes = {};
  std::optional<runtime::dist::EntryTransfer> entries = {};

  /// Gives the messages that are under way; null if none are.
  runtime::dist::Channel *channel() {
    return boxes ? boxes->transfer.channel() : entries ? &entries->channel() : nullptr;
  }
};

/// The instructions that are about pieces, of a program that runs. All processes execute them
/// together.
class Moves {
public:
  /// Meets all processes, which is where an error of one is told, and gives the number of each.
  using Meet = std::function<runtime::Result<std::vector<int64_t>>(const std::string &operation,
                                                                   int64_t number)>;
  /// Everything outlives this; `job`, which may change between runs, is null of a process that is
  /// alone. `current` is the instruction that is being executed.
  Moves(const Program &program, Provider &provider, Observer &observer, State &state,
        const std::vector<runtime::dist::Grid> &grids, runtime::dist::Job *const &job, Meet meeting,
        const Instruction *const &current)
      : program(program), provider(provider), observer(observer), state(state), grids(grids),
        job(job), meeting(std::move(meeting)), current(current) {}

  /// A run begins. Of its arguments these are the tensors of the last run, on which all processes
  /// have just agreed; nothing: what is moved is not kept for another one.
  void begin(std::optional<KeptTensors::Arguments> unchanged) {
    kept.begin(program, state, unchanged);
    together = unchanged.has_value();
  }
  /// Tells whether all processes have met, and none has done since what can fail in it alone: they
  /// need not meet again before they send each other something.
  bool areTogether() const { return together; }
  /// Says that what is executed next can fail in this process alone.
  void part() { together = false; }
  runtime::Status execute(const Move &move);
  runtime::Status execute(const Needs &needs);
  runtime::Status execute(const ReachList &reach);
  runtime::Status execute(const Fetch &fetch);
  runtime::Status execute(const Scatter &scatter);
  /// A list becomes a tensor in pieces. It is all of the tensor, in each process, or what this one
  /// has: the entries of processes follow each other. The element `fill` stands for what the lists
  /// do not hold; zero does, if that has no bytes.
  runtime::Status place(runtime::Coordinates list, bool isPart, TensorId to, TypeId type,
                        std::span<const char> fill, const std::string &operation);
  /// The same of a tensor that each process has whole.
  runtime::Status place(const Tensor &whole, TensorId to, TypeId type,
                        const std::string &operation);
  /// The same, without a look for what is kept of an earlier execution.
  runtime::Status bringPlaced(const Move &move);
  /// Entries of a tensor in pieces, sorted: those of a process come behind those of the processes
  /// before it.
  runtime::Result<runtime::Coordinates> sortedAcross(const Tensor &tensor,
                                                     const std::string &operation);
  /// A tensor, in pieces or whole, of which rounds have parts in a dimension.
  runtime::Result<WindowSource> windowSource(const Tensor &from, TypeId type, int64_t dim);
  /// Sends the part of it that a round has, and waits for it. The source outlives the move.
  runtime::Result<WindowMove> beginWindow(const WindowSource &source, const Window &window,
                                          const std::string &operation);
  runtime::Result<Tensor> finishWindow(WindowMove move);
  /// Chooses the memory of the piece that a cell of this process is to compute, of these sizes:
  /// with as much room around it as readers of earlier ones would have needed.
  void allocateWithHalo(const Distribute &cells, size_t own, TensorId piece,
                        const std::vector<int64_t> &sizes);
  /// How many bytes this process has sent to others so far.
  int64_t sentBytes() const;
  /// Tells the observer what each process has sent since then.
  runtime::Status tellMoved(int64_t sentBefore, const std::string &operation);
  /// The cells of this process, and their boxes, of a tensor of these sizes that is cut by
  /// coordinates.
  runtime::Result<std::shared_ptr<Pieces>> emptyPieces(TypeId type,
                                                       const std::vector<int64_t> &sizes) const;

private:
  runtime::Result<std::vector<int64_t>> meet(const std::string &operation, int64_t number = 0) {
    return meeting(operation, number);
  }
  /// Meets all before they send what a plan says, and gives the bytes of each; nobody where it is
  /// known that none sends anything. `plan` is null if it is to be made.
  template <typename Plan>
  runtime::Result<std::vector<int64_t>> meetToSend(const std::string &operation, Plan *plan) {
    if (plan && (plan->sentByAll.areNone() || (together && plan->sentByAll.areKnown())))
      return plan->sentByAll.ofAll;
    runtime::Result<std::vector<int64_t>> bytes = meet(operation, plan ? plan->sentBytes() : 0);
    if (plan && bytes)
      plan->sentByAll.ofAll = *bytes;
    return bytes;
  }
  runtime::Status once(const void *instruction, std::span<const TensorId> from, TensorId to,
                       const std::function<runtime::Status()> &make);

  // Pieces.cpp
  static bool storesAll(const TensorType &type); // in a place for everything
  struct CellBox {
    runtime::dist::Box box;
    bool isFirst; // no cell before has the same
  };
  runtime::Result<std::vector<CellBox>> boxesOf(TypeId type, const std::vector<int64_t> &sizes,
                                                int64_t first, int64_t last) const;
  runtime::Result<std::vector<CellBox>> boxesOf(TypeId type, // of all cells
                                                const std::vector<int64_t> &sizes) const;
  bool share(const Move &move);
  bool isInPlace(const Pieces &before, const Pieces &after, TypeId wanted) const;
  runtime::Result<Tensor> inWidths(const Pieces::Piece &piece, TypeId wanted, bool isCopied);
  runtime::Result<bool> stay(const Move &move, const std::string &operation);
  static bool cutsSlices(const TensorType &type);
  bool hasSlicesFor(const Tensor &tensor, TypeId type) const;
  runtime::Status keepSlices(const Tensor &from, TensorId to, TypeId type);
  bool gathersRows(const Move &move) const;
  runtime::Status gatherRows(const Move &move, const std::string &operation);
  runtime::Status dropFills(runtime::Coordinates &list, TypeId from, TypeId to) const;
  runtime::Status bring(runtime::Coordinates own, TensorId to, TypeId type,
                        const std::string &operation);
  runtime::Result<runtime::Coordinates> entriesOfPieces(const Tensor &tensor);
  runtime::Result<Tensor> piecesOf(runtime::Coordinates list, bool isOwn,
                                   const runtime::dist::StoredNumbers &numbers, TypeId type,
                                   std::span<const char> fill);
  runtime::Result<Tensor> movePieces(runtime::Coordinates own, TypeId type,
                                     std::span<const char> fill, const std::string &operation);
  runtime::Result<runtime::Coordinates> gatherPieces(runtime::Coordinates own,
                                                     const std::string &operation);

  // Needs.cpp: memory of arrays in pieces
  /// An instruction that makes pieces, a cell of this process, and the bytes of its piece.
  using MakerKey = std::tuple<const void *, size_t, int64_t>;
  std::optional<MakerKey> makerKey(const void *instruction, size_t own, TypeId type,
                                   const std::vector<int64_t> &sizes) const;
  strata_allocator allocatorBy(const MakerKey &key);
  strata_allocator allocatorForMoved(size_t own, TypeId type, const std::vector<int64_t> &sizes);

  // Boxes.cpp
  bool hasBoxes(TypeId type) const;
  runtime::Result<std::vector<runtime::dist::BoxOfRank>>
  allBoxes(TypeId type, const std::vector<int64_t> &sizes, const Window *window = nullptr) const;
  runtime::dist::BoxArray arrayOf(const Tensor &tensor) const;
  runtime::Result<BoxMove> beginBoxes(const Tensor &from, TypeId type, const Window *window,
                                      const std::string &operation);
  runtime::Result<Tensor> finishBoxes(BoxMove move, TypeId type, const std::vector<int64_t> &sizes);
  runtime::Result<Tensor> moveBoxes(const Tensor &from, TypeId type, const std::string &operation);
  bool isPlacedLike(const Tensor &from, TypeId type) const;
  runtime::Result<runtime::Coordinates> entriesOfPiece(const Tensor &tensor,
                                                       const Pieces::Piece &piece);
  runtime::Result<runtime::dist::EntryTransfer>
  sendToTargets(const runtime::dist::SortedEntries &own,
                const std::vector<runtime::dist::BoxOfRank> &targets, const std::string &operation);
  runtime::Result<Tensor> packBox(const runtime::dist::SortedEntries &from,
                                  std::span<const int64_t> chosen, const runtime::dist::Box &box,
                                  TypeId type);
  runtime::Result<Tensor> assembled(TypeId type, const std::vector<int64_t> &sizes,
                                    const std::vector<runtime::dist::BoxOfRank> &boxes,
                                    std::vector<Tensor> tensors) const;

  // Needs.cpp
  runtime::Status list(const Needs &needs);
  runtime::Result<Tensor> listPiece(TypeId type, std::span<const int64_t> list);
  runtime::Status bring(const Fetch &fetch);
  runtime::Result<std::vector<int64_t>> coordinatesOf(const Tensor &piece, int64_t dim);
  runtime::Result<std::vector<int64_t>> coordinatesOf(const Needs &needs, size_t own);
  size_t ownCells(const Fetch &fetch) const;
  std::vector<CoordinateList> needListsOf(const std::vector<TensorId> &tensors, size_t own) const;
  DenseRows rowsOf(const Tensor &tensor, int64_t dim) const;
  std::vector<DenseRows> rowsOf(std::span<const Tensor> tensors, int64_t dim) const;
  runtime::Result<Tensor> roomFor(const Fetch &fetch, std::vector<int64_t> sizes);
  runtime::Result<Tensor> inPlace(const Fetch &fetch, const FetchPlan::InPlace &rows,
                                  const Tensor &piece, std::vector<int64_t> sizes);
  runtime::Result<Tensor> filledPiece(const Fetch &fetch, FetchPlan &plan, size_t cell,
                                      CoordinateList list, std::vector<int64_t> sizes,
                                      std::span<const Tensor> pieces,
                                      std::span<const DenseRows> rowsOfPieces);
  runtime::Result<Tensor> packListed(const Fetch &fetch, const runtime::Coordinates &entries,
                                     const std::vector<int64_t> &first, size_t own);
  runtime::Result<Tensor> fetchPiece(const Fetch &fetch, const Tensor &from,
                                     const std::vector<int64_t> &first, size_t own);
  runtime::Result<Tensor> renumberedPiece(const Fetch &fetch, const Tensor &from,
                                          const std::vector<int64_t> &first, size_t own);
  runtime::Result<std::vector<Tensor>> fetchHere(const Fetch &fetch);
  runtime::Result<FetchPlan> makePlan(const Fetch &fetch, const std::string &operation) const;
  runtime::Result<std::vector<Tensor>> fetchRows(const Fetch &fetch, FetchPlan &plan);
  runtime::Result<std::vector<Tensor>> fetchEntries(const Fetch &fetch, const FetchPlan &plan,
                                                    runtime::Coordinates entries,
                                                    const std::string &operation);
  runtime::Result<std::vector<Tensor>> fetchFromCells(const Fetch &fetch);

  // Scatter.cpp
  bool scattersRows(const Scatter &scatter) const;
  runtime::Status scatterRows(const Scatter &scatter, const std::string &operation);
  runtime::Result<ScatterPlan> makePlan(const Scatter &scatter, const Pieces &homes,
                                        const std::string &operation);
  runtime::Result<runtime::Coordinates> scatteredEntries(const Scatter &scatter);
  runtime::Result<Tensor> pieceLike(const Scatter &scatter, const Tensor &model,
                                    const runtime::dist::Box &box, size_t own);
  runtime::Status scatterLike(const Scatter &scatter);
  runtime::Result<Tensor> pieceInto(const Scatter &scatter, const Pieces::Piece &into, size_t own);
  runtime::Status scatterInto(const Scatter &scatter);

  const Program &program;
  Provider &provider;
  Observer &observer;
  State &state;
  const std::vector<runtime::dist::Grid> &grids; // of the program's machines
  runtime::dist::Job *const &job;
  Meet meeting;
  const Instruction *const &current;
  KeptTensors kept;
  bool together = false;
  std::map<const Fetch *, std::shared_ptr<FetchPlan>> plans; // kept for the next execution
  std::map<const Scatter *, std::shared_ptr<ScatterPlan>> scatterPlans; // the same
  std::map<MakerKey, runtime::HaloMaker *> makers; ///< null after a move that may be the only one
  int64_t copiedBytes = 0; ///< into the pieces of the fetch that is executed
};

} // namespace strata::host

#endif // STRATA_HOST_MOVES_H
