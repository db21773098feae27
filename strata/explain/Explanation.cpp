// Explanations as text and as JSON.
#include "strata/explain/Explanation.h"

#include "strata/Version.h"
#include "strata/cost/Quantities.h"
#include "strata/estimate/Work.h"
#include "strata/explain/Explain.h"
#include "strata/runtime/Counted.h"
#include "strata/tensor/Quantities.h"

#include "llvm/Support/JSON.h"

using llvm::raw_ostream;
using llvm::StringRef;

namespace strata {

//===------------------------------------------------------------------------------------------===//
// As text
//===------------------------------------------------------------------------------------------===//

static void printTensor(raw_ostream &out, StringRef role, const ExplainedTensor &tensor) {
  out << "  " << llvm::left_justify(role, 9) << tensor.name << ": " << tensor.storage << "\n";
  for (const std::string &note : tensor.notes)
    out << "           " << note << "\n";
}

static void printLines(raw_ostream &out, const llvm::Twine &title,
                       llvm::ArrayRef<std::string> lines) {
  out << "  " << title << "\n";
  for (const std::string &line : lines)
    out << "    " << line << "\n";
}

// As an integer, which is the largest one where there are more.
static int64_t wholeBytes(const StatementForecast &expected) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  return expected.bytes < double(most) ? int64_t(expected.bytes) : most;
}

std::vector<std::string> expectedLines(const StatementForecast &expected,
                                       const machine::Machine *machine) {
  std::string count = countInWords(expected.operations);
  std::vector<std::string> lines{count + " " + nounFor(count == "1" ? 1 : 2, "operation") +
                                 stepsText(expected.operations, expected.steps) + ", " +
                                 cost::bytesText(wholeBytes(expected)) + " of operands and result"};
  if (expected.time && machine)
    lines.push_back(predictionText(*expected.time, *machine));
  return lines;
}

static void printExpected(raw_ostream &out, const StatementForecast &expected,
                          const machine::Machine *machine) {
  StringRef head = "  expected ";
  for (const std::string &line : expectedLines(expected, machine)) {
    out << head << line << "\n";
    head = "           ";
  }
}

// "i, k, j (chosen): 1.2 ms, 8000 steps", or why the loops cannot run so.
static std::string orderText(const LoopOrderWay &way) {
  std::string text = way.order + (way.chosen ? " (chosen)" : "");
  if (!way.refused.empty())
    return text + ": refused, " + way.refused;
  if (!way.expected)
    return text;
  text += ": ";
  if (way.expected->time)
    text += cost::durationText(way.expected->time->seconds) + ", ";
  std::string count = countInWords(way.expected->steps);
  return text + count + " " + nounFor(count == "1" ? 1 : 2, "step");
}

static void print(raw_ostream &out, const ExplainedStatement &statement,
                  const machine::Machine *machine) {
  out << statement.place << ": " << statement.statement << "\n";
  if (!statement.means.empty())
    out << "  means    " << statement.means << "\n";
  for (const auto &[how, what] : statement.context)
    out << "  " << llvm::left_justify(how, 9) << what << "\n";
  printTensor(out, "result", statement.result);
  for (const ExplainedTensor &operand : statement.operands)
    printTensor(out, "operand", operand);
  if (statement.converts) {
    out << "  converted, in a way that depends on how many entries there are: strata run "
           "--verbose tells\n";
    return;
  }
  out << "  schedule " << scheduleText(statement.schedule) << "\n";
  for (auto [at, step] : llvm::enumerate(statement.steps))
    printLines(out,
               at == 0              ? "as written"
               : step.first.empty() ? "in the end"
                                    : "after " + step.first,
               step.second);
  printLines(out, "loops", statement.loops);
  auto isLoop = [](StringRef line) { return line.ltrim().starts_with("for "); };
  if (!statement.sequential.empty() && llvm::any_of(statement.loops, isLoop))
    out << "  on one thread: " << statement.sequential << "\n";
  if (!statement.resolutions.empty())
    printLines(out, "resolved by", statement.resolutions);
  std::vector<std::string> allocations;
  for (const Allocation &allocation : statement.allocations)
    allocations.push_back(allocationText(allocation));
  if (allocations.empty())
    allocations.push_back("nothing");
  printLines(out, "allocates", allocations);
  if (statement.expected)
    printExpected(out, *statement.expected, machine);
  if (!statement.orders.empty())
    printLines(out, "orders of the loops", llvm::map_to_vector(statement.orders, orderText));
}

//===------------------------------------------------------------------------------------------===//
// As JSON
//===------------------------------------------------------------------------------------------===//

static std::string utf8(StringRef text) { return llvm::json::fixUTF8(text); }

static void writeStrings(llvm::json::OStream &json, StringRef key,
                         llvm::ArrayRef<std::string> strings) {
  json.attributeArray(key, [&] {
    for (const std::string &text : strings)
      json.value(utf8(text));
  });
}

static void writeFields(llvm::json::OStream &json, const ExplainedTensor &tensor) {
  json.attribute("name", utf8(tensor.name));
  json.attribute("storage", tensor.storage);
  writeStrings(json, "notes", tensor.notes);
}

static void write(llvm::json::OStream &json, const Allocation &allocation) {
  json.object([&] {
    json.attribute("what", utf8(allocation.what));
    if (allocation.count.empty())
      json.attribute("count", nullptr);
    else
      json.attribute("count", utf8(allocation.count));
    json.attribute("element_bytes", allocation.elementBytes);
    json.attribute("of_result", allocation.ofResult);
    json.attribute("per_thread", allocation.perThread);
  });
}

static void write(llvm::json::OStream &json, const StatementForecast &expected) {
  json.attribute("operations", expected.operations);
  json.attribute("loop_steps", expected.steps);
  json.attribute("bytes", wholeBytes(expected));
  if (expected.time)
    json.attribute("seconds", expected.time->seconds);
}

static void write(llvm::json::OStream &json, const LoopOrderWay &way) {
  json.object([&] {
    json.attribute("order", utf8(way.order));
    json.attribute("chosen", way.chosen);
    if (way.refused.empty())
      writeStrings(json, "loops", way.loops);
    else
      json.attribute("refused", utf8(way.refused));
    if (way.expected)
      write(json, *way.expected);
  });
}

static void write(llvm::json::OStream &json, const ExplainedStatement &statement) {
  json.object([&] {
    json.attribute("at", utf8(statement.place));
    json.attribute("statement", utf8(statement.statement));
    json.attribute("means", utf8(statement.means.empty() ? statement.statement : statement.means));
    json.attributeArray("context", [&] {
      for (const auto &[how, what] : statement.context)
        json.object([&] { json.attribute(how, utf8(what)); });
    });
    json.attributeObject("result", [&] { writeFields(json, statement.result); });
    json.attributeArray("operands", [&] {
      for (const ExplainedTensor &operand : statement.operands)
        json.object([&] { writeFields(json, operand); });
    });
    json.attribute("conversion", statement.converts);
    if (statement.converts)
      return;
    json.attribute("schedule", utf8(statement.schedule));
    if (!statement.steps.empty())
      json.attributeArray("steps", [&] {
        for (const auto &[command, lines] : statement.steps)
          json.object([&, &command = command, &lines = lines] {
            json.attribute("after", utf8(command));
            writeStrings(json, "loops", lines);
          });
      });
    writeStrings(json, "loops", statement.loops);
    json.attribute("parallel", statement.sequential.empty());
    if (!statement.sequential.empty())
      json.attribute("sequential_because", utf8(statement.sequential));
    writeStrings(json, "resolved_by", statement.resolutions);
    json.attributeArray("allocates", [&] {
      for (const Allocation &allocation : statement.allocations)
        write(json, allocation);
    });
    if (statement.expected)
      write(json, *statement.expected);
    if (!statement.orders.empty())
      json.attributeArray("orders", [&] {
        for (const LoopOrderWay &way : statement.orders)
          write(json, way);
      });
  });
}

void writeJson(const Explanation &explanation, raw_ostream &out) {
  llvm::json::OStream json(out, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("strata", STRATA_VERSION);
    json.attributeArray("notes", [&] {
      for (const auto &[place, text] : explanation.notes)
        json.object([&] {
          json.attribute("at", utf8(place));
          json.attribute("text", utf8(text));
        });
    });
    json.attributeArray("statements", [&] {
      for (const ExplainedStatement &statement : explanation.statements)
        write(json, statement);
    });
  });
  out << "\n";
}

void writeText(const Explanation &explanation, raw_ostream &out) {
  for (const auto &[place, text] : explanation.notes)
    out << place << ": " << text << "\n";
  for (const ExplainedStatement &statement : explanation.statements)
    print(out, statement, explanation.machine);
  if (explanation.statements.empty())
    out << "the program has no statements to compile\n";
}

} // namespace strata
