"""Several threads that compute at the same time: they get what one thread gets, and none waits for a
run of another whose kernel is there already."""

import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy

import strata as st
from drawing import TestCase

#: So many runs of a statement have nothing left to decide, also where the second one is optimized.
WARM = 4


def run_all(functions):
    """Runs each function in a thread of its own, and raises what one of them has raised."""
    errors = []

    def guarded(function):
        try:
            function()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(function,)) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


class OverlapTest(TestCase):
    def overlap(self):
        """Runs many small products while another thread is inside of one long kernel."""
        x = st.asarray(numpy.linspace(0.1, 1.0, 12000))
        small = st.random((10, 10), 0.3, "CSR", seed=1)
        times = {}

        def long_one():
            times["begin"] = time.perf_counter()
            st.evaluate("s = max(i, max(j, atan2(x(i), x(j))))", x=x)
            times["end"] = time.perf_counter()

        for _ in range(WARM):
            long_one()
            small @ small
        thread = threading.Thread(target=long_one)
        before = times.pop("begin")
        thread.start()
        while "begin" not in times:
            time.sleep(0.001)
        for _ in range(20):
            small @ small
        finished = time.perf_counter()
        thread.join()
        self.assertLess(before, times["begin"])
        self.assertLess(finished, times["end"])

    def test_a_short_run_does_not_wait_for_a_long_one(self):
        with st.threads(1):
            self.overlap()

    def test_nor_does_it_with_all_threads(self):
        self.overlap()


class ResultsTest(TestCase):
    def test_formats_types_sizes_and_fills_change(self):
        cases = []
        for number, format in enumerate(["CSR", "CSC", "COO", "Dense", "DCSR", "ELL"]):
            for dtype in ("float64", "float32", "int32"):
                for rows, columns in ((3, 4), (1, 1), (20, 7), (4, 0)):
                    one = self.draw((rows, columns), dtype)
                    two = self.draw((columns, rows), dtype)
                    tensors = [st.asarray(one, format=format), st.asarray(two, format=format)]
                    cases.append((*tensors, one @ two, one + 1, number % 2))

        def compute(offset):
            for turn in range(2):
                for at in range(len(cases)):
                    one, two, product, sum, shifts = cases[(at + offset) % len(cases)]
                    self.assert_same(one @ two, product)
                    if shifts:
                        self.assert_same(one + 1, sum)

        run_all([lambda offset=offset: compute(offset) for offset in (0, 17, 40)])

    def test_more_sizes_than_are_remembered(self):
        matrices = [self.draw((size, size)) for size in range(1, 30)]
        tensors = [st.asarray(matrix, format="CSR") for matrix in matrices]

        def compute(step):
            for turn in range(6):
                for matrix, tensor in list(zip(matrices, tensors))[::step]:
                    self.assert_same(st.einsum("ij,jk->ik", tensor, tensor), matrix @ matrix)

        run_all([lambda: compute(1), lambda: compute(-1), lambda: compute(2)])

    def test_settings_change_and_kernels_come_and_go(self):
        matrix = self.draw((40, 40))
        tensor = st.asarray(matrix, format="CSR")
        expected = matrix @ matrix
        done = threading.Event()
        self.addCleanup(st.set_num_threads, None)
        self.addCleanup(st.config, deterministic=False)

        def compute():
            for _ in range(1500):
                self.assert_same(tensor @ tensor, expected)

        def both():
            try:
                run_all([compute, compute])
            finally:
                done.set()

        def change():
            number = 0
            while not done.is_set():
                number += 1
                st.set_num_threads(number % 3)
                st.config(deterministic=number % 2 == 0)
                kernel = st.compile(f"y(i) = A(i,j) * {number % 5}", A=tensor)
                self.assert_same(kernel(tensor), matrix.sum(1) * (number % 5))

        run_all([both, change])

    def test_a_limit_of_memory_holds_for_runs_that_are_repeated(self):
        x = st.ones(1000)
        for _ in range(WARM):
            self.assertEqual(st.einsum("i,j->ij", x, x).size, 10**6)
        self.addCleanup(st.config, max_memory=None)
        st.config(max_memory=1_000_000)
        with self.assertRaises(MemoryError):
            st.einsum("i,j->ij", x, x)
        st.config(max_memory=None)
        self.assertEqual(st.einsum("i,j->ij", x, x).size, 10**6)


class InterruptTest(TestCase):
    def test_ctrl_c_ends_a_run_of_the_main_thread_that_is_repeated(self):
        program = f"""
import threading, strata as st
small = st.random((10, 10), 0.3, "CSR", seed=1)
x = st.ones(12000)
run = lambda: st.evaluate("s = max(i, max(j, atan2(x(i), x(j))))", x=x)
for _ in range({WARM}): run(); small @ small
def others():
    while True:
        small @ small
other = threading.Thread(target=others, daemon=True)
other.start()
print("ready", flush=True)
try:
    while True:
        run()
except KeyboardInterrupt:
    print("interrupted", float(x.sum()), other.is_alive(), flush=True)
import os
os._exit(0)
"""
        process = subprocess.Popen(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "ready\n")
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.stdout.readline(), "interrupted 12000.0 True\n")
        self.assertEqual(process.wait(60), 0)


if __name__ == "__main__":
    unittest.main()
