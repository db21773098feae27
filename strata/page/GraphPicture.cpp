// Draws iteration graphs: a row for each loop, a column for each tensor.
#include "strata/explain/LevelNames.h"
#include "strata/page/Pictures.h"
#include "strata/page/SvgWriter.h"

#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;
using llvm::Twine;

namespace strata::page {
namespace {

using Levels = IterationGraph::Levels;
using Use = IterationGraph::Use;

class GraphPicture {
public:
  static constexpr double margin = 20;

  GraphPicture(const IterationGraph &graph, SvgWriter &svg) : graph(graph), svg(svg) {
    for (const Levels &edge : graph.levels) {
      if (!llvm::is_contained(tensors, edge.storage))
        tensors.push_back(edge.storage);
      if (llvm::none_of(edges, [&](const Levels &other) { return sameEdge(edge, other); }))
        edges.push_back(edge);
    }
    placeColumns();
  }

  double width() const { return margin + notesAt + notesWidth; }
  double height() const { return rowOf(unsigned(graph.loops.size())) + rowHeight - 10; }

  void draw() {
    for (unsigned tensor = 0; tensor < tensors.size(); ++tensor)
      svg.text(columns[tensor], rowOf(0) - 12, tensors[tensor],
               {.anchor = "middle", .color = SvgWriter::colorOf(tensor), .bold = true});
    svg.circle(nodeX(0), rowOf(0), 4, "currentColor", {});
    for (unsigned loop = 1; loop <= graph.loops.size(); ++loop)
      drawLoop(loop);
    for (const Levels &edge : edges)
      drawEdge(edge);
    for (const Levels &edge : edges)
      drawMark(edge);
    for (unsigned tensor = 0; tensor < tensors.size(); ++tensor)
      svg.circle(columns[tensor], rowOf(0), 3, SvgWriter::colorOf(tensor),
                 {.color = SvgWriter::colorOf(tensor)});
  }

private:
  static constexpr double rowHeight = 58, nodeRadius = 16, indent = 30, markRadius = 5;

  static bool sameEdge(const Levels &a, const Levels &b) {
    return a.from == b.from && a.to == b.to && a.storage == b.storage && a.first == b.first &&
           a.count == b.count && a.use == b.use;
  }

  static double rowOf(unsigned loop) { return margin + 26 + loop * rowHeight; }

  double nodeX(unsigned loop) const {
    return margin + nodeRadius + (loop ? graph.loops[loop - 1].depth * indent : 0);
  }

  double nodeWidth(unsigned loop) const {
    return std::max(2 * nodeRadius, SvgWriter::widthOf(graph.loops[loop - 1].name, 14) + 20);
  }

  static std::string labelOf(const Levels &edge) {
    return levelsText(edge.storage, edge.first, edge.count);
  }

  unsigned tensorOf(const Levels &edge) const {
    return unsigned(llvm::find(tensors, edge.storage) - tensors.begin());
  }

  // The labels of all that a loop binds of a tensor: "A1, A2".
  std::string labelsAt(unsigned loop, unsigned tensor) const {
    std::string text;
    for (const Levels &edge : edges)
      if (edge.to == loop && tensorOf(edge) == tensor)
        if (std::string label = labelOf(edge); !StringRef(text).contains(label))
          text += (text.empty() ? "" : ", ") + label;
    return text;
  }

  std::string noteOf(unsigned loop) const {
    const IterationGraph::Loop &what = graph.loops[loop - 1];
    std::string text = what.allValues ? "all values" : "";
    for (const std::string &more : {what.merges, std::string(what.divided ? "in parallel" : "")})
      if (!more.empty())
        text += (text.empty() ? "" : ", ") + more;
    return text;
  }

  void placeColumns() {
    double x = margin + nodeRadius;
    for (unsigned loop = 1; loop <= graph.loops.size(); ++loop)
      x = std::max(x, nodeX(loop) + nodeWidth(loop) - nodeRadius);
    x += 46;
    for (unsigned tensor = 0; tensor < tensors.size(); ++tensor) {
      double label = SvgWriter::widthOf(tensors[tensor]) / 2;
      x += std::max(0.0, label - 20);
      columns.push_back(x);
      for (unsigned loop = 1; loop <= graph.loops.size(); ++loop)
        label = std::max(label, SvgWriter::widthOf(labelsAt(loop, tensor), 12) + markRadius + 5);
      x += label + 40;
    }
    notesAt = x - 8;
    for (unsigned loop = 1; loop <= graph.loops.size(); ++loop)
      notesWidth = std::max(notesWidth, SvgWriter::widthOf(noteOf(loop), 12));
  }

  void drawLoop(unsigned loop) {
    const IterationGraph::Loop &what = graph.loops[loop - 1];
    double x = nodeX(loop), y = rowOf(loop), wide = nodeWidth(loop);
    svg.beginGroup("loop");
    double from = nodeX(what.around);
    double top = rowOf(what.around) + (what.around ? nodeRadius : 4);
    svg.path("nest",
             from == x ? "M" + lengthText(from) + " " + lengthText(top) + " V" +
                             lengthText(y - nodeRadius)
                       : "M" + lengthText(from) + " " + lengthText(top) + " V" + lengthText(y) +
                             " H" + lengthText(x - nodeRadius),
             {.opacity = 0.45});
    svg.path("row",
             "M" + lengthText(x - nodeRadius + wide) + " " + lengthText(y) + " H" +
                 lengthText(notesAt - 14),
             {.width = 1, .dashes = "1 5", .opacity = 0.4});
    svg.box(x - nodeRadius, y - nodeRadius, wide, 2 * nodeRadius, nodeRadius, "none",
            {.width = 1.6});
    svg.text(x - nodeRadius + wide / 2, y + 5, what.name,
             {.anchor = "middle", .size = 14, .bold = true});
    if (std::string note = noteOf(loop); !note.empty())
      svg.text(notesAt, y + 4, note, {.size = 12, .opacity = 0.75});
    svg.endGroup();
  }

  // Tells whether the column has a mark between the ends of an edge, or another edge there.
  bool isCrossed(const Levels &edge) const {
    return llvm::any_of(edges, [&](const Levels &other) {
      return &other != &edge && tensorOf(other) == tensorOf(edge) && other.to > edge.from &&
             other.to < edge.to;
    });
  }

  void drawEdge(const Levels &edge) {
    double x = columns[tensorOf(edge)], top = rowOf(edge.from), bottom = rowOf(edge.to);
    Stroke stroke{.color = SvgWriter::colorOf(tensorOf(edge)), .width = 2};
    StringRef kind = "level walked";
    if (edge.use == Use::Located)
      kind = "level located", stroke.dashes = "2 5";
    else if (edge.use == Use::Inserted)
      kind = "level inserted", stroke.width = 4;
    std::string begin = "M" + lengthText(x) + " " + lengthText(top);
    if (edge.from == edge.to) // one loop binds two levels, one after the other
      svg.path(kind, begin + " c-16 -14 -16 14 0 0", stroke);
    else if (isCrossed(edge))
      svg.path(kind,
               begin + " C" + lengthText(x - 26) + " " + lengthText(top + 20) + " " +
                   lengthText(x - 26) + " " + lengthText(bottom - 20) + " " + lengthText(x) + " " +
                   lengthText(bottom),
               stroke);
    else
      svg.path(kind, begin + " V" + lengthText(bottom), stroke);
  }

  void drawMark(const Levels &edge) {
    unsigned tensor = tensorOf(edge);
    double x = columns[tensor], y = rowOf(edge.to);
    StringRef color = SvgWriter::colorOf(tensor);
    Stroke outline{.color = color, .width = 2};
    if (edge.use == Use::Inserted)
      svg.box(x - markRadius, y - markRadius, 2 * markRadius, 2 * markRadius, 1, color, outline);
    else
      svg.circle(x, y, markRadius, edge.use == Use::Located ? "none" : color, outline);
    auto isFirst = [&](const Levels &other) {
      return other.to == edge.to && tensorOf(other) == tensor;
    };
    if (&*llvm::find_if(edges, isFirst) == &edge)
      svg.text(x + markRadius + 5, y - 5, labelsAt(edge.to, tensor), {.color = color, .size = 12});
  }

  const IterationGraph &graph;
  SvgWriter &svg;
  std::vector<std::string> tensors;
  std::vector<Levels> edges; ///< each once
  std::vector<double> columns;
  double notesAt = 0, notesWidth = 0;
};

// What the marks mean. Returns its width.
double drawLegend(SvgWriter &svg, double y) {
  double x = GraphPicture::margin + 6;
  constexpr TextStyle small{.size = 11, .opacity = 0.75};
  constexpr Stroke line{.width = 1.6, .opacity = 0.75};
  svg.beginGroup("legend");
  auto entry = [&](StringRef text, auto drawMark) {
    drawMark(x);
    svg.text(x + 12, y + 4, text, small);
    x += 12 + SvgWriter::widthOf(text, 11) + 26;
  };
  entry("walked", [&](double at) { svg.circle(at, y, 4, "currentColor", line); });
  entry("located", [&](double at) { svg.circle(at, y, 4, "none", line); });
  entry("inserted", [&](double at) { svg.box(at - 4, y - 4, 8, 8, 1, "currentColor", line); });
  svg.endGroup();
  return x;
}

} // namespace

std::string graphSvg(const std::vector<IterationGraph> &graphs, Ground ground) {
  SvgWriter svg;
  double width = 0, y = 0;
  for (const IterationGraph &graph : graphs) {
    if (graphs.size() > 1)
      svg.text(GraphPicture::margin, y += 24, graph.kernel, {.bold = true});
    svg.beginGroup("kernel", 0, y);
    GraphPicture picture(graph, svg);
    picture.draw();
    svg.endGroup();
    width = std::max(width, picture.width());
    y += picture.height();
  }
  width = std::max(width, drawLegend(svg, y));
  return svg.finish(width, y + GraphPicture::margin, "Iteration graph", ground == Ground::Page);
}

} // namespace strata::page
