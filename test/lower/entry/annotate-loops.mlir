// What a schedule asks of a loop reaches the branch back to its beginning.
// RUN: strata-opt %s --strata-annotate-loops | FileCheck %s
#vectors = #llvm.loop_vectorize<disable = false, width = 8 : i32>
#loop = #llvm.loop_annotation<vectorize = #vectors>
// CHECK: #[[VECTORS:.*]] = #llvm.loop_vectorize<disable = false, width = 8 : i32>
// CHECK: #[[LOOP:.*]] = #llvm.loop_annotation<vectorize = #[[VECTORS]]>
// CHECK-LABEL: llvm.func @loop
// CHECK: llvm.br ^bb1({{.*}}) {loop_annotation = #[[LOOP]]}
llvm.func @loop(%n: i64, %one: i64) {
  llvm.br ^bb1(%one : i64)
^bb1(%i: i64):
  %c = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %c, ^bb2, ^bb3
^bb2:
  %next = llvm.add %i, %one : i64
  llvm.br ^bb1(%next : i64) {llvm.loop_annotation = #loop}
^bb3:
  llvm.return
}
