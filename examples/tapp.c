/* D(i,j) = A(i,k) * B(k,j) by TAPP's interface: two columns of A change places, by a B that is
 * given by its strides.
 *
 *   cc -std=c99 examples/tapp.c -Istrata/api/tapp -Lbuild/lib -lstrata_tapp -Wl,-rpath,build/lib
 */
#include <tapp.h>

#include <stdio.h>
#include <stdlib.h>

static void check(TAPP_error error) {
  char text[200];
  if (TAPP_check_success(error))
    return;
  TAPP_explain_error(error, sizeof text, text);
  fprintf(stderr, "error: %s\n", text);
  exit(1);
}

static TAPP_tensor_info matrix(int64_t row, int64_t column) {
  TAPP_tensor_info info;
  int64_t extents[] = {2, 2};
  int64_t strides[2];
  strides[0] = row;
  strides[1] = column;
  check(TAPP_create_tensor_info(&info, TAPP_F64, 2, extents, strides));
  return info;
}

int main(void) {
  const double A[] = {1, 2, 3, 4}, identity[] = {1, 0, 0, 1};
  double D[4];
  const int64_t ik[] = {'i', 'k'}, kj[] = {'k', 'j'}, ij[] = {'i', 'j'};
  const double alpha = 1, beta = 0;
  TAPP_tensor_info rows = matrix(2, 1), swapped = matrix(2, -1);
  TAPP_handle handle;
  TAPP_executor executor;
  TAPP_status status;
  TAPP_tensor_product product;
  check(TAPP_create_handle(&handle));
  check(TAPP_create_executor(&executor));
  check(TAPP_create_tensor_product(&product, handle, TAPP_IDENTITY, rows, ik, TAPP_IDENTITY,
                                   swapped, kj, TAPP_IDENTITY, rows, ij, TAPP_IDENTITY, rows, ij,
                                   TAPP_DEFAULT_PREC));
  check(TAPP_execute_product(product, executor, &status, &alpha, A, identity + 1, &beta, NULL, D));
  printf("%g %g\n%g %g\n", D[0], D[1], D[2], D[3]);
  check(TAPP_destroy_status(status));
  check(TAPP_destroy_tensor_product(product));
  check(TAPP_destroy_tensor_info(rows));
  check(TAPP_destroy_tensor_info(swapped));
  check(TAPP_destroy_executor(executor));
  check(TAPP_destroy_handle(handle));
  return 0;
}
