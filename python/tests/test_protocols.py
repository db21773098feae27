"""NumPy's functions of tensors, and operators with arrays of NumPy and SciPy on their left."""

import itertools
import operator
import unittest
import warnings

import numpy
import scipy.sparse

import strata as st
from drawing import TestCase

SCIPY_FORMATS = ("csr", "csc", "coo", "bsr", "dia", "lil", "dok")
OPERATORS = (
    "add sub mul truediv mod matmul pow and_ or_ xor lshift rshift eq ne lt le gt ge".split()
)
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
REDUCTIONS = ("sum", "prod", "min", "max", "any", "all", "mean")


class Stranger:
    """What SciPy has not heard of."""

    __array_ufunc__ = None

    def __lt__(self, other):
        return "answered"

    __gt__ = __rmul__ = __lt__


def leaves(operation):
    """Whether this version of SciPy leaves an operator of its arrays to the other operand."""
    try:
        return operation(scipy.sparse.csr_array(numpy.eye(2)), Stranger()) == "answered"
    except (AttributeError, TypeError, ValueError):
        return False


class ScipyOnTheLeftTest(TestCase):
    def left_operands(self, x):
        for format, kind in itertools.product(SCIPY_FORMATS, ("array", "matrix")):
            yield kind, getattr(scipy.sparse, f"{format}_{kind}")(x)

    def test_operators(self):
        names = ["add", "sub", "mul", "truediv", "matmul"]
        names += COMPARISONS if leaves(operator.lt) else []
        x, y = self.draw((4, 4)), self.draw((4, 4))
        for format in ("CSR", "Dense"):
            tensor = st.asarray(y, format=format)
            for name, (kind, left) in itertools.product(names, self.left_operands(x)):
                message = f"{name} of {left.format}_{kind} and {format}"
                operation = getattr(operator, name)
                if name == "mul" and kind == "array" and not leaves(operator.mul):
                    with self.assertRaisesRegex(st.UnsupportedError, "tensor first", msg=message):
                        operation(left, tensor)
                    continue
                found = operation(left, tensor)
                self.assertIsInstance(found, st.Tensor, message)
                expected = operation(st.asarray(left), tensor)
                self.assert_same(found, expected.todense(), message)
                if name != "truediv":
                    self.assert_same(found, operation(x, y), message)

    def test_vectors_and_shapes_that_do_not_fit(self):
        x = self.draw((3, 4))
        for kind, left in self.left_operands(x):
            for vector in (numpy.ones(4), self.draw((4, 2))):
                found = left @ st.asarray(vector)
                self.assertIsInstance(found, st.Tensor)
                self.assert_same(found, x @ vector, left.format)
            with self.assertRaises(st.ShapeError, msg=left.format):
                left @ st.eye(3, format="CSR")

    def test_what_is_no_operator_gets_no_array(self):
        tensor = st.eye(3, format="CSR")
        matrix = scipy.sparse.csr_matrix(numpy.eye(3))
        with self.assertRaises(st.DensifyError):
            matrix.multiply(tensor)
        self.assert_same(st.asarray(scipy.sparse.csr_array(st.ones((3, 3)))), numpy.ones((3, 3)))


class NumpyOnTheLeftTest(TestCase):
    def test_operators(self):
        for name in OPERATORS:
            dtype = "int64" if name in ("and_", "or_", "xor", "lshift", "rshift") else "float64"
            operation = getattr(operator, name)
            x, y = self.draw((4, 4), dtype), self.draw((4, 4), dtype, density=1)
            for format in ("CSR", "Dense"):
                tensor = st.asarray(y, format=format)
                with numpy.errstate(all="ignore"):
                    for left in (x, numpy.float64(2) if dtype == "float64" else numpy.int64(2)):
                        if name == "matmul" and left is not x:
                            continue
                        found = operation(left, tensor)
                        self.assertIsInstance(found, st.Tensor, (name, format))
                        self.assert_same(found, operation(left, y), (name, format))

    def test_in_place_on_arrays(self):
        y = self.draw((3, 4))
        array = numpy.ones((3, 4))
        array += st.asarray(y, format="CSR")
        self.assertIs(type(array), numpy.ndarray)
        numpy.testing.assert_array_equal(array, 1 + y)
        whole = numpy.ones((3, 4), "int8")
        with self.assertRaises(st.DTypeError):
            whole += st.asarray(y, format="CSR")


class NumpyFunctionsTest(TestCase):
    def test_reductions_agree_with_methods(self):
        x = self.draw((3, 4, 2), density=0.8)
        for name, format in itertools.product(REDUCTIONS, ("Dense", "COO")):
            tensor = st.asarray(x, format=format)
            function = getattr(numpy, name)
            for axis, keepdims in itertools.product((None, -1, (0, 2)), (False, True)):
                options = {"axis": axis, "keepdims": keepdims}
                found = function(tensor, **options)
                message = (name, format, axis, keepdims)
                self.assert_same(found, function(x, **options), message)
                same = getattr(tensor, name)(**options)
                self.assert_same(found, same.todense(), message)
                self.assertEqual(found.format, same.format)

    def test_element_types(self):
        x = self.draw((3, 4), "int32")
        for name in ("sum", "prod", "mean"):
            for dtype in ("float32", "int64", "complex128"):
                if name == "mean" and dtype == "int64":
                    continue
                found = getattr(numpy, name)(st.asarray(x, format="CSR"), dtype=dtype)
                self.assert_same(found, getattr(numpy, name)(x, dtype=dtype), (name, dtype))

    def test_out(self):
        x = self.draw((3, 4))
        for name in REDUCTIONS:
            expected = getattr(numpy, name)(x, axis=0)
            tensor = st.asarray(x, format="CSR")
            for call in (
                lambda out: getattr(numpy, name)(tensor, axis=0, out=out),
                lambda out: getattr(tensor, name)(0, out=out),
            ):
                array = numpy.zeros(4, expected.dtype)
                found = call(array)
                numpy.testing.assert_array_equal(array, expected)
                self.assertTrue(found.shares_memory(array), name)
                result = st.tensor(4, "SparseVector", dtype=expected.dtype)
                self.assertIs(call(result), result)
                self.assertEqual(result.format.name, "SparseVector")
                self.assert_same(result, expected, name)
                with self.assertRaises(st.ShapeError):
                    call(numpy.zeros(3))
                with self.assertRaisesRegex(TypeError, "not a list"):
                    call([0.0] * 4)
        for out in (numpy.zeros(4, int), st.zeros(4, dtype="int64")):
            with self.assertRaises(st.DTypeError):
                tensor.mean(0, out=out)

    def test_functions_of_elements(self):
        for dtype in "bool int8 uint16 float16 float32 complex64".split():
            x = self.draw((3, 4), dtype)
            for name in "abs absolute negative positive conj invert square transpose".split():
                kind = numpy.dtype(dtype).kind
                if kind == "b" and name in ("negative", "positive", "square", "conj"):
                    continue
                if name == "invert" and kind in "fc":
                    continue
                found = getattr(numpy, name)(st.asarray(x, format="CSR"))
                self.assert_same(found, getattr(numpy, name)(x), (name, dtype), 1e-2)
        for dtype in ("float64", "int64", "complex128"):
            x = self.draw((3, 4), dtype) / 8
            for name in "sqrt exp sin cos tanh log1p expm1 arctan arcsinh".split():
                with self.subTest((name, dtype)):
                    if x.dtype.kind == "c" and name not in ("sqrt", "exp", "sin", "cos"):
                        continue
                    found = getattr(numpy, name)(st.asarray(x, format="CSR"))
                    self.assertFalse(found.format.is_full)
                    self.assert_same(found, getattr(numpy, name)(x), (name, dtype))

    def test_functions_of_two_operands(self):
        x, y = self.draw((3, 4)), self.draw((3, 4))
        tensor = st.asarray(x, format="CSR")
        self.assert_same(numpy.add(tensor, y), x + y)
        self.assert_same(numpy.multiply(y, tensor), x * y)
        self.assert_same(numpy.matmul(tensor, y.T), x @ y.T)
        self.assert_same(numpy.add(tensor, 1, dtype="float32"), (x + 1).astype("float32"))
        array = numpy.zeros((3, 4))
        self.assertIs(numpy.subtract(tensor, y, out=array), array)
        numpy.testing.assert_array_equal(array, x - y)

    def test_what_tensors_do_not_take(self):
        tensor = st.eye(3, format="CSR")
        for call in (
            lambda: numpy.hypot.reduce(tensor),
            lambda: numpy.add.reduceat(tensor, [0, 1]),
            lambda: numpy.add(tensor, tensor, where=numpy.eye(3) > 0),
        ):
            with self.assertRaisesRegex(st.UnsupportedError, "does not take tensors"):
                call()
        for call in (numpy.asarray, numpy.median, numpy.cumsum, numpy.add.accumulate):
            with self.assertRaises(st.DensifyError):
                call(tensor)


class ArrayTest(TestCase):
    def test_no_copy_is_made_where_none_may_be(self):
        A = st.asarray(self.draw((3, 4)))
        self.assertTrue(A.shares_memory(A.__array__(copy=False)))
        self.assertTrue(A.shares_memory(A.__array__("float64", copy=False)))
        self.assertFalse(A.shares_memory(A.__array__("float64", copy=True)))
        for dtype in ("float32", int):
            self.assert_same(A.astype(dtype), A.__array__(dtype))
            with self.assertRaises(st.CopyError):
                A.__array__(dtype, copy=False)
        T = st.pytaco.as_tensor(A)
        with self.assertRaises(st.CopyError):
            T.__array__(copy=False)
        self.assert_same(A, T.__array__())


class ArrayFunctionsTest(TestCase):
    CALLS = {
        "amax": lambda x: numpy.amax(x, axis=0),
        "argmax": lambda x: numpy.argmax(x, 1),
        "around": lambda x: numpy.around(x, 1),
        "broadcast_to": lambda x: numpy.broadcast_to(x, (2, 4, 4)),
        "clip": lambda x: numpy.clip(x, 1, 3),
        "concatenate": lambda x: numpy.concatenate([x, x], axis=1),
        "count_nonzero": lambda x: numpy.count_nonzero(x, axis=0),
        "diag": numpy.diag,
        "diagonal": lambda x: numpy.diagonal(x, 1),
        "diff": numpy.diff,
        "dot": lambda x: numpy.dot(x, x),
        "einsum": lambda x: numpy.einsum("ij,kj->ik", x, x),
        "expand_dims": lambda x: numpy.expand_dims(x, 0),
        "flip": numpy.flip,
        "inner": lambda x: numpy.inner(x, x),
        "isclose": lambda x: numpy.isclose(x, x + 1e-12),
        "isin": lambda x: numpy.isin(x, [1.5, 0]),
        "kron": lambda x: numpy.kron(x, x),
        "mean": lambda x: numpy.mean(x, 1, keepdims=True),
        "moveaxis": lambda x: numpy.moveaxis(x, 0, 1),
        "norm": numpy.linalg.norm,
        "norm of rows": lambda x: numpy.linalg.norm(x, axis=1),
        "norm of columns": lambda x: numpy.linalg.norm(x, 1),
        "outer": lambda x: numpy.outer(x, x),
        "ravel": numpy.ravel,
        "repeat": lambda x: numpy.repeat(x, 2, axis=0),
        "reshape": lambda x: numpy.reshape(x, (2, 8)),
        "roll": lambda x: numpy.roll(x, 1, axis=0),
        "round": lambda x: numpy.round(x),
        "searchsorted": lambda x: numpy.searchsorted([0.0, 1.0, 2.0], x),
        "sort": lambda x: numpy.sort(x, axis=0),
        "squeeze": lambda x: numpy.squeeze(x[None]),
        "stack": lambda x: numpy.stack([x, x]),
        "std": lambda x: numpy.std(x, ddof=1),
        "swapaxes": lambda x: numpy.swapaxes(x, 0, 1),
        "take": lambda x: numpy.take(x, [1, 0], axis=1),
        "tensordot": lambda x: numpy.tensordot(x, x, 1),
        "tile": lambda x: numpy.tile(x, 2),
        "trace": lambda x: numpy.trace(x),
        "transpose": numpy.transpose,
        "tril": numpy.tril,
        "unique": numpy.unique,
        "var": lambda x: numpy.var(x, axis=0),
        "vdot": lambda x: numpy.vdot(x, x),
        "where": lambda x: numpy.where(x > 2, x, 0.0),
        "zeros_like": numpy.zeros_like,
        "arctan2": lambda x: numpy.arctan2(x, 1.0),
        "exp2": numpy.exp2,
        "fmax": lambda x: numpy.fmax(x, 1.0),
        "logical_not": numpy.logical_not,
        "isfinite": numpy.isfinite,
    }

    def test_against_arrays(self):
        x = self.draw((4, 4))
        for name, format in itertools.product(self.CALLS, ("Dense", "CSR", "COO")):
            with self.subTest(function=name, format=format):
                found = self.CALLS[name](st.asarray(x, format=format))
                self.assertIsInstance(found, st.Tensor)
                self.assert_same(found, self.CALLS[name](x), (name, format))

    def test_plain_answers(self):
        for format in ("Dense", "CSR"):
            tensor = st.asarray(numpy.eye(3), format=format)
            self.assertEqual((numpy.shape(tensor), numpy.ndim(tensor)), ((3, 3), 2))
            self.assertTrue(numpy.array_equal(tensor, numpy.eye(3)))
            self.assertTrue(numpy.allclose(tensor, tensor))
            self.assertFalse(numpy.iscomplexobj(tensor))
            self.assertEqual(numpy.result_type(tensor, "float32"), numpy.float64)
            parts = numpy.unique(tensor, return_counts=True)
            self.assert_same(parts[1], [6, 3])

    def test_what_numpy_computes_of_dense_tensors(self):
        x = self.draw((3, 4))
        found = numpy.percentile(st.asarray(x), 50)
        numpy.testing.assert_array_equal(found, numpy.percentile(x, 50))
        numpy.testing.assert_array_equal(st.asarray(x), x)
        with self.assertRaises(st.DensifyError):
            numpy.percentile(st.asarray(x, format="CSR"), 50)
        array = numpy.zeros((3, 4))
        numpy.copyto(array, st.asarray(x))
        numpy.testing.assert_array_equal(array, x)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    unittest.main()
