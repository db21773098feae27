"""What machines.py has each rank do to count meetings: calls a product so many times, with another x each time, and raises
an error of one rank alone between them. CALLS."""
import sys

import numpy
import strata as st

calls, size = int(sys.argv[1]), 60
M = st.Machine()
matrix = (numpy.eye(size, k=-1) + numpy.eye(size) + numpy.eye(size, k=1)) / 4
A = st.asarray(matrix, format="CSR").asformat("CSR on M(i)", machine=M)
x = expected = numpy.ones(size)
x = st.asarray(x).asformat("Dense on M(i)", machine=M)
product = st.compile("y(i) = A(i,j) * x(j)", A=A, x=x, format="Dense on M(i)")


def wrong():
    """The last rank has another operand than it says."""
    given = numpy.ones(size - 1) if M.rank == M.size - 1 else x
    try:
        product(A, given)
    except st.Error:
        return
    raise AssertionError(f"rank {M.rank}: no error")


for call in range(calls):
    if call == 8:
        wrong()
    x, expected = product(A, x), matrix @ expected
assert numpy.allclose(x.to_numpy(), expected)
