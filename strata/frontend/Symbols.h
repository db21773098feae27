// The names of a program and what they stand for.
#ifndef STRATA_FRONTEND_SYMBOLS_H
#define STRATA_FRONTEND_SYMBOLS_H

#include "strata/frontend/Program.h"

#include "llvm/ADT/StringMap.h"

namespace strata::frontend {

using LabelId = unsigned;

/// A label, or a size written without one. A label with a range selects coordinates of the
/// tensors it is used on, except those that were declared with it or with another one of that
/// range.
struct Label {
  std::string name;
  llvm::SMRange range;
  bool selects = false; // written with a colon
  int64_t lo = 0, step = 1;
  std::optional<int64_t> size; // the number of coordinates; absent for `?`
  std::string parameter = {};  // that gives the size when the program runs; empty: none
  std::string sizeFrom;        // what gave it that, for messages: "-d"; empty: its declaration
  bool faulty = false;         // its range was refused
  /// The dimensions that were declared with it.
  std::vector<std::pair<TensorId, unsigned>> dimensions;

  /// Whether both are declared with one range.
  bool hasRangeOf(const Label &other) const {
    return selects == other.selects && lo == other.lo && step == other.step && size == other.size;
  }
  /// Is its size its own, instead of that of the dimensions that were declared with it?
  bool hasSize() const { return size || !parameter.empty(); }
  /// Its own size.
  SizeSource source() const {
    std::string from = sizeFrom.empty() ? "label " + name : sizeFrom;
    return {size, 0, 0, parameter.empty() ? from : "-D " + parameter, parameter};
  }
};

/// A name for a part of a tensor. Writing to it writes to the tensor.
struct View {
  TensorId base = 0;
  struct Dimension {
    unsigned baseDimension = 0;
    int64_t lo = 0, step = 1;
    bool window = false;
    LabelId label = 0;
  };
  std::vector<Dimension> dimensions;
};

/// What analysis knows about a tensor besides what the program needs.
struct TensorState {
  bool hasValue = false;
  /// Its sizes came from a file (or a generator), not from other tensors.
  bool isSource = false;
  bool typeIsOpen = false;     // a scalar before its first value
  bool isPromoted = false;     // then it has the type of the operands, not that of computing
  bool isCounter = false;      // a loop's variable, which the program cannot assign
  std::vector<LabelId> labels; // one for each dimension
  /// Where it was made a copy of a part of a tensor, until it is assigned again; invalid: nowhere.
  llvm::SMRange copiesPart;
};

struct Symbol {
  enum class Kind { Label, Tensor, View };
  Kind kind = Kind::Label;
  unsigned id = 0;
  llvm::SMRange range;
};

/// The names of one function, or of a block in it, which sees those around it.
class Scope {
public:
  explicit Scope(const Scope *parent = nullptr) : parent(parent) {}

  const Symbol *find(llvm::StringRef name) const;
  /// False if the name is taken, here or around.
  bool declare(llvm::StringRef name, Symbol symbol);
  /// All names of that kind, sorted.
  std::vector<llvm::StringRef> names(Symbol::Kind kind) const;
  std::vector<llvm::StringRef> names() const;

private:
  const Scope *parent;
  llvm::StringMap<Symbol> symbols;
};

} // namespace strata::frontend

#endif // STRATA_FRONTEND_SYMBOLS_H
