// Families of statements: sums, products with what stands around them, masks, reductions.
#include "DrawLarge.h"

#include "LargeDrawer.h"
#include "LargeFormats.h"

#include "llvm/ADT/STLExtras.h"

namespace strata::test {

// Labels of a tensor of that order, whose extents leave room for few entries where it is
// hypersparse.
LargeDrawer::Labels LargeDrawer::drawLabels(size_t order, bool hyper) {
  Labels labels;
  for (size_t at = 0; at < order; ++at)
    labels.push_back(label(hyper        ? int64_t(1) << random.between(20, 40)
                           : order == 1 ? int64_t(1000000)
                           : order == 3 ? random.pick<int64_t>({100, 300, 1000, 3000})
                                        : drawExtent()));
  return labels;
}

// Two to four tensors of the same labels, in one order or in several, with a factor of some labels.
void LargeDrawer::drawElementwise() {
  c.family = "elementwise";
  auto order = size_t(random.weighted({0, 15, 65, 20}));
  bool hyper = order < 4 && random.chance(15);
  Labels labels = drawLabels(order, hyper);
  auto operand = [&] {
    Labels own = labels;
    if (random.chance(15))
      random.shuffle(own);
    return prologue(sparse(own));
  };
  LargeNode value = operand();
  for (int64_t more = random.between(1, 3); more > 0; --more) {
    if (!hyper && random.chance(20)) {
      value = binary("*", std::move(value), dense({random.pick(labels)}));
      continue;
    }
    bool ordered = isReal() && random.chance(25);
    std::string word = random.pick<std::string>({"+", "+", "-", "*"});
    LargeNode other = operand();
    value = ordered ? call(random.pick<std::string>({"min", "max"}),
                           {std::move(value), std::move(other)})
                    : binary(word, std::move(value), std::move(other));
  }
  if (isReal() && random.chance(20))
    value = call("sqrt", {call("abs", {std::move(value)})});
  finish(std::move(value), labels);
}

// A product of two with one summed label: vectors, dense matrices, sparse ones; with what people
// write around it and in it.
void LargeDrawer::drawProduct() {
  c.family = "product";
  unsigned i = label(drawExtent()), j = label(drawExtent());
  auto kind = random.weighted({25, 35, 40});
  LargeNode a = sparse(random.chance(75) ? Labels{i, j} : Labels{j, i});
  if (kind == 0) {
    LargeNode x = random.chance(75) ? dense({j}) : sparse({j});
    LargeNode sum = reduction("sum", {j}, binary("*", prologue(std::move(a)), std::move(x)));
    return finish(epilogue(std::move(sum), {i}), {i});
  }
  if (kind == 1) { // a narrow matrix: at most 8 million values
    int64_t most = 8000000 / std::max(c.labels[i].extent, c.labels[j].extent);
    unsigned k = label(std::max<int64_t>(std::min(random.pick<int64_t>({4, 16, 32, 64}), most), 1));
    LargeNode b = dense(random.chance(80) ? Labels{j, k} : Labels{k, j});
    LargeNode sum = reduction("sum", {j}, binary("*", prologue(std::move(a)), std::move(b)));
    return finish(epilogue(std::move(sum), {i, k}), {i, k});
  }
  // About 5 * 10^6 products at most.
  unsigned k = label(drawExtent());
  int64_t entries = drawEntries();
  double products =
      double(c.tensors[a.tensor].entries) * double(entries) / double(c.labels[j].extent);
  if (products > 5e6)
    entries = std::max<int64_t>(int64_t(double(entries) * 5e6 / products), 1000);
  LargeNode b = sparse(random.chance(75) ? Labels{j, k} : Labels{k, j}, entries);
  LargeNode sum = reduction("sum", {j}, binary("*", prologue(std::move(a)), std::move(b)));
  finish(epilogue(std::move(sum), {i, k}), {i, k});
}

// Dense matrices of 10^5 values each.
void LargeDrawer::drawDenseProduct() {
  c.family = "dense product";
  unsigned i = label(random.pick<int64_t>({400, 600, 900}));
  unsigned j = label(random.pick<int64_t>({400, 600, 900}));
  unsigned k = label(random.pick<int64_t>({400, 600, 900}));
  LargeNode a = dense(random.chance(80) ? Labels{i, j} : Labels{j, i});
  a = prologue(std::move(a));
  LargeNode b = dense(random.chance(80) ? Labels{j, k} : Labels{k, j});
  LargeNode sum = reduction("sum", {j}, binary("*", std::move(a), std::move(b)));
  finish(epilogue(std::move(sum), {i, k}), {i, k});
}

// A product, a sum or a difference where a third tensor has entries.
void LargeDrawer::drawMasked() {
  c.family = "mask";
  unsigned i = label(random.pick<int64_t>({3000, 10000, 30000, 100000}));
  unsigned j = label(random.pick<int64_t>({3000, 10000, 30000, 100000}));
  unsigned k = label(c.labels[i].extent);
  LargeNode a = sparse({i, k}, 200000), b = sparse({k, j}, 200000);
  LargeNode value = reduction("sum", {k}, binary("*", std::move(a), std::move(b)));
  size_t kind = random.weighted({40, 20, 10, 30});
  if (kind > 0) {
    LargeNode other = sparse({i, j});
    value = kind < 3 ? binary(kind == 1 ? "+" : "-", std::move(other), std::move(value))
                     : binary("+", std::move(other), sparse({i, j}));
  }
  LargeNode mask = sparse({i, j});
  c.mask = LargeMask{.tensor = mask.tensor, .labels = mask.labels};
  c.mask->complement = random.chance(15);
  finish(std::move(value), {i, j}, /*permutes=*/false);
}

// All labels, or some, by any monoid.
void LargeDrawer::drawReduction() {
  c.family = "reduction";
  auto order = size_t(random.between(1, 3));
  bool hyper = random.chance(15);
  Labels labels, kept, reduced;
  for (size_t at = 0; at < order; ++at) {
    labels.push_back(label(hyper        ? int64_t(1) << random.between(20, 40)
                           : order == 1 ? int64_t(1000000)
                           : order == 3 ? random.pick<int64_t>({100, 300, 1000, 3000})
                                        : drawExtent()));
    (random.chance(60) ? reduced : kept).push_back(labels.back());
  }
  if (reduced.empty()) {
    reduced.push_back(kept.back());
    kept.pop_back();
  }
  bool truth = isReal() && random.chance(15);
  std::string word = truth ? "any" : random.pick<std::string>({"sum", "sum", "min", "max", "prod"});
  if (truth)
    type = STRATA_BOOL;
  bool complex = type == STRATA_C64 || type == STRATA_C128;
  if (complex && word != "sum")
    word = "sum";
  LargeNode value = random.chance(15) && volumeOf(labels) <= 1e7 ? dense(labels) : sparse(labels);
  c.tensors[value.tensor].units = word == "prod";
  if (word == "sum")
    value = prologue(std::move(value));
  finish(reduction(word, reduced, std::move(value)), kept);
}

// Another format, another order of dimensions.
void LargeDrawer::drawConversion() {
  c.family = "conversion";
  auto order = size_t(random.weighted({0, 10, 70, 20}));
  bool hyper = random.chance(15);
  Labels labels = drawLabels(order, hyper);
  LargeNode value = sparse(labels);
  random.shuffle(labels);
  finish(std::move(value), labels, /*permutes=*/false);
  c.resultFormat = drawLargeFormat(random, c.resultSizes(), c.tensors[0].entries, type);
}

// Diagonals: A(i,i), A(i,i) * x(i), A(i,j,i).
void LargeDrawer::drawRepeated() {
  c.family = "repeated labels";
  unsigned i = label(random.pick<int64_t>({1000, 10000, 100000}));
  bool three = c.labels[i].extent == 1000 && random.chance(50);
  Labels labels{i, i}, left{i};
  if (three) {
    unsigned j = label(300);
    labels = random.pick<Labels>({{i, j, i}, {i, i, j}, {j, i, i}});
    left.push_back(j);
  }
  LargeNode value = sparse(labels);
  if (random.chance(40))
    value = binary(random.pick<std::string>({"*", "+"}), std::move(value), dense({i}));
  if (random.chance(30)) {
    value = reduction("sum", {i}, std::move(value));
    left.erase(left.begin());
  }
  finish(std::move(value), left, /*permutes=*/false);
}

// Products that meet where both have entries, added by something else.
void LargeDrawer::drawSemiring() {
  c.family = "semiring";
  bool truth = random.chance(25);
  type = truth ? STRATA_BOOL : random.pick({STRATA_F64, STRATA_F64, STRATA_F32, STRATA_I64});
  std::string word =
      truth ? "@(lor,land)" : random.pick<std::string>({"@(min,+)", "@(max,*)", "@(plus,pair)"});
  unsigned i = label(drawExtent()), j = label(drawExtent());
  LargeNode a = sparse({i, j}, 200000);
  if (random.chance(40)) {
    LargeNode x = random.chance(60) ? dense({j}) : sparse({j}, 100000);
    finish(binary(word, std::move(a), std::move(x)), {i});
    return;
  }
  unsigned k = label(drawExtent());
  int64_t entries = int64_t(std::min(200000.0, 5e6 * double(c.labels[j].extent) / 200000));
  LargeNode b = sparse({j, k}, entries);
  // The left side says what is summed; the estimate needs to be told.
  LargeNode value = binary(word, std::move(a), std::move(b));
  double found = double(entries) * 200000 / double(c.labels[j].extent);
  c.value = std::move(value);
  c.left = {i, k};
  c.resultFormat = found * 3 > volumeOf(c.left) && volumeOf(c.left) < 3e7
                       ? "Dense"
                       : plainLargeFormat(c.resultSizes(), std::min(found, volumeOf(c.left) / 20));
}

// Labels that one operand alone has: y(k) = A(i,j) * B(j,k).
void LargeDrawer::drawLonely() {
  c.family = "lonely labels";
  bool isDense = random.chance(50);
  unsigned i = label(isDense ? 1000 : drawExtent());
  unsigned j = label(isDense ? 500 : random.pick<int64_t>({1000, 10000, 100000}));
  unsigned k = label(isDense ? 800 : 32);
  LargeNode a = isDense ? dense({i, j}) : sparse({i, j});
  LargeNode b = dense({j, k});
  LargeNode value = random.chance(50) ? binary("*", std::move(a), std::move(b))
                                      : binary("*", std::move(b), std::move(a));
  bool twice = random.chance(30);
  if (twice)
    value = binary("*", std::move(value), dense({label(random.pick<int64_t>({100, 300})), k}));
  Labels reduced{i, j};
  if (twice)
    reduced.push_back(unsigned(c.labels.size() - 1));
  finish(reduction("sum", reduced, std::move(value)), {k});
}

// sum(i, N(i,j) * N(i,k)) - m(j) * m(k)
void LargeDrawer::drawCentred() {
  c.family = "centred";
  unsigned i = label(random.pick<int64_t>({3000, 10000}));
  unsigned j = label(random.pick<int64_t>({300, 600})), k = label(c.labels[j].extent);
  bool isDense = random.chance(30);
  if (isDense)
    c.labels[i].extent = 400;
  LargeNode n = isDense ? dense({i, j}) : sparse({i, j}, 100000);
  if (!isDense)
    c.tensors[n.tensor].skewed = -1;
  LargeNode again = n;
  again.labels = {i, k};
  LargeNode m = dense({j}), other = m;
  other.labels = {k};
  LargeNode square = reduction("sum", {i}, binary("*", std::move(n), std::move(again)));
  finish(binary("-", std::move(square), binary("*", std::move(m), std::move(other))), {j, k});
}

// Sums of two products: L * x + transposed M * x, A * B - C * D, with the same summed label or two.
void LargeDrawer::drawTwoProducts() {
  c.family = "two products";
  int64_t n = random.pick<int64_t>({1000, 10000, 100000, 300000});
  auto word = random.pick<std::string>({"+", "-"});
  if (random.chance(50)) {
    unsigned i = label(n), j = label(n);
    LargeNode x = dense({j}), l = sparse({i, j});
    LargeNode m = sparse(random.chance(60) ? Labels{j, i} : Labels{i, j});
    LargeNode first = reduction("sum", {j}, binary("*", std::move(l), x));
    LargeNode second = reduction("sum", {j}, binary("*", std::move(m), std::move(x)));
    return finish(epilogue(binary(word, std::move(first), std::move(second)), {i}), {i});
  }
  bool isDense = random.chance(40);
  int64_t size = isDense ? 400 : std::min<int64_t>(n, 100000);
  unsigned i = label(size), j = label(size), k = label(size);
  unsigned other = random.chance(50) ? k : label(size);
  auto factor = [&](Labels labels) { return isDense ? dense(labels) : sparse(labels, 150000); };
  auto product = [&](unsigned summed, bool turned) {
    LargeNode a = factor(turned ? Labels{j, summed} : Labels{i, summed});
    LargeNode b = factor(turned ? Labels{summed, i} : Labels{summed, j});
    return reduction("sum", {summed}, binary("*", std::move(a), std::move(b)));
  };
  LargeNode first = product(k, false);
  LargeNode second = product(other, random.chance(50));
  finish(binary(word, std::move(first), std::move(second)), {i, j});
}

LargeCase LargeDrawer::draw() {
  drawType();
  switch (random.weighted({20, 24, 8, 7, 10, 6, 4, 5, 4, 3, 6, 14})) {
  case 0:
    drawElementwise();
    break;
  case 1:
    drawProduct();
    break;
  case 2:
    drawDenseProduct();
    break;
  case 3:
    drawMasked();
    break;
  case 4:
    drawReduction();
    break;
  case 5:
    drawConversion();
    break;
  case 6:
    drawRepeated();
    break;
  case 7:
    drawSemiring();
    break;
  case 8:
    drawLonely();
    break;
  case 9:
    drawCentred();
    break;
  case 10:
    drawTwoProducts();
    break;
  default:
    drawNetwork();
  }
  c.dropUnused();
  return std::move(c);
}

LargeCase drawLarge(uint64_t seed) { return LargeDrawer(seed).draw(); }

} // namespace strata::test
