"""Modules of MLIR: linalg and sparse_tensor, against NumPy and against upstream's own sparsifier."""

import itertools
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import numpy

import strata as st
from drawing import TestCase

IS_LONG = bool(os.environ.get("STRATA_LONG"))

LEVELS = ("dense", "compressed")

#: Maps of encodings of matrices, one of each kind.
MATRICES = {
    "CSR": "(i, j) -> (i : dense, j : compressed)",
    "CSC": "(i, j) -> (j : dense, i : compressed)",
    "DCSC": "(i, j) -> (j : compressed, i : compressed)",
    "CDR": "(i, j) -> (i : compressed, j : dense)",
    "COO": "(i, j) -> (i : compressed(nonunique), j : singleton(soa))",
    "AoS": "(i, j) -> (i : compressed(nonunique), j : singleton)",
    "BSR": "(i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense)",
    "loose": "(i, j) -> (i : dense, j : loose_compressed)",
    "unordered": "(i, j) -> (i : dense, j : compressed(nonordered))",
}


def encoding(map, *more):
    return f"#sparse_tensor.encoding<{{{', '.join([f'map = {map}', *more])}}}>"


def find(name):
    """A program of LLVM 22 by its name; none where that is not installed."""
    return shutil.which(f"{name}-22") or shutil.which(f"/usr/lib/llvm-22/bin/{name}")


class ModuleTest(TestCase):
    def call(self, text, *operands, function=None):
        return st.from_mlir(text, function)(*operands)

    def test_state_space_of_001(self):
        """001, section 5.2: every pair of levels, ordering and widths gives the same product."""
        a, b = self.draw((7, 9)), self.draw((9, 5))
        widths = [0, 8, 16, 32, 64] if IS_LONG else [0, 16, 64]
        for levels, order, pos, crd in itertools.product(
            itertools.product(LEVELS, repeat=2), ("i, j", "j, i"), widths, widths
        ):
            text = f"""
              #A = #sparse_tensor.encoding<{{
                dimLevelType = ["{levels[0]}", "{levels[1]}"],
                dimOrdering = affine_map<(i, j) -> ({order})>,
                pointerBitWidth = {pos}, indexBitWidth = {crd} }}>
              func.func @spmm(%A: tensor<?x?xf64, #A>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>)
                  -> tensor<?x?xf64> {{
                %D = linalg.matmul ins(%A, %B : tensor<?x?xf64, #A>, tensor<?x?xf64>)
                                   outs(%C : tensor<?x?xf64>) -> tensor<?x?xf64>
                return %D : tensor<?x?xf64>
              }}"""
            with self.subTest(levels=levels, order=order, pos=pos, crd=crd):
                result = self.call(text, a, b, numpy.ones((7, 5)))
                numpy.testing.assert_allclose(result.todense(), a @ b + 1)

    def test_program_of_001(self):
        """001, section 5.1: PyTACO's sum, product, and sum in two statements."""
        text = f"""
          #T = {encoding(MATRICES["CDR"])}
          #ij = affine_map<(i, j) -> (i, j)>
          #i = affine_map<(i, j) -> (i)>
          func.func @main(%A: tensor<16x16xf64, #T>, %B: tensor<16x16xf64, #T>, %C: tensor<16xf64>)
              -> (tensor<16x16xf64, #T>, tensor<16x16xf64, #T>, tensor<16xf64>) {{
            %e = tensor.empty() : tensor<16x16xf64, #T>
            %sum = linalg.generic {{indexing_maps = [#ij, #ij, #ij],
                                   iterator_types = ["parallel", "parallel"]}}
                ins(%A, %B : tensor<16x16xf64, #T>, tensor<16x16xf64, #T>)
                outs(%e : tensor<16x16xf64, #T>) {{
            ^bb0(%a: f64, %b: f64, %c: f64):
              %s = arith.addf %a, %b : f64
              linalg.yield %s : f64
            }} -> tensor<16x16xf64, #T>
            %product = linalg.matmul ins(%A, %B : tensor<16x16xf64, #T>, tensor<16x16xf64, #T>)
                                     outs(%e : tensor<16x16xf64, #T>) -> tensor<16x16xf64, #T>
            %D = linalg.generic {{indexing_maps = [#ij, #i],
                                 iterator_types = ["parallel", "reduction"]}}
                ins(%sum : tensor<16x16xf64, #T>) outs(%C : tensor<16xf64>) {{
            ^bb0(%t: f64, %d: f64):
              %s = arith.addf %d, %t : f64
              linalg.yield %s : f64
            }} -> tensor<16xf64>
            return %sum, %product, %D
              : tensor<16x16xf64, #T>, tensor<16x16xf64, #T>, tensor<16xf64>
          }}"""
        a, b, c = self.draw((16, 16)), self.draw((16, 16)), self.draw((16,))
        sum, product, d = self.call(text, a, b, c)
        numpy.testing.assert_allclose(sum.todense(), a + b)
        numpy.testing.assert_allclose(product.todense(), a @ b)
        numpy.testing.assert_allclose(d.todense(), (a + b).sum(1) + c)

    def test_encodings(self):
        a, b = self.draw((6, 9)), self.draw((6, 9))
        for (first, one), (second, other) in itertools.product(MATRICES.items(), repeat=2):
            text = f"""
              #A = {encoding(one)}
              #B = {encoding(other)}
              func.func @f(%A: tensor<6x9xf64, #A>, %B: tensor<6x9xf64, #B>) -> tensor<6x9xf64, #B> {{
                %e = tensor.empty() : tensor<6x9xf64, #B>
                %C = linalg.add ins(%A, %B : tensor<6x9xf64, #A>, tensor<6x9xf64, #B>)
                                outs(%e : tensor<6x9xf64, #B>) -> tensor<6x9xf64, #B>
                return %C : tensor<6x9xf64, #B>
              }}"""
            with self.subTest(first=first, second=second):
                numpy.testing.assert_allclose(self.call(text, a, b).todense(), a + b)

    def test_structured_values_and_explicit_values(self):
        text = f"""
          #S = {encoding("(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])")}
          #E = {encoding(MATRICES["CSR"], "explicitVal = 3.0 : f64")}
          func.func @f(%A: tensor<2x8xf64, #S>, %B: tensor<2x8xf64, #E>) -> (tensor<2x8xf64>, tensor<2x8xf64>) {{
            %e = tensor.empty() : tensor<2x8xf64>
            %C = linalg.mul ins(%A, %A : tensor<2x8xf64, #S>, tensor<2x8xf64, #S>)
                            outs(%e : tensor<2x8xf64>) -> tensor<2x8xf64>
            %D = linalg.add ins(%A, %B : tensor<2x8xf64, #S>, tensor<2x8xf64, #E>)
                            outs(%e : tensor<2x8xf64>) -> tensor<2x8xf64>
            return %C, %D : tensor<2x8xf64>, tensor<2x8xf64>
          }}"""
        a = numpy.array([[1, 0, 2, 0, 0, 3, 4, 0], [0, 0, 0, 5, 0, 0, 0, 0.0]])
        b = self.draw((2, 8))
        square, sum = self.call(text, a, b)
        numpy.testing.assert_allclose(square.todense(), a * a)
        numpy.testing.assert_allclose(sum.todense(), a + 3 * (b != 0))

    def test_named_operations(self):
        x = self.draw((1, 9, 8, 3))
        k, w = self.draw((3, 3, 3, 4)), self.draw((2, 2))
        text = """
          func.func @f(%x: tensor<1x9x8x3xf64>, %k: tensor<3x3x3x4xf64>, %w: tensor<2x2xf64>)
              -> (tensor<1x7x6x4xf64>, tensor<1x8x7x3xf64>, tensor<9x8x3xf64>, tensor<f64>) {
            %z = arith.constant 0.0 : f64
            %m = arith.constant 0xFFF0000000000000 : f64
            %e = tensor.empty() : tensor<1x7x6x4xf64>
            %f = linalg.fill ins(%z : f64) outs(%e : tensor<1x7x6x4xf64>) -> tensor<1x7x6x4xf64>
            %c = linalg.conv_2d_nhwc_hwcf
              ins(%x, %k : tensor<1x9x8x3xf64>, tensor<3x3x3x4xf64>) outs(%f : tensor<1x7x6x4xf64>)
              -> tensor<1x7x6x4xf64>
            %pe = tensor.empty() : tensor<1x8x7x3xf64>
            %pf = linalg.fill ins(%m : f64) outs(%pe : tensor<1x8x7x3xf64>) -> tensor<1x8x7x3xf64>
            %p = linalg.pooling_nhwc_max
              ins(%x, %w : tensor<1x9x8x3xf64>, tensor<2x2xf64>) outs(%pf : tensor<1x8x7x3xf64>)
              -> tensor<1x8x7x3xf64>
            %y = tensor.collapse_shape %x [[0, 1], [2], [3]] : tensor<1x9x8x3xf64> into tensor<9x8x3xf64>
            %ye = tensor.empty() : tensor<9x8x3xf64>
            %s = linalg.softmax dimension(2) ins(%y : tensor<9x8x3xf64>) outs(%ye : tensor<9x8x3xf64>)
              -> tensor<9x8x3xf64>
            %ze = tensor.empty() : tensor<f64>
            %zf = linalg.fill ins(%z : f64) outs(%ze : tensor<f64>) -> tensor<f64>
            %r = linalg.reduce { arith.addf } ins(%s : tensor<9x8x3xf64>) outs(%zf : tensor<f64>)
              dimensions = [0, 1, 2]
            return %c, %p, %s, %r
              : tensor<1x7x6x4xf64>, tensor<1x8x7x3xf64>, tensor<9x8x3xf64>, tensor<f64>
          }"""
        windows = numpy.lib.stride_tricks.sliding_window_view
        conv, pool, soft, total = self.call(text, x, k, w)
        numpy.testing.assert_allclose(
            conv.todense(), numpy.einsum("nhwcab,abcf->nhwf", windows(x, (3, 3), (1, 2)), k)
        )
        numpy.testing.assert_allclose(pool.todense(), windows(x, (2, 2), (1, 2)).max((4, 5)))
        e = numpy.exp(x[0])
        numpy.testing.assert_allclose(soft.todense(), e / e.sum(2, keepdims=True))
        self.assertAlmostEqual(total.item(), 72)

    def test_no_number(self):
        text = """
          func.func @f(%x: tensor<2x3xf64>) -> tensor<2xf64> {
            %n = arith.constant 0x7FF8000000000000 : f64
            %e = tensor.empty() : tensor<2xf64>
            %f = linalg.fill ins(%n : f64) outs(%e : tensor<2xf64>) -> tensor<2xf64>
            %m = linalg.reduce { arith.maxnumf } ins(%x : tensor<2x3xf64>) outs(%f : tensor<2xf64>) dimensions = [1]
            return %m : tensor<2xf64>
          }"""
        nan = numpy.nan
        result = self.call(text, numpy.array([[1, nan, 2], [nan, nan, nan]]))
        numpy.testing.assert_array_equal(result.todense(), [2, nan])

    def test_parts_and_scalars(self):
        text = f"""
          #V = {encoding("(i) -> (i : compressed)")}
          func.func @f(%x: tensor<?xf64, #V>, %s: f64) -> (tensor<3xf64, #V>, tensor<?xf64, #V>, f64, i64) {{
            %c4 = arith.constant 4 : index
            %part = tensor.extract_slice %x[1] [3] [2] : tensor<?xf64, #V> to tensor<3xf64, #V>
            %with = tensor.insert %s into %x[%c4] : tensor<?xf64, #V>
            %one = tensor.extract %with[%c4] : tensor<?xf64, #V>
            %two = arith.mulf %one, %s : f64
            %n = sparse_tensor.number_of_entries %with : tensor<?xf64, #V>
            %m = arith.index_cast %n : index to i64
            return %part, %with, %two, %m : tensor<3xf64, #V>, tensor<?xf64, #V>, f64, i64
          }}"""
        x = numpy.array([0.0, 2, 0, 4, 0, 0, 7])
        part, changed, two, count = self.call(text, x, 3.0)
        numpy.testing.assert_array_equal(part.todense(), x[1:6:2])
        numpy.testing.assert_array_equal(changed.todense(), [0, 2, 0, 4, 3, 0, 7])
        self.assertEqual((two.item(), count.item()), (9, 4))

    def test_generated_tensors(self):
        text = """
          func.func @main(%s: f64) -> (tensor<3x4xf64>, tensor<2x2xf64>) {
            %c3 = arith.constant 3 : index
            %g = tensor.generate %c3 {
            ^bb0(%i: index, %j: index):
              %k = arith.addi %i, %j : index
              %l = arith.index_cast %k : index to i64
              %f = arith.sitofp %l : i64 to f64
              %m = arith.mulf %f, %s : f64
              tensor.yield %m : f64
            } : tensor<?x4xf64>
            %h = tensor.cast %g : tensor<?x4xf64> to tensor<3x4xf64>
            %c1 = arith.constant 1 : index
            %z = arith.constant 0.0 : f64
            %v = vector.transfer_read %h[%c1, %c1], %z : tensor<3x4xf64>, vector<2x2xf64>
            vector.print %v : vector<2x2xf64>
            vector.print str "end"
            %p = tensor.extract_slice %h[1, 1] [2, 2] [1, 1] : tensor<3x4xf64> to tensor<2x2xf64>
            return %h, %p : tensor<3x4xf64>, tensor<2x2xf64>
          }"""
        function = st.from_mlir(text)
        generated, part = function(0.5)
        expected = numpy.add.outer(numpy.arange(3), numpy.arange(4)) * 0.5
        numpy.testing.assert_array_equal(generated.todense(), expected)
        numpy.testing.assert_array_equal(part.todense(), expected[1:, 1:3])
        self.assertIn("1.5", function.printed)
        self.assertTrue(function.printed.endswith("end"))

    def test_operations_on_whole_tensors(self):
        text = f"""
          #A = {encoding(MATRICES["CSR"])}
          func.func @f(%x: tensor<?xf64>, %y: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xi1>) {{
            %p = arith.mulf %x, %y : tensor<?xf64>
            %e = math.exp %p : tensor<?xf64>
            %l = arith.cmpf ult, %x, %e : tensor<?xf64>
            return %e, %l : tensor<?xf64>, tensor<?xi1>
          }}
          func.func @sparse(%A: tensor<3x4xf64, #A>, %B: tensor<3x4xf64, #A>) -> tensor<3x4xf64, #A> {{
            %s = arith.subf %A, %B : tensor<3x4xf64, #A>
            return %s : tensor<3x4xf64, #A>
          }}
          func.func @bytes(%x: tensor<3xi8>, %y: tensor<3xi8>) -> tensor<3xi32> {{
            %s = arith.divui %x, %y : tensor<3xi8>
            %w = arith.extui %s : tensor<3xi8> to tensor<3xi32>
            return %w : tensor<3xi32>
          }}
          func.func @floors(%x: tensor<3xi32>) -> tensor<3xi32> {{
            %s = arith.floordivsi %x, %x : tensor<3xi32>
            return %s : tensor<3xi32>
          }}"""
        for n in (0, 1, 5):
            x, y = self.draw((n,)), self.draw((n,))
            product, less = st.from_mlir(text, "f")(x, y)
            numpy.testing.assert_allclose(product.todense(), numpy.exp(x * y))
            numpy.testing.assert_array_equal(less.todense(), x < numpy.exp(x * y))
        a, b = self.draw((3, 4)), self.draw((3, 4))
        difference = st.from_mlir(text, "sparse")(a, b)
        self.assertEqual(difference.format.name, "CSR")
        numpy.testing.assert_allclose(difference.todense(), a - b)
        x = numpy.array([-2, 6, 7], "int8")
        found = st.from_mlir(text, "bytes")(x, numpy.array([2, -3, 2], "int8"))
        numpy.testing.assert_array_equal(found.todense(), [127, 0, 3])
        with self.assertRaisesRegex(st.ExpressionError, "'arith.floordivsi' cannot be imported"):
            st.from_mlir(text, "floors")

    def test_element_types(self):
        for element in ("i3", "i128", "si8", "f80", "complex<i32>", "complex<f16>"):
            for body in ("return %x", "%0 = tensor.empty() : TENSOR return %0", ""):
                text = f"func.func @f(%x: TENSOR) -> TENSOR {{ {body or 'return %x'} : TENSOR }}"
                types = f"tensor<2x{element}>" if body else element
                with self.assertRaisesRegex(st.ExpressionError, "cannot be imported"):
                    st.from_mlir(text.replace("TENSOR", types))

    def test_sizes_below_zero(self):
        text = """
          func.func @f() -> tensor<?xf64> {
            %n = arith.constant SIZE : index
            %e = tensor.empty(%n) : tensor<?xf64>
            return %e : tensor<?xf64>
          }"""
        self.assertEqual(st.from_mlir(text.replace("SIZE", "2"))().shape, (2,))
        with self.assertRaisesRegex(st.Error, "dimension 1 .* has size -3"):
            st.from_mlir(text.replace("SIZE", "-3"))()

    def test_nesting(self):
        n = 20000
        for text in (
            "module {\n" * n + "}" * n,
            f"module attributes {{ta.a = {'[' * n}{']' * n}}} {{}}",
            f"#m = affine_map<(i) -> ({'(' * n}i{')' * n})>",
            f"#m = affine_map<(i) -> ({'-' * n}i)>",
            f"#m = affine_map<(i) -> (i{' + i' * n})>",
        ):
            with self.assertRaisesRegex(st.ExpressionError, "nested too deeply"):
                st.from_mlir(text)
        text = f"""// {'(' * 2000}
          func.func @f() -> tensor<1xf64> {{
            %c = arith.constant {{ta.a = "{'[' * 2000}"}} dense<[-1.0]> : tensor<1xf64>
            return %c : tensor<1xf64>
          }}"""
        self.assertEqual(st.from_mlir(text)().todense(), [-1])

    def test_room_between_rows(self):
        """A loose storage of others: rows in any order, with room between them, and a row left out."""
        i32 = "int32"
        a = st.from_buffers(
            "{(i, j) -> (i : dense, j : loose_compressed), pos = 32, crd = 32}",
            (3, 4),
            (
                numpy.array([4, 6, 0, 0, 1, 3], i32),
                numpy.array([9, 0, 2, 9, 1, 3], i32) % 4,
                numpy.array([7.0, 1, 2, 7, 3, 4]),
            ),
        )
        dense = numpy.array([[0, 3, 0, 4], [0, 0, 0, 0], [1, 0, 2, 0.0]])
        numpy.testing.assert_array_equal(a.todense(), dense)
        x = numpy.arange(1.0, 5)
        numpy.testing.assert_array_equal((a @ x).todense(), dense @ x)
        numpy.testing.assert_array_equal(a.asformat("CSR").todense(), dense)
        numpy.testing.assert_array_equal((a + a.asformat("CSC")).todense(), 2 * dense)

    def test_custom_reductions(self):
        """They begin with their identity, and leave out rows in which nothing is stored."""
        text = f"""
          #A = {encoding(MATRICES["CSR"])}
          #V = {encoding("(i) -> (i : compressed)")}
          #ij = affine_map<(i, j) -> (i, j)>
          #i = affine_map<(i, j) -> (i)>
          func.func @f(%A: tensor<4x5xf64, #A>, %y: tensor<4xf64>)
              -> (tensor<4xf64>, tensor<4xf64, #V>) {{
            %two = arith.constant 2.0 : f64
            %p = linalg.generic {{indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}}
                ins(%A : tensor<4x5xf64, #A>) outs(%y : tensor<4xf64>) {{
            ^bb0(%a: f64, %o: f64):
              %r = sparse_tensor.reduce %o, %a, %two : f64 {{
              ^bb0(%s: f64, %t: f64):
                %m = arith.mulf %s, %t : f64
                sparse_tensor.yield %m : f64
              }}
              linalg.yield %r : f64
            }} -> tensor<4xf64>
            %e = tensor.empty() : tensor<4xf64, #V>
            %q = linalg.generic {{indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}}
                ins(%A : tensor<4x5xf64, #A>) outs(%e : tensor<4xf64, #V>) {{
            ^bb0(%a: f64, %o: f64):
              %r = sparse_tensor.reduce %a, %o, %two : f64 {{
              ^bb0(%s: f64, %t: f64):
                %m = arith.minimumf %s, %t : f64
                sparse_tensor.yield %m : f64
              }}
              linalg.yield %r : f64
            }} -> tensor<4xf64, #V>
            return %p, %q : tensor<4xf64>, tensor<4xf64, #V>
          }}"""
        a = numpy.array([[0, 3, 0, 4, 0], [0, 0, 0, 0, 0], [1, 0, 5, 0, 0], [7.0, 0, 0, 0, 0]])
        product, least = self.call(text, a, numpy.full(4, 9.0))
        numpy.testing.assert_array_equal(product.todense(), [24, 2, 10, 14])
        numpy.testing.assert_array_equal(least.todense(), [2, 0, 1, 2])
        self.assertEqual(least.nnz, 3)

    def test_listed_zeros(self):
        text = f"""
          #V = {encoding("(i) -> (i : compressed)")}
          func.func @f() -> tensor<?xf64, #V> {{
            %c = arith.constant sparse<[[1], [4]], [0.0, 2.0]> : tensor<6xf64>
            %x = sparse_tensor.convert %c : tensor<6xf64> to tensor<?xf64, #V>
            return %x : tensor<?xf64, #V>
          }}"""
        result = self.call(text)
        self.assertEqual(result.nnz, 2)
        numpy.testing.assert_array_equal(result.todense(), [0, 0, 0, 0, 2, 0])

    def test_whole_programs(self):
        text = """
          func.func @main() -> (tensor<2xf64>, tensor<2xf64>) {
            %x = arith.constant dense<[1.0, 2.0]> : tensor<2xf64>
            %e = tensor.empty() : tensor<2xf64>
            %y = linalg.add ins(%x, %x : tensor<2xf64>, tensor<2xf64>) outs(%e : tensor<2xf64>)
              -> tensor<2xf64>
            %c = arith.constant 1 : index
            %s = tensor.extract %y[%c] : tensor<2xf64>
            vector.print %s : f64
            return %x, %y : tensor<2xf64>, tensor<2xf64>
          }"""
        outcome = st.run(text)
        self.assertEqual(outcome.printed, "4\n")
        self.assertEqual(list(outcome), ["0", "1"])
        numpy.testing.assert_array_equal(outcome["1"].todense(), [2, 4])
        self.assertEqual(list(st.run(text, results=["1"])), ["1"])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "m.mlir")
            path.write_text(text)
            for file in (path, str(path)):
                self.assertEqual(st.run(file).printed, "4\n")
        with self.assertRaises(st.ArgumentError):
            st.run(text, n=3)
        with self.assertRaises(st.MissingFileError):
            st.run("nowhere.mlir")

    def test_mistakes(self):
        text = """
          func.func @f(%x: tensor<?xf64>, %y: tensor<?xf64>, %z: tensor<?xf64>) -> tensor<?xf64> {
            %s = linalg.add ins(%x, %y : tensor<?xf64>, tensor<?xf64>) outs(%z : tensor<?xf64>)
              -> tensor<?xf64>
            return %s : tensor<?xf64>
          }"""
        function = st.from_mlir(text)
        x = numpy.ones(3)
        with self.assertRaisesRegex(st.ArgumentError, "takes 3 operands, not 2"):
            function(x, x)
        with self.assertRaisesRegex(st.ShapeError, "two sizes: 3 from operand 1, 4 from operand 2"):
            function(x, numpy.ones(4), x)
        with self.assertRaisesRegex(st.DTypeError, "operand 2 has elements of float32"):
            function(x, x.astype("float32"), x)
        with self.assertRaisesRegex(st.ArgumentError, "operand 3 has 2 dimensions"):
            function(x, x, numpy.ones((3, 1)))
        with self.assertRaisesRegex(st.Error, "has no function 'g'; it has f"):
            st.from_mlir(text, "g")
        with self.assertRaisesRegex(st.ExpressionError, "expected"):
            st.from_mlir("func.func @f(")
        fixed = st.from_mlir("func.func @f(%x: tensor<4xf64>) -> tensor<4xf64> { return %x : tensor<4xf64> }")
        with self.assertRaisesRegex(st.ShapeError, "size 3, the function takes 4"):
            fixed(x)

    def test_sizes_0_and_1(self):
        text = f"""
          #A = {encoding(MATRICES["CSR"])}
          func.func @f(%A: tensor<?x?xf64, #A>, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {{
            %z = linalg.matvec ins(%A, %x : tensor<?x?xf64, #A>, tensor<?xf64>) outs(%y : tensor<?xf64>)
              -> tensor<?xf64>
            return %z : tensor<?xf64>
          }}"""
        function = st.from_mlir(text)
        for m, n in itertools.product((0, 1, 3), repeat=2):
            a, x, y = self.draw((m, n)), self.draw((n,)), self.draw((m,))
            numpy.testing.assert_allclose(function(a, x, y).todense(), a @ x + y)


#: Bodies on two vectors, each as upstream's sparsifier takes it.
BODIES = {
    "add": "%r = arith.addf %a, %b : f64",
    "sub": "%r = arith.subf %a, %b : f64",
    "mul": "%r = arith.mulf %a, %b : f64",
    "neg": "%n = arith.negf %a : f64\n%r = arith.addf %n, %b : f64",
    "abs": "%n = math.absf %a : f64\n%r = arith.mulf %n, %b : f64",
    "functions": "%s = math.sin %a : f64\n%t = math.tanh %b : f64\n%r = arith.addf %s, %t : f64",
    "scaled": "%c = arith.constant 2.5 : f64\n%m = arith.mulf %a, %c : f64\n"
    "%q = arith.divf %b, %c : f64\n%r = arith.subf %m, %q : f64",
    "intersection": """%r = sparse_tensor.binary %a, %b : f64, f64 to f64
      overlap={^bb0(%p: f64, %q: f64):
        %m = arith.maximumf %p, %q : f64
        sparse_tensor.yield %m : f64} left={} right={}""",
    "difference": """%r = sparse_tensor.binary %a, %b : f64, f64 to f64
      overlap={} left=identity right={}""",
    "union": """%r = sparse_tensor.binary %a, %b : f64, f64 to f64
      overlap={^bb0(%p: f64, %q: f64):
        %m = arith.minimumf %p, %q : f64
        sparse_tensor.yield %m : f64} left=identity
      right={^bb0(%q: f64):
        %m = arith.negf %q : f64
        sparse_tensor.yield %m : f64}""",
    "present": """%r = sparse_tensor.unary %a : f64 to f64
      present={^bb0(%p: f64):
        %c = arith.constant 1.5 : f64
        %m = arith.addf %p, %c : f64
        sparse_tensor.yield %m : f64} absent={}""",
    "absent": """%c = arith.constant 7.0 : f64
      %r = sparse_tensor.unary %a : f64 to f64
      present={} absent={sparse_tensor.yield %c : f64}""",
    "select": """%r = sparse_tensor.select %b : f64 {^bb0(%p: f64):
        %c = arith.constant 2.0 : f64
        %k = arith.cmpf ogt, %p, %c : f64
        sparse_tensor.yield %k : i1}""",
    "place": """%i = linalg.index 0 : index
      %r = sparse_tensor.select %b : f64 {^bb0(%p: f64):
        %c = arith.constant 5 : index
        %k = arith.cmpi ult, %i, %c : index
        sparse_tensor.yield %k : i1}""",
}


@unittest.skipUnless(find("mlir-opt") and find("mlir-runner"), "MLIR's programs are not installed")
class UpstreamTest(TestCase):
    """The same functions by upstream's sparsifier."""

    def literal(self, x):
        return f"dense<[{', '.join(repr(float(v)) for v in x)}]> : tensor<{len(x)}xf64>"

    def by_upstream(self, functions, calls):
        text = functions + "func.func @main() {\n%c0 = arith.constant 0 : index\n"
        text += "%z = arith.constant 0.0 : f64\n" + calls + "\nreturn\n}\n"
        lowered = subprocess.run(
            [find("mlir-opt"), "--sparsifier"], input=text, text=True, capture_output=True
        )
        self.assertEqual(lowered.returncode, 0, lowered.stderr)
        library = "/usr/lib/llvm-22/lib/libmlir_c_runner_utils.so"
        ran = subprocess.run(
            [find("mlir-runner"), "-e", "main", "-entry-point-result=void", f"-shared-libs={library}"],
            input=lowered.stdout,
            text=True,
            capture_output=True,
        )
        self.assertEqual(ran.returncode, 0, ran.stderr)
        lines = ran.stdout.strip().splitlines()
        return [[float(v) for v in line.strip("() ").split(",")] for line in lines]

    def test_bodies(self):
        n = 12
        x, y = self.draw((n,)), self.draw((n,))
        functions, calls, expected = "#V = " + encoding("(i) -> (i : compressed)") + "\n", "", []
        functions += "#id = affine_map<(i) -> (i)>\n"
        calls += f"""%dx = arith.constant {self.literal(x)}
          %x = sparse_tensor.convert %dx : tensor<{n}xf64> to tensor<{n}xf64, #V>
          %dy = arith.constant {self.literal(y)}
          %y = sparse_tensor.convert %dy : tensor<{n}xf64> to tensor<{n}xf64, #V>\n"""
        for name, body in BODIES.items():
            functions += f"""
              func.func @{name}(%x: tensor<{n}xf64, #V>, %y: tensor<{n}xf64, #V>) -> tensor<{n}xf64, #V> {{
                %e = tensor.empty() : tensor<{n}xf64, #V>
                %z = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}}
                  ins(%x, %y : tensor<{n}xf64, #V>, tensor<{n}xf64, #V>) outs(%e : tensor<{n}xf64, #V>) {{
                ^bb0(%a: f64, %b: f64, %o: f64):
                  {body}
                  linalg.yield %r : f64
                }} -> tensor<{n}xf64, #V>
                return %z : tensor<{n}xf64, #V>
              }}\n"""
            calls += f"""%{name} = call @{name}(%x, %y) : (tensor<{n}xf64, #V>, tensor<{n}xf64, #V>) -> tensor<{n}xf64, #V>
              %d_{name} = sparse_tensor.convert %{name} : tensor<{n}xf64, #V> to tensor<{n}xf64>
              %v_{name} = vector.transfer_read %d_{name}[%c0], %z : tensor<{n}xf64>, vector<{n}xf64>
              vector.print %v_{name} : vector<{n}xf64>\n"""
        theirs = self.by_upstream(functions, calls)
        self.assertEqual(len(theirs), len(BODIES))
        for name, expected in zip(BODIES, theirs):
            with self.subTest(body=name):
                ours = st.from_mlir(functions, name)(x, y)
                numpy.testing.assert_allclose(ours.todense(), expected, rtol=1e-5)


if __name__ == "__main__":
    unittest.main()
