"""Threads, Ctrl-C, memory: what holds for the whole process."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy

import strata as st
from drawing import TestCase


def resident():
    """Bytes of memory that the process has now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


class ThreadsTest(TestCase):
    def test_numbers_of_threads(self):
        before = st.get_num_threads()
        with st.threads(1):
            self.assertEqual(st.get_num_threads(), 1)
        self.assertEqual(st.get_num_threads(), before)
        st.set_num_threads(None)
        self.assertEqual(st.get_num_threads(), before)
        with self.assertRaises(ValueError):
            st.set_num_threads(-1)

    def test_many_threads_compile_a_kernel_once(self):
        from strata import _core

        x = st.asarray(self.draw((6, 7)), format="CSR")
        before = _core.compiled()
        text = f"s = A(i,j) * A(i,j) * {time.time_ns() % 10**9}.5"
        results = []
        threads = [
            threading.Thread(target=lambda: results.append(st.evaluate(text, A=x).item()))
            for _ in range(10)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(results)), 1)
        self.assertEqual(len(results), 10)
        self.assertLessEqual(_core.compiled() - before, 1)

    def test_adopted_arrays_are_given_back_while_others_compute(self):
        stop = threading.Event()

        def adopt():
            while not stop.is_set():
                st.asarray(numpy.ones((10, 10))) @ numpy.ones(10)

        threads = [threading.Thread(target=adopt) for _ in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(1)
        stop.set()
        for thread in threads:
            thread.join(20)
            self.assertFalse(thread.is_alive())

    def test_other_threads_run_during_a_computation(self):
        x = st.random((3000, 3000), 0.05, "CSR", seed=1)
        x @ x
        counts = []
        done = threading.Event()

        def count():
            while not done.is_set():
                counts.append(time.perf_counter())
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        begin = time.perf_counter()
        x @ x
        end = time.perf_counter()
        done.set()
        thread.join()
        during = [one for one in counts if begin < one < end]
        self.assertGreater(len(during), 2)  # none could run if the lock were held


class ForkTest(TestCase):
    def test_a_forked_process_computes(self):
        x = st.random((500, 500), 0.05, "CSR", seed=1)
        expected = (x @ x).nnz
        child = os.fork()
        if child == 0:
            signal.alarm(100)
            os._exit((x @ x).nnz != expected)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual((x @ x).nnz, expected)


class InterruptTest(TestCase):
    def interrupt(self, preparation, computation):
        """Runs a computation until it is interrupted, which leaves its operand x as it was."""
        program = f"""
import strata as st
x = st.ones((600, 600))
{preparation}
x.sum()
print("ready", flush=True)
try:
    while True:
        {computation}
except KeyboardInterrupt:
    print("interrupted", float(x.sum()), flush=True)
"""
        process = subprocess.Popen(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "ready\n")
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.stdout.readline(), "interrupted 360000.0\n")
        self.assertEqual(process.wait(60), 0)

    def test_ctrl_c_ends_a_computation(self):
        product = 'st.einsum("ij,jk->ik", x, x)'
        self.interrupt(product, product)

    def test_ctrl_c_ends_one_call_of_a_kernel(self):
        # Each would take minutes in one thread.
        one = "st.set_num_threads(1)"
        self.interrupt(
            f"{one}; y = st.ones((8000, 8000))",
            'st.evaluate("C(i,j) = max(k, A(i,k) + B(k,j))", A=y, B=y)',
        )
        self.interrupt(f"{one}; y = st.ones((5000, 5000)).asformat('CSR')", "y @ y")

    def test_the_handler_of_python_is_restored(self):
        before = signal.getsignal(signal.SIGINT)
        st.eye(3) @ st.eye(3)
        self.assertIs(signal.getsignal(signal.SIGINT), before)
        with self.assertRaises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)
        self.assertEqual((st.eye(3) @ st.eye(3)).nnz, 3)


class MemoryTest(TestCase):
    def test_many_calls_keep_no_memory(self):
        x = st.random((10, 10), 0.3, "CSR", seed=1)
        matrix = x.to_scipy()

        def calls(count):
            for _ in range(count):
                st.einsum("ij,jk->ik", x, x).to_scipy()
                st.asarray(matrix).todense()

        calls(2000)
        before = resident()
        calls(10_000)
        self.assertLess(resident() - before, 1_000_000)

    def test_dropped_kernels_give_memory_back(self):
        A, x = st.random((10, 10), 0.3, "CSR", seed=1), st.ones(10)

        def kernels(first, count):
            made = []
            for number in range(first, first + count):
                text = f"y(i) = A(i,j) * x(j) * {number}.5"
                made.append(st.compile(text, A=A, x=x))
                made[-1](A, x)
            return made

        def maps():
            with open("/proc/self/maps") as file:
                return len(file.readlines())

        before = maps()
        held = kernels(2000, 96)
        grown = maps() - before
        self.assertGreater(grown, 96)  # A kernel has pieces of memory of its own.
        del held
        self.assertLess(maps() - before, 0.6 * grown)  # A few stay for statements like those.

    def test_a_thousand_dropped_kernels_give_memory_back(self):
        a = st.asarray(2.0)

        def maps():
            with open("/proc/self/maps") as file:
                return len(file.readlines())

        def use(numbers):
            for number in numbers:
                self.assertEqual(float(st.compile(f"y = a * {number}.5", a=a)(a)), 2 * number + 1)

        use(range(3000, 3100))
        pieces, bytes = maps(), resident()
        use(range(3100, 4100))
        self.assertLess(maps() - pieces, 100)  # A kernel that stays has three.
        # The compiler remembers texts and constants that it has met.
        self.assertLess(resident() - bytes, 40_000_000)

    def test_limit(self):
        st.config(max_memory=1_000_000)
        try:
            with self.assertRaises(MemoryError):
                st.einsum("i,j->ij", numpy.ones(1000), numpy.ones(1000))
        finally:
            st.config(max_memory=None)
        self.assertEqual(st.einsum("i,j->ij", numpy.ones(1000), numpy.ones(1000)).size, 10**6)


class SettingsTest(TestCase):
    def test_the_same_bits(self):
        from strata import _core

        A = st.random((40, 40), 0.2, "CSR", seed=1)
        text = "y(i) = A(i,j) * x(j)"
        fast = st.compile(text, A=A, x=st.spec(1)).source("llvm")
        self.addCleanup(st.config, deterministic=False)
        st.config(deterministic=True)
        exact = st.compile(text, A=A, x=st.spec(1)).source("llvm")
        self.assertNotEqual(fast, exact)
        before = _core.compiled()
        st.evaluate("y(i) = A(i,j) * x(j) * 3", A=A, x=numpy.ones(40))
        st.config(deterministic=True)
        st.evaluate("y(i) = A(i,j) * x(j) * 3", A=A, x=numpy.ones(40))
        self.assertLessEqual(_core.compiled(), before + 1)

    def test_the_folder_of_kernels(self):
        script = """
import os, sys, strata as st
A = st.eye(3)
kept = lambda: sum(name != "llvmcache.timestamp" for name in os.listdir(sys.argv[1]))
st.config(cache_dir=sys.argv[1])
st.evaluate("y(i) = A(i,j) * x(j) + 4", A=A, x=[1.0, 2.0, 3.0])
print(kept())
st.config(cache_dir=None)
st.evaluate("y(i) = A(i,j) * x(j) + 5", A=A, x=[1.0, 2.0, 3.0])
print(kept())
"""
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(2):
                run = subprocess.run(
                    [sys.executable, "-c", script, folder], capture_output=True, text=True
                )
                self.assertEqual((run.stdout, run.stderr), ("1\n1\n", ""))
            os.chmod(folder, 0o777)
            with self.assertRaises(st.FileError):
                st.config(cache_dir=folder)


if __name__ == "__main__":
    unittest.main()
