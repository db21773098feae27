// Traces a function in LLVM IR: the operations of its dynamic data-dependence graph, one after the
// other.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_ACCELERATOR_TRACER_H
#define STRATA_ACCELERATOR_TRACER_H

#include "strata/accelerator/Accelerator.h"

#include "llvm/IR/Function.h"

namespace strata::accelerator {

/// A function that can be traced: its instructions, decoded for fast execution.
///
/// Its loops and addresses are computed; of data it is only known which operation makes them.
/// As in Aladdin (Shao, Reagen, Wei, Brooks: *Aladdin: a pre-RTL, power-performance accelerator
/// simulator*, ISCA 2014), address arithmetic and the control of loops are no operations, what a
/// `load` from memory gives is shared by all that load the same element in the same iteration of
/// the loops that are not unrolled, and variables of the function (`alloca`) are registers.
class TracedFunction {
public:
  /// The arguments are the pointers to C, A and B, whose elements have the sizes that the
  /// accelerator says. An error, if the function has instructions other than those of
  /// micro-kernels: loads, stores, getelementptr, phi, branches, comparisons, and the arithmetic of
  /// integers and floating-point numbers.
  static runtime::Result<TracedFunction> decode(const llvm::Function &function,
                                                const Accelerator &accelerator);

  /// Executes the function, and tells the operations to a graph, operands first. A graph has
  ///
  ///   Node load(Matrix matrix, uint32_t element, Node stored, Node read)
  ///   Node multiply(Node left, Node right, Node read)
  ///   Node add(Node left, Node right, Node read)
  ///   Node store(Matrix matrix, uint32_t element, Node value, Node read)
  ///
  /// where Node{} is none. An operation may begin when its operands (`left`, `right`, `value`, and
  /// `stored`, which stored the element before) have ended, and not before `read` begins: the last
  /// operation that reads what this one overwrites.
  template <typename Graph> void trace(Graph &graph) const;

  /// Registers: the elements of the variables of the function.
  int64_t registers() const { return int64_t(registerCount); }

private:
  friend class Decoder;
  template <typename Graph> class Execution;

  enum class Code : uint8_t {
    addNumbers,
    multiplyNumbers,
    andNumbers,
    element,
    isLess,
    isEqual, // numbers and addresses
    load,
    multiply,
    add,
    store,
    same, // data
    jump,
    branch,
    end
  };
  struct Step {
    Code code;
    uint8_t shift = 0;            ///< of `element`: the logarithm of an element's bytes
    uint32_t into = 0;            ///< the place of the result; of jumps: the edge
    uint32_t left = 0, right = 0; ///< places of operands; of branches: the other edge
    uint32_t target = 0; ///< of data: the place of the address that it is stored to; 0: none
  };
  struct Edge {
    uint32_t step;                                     ///< where the block begins
    bool isStep = false;                               ///< goes back in a loop that is not unrolled
    std::vector<std::pair<uint32_t, uint32_t>> copies; ///< of phis: into, from
  };

  /// Addresses: the space in the upper bits, bytes below. Spaces are matrices, and registers.
  static constexpr unsigned spaceBits = 32;
  static constexpr uint64_t spaceOf(int64_t address) { return uint64_t(address) >> spaceBits; }
  static constexpr uint64_t registersSpace = 3;
  uint32_t elementOf(int64_t address) const {
    return uint32_t(uint64_t(address) & 0xffffffff) >> shifts[spaceOf(address)];
  }

  std::vector<Step> steps;
  std::vector<Edge> edges;
  std::vector<int64_t> numbers; ///< of the places, when execution begins
  std::array<unsigned, 4> shifts{};
  std::array<size_t, 3> elements{};
  size_t registerCount = 0;
};

/// One execution of a traced function.
template <typename Graph> class TracedFunction::Execution {
public:
  Execution(const TracedFunction &function, Graph &graph)
      : function(function), graph(graph), number(function.numbers), data(number.size()),
        held(function.registerCount) {
    for (const Matrix matrix : {A, B, C})
      memory[matrix].resize(function.elements[matrix]);
  }

  void run() {
    for (uint32_t at = 0;;) {
      const Step &step = function.steps[at++];
      switch (step.code) {
      case Code::addNumbers:
        number[step.into] = number[step.left] + number[step.right];
        break;
      case Code::multiplyNumbers:
        number[step.into] = number[step.left] * number[step.right];
        break;
      case Code::andNumbers:
        number[step.into] = number[step.left] & number[step.right];
        break;
      case Code::element:
        number[step.into] = number[step.left] + (number[step.right] << step.shift);
        break;
      case Code::isLess:
        number[step.into] = uint64_t(number[step.left]) < uint64_t(number[step.right]);
        break;
      case Code::isEqual:
        number[step.into] = number[step.left] == number[step.right];
        break;
      case Code::load:
        load(step);
        break;
      case Code::store:
        store(step);
        break;
      case Code::multiply:
      case Code::add:
        combine(step);
        break;
      case Code::same:
        data[step.into] = data[step.left];
        break;
      case Code::jump:
        at = follow(function.edges[step.into]);
        break;
      case Code::branch:
        at = follow(function.edges[number[step.left] ? step.into : step.right]);
        break;
      case Code::end:
        return;
      }
    }
  }

private:
  using Node = typename Graph::Node;
  static constexpr uint32_t none = ~0U;
  struct Datum {
    Node node{};
    uint32_t from = none; ///< the register that it was loaded from
  };
  struct Element {
    uint64_t iteration = 0; ///< in which it was loaded
    Node loaded{}, stored{};
  };
  struct Register {
    Node value{}, reader{};
  };

  void load(const Step &step) {
    const int64_t address = number[step.left];
    const uint32_t element = function.elementOf(address);
    if (spaceOf(address) == registersSpace) {
      data[step.into] = {held[element].value, element};
      return;
    }
    const auto matrix = Matrix(spaceOf(address));
    Element &place = memory[matrix][element];
    if (place.iteration != iteration) {
      place.loaded = graph.load(matrix, element, place.stored, readerOf(step));
      place.iteration = iteration;
    }
    data[step.into] = {place.loaded, none};
  }

  void store(const Step &step) {
    const int64_t address = number[step.right];
    const uint32_t element = function.elementOf(address);
    const Datum &datum = data[step.left];
    if (spaceOf(address) == registersSpace) {
      held[element].value = datum.node;
      return;
    }
    const auto matrix = Matrix(spaceOf(address));
    Element &place = memory[matrix][element];
    place.stored = graph.store(matrix, element, datum.node, place.loaded);
    place.iteration = 0; // what was loaded is no longer there
    hasRead(datum, place.stored);
  }

  void combine(const Step &step) {
    const Datum left = data[step.left], right = data[step.right];
    const Node read = readerOf(step);
    const Node node = step.code == Code::multiply ? graph.multiply(left.node, right.node, read)
                                                  : graph.add(left.node, right.node, read);
    hasRead(left, node);
    hasRead(right, node);
    data[step.into] = {node, none};
  }

  uint32_t follow(const Edge &edge) {
    for (auto [into, from] : edge.copies) {
      number[into] = number[from];
      data[into] = data[from];
    }
    iteration += edge.isStep;
    return edge.step;
  }

  // The last reader of the register that a step's result goes to.
  Node readerOf(const Step &step) const {
    if (step.target == 0 || spaceOf(number[step.target]) != registersSpace)
      return {};
    return held[function.elementOf(number[step.target])].reader;
  }

  void hasRead(const Datum &datum, Node reader) {
    if (datum.from != none)
      held[datum.from].reader = reader;
  }

  const TracedFunction &function;
  Graph &graph;
  std::vector<int64_t> number; ///< at each place, of numbers and addresses
  std::vector<Datum> data;     ///< at each place, of data
  std::vector<Register> held;
  std::array<std::vector<Element>, 3> memory;
  uint64_t iteration = 1; ///< of loops that are not unrolled
};

template <typename Graph> void TracedFunction::trace(Graph &graph) const {
  Execution<Graph>(*this, graph).run();
}

} // namespace strata::accelerator

#endif // STRATA_ACCELERATOR_TRACER_H
