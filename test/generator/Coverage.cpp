// The table at the end of a run.
#include "Coverage.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cctype>
#include <set>

namespace strata::test {

static const char *const kinds[] = {
    "copy",  "union",    "product", "mixed",   "sum",    "inner sum", "broadcast", "window",
    "shift", "diagonal", "gather",  "scatter", "update", "reread",    "stored",    "operator",
    "fill",  "program",  "phases",  "mask",    "pieces", "labels"};

static bool isWindow(const std::vector<Position> &place) {
  return std::ranges::any_of(place, [](const Position &position) { return !position.plain(); });
}

// x(i + r)
static bool isShift(const std::vector<Position> &place) {
  return std::ranges::any_of(place,
                             [](const Position &position) { return position.terms.size() > 1; });
}

// A(i, i)
static bool isDiagonal(const std::vector<Position> &place) {
  std::set<unsigned> seen;
  for (const Position &position : place)
    for (const Position::Term &term : position.terms)
      if (!seen.insert(term.variable).second)
        return true;
  return false;
}

// What its coordinates are: x(i + r), A(i, i), A(p(i), j), h(p(i)) += ...
static std::vector<std::string> indexKindsOf(const Case &c) {
  bool shift = isShift(c.out), diagonal = isDiagonal(c.out), gather = false, scatter = false;
  forEach(c.value, [&](const Expression &e) {
    if (e.kind != Expression::Kind::access)
      return;
    shift |= isShift(e.place);
    diagonal |= isDiagonal(e.place);
    if (!c.tensors[e.tensor].points || e.place.back().terms.empty())
      return;
    unsigned found = e.place.back().terms.front().variable;
    bool onLeft = std::ranges::find(c.left, found) != c.left.end();
    (onLeft ? scatter : gather) = true;
  });
  std::vector<std::string> result;
  const std::pair<bool, const char *> kinds[] = {
      {shift, "shift"}, {diagonal, "diagonal"}, {gather, "gather"}, {scatter, "scatter"}};
  for (auto [holds, kind] : kinds)
    if (holds)
      result.push_back(kind);
  return result;
}

std::vector<std::string> kindsOf(const Case &c) {
  bool plus = false, times = false, inner = false, window = isWindow(c.out);
  bool stored = false, operation = false; // what is stored, and operators beyond + - * /
  bool labels = false;
  std::set<unsigned> read;
  forEach(c.value, [&](const Expression &e) {
    if (e.kind == Expression::Kind::binary)
      (e.op == "+" || e.op == "-" ? plus : times) = true;
    stored |= e.missing;
    operation |= e.kind == Expression::Kind::operation;
    inner |= e.kind == Expression::Kind::reduction && &e != &c.value;
    labels |= comparesLabels(e);
    window |= !comparesLabels(e) && isWindow(e.place);
    for (const Position &position : e.place)
      for (const Position::Term &term : position.terms)
        read.insert(term.variable);
  });
  std::vector<std::string> result{plus && times ? "mixed"
                                  : plus        ? "union"
                                  : times       ? "product"
                                                : "copy"};
  if (c.value.kind == Expression::Kind::reduction)
    result.push_back("sum");
  if (inner)
    result.push_back("inner sum");
  if (std::ranges::any_of(c.left, [&](unsigned v) { return !read.contains(v); }))
    result.push_back("broadcast");
  if (window)
    result.push_back("window");
  for (std::string &kind : indexKindsOf(c))
    result.push_back(std::move(kind));
  if (c.init) {
    result.push_back("update");
    if (usesOf(c)[*c.init] > 0)
      result.push_back("reread");
  }
  if (stored)
    result.push_back("stored");
  if (operation)
    result.push_back("operator");
  auto filled = [](const Operand &operand) { return operand.fill.has_value(); };
  if (c.resultFill || std::ranges::any_of(c.tensors, filled))
    result.push_back("fill");
  if (isProgram(c))
    result.push_back("program");
  if (c.phases)
    result.push_back("phases");
  if (c.mask)
    result.push_back("mask");
  if (!c.cells.empty())
    result.push_back("pieces");
  if (labels)
    result.push_back("labels");
  return result;
}

std::string withoutNames(const std::string &message) {
  std::string text;
  for (size_t at = 0; at < message.size(); ++at) {
    if (message[at] == '\'') {
      size_t end = message.find('\'', at + 1);
      if (end != std::string::npos) {
        text += "'_'";
        at = end;
        continue;
      }
    }
    if (std::isdigit(static_cast<unsigned char>(message[at]))) {
      while (at + 1 < message.size() && std::isdigit(static_cast<unsigned char>(message[at + 1])))
        ++at;
      text += "N";
      continue;
    }
    text += message[at];
  }
  return text;
}

void Coverage::count(const Case &c, const Outcome &outcome) {
  bool refused = outcome.kind == Outcome::Kind::refused;
  if (refused) {
    Refusal &refusal = messages[withoutNames(outcome.text)];
    if (refusal.count++ == 0) {
      refusal.example = notation(c) + " into " + c.resultFormat.name;
      for (const Operand &operand : c.tensors)
        refusal.example += ", " + operand.name + " " + operand.format.name;
    }
  } else if (outcome.kind != Outcome::Kind::agrees) {
    return;
  }
  std::set<std::string> formats{"= " + c.resultFormat.name};
  for (const Operand &operand : c.tensors)
    formats.insert(operand.format.name);
  for (const std::string &format : formats)
    for (const std::string &kind : kindsOf(c))
      ++(refused ? cells[format][kind].refused : cells[format][kind].computed);
}

std::string Coverage::table() const {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << llvm::format("%-28s", "");
  for (const char *kind : kinds)
    out << llvm::format(" %10s", kind);
  out << "\n";
  for (const auto &[format, row] : cells) {
    out << llvm::format("%-28s", format.c_str());
    for (const char *kind : kinds) {
      auto found = row.find(kind);
      Cell cell = found == row.end() ? Cell() : found->second;
      std::string shown = std::to_string(cell.computed);
      if (cell.refused)
        shown += "(" + std::to_string(cell.refused) + ")";
      out << llvm::format(" %10s", shown.c_str());
    }
    out << "\n";
  }
  return text;
}

std::string Coverage::refusals() const {
  std::vector<std::pair<std::string, Refusal>> sorted(messages.begin(), messages.end());
  std::ranges::sort(sorted, [](const auto &a, const auto &b) {
    return std::pair(-a.second.count, a.first) < std::pair(-b.second.count, b.first);
  });
  std::string text;
  for (const auto &[message, refusal] : sorted)
    text += std::to_string(refusal.count) + " x " + message + "\n      such as " + refusal.example +
            "\n";
  return text;
}

} // namespace strata::test
