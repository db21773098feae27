"""Edge lists: SNAP's and tables in CSV, against sets of edges that Python makes."""

import os
import tempfile
import unittest

import numpy

import strata as st
from drawing import TestCase


class EdgeListTest(TestCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def dense(self, edges, size, dtype):
        x = numpy.zeros((size, size), dtype)
        for row, column, value in edges:
            x[row, column] += value
        return x

    def test_snap(self):
        path = self.write(
            "a.txt", "# Nodes: 4 Edges: 3\n# FromNodeId\tToNodeId\n0\t3\n3\t1\n3\t0\n"
        )
        expected = self.dense([(0, 3, True), (3, 1, True), (3, 0, True)], 4, "bool")
        self.assert_same(st.read(path), expected)
        self.assert_same(st.read(path, edges="undirected"), expected | expected.T)
        self.assert_same(st.read(path, dtype="int64"), expected.astype("int64"))

    def test_other_texts(self):
        text = "0 1\n2 0 \n\n% a comment\n 1   2\n"
        expected = self.dense([(0, 1, True), (2, 0, True), (1, 2, True)], 3, "bool")
        self.assert_same(st.read(self.write("a.el", text)), expected)
        # A name without a meaning is an edge list where an option says so.
        self.assert_same(st.read(self.write("a.txt", text), edges="directed"), expected)
        self.assert_same(st.read(self.write("a.txt", text) + "::edges=directed"), expected)

    def test_weights(self):
        path = self.write("a.csv", "from,to,weight\n0,1,3\n1,0,-4\n0,1,2\n")
        expected = self.dense([(0, 1, 3), (1, 0, -4), (0, 1, 2)], 2, "int64")
        self.assert_same(st.read(path), expected)
        self.assert_same(st.read(path, weight="weight"), expected)
        self.assert_same(st.read(path, weight=3), expected)
        self.assert_same(st.read(path, weight="none"), expected != 0)
        # A fraction makes all of them real.
        path = self.write("b.csv", "0;1;3\n1;0;2.5\n")
        self.assert_same(st.read(path), self.dense([(0, 1, 3), (1, 0, 2.5)], 2, "float64"))
        # An edge from a vertex to itself has no other direction.
        path = self.write("c.wel", "0 0 2\n0 1 3\n")
        self.assert_same(st.read(path, edges="undirected"), numpy.array([[2, 3], [3, 0]]))
        # Of other columns, one can be named.
        path = self.write("d.csv", "source,target,time,rating\n0,1,100,5\n1,1,200,-2\n")
        self.assert_same(st.read(path, weight="rating"), numpy.array([[0, 5], [0, -2]]))

    def test_texts_as_ids(self):
        path = self.write("a.csv", 'from,to\nberta,anna\n"de ""V"", R",berta\nanna,anna\n')
        self.assertEqual(st.read(path).shape, (5, 5))  # two texts may be ids as well
        x, names = st.read(path, header=True, names=True)
        self.assertEqual(names[0], ["berta", "anna", 'de "V", R'])
        self.assertEqual(names[0], names[1])
        self.assert_same(x, self.dense([(0, 1, True), (2, 0, True), (1, 1, True)], 3, "bool"))
        x, names = st.read(path, ids="sorted", header=True, names=True)
        self.assertEqual(names[0], ["anna", "berta", 'de "V", R'])
        self.assert_same(x, self.dense([(1, 0, True), (2, 1, True), (0, 0, True)], 3, "bool"))

    def test_numbers_as_ids(self):
        path = self.write("a.el", "1000000 7\n7 30\n")
        self.assertEqual(st.read(path, "COO").shape, (1000001, 1000001))
        x, names = st.read(path, ids="appearance", names=True)
        self.assertEqual(names[0], ["1000000", "7", "30"])
        self.assert_same(x, self.dense([(0, 1, True), (1, 2, True)], 3, "bool"))
        # In ascending order as numbers, not as texts.
        x, names = st.read(path, ids="sorted", names=True)
        self.assertEqual(names[0], ["7", "30", "1000000"])
        self.assert_same(x, self.dense([(2, 0, True), (0, 1, True)], 3, "bool"))

    def test_bipartite(self):
        path = self.write("a.tsv", "u1\tfilm a\t5\nu2\tfilm b\t3\nu1\tfilm c\t1\n")
        x, names = st.read(path, edges="bipartite", names=True)
        self.assertEqual(names, [["u1", "u2"], ["film a", "film b", "film c"]])
        self.assert_same(x, numpy.array([[5, 0, 1], [0, 3, 0]]))
        path = self.write("b.el", "0 4\n1 2\n")
        self.assertEqual(st.read(path, edges="bipartite").shape, (2, 5))

    def test_sizes(self):
        self.assertEqual(st.read(self.write("a.el", "")).shape, (0, 0))
        self.assertEqual(st.read(self.write("a.el", "# nothing\n")).nnz, 0)
        self.assertEqual(st.read(self.write("a.csv", "from,to\n"), header=True).shape, (0, 0))
        self.assert_same(st.read(self.write("a.el", "0 0")), numpy.array([[True]]))
        # Many edges, some of them repeated.
        ends = numpy.random.default_rng(1).integers(0, 500, (100000, 2))
        path = self.write("b.el", "\n".join(f"{a} {b}" for a, b in ends))
        expected = numpy.zeros((500, 500), "int64")
        numpy.add.at(expected, (ends[:, 0], ends[:, 1]), 1)
        self.assert_same(st.read(path, dtype="int64"), expected)
        self.assert_same(st.read(path), expected != 0)

    def test_mistakes(self):
        for text, line, words in (
            ("0 1\n2\n", 2, "a line of 1 field; expected 2"),
            ("0 1 2\n0 1 x\n", 2, "the weight 'x' is no number"),
            ("0 1\n-3 1\n", 2, "the id '-3' is no index"),
            ("0 1\na b\n", 2, "ids=appearance"),
            ("0 99999999999999999999\n0 1\n", 0, ""),
            ("0\n", 1, "the two ends of an edge"),
        ):
            with self.subTest(text):
                path = self.write("a.el", text)
                if not line:
                    self.assertEqual(st.read(path, header=False, names=True)[1][0][0], "0")
                    continue
                with self.assertRaisesRegex(st.FileError, words) as caught:
                    st.read(path)
                self.assertIn(f"a.el:{line}:", str(caught.exception))
        path = self.write("a.csv", "from,to,weight\na,,1\n")
        with self.assertRaisesRegex(st.FileError, "without an id"):
            st.read(path)
        with self.assertRaisesRegex(st.FileError, "no column 'cost'"):
            st.read(path, weight="cost")
        with self.assertRaises(st.ArgumentError):
            st.read(path, edges="both")
        with self.assertRaisesRegex(st.FileError, "'size' is no option"):
            st.read(path + "::size=3")
        with self.assertRaisesRegex(st.FileError, "ranges"):
            st.read(path, rows=slice(0, 1))

    def test_first_lines(self):
        # Numbers are no names of columns, and none of these lines is lost.
        path = self.write("a.csv", "0,1,3\n1,1,1\n")  # looks like the sizes of smtx
        self.assert_same(st.read(path), numpy.array([[0, 3], [0, 1]]))
        for text, ids in (("alice 3\n4 5\n", 4), ("-1 2\n3 4\n", 4), ("1.5 2\n3 4\n", 4)):
            x, names = st.read(self.write("a.el", text), names=True)
            self.assertEqual((x.nnz, len(names[0])), (2, ids), text)
        # The mark that some programs put before UTF-8 is no part of the text.
        mark = "\ufeff"
        self.assertEqual(st.read(self.write("b.csv", mark + "from,to\n1,2\n")).nnz, 1)
        self.assertEqual(st.read(self.write("b.csv", mark + "0,1\n1,2\n")).nnz, 2)
        self.assertEqual(st.read(self.write("b.csv", mark + "# a,b\n0,1\n")).nnz, 1)

    def test_marks(self):
        for text in ('"a,1\nb,2\n', '"a"x,1\nb,2\n', 'b,2\n"a" x,1\n', 'b,2\n1,"a\n'):
            with self.assertRaisesRegex(st.FileError, r"a\.csv:\d: a field (in|that)"):
                st.read(self.write("a.csv", text))
        with self.assertRaisesRegex(st.FileError, r"the weight '\+-5'"):
            st.read(self.write("a.csv", "0,1,5\n0,1,+-5\n"))

    def test_other_formats(self):
        path = self.write("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3\n")
        with self.assertRaisesRegex(st.FileError, "Matrix Market is no edge list"):
            st.read(path, edges="undirected")


if __name__ == "__main__":
    unittest.main()
