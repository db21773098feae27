// result(i) = functionmath.tanh((A(i) * (B(i) - 1.0))) schedule { divide(i, io, ii, 3); parallelize(io, CPUThread); vectorize(ii) }
// Case 332 of seed 91.
// RUN: split-file %s %t && cd %t && strata run --check program.mlir
//--- A.tns
# extended FROSTT format
1 1
8
8 0x7FF0000000000000
//--- B.tns
# extended FROSTT format
1 10
8
5 4.4390000000000001
2 1.0
6 -1.5
8 -0.5
7 1.4610000000000001
5 -1.0
8 -0.5
1 1.0
3 -0.5
4 -2.758
//--- program.mlir
#F0 = #ta.format<(i) -> (i : compressed)>
#F1 = #ta.format<(i) -> (i : dense)>
func.func @main() {
  %n8 = arith.constant 8 : index
  %A = ta.read "A.tns" : tensor<?xf64, #F0>
  %B = ta.read "B.tns" : tensor<?xf64, #F1>
  %result = ta.compute [%i = %n8] ins(%A, %B : tensor<?xf64, #F0>, tensor<?xf64, #F1>) sizes(%n8) -> tensor<?xf64> out [%i] attributes {schedule = #ta.schedule<divide(i, io, ii, 3), parallelize(io, CPUThread), vectorize(ii)>, names = ["i"]} {
    %0 = ta.access %A[%i] : tensor<?xf64, #F0>
    %1 = ta.access %B[%i] : tensor<?xf64, #F1>
    %2 = arith.constant 1.0 : f64
    %3 = arith.subf %1, %2 : f64
    %4 = arith.mulf %0, %3 : f64
    %5 = math.tanh %4 : f64
    ta.yield %5 : f64
  }
  ta.print %result "result" : tensor<?xf64>
  return
}
