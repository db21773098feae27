/* Calls a kernel that Strata has compiled: y(i) = A(i,j) * x(j) for
 *
 *       1 . 2        1        3
 *   A = . 3 .    x = 1    y = 3
 *                    1
 *
 * docs/C.md tells how the kernel is made and how this is built.
 */
#include "spmv.h"

#include <stdio.h>

/* An array of ours, which the kernel only reads. */
static strata_buffer array(void *data, int64_t count, strata_type type) {
  strata_buffer buffer = {data, count, count, type, 0};
  return buffer;
}

int main(void) {
  /* A in CSR: level 2 has positions and coordinates, of 32 bits each. The values come last. */
  int64_t A_sizes[] = {2, 3};
  int32_t A2_pos[] = {0, 2, 3}, A2_crd[] = {0, 2, 1};
  double A_vals[] = {1, 2, 3};
  strata_buffer A_buffers[] = {array(A2_pos, 3, STRATA_I32), array(A2_crd, 3, STRATA_I32),
                               array(A_vals, 3, STRATA_F64)};
  strata_storage A = {2, 3, A_sizes, A_buffers};

  /* x is dense: values alone. */
  int64_t x_sizes[] = {3};
  double x_vals[] = {1, 1, 1};
  strata_buffer x_buffers[] = {array(x_vals, 3, STRATA_F64)};
  strata_storage x = {1, 1, x_sizes, x_buffers};

  /* The kernel makes the buffers of the result. */
  int64_t y_sizes[] = {2};
  strata_buffer y_buffers[] = {array(NULL, 0, STRATA_F64)};
  strata_storage y = {1, 1, y_sizes, y_buffers};

  /* The result's storage, then the operands'; the sizes of i and j. The header says which. */
  strata_storage *storages[] = {&y, &A, &x};
  int64_t extents[] = {2, 3};
  strata_context context;
  strata_context_initialize(&context);
  if (kernel_y(&context, storages, extents) != STRATA_OK) {
    fprintf(stderr, "%s\n", context.message);
    return 1;
  }
  const double *values = y_buffers[0].data;
  for (int64_t i = 0; i < y_buffers[0].count; i++)
    printf("%g\n", values[i]);

  /* What the kernel has made is ours to release, with the allocator that it came from. */
  context.allocator.reallocate(context.allocator.state, y_buffers[0].data,
                               (size_t)y_buffers[0].capacity * sizeof(double), 0);
  return 0;
}
