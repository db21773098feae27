"""Formats, and a matrix to store in them."""
import random

SINGLE = """Dense CSR CSC DCSR DCSC COO COO-AoS COO-Duplicates COO-Unordered CSF ModeGeneric BCSR BCSR:2x3
BCOO BELL CSB:4 DIA ELL SELL:4,8 JDS Bitmap Skyline VBL RLE DOK NM:4x4 {D,ragged} {bitmap,CU} {D,hashed}
{hashed,CU}""".split() + [
    "{(i, j) -> (i floordiv 8 : dense, j : compressed, i mod 8 : dense)}",
    "{(i, j) -> (i : batch, j : compressed)}"]
SEVERAL = ["HYB", "HYB:2", "BCSR:4x4 + CSR"]
ROWS, COLUMNS = 13, 11


def matrix(rows=ROWS, columns=COLUMNS):
    """A Matrix Market file: a long row, rows of a few entries, empty ones."""
    drawn = random.Random(3)
    entries = {(drawn.randrange(rows), drawn.randrange(columns)) for _ in range(25)}
    entries |= {(5, column) for column in range(0, columns, 2)}
    lines = [f"{row + 1} {column + 1} {drawn.randrange(1, 100)}" for row, column in sorted(entries)]
    return "\n".join(["%%MatrixMarket matrix coordinate real general",
                      f"{rows} {columns} {len(lines)}", *lines, ""])
