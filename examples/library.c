/* y(i) = A(i,j) * x(j) by the Strata library, for a matrix whose arrays the program owns. Prints y.
 *
 *   cc -std=c99 -I. examples/library.c -Lbuild/lib -lstrata -Wl,-rpath,build/lib -o library
 */
#include "strata/api/strata.h"

#include <stdio.h>
#include <stdlib.h>

/* Ends the program with what an error says. */
static void check(strata_error *error) {
  if (!error)
    return;
  fprintf(stderr, "%s\n%s\n", strata_error_message(error), strata_error_hint(error));
  strata_error_free(error);
  exit(1);
}

int main(void) {
  /*  1 . 2
   *  . . 3  */
  int32_t pos[] = {0, 2, 3}, crd[] = {0, 2, 2};
  double values[] = {1, 2, 3}, vector[] = {1, 1, 1};
  int64_t sizes[] = {2, 3};
  strata_array arrays[] = {{pos, 3, STRATA_I32}, {crd, 3, STRATA_I32}, {values, 3, STRATA_F64}};
  strata_array elements = {vector, 3, STRATA_F64}, result;
  strata_session *session;
  strata_format *csr, *dense;
  strata_tensor *operands[2], *y;
  strata_statement *spmv;
  int64_t i;

  check(strata_session_create(&session));
  check(strata_format_parse(session, "CSR", 2, STRATA_F64, &csr));
  check(strata_format_parse(session, "Dense", 1, STRATA_F64, &dense));
  check(strata_tensor_from_buffers(session, csr, sizes, arrays, 3, STRATA_ADOPT | STRATA_VALIDATE,
                                   NULL, NULL, &operands[0]));
  check(strata_tensor_from_buffers(session, dense, sizes + 1, &elements, 1, STRATA_ADOPT, NULL, NULL,
                                   &operands[1]));
  {
    strata_operand named[2];
    named[0].name = "A", named[0].format = csr;
    named[1].name = "x", named[1].format = dense;
    check(strata_statement_create(session, "y(i) = A(i,j) * x(j)", named, 2, NULL, &spmv));
  }
  check(strata_statement_run(spmv, operands, 2, &y));
  result = strata_tensor_array(y, 0);
  for (i = 0; i < result.count; ++i)
    printf("%g\n", ((const double *)result.data)[i]);

  strata_tensor_release(y);
  strata_statement_release(spmv);
  strata_tensor_release(operands[1]);
  strata_tensor_release(operands[0]);
  strata_format_release(dense);
  strata_format_release(csr);
  strata_session_release(session);
  return 0;
}
