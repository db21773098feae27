// A program as data: what is done beside its kernels, in the order in which it is done.
//
// Each operation of the ta dialect's host program has an instruction of the same name. Tensors and
// sizes (booleans among them) are numbered; an instruction names those that it reads and, by `to`,
// the one that it gives a value. Formats, kernels and the choice of conversions are decided: what
// depends on data alone is left to the run.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_PROGRAM_H
#define STRATA_HOST_PROGRAM_H

#include "strata/host/Divide.h"
#include "strata/host/Reindex.h"
#include "strata/host/Scalars.h"
#include "strata/host/StorageText.h"
#include "strata/host/StoredFormat.h"
#include "strata/runtime/dist/Placement.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace strata::host {

/// The number of a tensor, of a size, of a type, or of a kernel in the program's table; -1: none.
using TensorId = int64_t;
using SizeId = int64_t;
using TypeId = int64_t;
using KernelId = int64_t;

/// The kernels that bring one storage from and to a list of its entries.
struct ListKernels {
  KernelId pack = -1;     ///< from a list that is silent about zeros, sorted by the levels
  KernelId packFill = -1; ///< from one that is silent about what the format does not store
  KernelId unpack = -1;
  bool packKeepsValues = false, packFillKeepsValues = false; ///< as Packer::Copy::keepsValues
  bool unpackLeavesFills = false;                            ///< as ListKernel::leavesFills

  template <typename A> void fields(A &a) {
    a(pack, packFill, unpack, packKeepsValues, packFillKeepsValues, unpackLeavesFills);
  }
};

/// A grid of cells, over which tensors are distributed.
struct Machine {
  struct Axis {
    std::string name, parameter; ///< that gives its cells; empty: none
    int64_t cells = 0;           ///< 0: as many as there are ranks for
    template <typename A> void fields(A &a) { a(name, parameter, cells); }
  };
  std::string name; ///< a parameter of this name gives the cells of all axes: "2x3"
  std::vector<Axis> axes;
  template <typename A> void fields(A &a) { a(name, axes); }
};

/// How a tensor is stored: by one storage, or by several whose sum it is; in pieces, if it is
/// placed on a machine.
struct TensorType {
  std::vector<StoredFormat> parts;
  std::vector<Division> divisions;  ///< of all parts but the last
  std::vector<ListKernels> kernels; ///< of each part
  std::vector<int64_t> sizes;       ///< that are declared; -1 where any is right
  int64_t machine = -1;             ///< the number of its machine; -1: it is whole
  runtime::dist::Places places = {};
  TypeId piece = -1; ///< of a tensor in pieces

  bool isSum() const { return parts.size() > 1; }
  /// The dimension that the only axis of its machine cuts by coordinates; -1 if that is not all.
  int64_t dimensionCut() const {
    using Kind = runtime::dist::Place::Kind;
    const bool isOne =
        places.size() == 1 && places.front().kind == Kind::Share && places.front().dims.size() == 1;
    return isOne ? places.front().dims.front() : -1;
  }
  template <typename A> void fields(A &a) {
    a(parts, divisions, kernels, sizes, machine, places, piece);
  }
};

/// A file's name, or the parameter that gives it when the program runs.
struct FileName {
  std::string name, parameter;
  template <typename A> void fields(A &a) { a(name, parameter); }
};

//===------------------------------------------------------------------------------------------===//
// Instructions
//===------------------------------------------------------------------------------------------===//

struct Instruction;
struct Instructions {
  std::vector<Instruction> list;
  template <typename A> void fields(A &a) { a(list); }
};

struct Read {
  TensorId to;
  TypeId type;
  FileName file;
  int64_t part;
  bool comet;
  std::vector<std::string> sizes; ///< parameters that dimensions must agree with; empty: none
  template <typename A> void fields(A &a) { a(to, type, file, part, comet, sizes); }
};
/// A size, or a scalar, that is given when the program runs.
struct Parameter {
  TensorId to; ///< -1: a size
  TypeId type;
  SizeId size; ///< -1: a scalar
  std::string name;
  template <typename A> void fields(A &a) { a(to, type, size, name); }
};
struct Fill {
  TensorId to;
  TypeId type;
  std::vector<SizeId> sizes;
  std::vector<char> element; ///< of a full format; empty: nothing is stored
  template <typename A> void fields(A &a) { a(to, type, sizes, element); }
};
struct Random {
  TensorId to;
  TypeId type;
  std::vector<SizeId> sizes;
  double density;
  int64_t seed;
  template <typename A> void fields(A &a) { a(to, type, sizes, density, seed); }
};
struct Stencil {
  TensorId to;
  TypeId type;
  int64_t points;
  template <typename A> void fields(A &a) { a(to, type, points); }
};
struct Iota {
  TensorId to;
  TypeId type;
  int64_t first, step;
  SizeId size;
  template <typename A> void fields(A &a) { a(to, type, first, step, size); }
};
struct Constant {
  TensorId to;
  TypeId type;
  std::vector<int64_t> sizes, coordinates; ///< of the entries, dimension by dimension
  std::vector<char> elements;
  template <typename A> void fields(A &a) { a(to, type, sizes, coordinates, elements); }
};
struct OneHot {
  TensorId to;
  TypeId type;
  TensorId from;
  int64_t fill;
  SizeId size;
  std::string name;
  template <typename A> void fields(A &a) { a(to, type, from, fill, size, name); }
};
struct Inside {
  TensorId to;
  TypeId type;
  Affine coordinate;
  std::vector<SizeId> extents;
  SizeId size;
  template <typename A> void fields(A &a) { a(to, type, coordinate, extents, size); }
};
struct DenseAlgebra {
  TensorId to;
  TypeId type;
  std::string function;
  std::vector<TensorId> tensors;
  std::vector<SizeId> sizes; ///< of the result
  template <typename A> void fields(A &a) { a(to, type, function, tensors, sizes); }
};
struct Concat {
  TensorId to;
  TypeId type;
  int64_t dim;
  std::vector<TensorId> tensors;
  std::vector<char> fill; ///< the element that no operand stores; empty: zero
  template <typename A> void fields(A &a) { a(to, type, dim, tensors, fill); }
};
struct LexiOrder {
  TensorId to;
  TypeId type;
  TensorId from;
  int64_t dim;            ///< whose order is wanted; -1: the tensor in that of all dimensions
  std::vector<char> fill; ///< the element that the tensor does not store; empty: zero
  template <typename A> void fields(A &a) { a(to, type, from, dim, fill); }
};
/// How the slots of a result are counted before it is filled.
struct CountedSlots {
  KernelId kernel = -1; ///< counts the entries at each place of these dimensions; -1: none
  std::vector<int64_t> dimensions; ///< of the tensor that is converted
  int64_t buffer = -1;             ///< of the result, which keeps the number of slots
  template <typename A> void fields(A &a) { a(kernel, dimensions, buffer); }
};
struct Convert {
  TensorId to;
  TypeId type;
  TensorId from;
  KernelId kernel;           ///< -1: by way of a list
  CountedSlots slots;        ///< of a result that has some
  std::vector<SizeId> sizes; ///< that both have; empty: any
  template <typename A> void fields(A &a) { a(to, type, from, kernel, slots, sizes); }
};
/// The same tensor in other pieces, or whole; its format may be another one, too.
struct Move {
  TensorId to;
  TypeId type;
  TensorId from;
  template <typename A> void fields(A &a) { a(to, type, from); }
};
/// For each cell the coordinates at which its pieces of some tensors store something.
struct Needs {
  TensorId to;
  TypeId type;
  std::vector<TensorId> tensors;
  std::vector<int64_t> dims; ///< of each tensor: that of the coordinates
  template <typename A> void fields(A &a) { a(to, type, tensors, dims); }
};
/// For each cell the coordinates of a dimension of `size` that its values of a label reach: the
/// value v those in [v + first, v + first + width). They are as many as the cell has of the values
/// in [0, extent), where v stands for v + shift of the `cut` coordinates that an axis cuts.
struct ReachList {
  TensorId to;
  TypeId type;
  SizeId extent, cut;
  int64_t axis, shift;
  SizeId size;
  int64_t first, width;
  template <typename A> void fields(A &a) {
    a(to, type, extent, cut, axis, shift, size, first, width);
  }
};
/// What cells need of a tensor: at the coordinates of lists, which are numbered in their order.
struct Fetch {
  TensorId to;
  TypeId type;
  TensorId from;
  std::vector<int64_t> dims;
  std::vector<TensorId> lists; ///< one for each of the dimensions
  bool comesFromCells;         ///< and does not lie where it is needed
  template <typename A> void fields(A &a) { a(to, type, from, dims, lists, comesFromCells); }
};
/// What cells have at the coordinates of lists, at these coordinates.
struct Scatter {
  TensorId to;
  TypeId type;
  TensorId from;
  std::vector<int64_t> dims;
  std::vector<TensorId> lists; ///< one for each of the dimensions
  TensorId like = -1;          ///< everything stays, as the entries of this tensor
  TensorId into = -1;          ///< everything stays, and replaces a part of this tensor's pieces
  template <typename A> void fields(A &a) { a(to, type, from, dims, lists, like, into); }
};
struct Component {
  TensorId to;
  TypeId type;
  TensorId from;
  int64_t number;
  template <typename A> void fields(A &a) { a(to, type, from, number); }
};
/// The values that a tensor stores, or one of the storages whose sum it is, as a vector. Nothing is
/// copied.
struct Values {
  TensorId to;
  TypeId type;
  TensorId from;
  int64_t part; ///< of a sum; else 0
  template <typename A> void fields(A &a) { a(to, type, from, part); }
};
/// A tensor that stores other values where another one, the pattern, stores its own.
struct WithValues {
  TensorId to;
  TypeId type;
  TensorId pattern;
  std::vector<TensorId> values; ///< of each part of a sum; else one vector
  std::vector<TensorId> ended;  ///< those of the tensors that nothing else needs from then on
  template <typename A> void fields(A &a) { a(to, type, pattern, values, ended); }
};
struct Gather {
  TensorId to;
  TypeId type;
  TensorId from;
  Place place;
  std::vector<SizeId> extents;
  std::string name;
  template <typename A> void fields(A &a) { a(to, type, from, place, extents, name); }
};
struct InsertPart {
  TensorId to;
  TypeId type;
  TensorId part, whole;
  Place place;
  std::vector<SizeId> extents;
  std::string name;
  template <typename A> void fields(A &a) { a(to, type, part, whole, place, extents, name); }
};

/// An access of a statement, which must not leave its tensor.
struct Reach {
  TensorId tensor; ///< -1: the result
  std::vector<Affine> coordinates;
  std::vector<SizeId> extents; ///< of the variables
  std::string name;
  bool whole = false; ///< the kernel takes the access to reach all of each dimension
  template <typename A> void fields(A &a) { a(tensor, coordinates, extents, name, whole); }
};
/// What a schedule says of the number of a label's values.
struct Assumed {
  SizeId extent;
  int64_t least, most;
  std::string message; ///< if it is wrong; how many there are is added
  template <typename A> void fields(A &a) { a(extent, least, most, message); }
};
struct Compute {
  TensorId to;
  TypeId type;
  KernelId kernel;
  std::vector<SizeId> sizes;      ///< of a new result
  TensorId init;                  ///< the tensor that is updated; -1: the result is new
  bool inPlace;                   ///< nothing needs what is updated afterwards
  std::vector<TensorId> operands; ///< -1: the result, as it is updated
  std::vector<SizeId> extents;
  std::vector<Reach> reaches;
  std::vector<Assumed> assumed;
  template <typename A> void fields(A &a) {
    a(to, type, kernel, sizes, init, inPlace, operands, extents, reaches, assumed);
  }
};
/// Gives the memory of tensors back; their sizes stay known.
struct Release {
  std::vector<TensorId> tensors;
  template <typename A> void fields(A &a) { a(tensors); }
};

struct Write {
  TensorId tensor;
  FileName file;
  TensorId whole;   ///< of a tensor in pieces: all of it, where one process writes; else -1
  TypeId wholeType; ///< the same
  template <typename A> void fields(A &a) { a(tensor, file, whole, wholeType); }
};
struct Print {
  TensorId tensor;
  std::string name;
  bool bare;
  template <typename A> void fields(A &a) { a(tensor, name, bare); }
};
/// Prints the buffers of a tensor's storage, or of each of its parts.
struct PrintStorage {
  TensorId tensor;
  std::string name;
  std::vector<StorageText> parts;
  template <typename A> void fields(A &a) { a(tensor, name, parts); }
};
struct PrintText {
  std::string text;
  template <typename A> void fields(A &a) { a(text); }
};
/// Where the tensor that the program as it was written calls by this number has its value.
struct Checkpoint {
  TensorId tensor;
  int64_t number;
  template <typename A> void fields(A &a) { a(tensor, number); }
};
struct Time {
  TensorId to;
  TypeId type;
  template <typename A> void fields(A &a) { a(to, type); }
};
struct PrintElapsed {
  TensorId start, end;
  template <typename A> void fields(A &a) { a(start, end); }
};

struct Dim {
  SizeId to;
  TensorId tensor;
  int64_t dim;
  template <typename A> void fields(A &a) { a(to, tensor, dim); }
};
/// How many cells an axis of a machine has.
struct Cells {
  SizeId to;
  int64_t machine, axis;
  template <typename A> void fields(A &a) { a(to, machine, axis); }
};
struct Number {
  SizeId to;
  int64_t value;
  template <typename A> void fields(A &a) { a(to, value); }
};
struct SameSize {
  SizeId to;
  std::string label;
  std::vector<SizeId> sizes;
  std::vector<std::string> uses;
  template <typename A> void fields(A &a) { a(to, label, sizes, uses); }
};
struct Fit {
  SizeId to;
  std::vector<Affine> bounds;
  std::vector<SizeId> sizes;
  template <typename A> void fields(A &a) { a(to, bounds, sizes); }
};
struct Holds {
  SizeId to;
  Relation relation;
  TensorId left, right;
  template <typename A> void fields(A &a) { a(to, relation, left, right); }
};
struct Logic {
  SizeId to;
  bool isAnd; ///< else or
  SizeId left, right;
  template <typename A> void fields(A &a) { a(to, isAnd, left, right); }
};

/// What loops have in common: tensors that they carry.
struct Rounds {
  std::vector<TensorId> inits, carried, results;
  std::vector<TensorId> ended;    ///< inits that nothing but the loop needs from then on
  std::vector<std::string> names; ///< of what is carried
  Instructions body;
  template <typename A> void fields(A &a) { a(inits, carried, results, ended, names, body); }
};
struct For {
  TensorId lower, upper, step, counter;
  TypeId type; ///< of the counter
  Rounds rounds;
  template <typename A> void fields(A &a) { a(lower, upper, step, counter, type, rounds); }
};
struct Loop {
  int64_t limit;
  Rounds rounds;
  template <typename A> void fields(A &a) { a(limit, rounds); }
};
struct If {
  SizeId condition;
  std::vector<TensorId> results;
  Instructions body, otherwise;
  template <typename A> void fields(A &a) { a(condition, results, body, otherwise); }
};
/// Of some tensors each round of a cell has a part: chunks of a dimension, one after the other.
struct CellRounds {
  SizeId parts = -1;            ///< how many chunks there are; -1: as many as `chunk` makes
  int64_t chunk = 0;            ///< coordinates of a round
  std::vector<int64_t> dims;    ///< of each tensor: the dimension; -1: a round has all of it
  std::vector<TypeId> types;    ///< of each tensor: as a round has it, apart from the chunk
  std::vector<int64_t> rotated; ///< the axes along which cells have later chunks
  template <typename A> void fields(A &a) { a(parts, chunk, dims, types, rotated); }
};
/// Lets each cell of a machine compute with its pieces. In rounds, if these have `dims`: the result
/// of one is the last tensor's piece in the next.
struct Distribute {
  TensorId to;
  TypeId type;
  std::vector<SizeId> sizes;     ///< of the result
  std::vector<TensorId> tensors; ///< that are read, in pieces
  std::vector<TensorId> pieces;  ///< of these, in the body
  Instructions body;             ///< which hands over the piece of the result
  CellRounds rounds;
  template <typename A> void fields(A &a) { a(to, type, sizes, tensors, pieces, body, rounds); }
};
struct Next {
  std::vector<TensorId> values, ended; ///< what is handed over; what nothing else needs
  template <typename A> void fields(A &a) { a(values, ended); }
};
struct Break {
  std::vector<TensorId> values, ended;
  template <typename A> void fields(A &a) { a(values, ended); }
};

using Operation =
    std::variant<Read, Parameter, Fill, Random, Stencil, Iota, Constant, OneHot, Inside,
                 DenseAlgebra, Concat, LexiOrder, Convert, Move, Needs, Fetch, Scatter, Component,
                 Values, WithValues, Gather, InsertPart, Compute, Release, Write, Print,
                 PrintStorage, PrintText, Checkpoint, Time, PrintElapsed, Dim, Cells, Number,
                 SameSize, Fit, Holds, Logic, For, Loop, If, Distribute, Next, Break, ReachList>;

struct Instruction {
  int64_t place; ///< the number of its place in the program's text; -1: the program as a whole
  Operation operation;
  template <typename A> void fields(A &a) { a(place, operation); }
};

/// A tensor that who runs the program gives.
struct Argument {
  TensorId to;
  TypeId type;
  template <typename A> void fields(A &a) { a(to, type); }
};

struct Program {
  std::string name;
  std::vector<std::string> places; ///< "spmv.ta:4:3"
  std::vector<std::string> names;  ///< of the tensors, in quotes
  std::vector<Machine> machines;
  std::deque<TensorType> types;
  std::vector<Argument> arguments;
  std::vector<TensorId> results;  ///< that it returns
  int64_t tensors = 0, sizes = 0; ///< how many are numbered
  int64_t coordinateBits = 32;    ///< of the lists that kernels read and write
  Instructions body;

  const TensorType &type(TypeId id) const { return types[static_cast<size_t>(id)]; }
  /// How a tensor of one storage is stored; of several, the first of them.
  const StoredFormat &format(TypeId id) const { return type(id).parts.front(); }
  const std::string &placeOf(const Instruction &at) const {
    return at.place < 0 ? name : places[static_cast<size_t>(at.place)];
  }
  template <typename A> void fields(A &a) {
    a(name, places, names, machines, types, arguments, results, tensors, sizes, coordinateBits,
      body);
  }
};

/// A program as bytes, for an object file, and back; nothing if these are not such.
std::string encode(const Program &program);
std::optional<Program> decode(std::string_view bytes);

} // namespace strata::host

#endif // STRATA_HOST_PROGRAM_H
