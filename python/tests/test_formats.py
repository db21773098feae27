"""Formats: texts, equality, widths, fills."""

import itertools
import pathlib
import pickle
import tempfile
import unittest

import numpy

import strata as st
from strata import dtypes, handles
from strata.formats import to_core
from drawing import MATRIX_FORMATS

MAP = "(i, j) -> (i : dense, j : compressed(unordered))"


class FormatTest(unittest.TestCase):
    def test_text_parses_back(self):
        for text in [*MATRIX_FORMATS, MAP, "ds:1,0", "{D, CU}", "{CSR, pos = 64, crd = 32}", "HYB"]:
            format = st.Format(text)
            self.assertEqual(st.Format(str(format)), format)
            self.assertEqual(hash(st.Format(str(format))), hash(format))
            if format.order is not None:
                self.assertEqual(st.Format(format.map), format)
            self.assertEqual(pickle.loads(pickle.dumps(format)), format)

    def test_every_name_with_every_option_parses_back(self):
        plain = ["Dense", "CSR", "COO", "BCSR", "BCSR:4x4", "BCSR:2x3", "BCOO:8", "BELL:4x4", "CSB",
                 "CSB:64", "CSB:256", "ELL", "SELL", "SELL:8", "SELL:32,1", "SELL:8,64", "NM", "NM:1x4",
                 "DIA", "JDS", "Skyline", "(i, j) -> (j : compressed, i : dense)", "{D, CU}"]
        limited = ["BCSR:4x4:60", "BCSR:2x3:60", "BCSR", "BCOO:4x4:1", "BELL:4x4:3", "BELL:2x2:3", "ELL:3",
                   "SELL:32,1:2", "SELL:8,64:2", "SELL:8", "DIA:60", "NM:1x4", "JDS:2",
                   "{(i, j) -> (i floordiv 3 : dense, j : compressed, i mod 3 : dense)}:40",
                   "{BCSR:4x4, pos = 32}:60", "{BCSR:4x4:60, pos = 32}", "{SELL:32,1}:2"]
        rest = ["COO", "CSR", "DIA:30 + COO-Unordered", "{DCSR, crd = 16}"]
        sums = [f"{part} + {last}" for part in limited for last in rest]
        options = ["", ", pos = 32", ", crd = 16", ", pos = 64, crd = 32", ", fill = 2.5", ", fill = inf",
                   ", crd = 16, fill = -1"]
        for text in [*plain, *sums, "HYB", "HYB:3"]:
            for option in options:
                if option and text == "Dense":
                    continue
                inner = text[1:-1] if option and text == "{D, CU}" else text
                try:
                    format = st.Format(f"{{{inner}{option}}}" if option else text, 2)
                except st.FormatError as error:
                    self.assertRegex(str(error), "width|bits|no buffer|pos|crd", f"{text} {option}")
                    continue
                core = format._resolve(2, dtypes.FLOAT64)
                for told in (core.name, core.text):
                    self.assertEqual(st.Format(told, 2), format, f"{text}{option}: {told}")
                if not option and "=" not in text:
                    self.assertEqual(st.Format(format.name, 2), format, f"{text}: {format.name}")

    def test_equality_is_by_content(self):
        self.assertEqual(st.Format("CSR"), st.Format("(r, c) -> (r : dense, c : compressed)"))
        self.assertEqual(st.Format("CSC"), st.Format("ds:1,0"))
        self.assertEqual(len({st.Format("CSR"), st.Format("{D, CU}"), st.Format("CSC")}), 2)
        self.assertNotEqual(st.Format("CSR"), st.Format("CSR", pos=64))
        self.assertNotEqual(st.Format("CSR"), "CSR")

    def test_order_follows_from_the_text(self):
        for text, order in [("CSR", 2), ("SparseVector", 1), (MAP, 2), ("dss", 3), ("COO", None)]:
            self.assertEqual(st.Format(text).order, order, text)
        self.assertEqual(st.Format("COO", 3).levels, ("compressed", "singleton", "singleton"))

    def test_widths_and_fill(self):
        wide = st.Format("CSR", pos=64, crd=32)
        self.assertEqual(str(wide), "{CSR, pos = 64, crd = 32}")
        self.assertEqual(wide.name, "CSR")
        self.assertEqual(wide.without_widths(), st.Format("CSR"))
        self.assertEqual(st.Format("CSR").with_(pos=64, crd=32), wide)
        self.assertEqual(wide.with_(pos=16).with_(pos=64), wide)
        filled = st.Format(MAP, fill=2.5)
        self.assertEqual(filled.with_(pos=64).without_widths(), filled)
        self.assertNotEqual(filled, st.Format(MAP))

    def test_arrays(self):
        self.assertEqual(st.Format("CSR").arrays, (("pos", 1), ("crd", 1), ("values", -1)))
        self.assertTrue(st.Format("Dense").is_full)
        self.assertFalse(st.Format("CSR").is_full)

    def test_mistakes_are_shown(self):
        with self.assertRaises(st.FormatError) as caught:
            st.Format("CSRR")
        self.assertIn("CSRR", str(caught.exception))
        self.assertIn("CSR", caught.exception.suggestion)
        with self.assertRaises(st.FormatError):
            st.Format("CSR", 3)
        with self.assertRaises(ValueError):
            st.Format("(i, j) -> (i : dense")
        with self.assertRaisesRegex(TypeError, "a format is a text"):
            st.zeros((2, 2), 7)


class FillsTest(unittest.TestCase):
    def test_numbers_of_numpy(self):
        for fill in (numpy.float64(1.5), numpy.int64(2), numpy.bool_(True), numpy.complex64(2)):
            self.assertEqual(st.tensor((2, 2), "CSR", dtype=fill.dtype, fill=fill).fill, fill)
        with self.assertRaisesRegex(st.DTypeError, "a fill value is a number"):
            st.Format("CSR", fill="x")

    def test_all_digits_of_a_fill_count(self):
        for fill in (0.74196346293481, 1 / 3, 1e-300, 5e-324, 2.0**60, -0.1, float("inf")):
            format = st.Format("COO").with_(fill=fill)
            x = st.from_coo(([0], [1]), [1.0], (2, 2), format)
            self.assertEqual(x.fill, fill)
            self.assertEqual(st.from_coo(([0], [1]), [1.0], (2, 2), str(x.format)).fill, fill)
            self.assertEqual((x * 2).fill, 2 * fill)
            self.assertEqual((x * 2).todense()[1, 1], 2 * fill)
        one, two = (st.Format("COO").with_(fill=0.1 + more) for more in (0, 1e-13))
        self.assertNotEqual(one, two)

    def test_fills_of_integers_without_a_sign(self):
        with tempfile.TemporaryDirectory() as folder:
            for dtype, fill in (("uint8", 200), ("uint16", 40000), ("uint32", 2**31)):
                dense = numpy.full((2, 3), fill, dtype)
                dense[0, 1] = 7
                x = st.asarray(dense, format=st.Format("CSR", fill=fill))
                self.assertEqual(x.fill, fill)
                self.assertEqual(st.Format(str(x.format)), x.format)
                joined = st.concat([x, x])
                numpy.testing.assert_array_equal(joined.todense(), numpy.concatenate([dense, dense]))
                path = pathlib.Path(folder, f"{dtype}.bsp.npz")
                x.write(path)
                self.assertEqual(st.read(path, x.format).fill, fill)

    def test_blocks_of_more_places_than_integers_count(self):
        size = 2**32  # of a block: the square of it is 0 in 64 bits
        blocks = f"i mod {size} : dense, j mod {size} : dense)"
        numbers = f"i floordiv {size} : {{}}, j floordiv {size} : {{}}"
        listed = f"(i, j) -> ({numbers.format('compressed(nonunique)', 'singleton')}, {blocks}"
        rows = f"(i, j) -> ({numbers.format('dense', 'compressed')}, {blocks}"
        empty = st.zeros((size, size), format="COO").asformat(listed)
        self.assertEqual(empty.asformat(rows).nnz, 0)

    def test_conversions_to_another_type(self):
        x = numpy.array([[0, 1.5], [2, 0]])
        for given, wanted in itertools.product(("Dense", "CSR"), repeat=2):
            for own, other in (("float64", "float32"), ("float32", "float64")):
                core = st.asarray(x.astype(own), format=given)._core
                made = core.convert(to_core(wanted, 2, dtypes.code_of(other)))
                self.assertEqual(made.format.type, dtypes.code_of(other))
                numpy.testing.assert_array_equal(handles.wrap(made).todense(), x)


if __name__ == "__main__":
    unittest.main()
