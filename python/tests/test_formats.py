"""Formats: texts, equality, widths, fills."""

import pickle
import unittest

import strata as st
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


if __name__ == "__main__":
    unittest.main()
