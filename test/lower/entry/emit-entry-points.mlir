// Kernels get their C entry points.
// RUN: strata-opt %s --strata-emit-entry-points | FileCheck %s

// CHECK: llvm.func @strata_invoke(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32

// The runtime's functions for each element type are one.
// CHECK: llvm.func @strata_kernel_publish(
// CHECK-NOT: strata_publish_
llvm.func @strata_publish_f64(!llvm.ptr, !llvm.ptr, i64, !llvm.ptr, i64, i64, i64)
llvm.func @strata_publish_i32(!llvm.ptr, !llvm.ptr, i64, !llvm.ptr, i64, i64, i64)

// CHECK: llvm.func internal @scale.body(
// CHECK-COUNT-2: llvm.call @strata_kernel_publish(
llvm.func @scale(%context: !llvm.ptr, %out: !llvm.ptr, %size: i64, %vals: !llvm.ptr, %count: i64, %n: i64)
    attributes {strata.arguments = ["context", "storage 0", "size 0 1", "buffer 1 2", "count 1 2", "extent 3"]} {
  llvm.call @strata_publish_f64(%context, %out, %size, %vals, %count, %n, %n)
      : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr, i64, i64, i64) -> ()
  llvm.call @strata_publish_i32(%context, %out, %size, %vals, %count, %n, %n)
      : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr, i64, i64, i64) -> ()
  llvm.return
}

// Arguments are loaded as strata.arguments says, at the offsets of runtime/abi.h.
// CHECK: llvm.func internal @scale.load(%[[CONTEXT:.*]]: !llvm.ptr, %[[STORAGES:.*]]: !llvm.ptr, %[[EXTENTS:.*]]: !llvm.ptr)
// storage 0
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[STORAGES]][0]
// CHECK: %[[OUT:.*]] = llvm.load %[[AT]] : !llvm.ptr -> !llvm.ptr
// size 0 1
// CHECK: llvm.getelementptr %{{.*}}[8]
// CHECK: llvm.getelementptr %{{.*}}[8]
// CHECK: %[[SIZE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// buffer 1 2: data
// CHECK: llvm.getelementptr %[[STORAGES]][8]
// CHECK: llvm.getelementptr %{{.*}}[16]
// CHECK: llvm.getelementptr %{{.*}}[64]
// CHECK: %[[VALS:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// count 1 2
// CHECK: llvm.getelementptr %{{.*}}[72]
// CHECK: %[[COUNT:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// extent 3
// CHECK: llvm.getelementptr %[[EXTENTS]][24]
// CHECK: %[[N:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK: llvm.call @scale.body(%[[CONTEXT]], %[[OUT]], %[[SIZE]], %[[VALS]], %[[COUNT]], %[[N]])
// CHECK: llvm.return

// CHECK: llvm.func @scale(%[[C:.*]]: !llvm.ptr, %[[S:.*]]: !llvm.ptr, %[[E:.*]]: !llvm.ptr) -> i32
// CHECK: %[[BODY:.*]] = llvm.mlir.addressof @scale.load
// CHECK: %[[STATUS:.*]] = llvm.call @strata_invoke(%[[C]], %[[S]], %[[E]], %[[BODY]])
// CHECK: llvm.return %[[STATUS]] : i32

// Where it is said what a kernel was compiled for, the runtime first compares the arguments with that.
llvm.func @checked(%context: !llvm.ptr)
    attributes {strata.arguments = ["context"], strata.signature = array<i64: 0, 0, 0>, strata.names = "x\00"} {
  llvm.return
}

// CHECK: llvm.func @checked(%[[C:.*]]: !llvm.ptr, %[[S:.*]]: !llvm.ptr, %[[E:.*]]: !llvm.ptr) -> i32
// CHECK: %[[BODY:.*]] = llvm.mlir.addressof @checked.load
// CHECK: %[[WORDS:.*]] = llvm.mlir.addressof @checked.signature
// CHECK: %[[NAMES:.*]] = llvm.mlir.addressof @checked.names
// CHECK: llvm.call @strata_invoke_checked(%[[C]], %[[S]], %[[E]], %[[BODY]], %[[WORDS]], %[[NAMES]])
