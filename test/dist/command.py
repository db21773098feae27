"""`strata ranks` under a launcher, and the library of another MPI: MPI HEADER."""
import os
import re
import sys

from launch import Launcher, require

mpi, header = sys.argv[1:]
launcher = Launcher(mpi, header)
strata = os.environ["STRATA"]

done, _ = launcher.run(3, strata, "ranks", "--deadline=60")
require(done.returncode == 0 and re.search(r"^ranks +3$", done.stdout, re.MULTILINE)
        and re.search(rf"^interface +{mpi}$", done.stdout, re.MULTILINE)
        and ": ranks 0-2" in done.stdout
        and re.search(r"^message +8 bytes [\d.]+ us, 1 MB [\d.]+ GB/s: ranks 0 and 1, on one node$",
                      done.stdout, re.MULTILINE), "strata ranks", done)
print(done.stdout)

# One message names the launcher and the library of another MPI.
OTHERS = {"openmpi": ("libmpich.so.12", "MPICH"), "mpich": ("libmpi.so.40", "Open MPI"),
          "mpi-abi": ("libmpi.so.40", "Open MPI")}
NAMES = {"openmpi": "Open MPI's launcher", "mpich": "MPICH's launcher", "mpi-abi": "MPICH's launcher"}
library, name = OTHERS[mpi]
done, _ = launcher.run(2, strata, "ranks", STRATA_MPI=library)
if "cannot be loaded" in done.stdout or "has no plugin" in done.stdout:
    print(f"not tried: {library} with this launcher, for it or its plugin is not here")
else:
    require(done.returncode == 1 and done.stdout.count("error: ") == 1
            and f"error: {NAMES[mpi]} started 2 processes, but {name}" in done.stdout
            and "sees 1" in done.stdout and "ranks  " not in done.stdout, f"{library}", done)
