// RUN: strata-opt %s --strata-mask-halves | FileCheck %s

// CHECK-LABEL: llvm.func @halves
llvm.func @halves(%p: !llvm.ptr, %q: !llvm.ptr, %mask: vector<16xi1>, %none: vector<16xbf16>) attributes {strata.kernel} {
  // CHECK: %[[NONE:.*]] = llvm.bitcast %{{.*}} : vector<16xbf16> to vector<16xi16>
  // CHECK: %[[READ:.*]] = llvm.intr.masked.load %{{.*}}, %{{.*}}, %[[NONE]] {{.*}} -> vector<16xi16>
  // CHECK: %[[FLOATS:.*]] = llvm.bitcast %[[READ]] : vector<16xi16> to vector<16xbf16>
  // CHECK: %[[SUM:.*]] = llvm.fadd %[[FLOATS]], %{{.*}} : vector<16xbf16>
  // CHECK: %[[BITS:.*]] = llvm.bitcast %[[SUM]] : vector<16xbf16> to vector<16xi16>
  // CHECK: llvm.intr.masked.store %[[BITS]]
  %read = llvm.intr.masked.load %p, %mask, %none {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xbf16>) -> vector<16xbf16>
  %sum = llvm.fadd %read, %none : vector<16xbf16>
  llvm.intr.masked.store %sum, %q, %mask {alignment = 2 : i32} : vector<16xbf16>, vector<16xi1> into !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @others
llvm.func @others(%p: !llvm.ptr, %mask: vector<8xi1>, %none: vector<8xf32>) attributes {strata.kernel} {
  // CHECK: llvm.intr.masked.load {{.*}} -> vector<8xf32>
  // CHECK-NOT: llvm.bitcast
  %read = llvm.intr.masked.load %p, %mask, %none {alignment = 4 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
  llvm.intr.masked.store %read, %p, %mask {alignment = 4 : i32} : vector<8xf32>, vector<8xi1> into !llvm.ptr
  llvm.return
}
