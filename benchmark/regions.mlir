// The same as Regions.cpp by MLIR's dialect async: loops over two pieces, which --async-parallel-for
// makes into tasks.
func.func @empty(%out: memref<?xf64>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  scf.parallel (%piece) = (%c0) to (%c2) step (%c1) {
    memref.store %zero, %out[%piece] : memref<?xf64>
    scf.reduce
  }
  return
}

func.func @product(%rows: index, %positions: memref<?xi32>, %coordinates: memref<?xi32>,
                   %values: memref<?xf64>, %x: memref<?xf64>, %y: memref<?xf64>)
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  scf.parallel (%piece) = (%c0) to (%c2) step (%c1) {
    %next_piece = arith.addi %piece, %c1 : index
    %rows_before = arith.muli %piece, %rows : index
    %rows_behind = arith.muli %next_piece, %rows : index
    %begin = arith.divui %rows_before, %c2 : index
    %end = arith.divui %rows_behind, %c2 : index
    scf.for %row = %begin to %end step %c1 {
      %next_row = arith.addi %row, %c1 : index
      %from32 = memref.load %positions[%row] : memref<?xi32>
      %to32 = memref.load %positions[%next_row] : memref<?xi32>
      %from = arith.index_cast %from32 : i32 to index
      %to = arith.index_cast %to32 : i32 to index
      %sum = scf.for %at = %from to %to step %c1 iter_args(%before = %zero) -> f64 {
        %column32 = memref.load %coordinates[%at] : memref<?xi32>
        %column = arith.index_cast %column32 : i32 to index
        %value = memref.load %values[%at] : memref<?xf64>
        %element = memref.load %x[%column] : memref<?xf64>
        %term = arith.mulf %value, %element : f64
        %after = arith.addf %before, %term : f64
        scf.yield %after : f64
      }
      memref.store %sum, %y[%row] : memref<?xf64>
    }
    scf.reduce
  }
  return
}
