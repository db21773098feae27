/* Calls the functions of functions.ta. */
#include "functions.h"

#include <stdio.h>

static int64_t pos[] = {0, 2, 2, 3};
static int32_t rows[] = {0, 0, 2}, columns[] = {0, 2, 1};
static double values[] = {1, 2, 3}, ones[] = {1, 1, 1}, factor[] = {10};
static float floats[] = {1, 2, 3};
static const int64_t square[] = {3, 3};

static strata_buffer array(void *data, int64_t count, int32_t type) {
  strata_buffer buffer = {0};
  buffer.data = data;
  buffer.count = buffer.capacity = count;
  buffer.type = type;
  return buffer;
}

static void show(const char *name, strata_returned *returned) {
  const strata_storage *storage = strata_returned_storage(returned);
  const strata_buffer *last = &storage->buffers[storage->buffer_count - 1];
  int64_t at;
  printf("%s:", name);
  for (at = 0; at < last->count; ++at)
    printf(" %g", last->type == STRATA_F32 ? ((const float *)last->data)[at]
                                           : ((const double *)last->data)[at]);
  printf("\n");
  strata_returned_release(returned);
}

int main(void) {
  strata_buffer csr[3], coo[4], vector[1], scalar[1];
  strata_storage A = {2, 3, square, csr}, C = {2, 4, square, coo}, x = {1, 1, square, vector},
                 a = {0, 1, NULL, scalar};
  const strata_storage *arguments[3];
  strata_returned *y = NULL, *sum = NULL;
  int64_t listed[] = {0, 3};
  csr[0] = array(pos, 4, STRATA_I64);
  csr[1] = array(columns, 3, STRATA_I32);
  csr[2] = array(values, 3, STRATA_F64);
  coo[0] = array(listed, 2, STRATA_I64);
  coo[1] = array(rows, 3, STRATA_I32);
  coo[2] = array(columns, 3, STRATA_I32);
  coo[3] = array(floats, 3, STRATA_F32);
  vector[0] = array(ones, 3, STRATA_F64);
  scalar[0] = array(factor, 1, STRATA_F64);
  arguments[0] = &A, arguments[1] = &x, arguments[2] = &a;
  if (functions_scaled(arguments, &y))
    return 1;
  show("scaled", y);
  if (functions_same(arguments, &y))
    return 1;
  if (strata_returned_storage(y)->buffers[2].data == values)
    return 2;
  show("same", y);
  if (functions_divided(arguments, &y) || strata_returned_parts(y) != 2)
    return 4;
  arguments[0] = strata_returned_part(y, 0);
  arguments[1] = strata_returned_part(y, 1);
  arguments[2] = &x;
  if (functions_several(arguments, &sum))
    return 1;
  strata_returned_release(y);
  show("several", sum);
  arguments[0] = &C;
  if (functions_doubled(arguments, &y))
    return 1;
  show("doubled", y);
  arguments[0] = &x;
  if (functions_told(arguments, NULL))
    return 1;
  /* What the caller owns has not changed, and what does not fit is told. */
  printf("%g %g\n", values[0], floats[2]);
  fflush(stdout);
  return functions_scaled(arguments, &y) == 1 ? 0 : 3;
}
