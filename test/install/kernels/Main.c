/* Calls the two kernels of scale.ta. */
#include "scale.h"

#include <stdio.h>

static strata_storage vector(int64_t *size, strata_buffer *buffer) {
  strata_storage storage = {1, 1, size, buffer};
  return storage;
}

int main(void) {
  int64_t size = 3;
  double values[] = {1, 2, 3};
  strata_buffer buffers[] = {
      {values, 3, 3, STRATA_F64, 0}, {NULL, 0, 0, STRATA_F64, 0}, {NULL, 0, 0, STRATA_F64, 0}};
  strata_storage x = vector(&size, &buffers[0]), y = vector(&size, &buffers[1]),
                 z = vector(&size, &buffers[2]);
  strata_storage *of_y[] = {&y, &x}, *of_z[] = {&z, &y, &x};
  strata_context context;
  strata_context_initialize(&context);
  if (kernel_y(&context, of_y, &size) != STRATA_OK || kernel_z(&context, of_z, &size) != STRATA_OK)
    return 1;
  for (int at = 0; at < 3; ++at)
    printf("%g\n", ((double *)buffers[2].data)[at]);
  for (int made = 1; made < 3; ++made)
    context.allocator.reallocate(context.allocator.state, buffers[made].data,
                                 (size_t)buffers[made].capacity * sizeof(double), 0);
  return 0;
}
