"""Ranks whose network is cut while they compute, MPI HEADER: each has a network of its own, and a cable between
them. Skipped where that may not be made."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from launch import Launcher, require, skip

launcher = Launcher(*sys.argv[1:])
strata = os.environ["STRATA"]
work = pathlib.Path(tempfile.mkdtemp())
names = [f"strata{os.getpid()}{side}" for side in "ab"]
PROGRAM = """Machine M(2);
def main() {
  IndexLabel [i, j] = [300];
  Tensor<double> A([i, j], Dense on M(i));
  Tensor<double> x([i], Dense on M(i));
  Tensor<double> y([i], Dense on M(i));
  A[i, j] = 0.001;
  x[i] = 1;
  write(x, "begun.mtx");
  var start = getTime();
  repeat limit 1000000000 {
    y[i] = A[i, j] * x[j];
    x[i] = y[i] + 1;
  } until (getTime() - start > 60);
}
"""


def ip(*words, needed=True):
    done = subprocess.run(["ip", *words], capture_output=True, text=True)
    if needed and done.returncode != 0:
        skip(f"ip {' '.join(words)}: {done.stderr.strip()}")


def make_network():
    for name in names:
        ip("netns", "add", name)
    ip("link", "add", "cableA", "netns", names[0], "type", "veth", "peer", "name", "cableB", "netns", names[1])
    for number, (name, cable) in enumerate(zip(names, ("cableA", "cableB"))):
        ip("-n", name, "addr", "add", f"10.9.0.{number + 1}/24", "dev", cable)
        ip("-n", name, "link", "set", cable, "up")
        ip("-n", name, "link", "set", "lo", "up")
    for name in names:
        for _ in range(50):
            shown = subprocess.run(["ip", "-n", name, "-br", "link"], capture_output=True, text=True).stdout
            if re.search(r"^cable\S+\s+UP", shown, re.MULTILINE):
                break
            time.sleep(0.1)


def cut(moment):
    """Once the ranks have begun to compute."""
    while not (work / "begun.mtx").exists() and time.monotonic() - moment[0] < 60:
        time.sleep(0.1)
    time.sleep(1)
    moment[0] = time.monotonic()
    ip("-n", names[0], "link", "set", "cableA", "down")


if launcher.mpi == "openmpi" or not shutil.which("ip"):
    skip("the launcher of MPICH, which reaches its ranks without a network, and ip are needed")
try:
    make_network()
    (work / "p.ta").write_text(PROGRAM)
    run = [strata, "run", str(work / "p.ta"), "--quiet", "--deadline=3"]
    command = [*launcher.command, "-n", "1", "ip", "netns", "exec", names[0], *run,
               ":", "-n", "1", "ip", "netns", "exec", names[1], *run]
    moment = [time.monotonic()]
    knife = threading.Thread(target=cut, args=(moment,))
    knife.start()
    done = subprocess.run(command, cwd=work, env={**launcher.environment, "UCX_TLS": "tcp,self"}, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=90)
    knife.join()
    seconds = time.monotonic() - moment[0]
    require(launcher.ended_with(done, 85) and done.stdout.count("error: ") == 1
            and re.search(r"rank \d of 2 has waited for rank \d for \d\.\d s, in [^;]+; the deadline is "
                          r"3.0 s", done.stdout) and seconds < 10, f"a cable that is cut: {seconds:.1f} s", done)
finally:
    for name in names:
        ip("netns", "del", name, needed=False)
    shutil.rmtree(work)
