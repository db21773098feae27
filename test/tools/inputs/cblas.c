/* A library with the interface of CBLAS, as far as tests need it: products of doubles, by rows. */
void cblas_dgemm(int order, int trans_a, int trans_b, int m, int n, int k, double alpha,
                 const double *a, int lda, const double *b, int ldb, double beta, double *c,
                 int ldc) {
  if (order != 101)
    return;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int p = 0; p < k; ++p)
        sum += (trans_a == 112 ? a[p * lda + i] : a[i * lda + p]) *
               (trans_b == 112 ? b[j * ldb + p] : b[p * ldb + j]);
      c[i * ldc + j] = alpha * sum + (beta == 0 ? 0 : beta * c[i * ldc + j]);
    }
}
