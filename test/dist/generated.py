"""Drawn statements whose tensors lie on drawn machines: by 2, 3 and 4 ranks with the bits of one
process. MPI HEADER PROGRAM SEED COUNT."""
import re
import sys

from launch import Launcher, require

mpi, header, program, seed, count = sys.argv[1:]
launcher = Launcher(mpi, header)
for ranks in 2, 3, 4:
    done, seconds = launcher.run(ranks, program, "--seed", seed, "--count", count, seconds=3000)
    print(f"{done.stdout.strip()} in {seconds:.0f} s")
    found = re.search(r"^(\d+) ranks: (\d+) cases agree, (\d+) are refused, 0 fail$", done.stdout,
                      re.MULTILINE)
    require(done.returncode == 0 and found and int(found[1]) == ranks
            and int(found[2]) > 0.9 * int(count), f"{ranks} ranks", done)
