// Compiles a statement once for each format.
#include "serve/FormatWays.h"
#include "Messages.h"
#include "OneLiner.h"
#include "Threads.h"

#include "strata/cost/Quantities.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/explain/Explanation.h"
#include "strata/page/Markup.h"
#include "strata/tensor/Quantities.h"

#include "llvm/Support/FormatVariadic.h"

using llvm::StringRef;

namespace strata::tool {

// The statement with these arguments, if it is known what it takes.
static std::optional<FormatWay> wayWith(const std::vector<std::string> &arguments,
                                        const machine::Machine *machine) {
  std::vector<const char *> list;
  for (const std::string &text : arguments)
    list.push_back(text.c_str());
  std::optional<FormatWay> way;
  ExplainOptions options;
  options.machine = machine;
  options.threads = threadsInUse();
  withStatement(list, [&](mlir::ModuleOp program, const Processor &) {
    std::optional<Explanation> explanation = explanationOf(program, options);
    if (!explanation)
      return int(exitFailure);
    FormatWay found;
    for (const ExplainedStatement &statement : explanation->statements) {
      if (!statement.expected)
        return int(exitFailure);
      found.steps += statement.expected->steps;
      found.bytes += statement.expected->bytes;
      if (statement.expected->time)
        found.seconds = found.seconds.value_or(0) + statement.expected->time->seconds;
      for (const ExplainedTensor &operand : statement.operands)
        for (const std::string &note : operand.notes)
          found.notes.push_back(operand.name + " is " + note);
    }
    way = std::move(found);
    return int(exitSuccess);
  });
  return way;
}

std::vector<FormatWay> formatWays(std::vector<std::string> arguments, StringRef tensor,
                                  StringRef present, const machine::Machine *machine) {
  const std::string option = ("-f=" + tensor + ":").str();
  auto given = llvm::find_if(
      arguments, [&](const std::string &text) { return StringRef(text).starts_with(option); });
  if (given == arguments.end())
    return {};
  std::vector<std::string> formats{present.str()};
  for (StringRef name : ta::shorthandNames())
    if (!name.equals_insensitive(present))
      formats.push_back(name.str());
  std::vector<FormatWay> ways;
  for (const std::string &format : formats) {
    *given = option + format;
    std::optional<FormatWay> way = wayWith(arguments, machine);
    if (!way)
      continue;
    way->format = format;
    way->present = format == present;
    ways.push_back(std::move(*way));
  }
  llvm::sort(ways, [](const FormatWay &a, const FormatWay &b) {
    double first = a.seconds.value_or(0), second = b.seconds.value_or(0);
    if (first != second)
      return first < second;
    return std::tie(a.steps, a.bytes, a.format) < std::tie(b.steps, b.bytes, b.format);
  });
  return ways;
}

std::string formatWaysHtml(const std::vector<FormatWay> &ways) {
  if (ways.empty())
    return "";
  const bool timed = ways.front().seconds.has_value();
  std::string html = "<div class=\"scroll\"><table class=\"ways\"><thead><tr><th>format</th>" +
                     std::string(timed ? "<th class=\"number\">time</th>" : "") +
                     "<th class=\"number\">steps</th><th class=\"number\">bytes</th>"
                     "<th>what is converted</th></tr></thead><tbody>\n";
  double least = ways.front().steps;
  for (const FormatWay &way : ways)
    least = std::min(least, way.steps);
  for (const FormatWay &way : ways) {
    std::string steps = countInWords(way.steps), notes;
    if (double more = least > 0 ? way.steps / least : 1; more >= 1.005)
      steps += llvm::formatv(more < 10 ? " ({0:F2}×)" : " ({0:F0}×)", more).str();
    for (const std::string &note : way.notes)
      notes += (notes.empty() ? "" : "<br>") + page::escaped(note);
    html += std::string(way.present ? "<tr class=\"chosen\">" : "<tr>") + "<td><code>" +
            page::escaped(way.format) + "</code></td>" +
            (timed ? "<td class=\"number\">" + cost::durationText(way.seconds.value_or(0)) + "</td>"
                   : "") +
            "<td class=\"number\">" + page::escaped(steps) + "</td><td class=\"number\">" +
            cost::bytesText(int64_t(way.bytes)) + "</td><td>" + notes + "</td></tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

} // namespace strata::tool
