// Writes explanations as tables and lists.
#include "strata/page/PlanHtml.h"

#include "strata/cost/Quantities.h"
#include "strata/page/CodeText.h"
#include "strata/page/Markup.h"
#include "strata/tensor/Quantities.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::StringRef;

namespace strata::page {

static std::string inTag(StringRef tag, const std::string &html) {
  return ("<" + tag + ">").str() + html + ("</" + tag.split(' ').first + ">").str();
}

static std::string fact(StringRef name, const std::string &html) {
  return inTag("dt", escaped(name)) + inTag("dd", html) + "\n";
}

static std::string inLines(const std::vector<std::string> &lines) {
  std::string html;
  for (const std::string &line : lines)
    html += (html.empty() ? "" : "<br>") + escaped(line);
  return html;
}

static std::string tensorRow(StringRef role, const ExplainedTensor &tensor) {
  std::string storage = escaped(tensor.storage);
  for (const std::string &note : tensor.notes)
    storage += inTag("span class=\"note\"", escaped(note));
  return inTag("tr", inTag("td", escaped(role)) + inTag("td", inTag("code", escaped(tensor.name))) +
                         inTag("td", storage)) +
         "\n";
}

std::string tensorsHtml(const ExplainedStatement &statement) {
  std::string html =
      "<div class=\"scroll\"><table class=\"tensors\"><thead><tr><th></th><th>tensor</th>"
      "<th>type, sizes, format</th></tr></thead><tbody>\n" +
      tensorRow("result", statement.result);
  for (const ExplainedTensor &operand : statement.operands)
    html += tensorRow("operand", operand);
  return html + "</tbody></table></div>\n";
}

std::string planHtml(const ExplainedStatement &statement, const machine::Machine *machine) {
  std::string html = "<dl class=\"facts\">\n";
  if (!statement.means.empty())
    html += fact("means", inTag("code", escaped(statement.means)));
  for (const auto &[how, what] : statement.context)
    html += fact(how, escaped(what));
  if (statement.converts)
    return html + fact("way", "converted, in a way that depends on how many entries there are") +
           "</dl>\n";
  html += fact("schedule", statement.schedule.empty() ? "the naive loops"
                                                      : inTag("code", escaped(statement.schedule)));
  if (!statement.sequential.empty())
    html += fact("on one thread", escaped(statement.sequential));
  if (!statement.resolutions.empty())
    html += fact("resolved by", inLines(statement.resolutions));
  std::vector<std::string> allocations;
  for (const Allocation &allocation : statement.allocations)
    allocations.push_back(allocationText(allocation));
  html += fact("allocates", allocations.empty() ? "nothing" : inLines(allocations));
  if (statement.expected)
    html += fact("expected", inLines(expectedLines(*statement.expected, machine)));
  return html + "</dl>\n";
}

static std::string orderRow(const LoopOrderWay &way, double least, bool timed) {
  std::string cells = inTag("td", inTag("code", escaped(way.order)));
  if (!way.refused.empty())
    return inTag("tr class=\"refused\"", cells + inTag("td", "cannot run") +
                                             inTag("td class=\"number\"", "") +
                                             (timed ? inTag("td class=\"number\"", "") : "") +
                                             inTag("td", escaped(way.refused)));
  std::string steps, what;
  if (way.expected) {
    steps = countInWords(way.expected->steps);
    if (double more = least > 0 ? way.expected->steps / least : 1; more >= 1.005)
      steps += llvm::formatv(more < 10 ? " ({0:F2}×)" : " ({0:F0}×)", more).str();
  }
  for (StringRef line : way.loops)
    if (line.ltrim().starts_with("for "))
      what += (what.empty() ? "" : "<br>") + escaped(line);
  cells +=
      inTag("td", way.chosen ? "chosen" : "possible") +
      inTag("td class=\"number\"", escaped(steps)) +
      (timed ? inTag("td class=\"number\"", way.expected && way.expected->time
                                                ? cost::durationText(way.expected->time->seconds)
                                                : "")
             : "") +
      inTag("td", "<pre>" + what + "</pre>");
  return inTag(way.chosen ? "tr class=\"chosen\"" : "tr", cells);
}

std::string ordersHtml(const std::vector<LoopOrderWay> &ways) {
  if (ways.empty())
    return "";
  double least = 0;
  bool timed = llvm::any_of(
      ways, [](const LoopOrderWay &way) { return way.expected && way.expected->time; });
  for (const LoopOrderWay &way : ways)
    if (way.expected && (least == 0 || way.expected->steps < least))
      least = way.expected->steps;
  std::string html =
      "<div class=\"scroll\"><table class=\"orders\"><thead><tr><th>order</th><th></th>"
      "<th class=\"number\">steps</th>" +
      std::string(timed ? "<th class=\"number\">time</th>" : "") +
      "<th>loops, or why not</th></tr></thead><tbody>\n";
  for (const LoopOrderWay &way : ways)
    html += orderRow(way, least, timed) + "\n";
  return html + "</tbody></table></div>\n";
}

std::string loopsHtml(const ExplainedStatement &statement) {
  return plainHtml(llvm::join(statement.loops, "\n"));
}

std::string stepsHtml(const ExplainedStatement &statement) {
  std::string html;
  for (const auto &[command, lines] : statement.steps) {
    bool first = &command == &statement.steps.front().first;
    html += inTag("h3", first             ? "as written"
                        : command.empty() ? "in the end"
                                          : "after <code>" + escaped(command) + "</code>");
    html += plainHtml(llvm::join(lines, "\n"));
  }
  return html;
}

} // namespace strata::page
