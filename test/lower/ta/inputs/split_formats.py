"""The formats of the temporaries that sums inside products become: prints one for each pair of formats."""
import re
import subprocess
import sys

FORMATS = ("CSR", "DCSR", "CSC")

for first in FORMATS:
    for second in FORMATS:
        with open(sys.argv[1], "w") as file:
            file.write(f"""def main() {{
  IndexLabel [i, j, k] = [9];
  Tensor<double> A([i, k], {first});
  Tensor<double> B([i, k], {second});
  Tensor<double> C([k, j], CSR);
  Tensor<double> D([i, j], CSR);
  A[i, k] = random(1, 0.3);
  B[i, k] = random(2, 0.3);
  C[k, j] = random(3, 0.3);
  D[i, j] = (A[i, k] + B[i, k]) * C[k, j];
}}
""")
        told = subprocess.run(("strata", "explain", sys.argv[1]), capture_output=True, text=True)
        text = re.search(r"(t0\(.,.\)) = .*\n  result   t0: double, \? x \?, (.*)", told.stdout)
        print(f"{first} + {second}: {text.group(1)} {text.group(2)}")
        checked = subprocess.run(("strata", "run", sys.argv[1], "--check"), capture_output=True)
        assert checked.returncode == 0, checked.stderr
