"""One matrix in the ways in which SciPy saves it, in order and not, right and wrong."""
import numpy as np


def save(name, form, **arrays):
    np.savez(name, format=np.array(form.encode()), shape=np.array([4, 4]), **arrays)


pointers = np.array([0, 2, 2, 5, 5], np.int32)
indices = np.array([0, 2, 0, 1, 3], np.int32)
values = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
save("csr.npz", "csr", indptr=pointers, indices=indices, data=values)
save("csc.npz", "csc", indptr=np.array([0, 2, 3, 4, 5]), indices=np.array([0, 2, 2, 0, 2]),
     data=np.array([1.0, 3.0, 4.0, 2.0, 5.0]))
save("coo.npz", "coo", row=np.array([0, 0, 2, 2, 2]), col=indices.astype(np.int64), data=values)
save("unsorted.npz", "csr", indptr=pointers, indices=indices[[1, 0, 2, 3, 4]],
     data=values[[1, 0, 2, 3, 4]])
save("twice.npz", "csr", indptr=np.array([0, 2, 2, 6, 6]), indices=np.array([0, 2, 0, 1, 3, 3]),
     data=np.array([1.0, 2.0, 3.0, 4.0, 2.0, 3.0]))
save("beyond.npz", "csr", indptr=pointers, indices=indices + (indices == 3), data=values)
save("half.npz", "csr", indptr=pointers, indices=indices, data=values + 0.5)

with open("program.ta", "w") as program:
    program.write("""def main() {
  IndexLabel [i, j] = [?];
  Tensor<double> A([i, j], CSR);
  Tensor<double> x([j], Dense);
  Tensor<double> y([i], Dense);
  A[i, j] = read("csr.npz");
  x[j] = 1;
  y[i] = A[i, j] * x[j];
  print(y);
}
""")
