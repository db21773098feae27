"""Goes through all functions of a provider in 1 to 5 processes: MPI HEADER PROGRAM HALVES.

Messages are cut into pieces of 64 bytes; in three processes they are also sent whole."""
import sys

from launch import Launcher, require

mpi, header, program, halves = sys.argv[1:]
launcher = Launcher(mpi, header)
for ranks, piece in [(1, 64), (2, 64), (3, 64), (4, 64), (5, 64), (3, 1 << 30)]:
    done, seconds = launcher.run(ranks, program, "contract", piece, halves)
    require(done.returncode == 0 and f"{ranks} ranks by " in done.stdout
            and f", as {mpi}: all functions agree" in done.stdout,
            f"{ranks} ranks with pieces of {piece} bytes", done)
    print(f"{seconds:.1f} s: {done.stdout.strip()}, in pieces of {piece} bytes")
