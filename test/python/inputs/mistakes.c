/* Calls kernel_y, y(i) = A(i,j) * x(j) with A in CSR, and kernel_C, C(i,k) = A(i,j) * A(j,k) in CSR,
 * with one mistake in the arguments, by its number: prints the status and the message. Ends with 2
 * where there is no such mistake. */
#include "strata/runtime/abi.h"

#include <stdio.h>
#include <stdlib.h>

int32_t kernel_y(strata_context *, strata_storage *const *, const int64_t *);
int32_t kernel_C(strata_context *, strata_storage *const *, const int64_t *);

static strata_buffer array(void *data, int64_t count, strata_type type) {
  strata_buffer buffer = {data, count, count, type, 0};
  return buffer;
}

int main(int count, char **arguments) {
  int64_t A_sizes[] = {3, 3}, x_sizes[] = {3}, y_sizes[] = {3}, C_sizes[] = {3, 3};
  int32_t A2_pos[] = {0, 2, 3, 4}, A2_crd[] = {0, 2, 1, 0};
  double A_vals[] = {1, 2, 3, 4}, x_vals[] = {1, 1, 1};
  strata_buffer A_buffers[] = {array(A2_pos, 4, STRATA_I32), array(A2_crd, 4, STRATA_I32),
                               array(A_vals, 4, STRATA_F64)};
  strata_buffer x_buffers[] = {array(x_vals, 3, STRATA_F64)};
  strata_buffer y_buffers[] = {array(NULL, 0, STRATA_F64)};
  strata_buffer C_buffers[] = {array(NULL, 0, STRATA_I32), array(NULL, 0, STRATA_I32),
                               array(NULL, 0, STRATA_F64)};
  strata_storage A = {2, 3, A_sizes, A_buffers}, x = {1, 1, x_sizes, x_buffers};
  strata_storage y = {1, 1, y_sizes, y_buffers}, C = {2, 3, C_sizes, C_buffers};
  strata_storage *storages[] = {&y, &A, &x}, *of_C[] = {&C, &A};
  int64_t extents[] = {3, 3, 3};
  strata_storage *const *given = storages;
  const int64_t *lengths = extents;
  strata_context context, *surroundings = &context;
  int32_t status;
  int whole = 1;

  strata_context_initialize(&context);
  switch (count > 1 ? atoi(arguments[1]) : -1) {
  case 0: break; /* no mistake */
  case 1: given = NULL; break;
  case 2: lengths = NULL; break;
  case 3: storages[0] = NULL; break;
  case 4: storages[1] = NULL; break;
  case 5: A.order = 1; break;
  case 6: A.buffer_count = 2; break;
  case 7: A.sizes = NULL; break;
  case 8: A.buffers = NULL; break;
  case 9: A_buffers[0].type = STRATA_I64; break;
  case 10: A_buffers[2].type = STRATA_F32; break;
  case 11: x_buffers[0].type = 99; break;
  case 12: y_buffers[0].type = STRATA_F32; break;
  case 13: A_buffers[0].data = NULL; break;
  case 14: A_buffers[1].data = NULL; break;
  case 15: x_buffers[0].data = NULL; break;
  case 16: A_buffers[0].data = NULL, A_buffers[0].count = 0; break;
  case 17: x_buffers[0].data = NULL, x_buffers[0].count = 0; break;
  case 18: A_buffers[0].count = 3; break;
  case 19: A_buffers[1].count = 3; break;
  case 20: A_buffers[2].count = 3; break;
  case 21: x_buffers[0].count = 2; break;
  case 22: A_buffers[1].count = -1; break;
  case 23: A2_pos[3] = 1000000; break;
  case 24: extents[0] = 1000000; break;
  case 25: extents[0] = 2; break;
  case 26: extents[1] = 1000000; break;
  case 27: extents[0] = -1; break;
  case 28: x_sizes[0] = 2; break;
  case 29: y_sizes[0] = 2; break;
  case 30: A_sizes[1] = 4; break;
  case 31: A_sizes[0] = -3; break;
  case 32: C_buffers[0].type = STRATA_I64, whole = 0; break;
  case 33: C_sizes[1] = 4, whole = 0; break;
  case 34: extents[2] = 4, whole = 0; break;
  case 35: surroundings = NULL; break;
  case 36: whole = 0; break; /* no mistake */
  default: return 2;
  }
  status = whole ? kernel_y(surroundings, given, lengths) : kernel_C(surroundings, of_C, lengths);
  printf("%d %s\n", (int)status, context.message);
  return 0;
}
