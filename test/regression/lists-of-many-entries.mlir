// B(i,j) = A(i,j)
// A list that is made of so many entries that these are counted before they are stored.
// RUN: strata run --check %s | FileCheck %s
// CHECK: 360000 entries
#A = #ta.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton(unordered))>
#L = #ta.format<(i, j) -> (i : compressed(nonunique, unordered), j : singleton(nonunique, unordered))>
func.func @main() {
  %n = arith.constant 600 : index
  %A = ta.random (%n, %n) : tensor<?x?xf64, #A>
  %B = ta.convert %A : tensor<?x?xf64, #A> to tensor<?x?xf64, #L>
  ta.print %B "B" : tensor<?x?xf64, #L>
  return
}
