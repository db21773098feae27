/* TAPP, the Tensor Algebra Processing Primitives, version 0.5, computed by Strata:
 *
 *   D = op_D(alpha * op_A(A) * op_B(B) + beta * op_C(C))
 *
 * for dense tensors with any strides, where equal indices are matched and those that D lacks are
 * summed. The declarations are those of the standard (https://github.com/TAPPorg), so that programs
 * may be compiled with its own headers as well. What it leaves open is said here. Part of Strata,
 * under the Apache License v2.0 with LLVM Exceptions.
 */
#ifndef TAPP_TAPP_H_
#define TAPP_TAPP_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef TAPP_EXPORT
#ifdef __cplusplus
#define TAPP_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define TAPP_EXPORT __attribute__((visibility("default")))
#endif
#endif

/* ---- Errors ---- */

/* 0, or a number that TAPP_explain_error explains. Those up to 14 are the reference
 * implementation's; errors of Strata also have a text about what happened last in the thread. */
typedef int TAPP_error;

TAPP_EXPORT bool TAPP_check_success(TAPP_error error);
/* Writes at most `maxlen` - 1 characters and a null character, and returns how many characters; if
 * `maxlen` is 0, writes nothing and returns how many there are. */
TAPP_EXPORT size_t TAPP_explain_error(TAPP_error error, size_t maxlen, char *message);

/* ---- Attributes ---- */

/* A handle or an executor of this library. The standard has no keys yet: any number names a pointer
 * of the program's, which is kept and not looked at. */
typedef intptr_t TAPP_attr;
typedef int TAPP_key;

TAPP_EXPORT TAPP_error TAPP_attr_set(TAPP_attr attr, TAPP_key key, void *value);
TAPP_EXPORT TAPP_error TAPP_attr_get(TAPP_attr attr, TAPP_key key, void **value);
TAPP_EXPORT TAPP_error TAPP_attr_clear(TAPP_attr attr, TAPP_key key);

/* ---- Types ---- */

typedef int TAPP_datatype;
enum {
  TAPP_F32 = 0,
  TAPP_F64 = 1,
  TAPP_C32 = 2, /* two floats */
  TAPP_C64 = 3, /* two doubles */
  TAPP_F16 = 4,
  TAPP_BF16 = 5,
  TAPP_FLOAT = TAPP_F32,
  TAPP_DOUBLE = TAPP_F64,
  TAPP_SCOMPLEX = TAPP_C32,
  TAPP_DCOMPLEX = TAPP_C64
};

/* Strata multiplies and adds up in floats, or in doubles if that is asked for or a tensor has them:
 * never with fewer digits than asked for. */
typedef int TAPP_prectype;
enum {
  TAPP_DEFAULT_PREC = -1,
  TAPP_F32F32_ACCUM_F32 = TAPP_F32,
  TAPP_F64F64_ACCUM_F64 = TAPP_F64,
  TAPP_F16F16_ACCUM_F16 = TAPP_F16,
  TAPP_F16F16_ACCUM_F32 = 5,
  TAPP_BF16BF16_ACCUM_F32 = 6
};

/* ---- Handles, executors, statuses ---- */

typedef intptr_t TAPP_handle;
TAPP_EXPORT TAPP_error TAPP_create_handle(TAPP_handle *handle);
TAPP_EXPORT TAPP_error TAPP_destroy_handle(TAPP_handle handle);

/* Products are executed by the threads that strata_set_threads or STRATA_NUM_THREADS says, whatever
 * the executor; null is one, too. */
typedef intptr_t TAPP_executor;
TAPP_EXPORT TAPP_error TAPP_create_executor(TAPP_executor *exec);
TAPP_EXPORT TAPP_error TAPP_destroy_executor(TAPP_executor exec);

/* Of a product that is executed; that is done when the call returns. */
typedef intptr_t TAPP_status;
TAPP_EXPORT TAPP_error TAPP_destroy_status(TAPP_status status);

/* ---- Tensors ---- */

/* Type, extents and strides, which count elements and may be negative or 0. */
typedef intptr_t TAPP_tensor_info;
TAPP_EXPORT TAPP_error TAPP_create_tensor_info(TAPP_tensor_info *info, TAPP_datatype type,
                                               int nmode, const int64_t *extents,
                                               const int64_t *strides);
TAPP_EXPORT TAPP_error TAPP_destroy_tensor_info(TAPP_tensor_info info);
TAPP_EXPORT int TAPP_get_nmodes(TAPP_tensor_info info);
/* New modes have the extent 1 and the stride 0 until they are given others. */
TAPP_EXPORT TAPP_error TAPP_set_nmodes(TAPP_tensor_info info, int nmodes);
TAPP_EXPORT void TAPP_get_extents(TAPP_tensor_info info, int64_t *extents);
TAPP_EXPORT TAPP_error TAPP_set_extents(TAPP_tensor_info info, const int64_t *extents);
TAPP_EXPORT void TAPP_get_strides(TAPP_tensor_info info, int64_t *strides);
TAPP_EXPORT TAPP_error TAPP_set_strides(TAPP_tensor_info info, const int64_t *strides);

/* ---- Products ---- */

typedef int TAPP_element_op;
enum { TAPP_IDENTITY = 0, TAPP_CONJUGATE = 1 };

#define TAPP_IN_PLACE NULL

/* Infos may be changed and destroyed afterwards: a product keeps what they said. Where there is an
 * error in indices or extents, it is returned, and again by each execution of `plan`. */
typedef intptr_t TAPP_tensor_product;
TAPP_EXPORT TAPP_error TAPP_create_tensor_product(
    TAPP_tensor_product *plan, TAPP_handle handle, TAPP_element_op op_A, TAPP_tensor_info A,
    const int64_t *idx_A, TAPP_element_op op_B, TAPP_tensor_info B, const int64_t *idx_B,
    TAPP_element_op op_C, TAPP_tensor_info C, const int64_t *idx_C, TAPP_element_op op_D,
    TAPP_tensor_info D, const int64_t *idx_D, TAPP_prectype prec);
TAPP_EXPORT TAPP_error TAPP_destroy_tensor_product(TAPP_tensor_product plan);

/* Any threads may execute one product. `alpha` and `beta` have the type of D. Where `beta` is 0, C
 * is not read and may be null. D may overlap the others: all that is read is read first. */
TAPP_EXPORT TAPP_error TAPP_execute_product(TAPP_tensor_product plan, TAPP_executor exec,
                                            TAPP_status *status, const void *alpha, const void *A,
                                            const void *B, const void *beta, const void *C,
                                            void *D);
TAPP_EXPORT TAPP_error TAPP_execute_batched_product(TAPP_tensor_product plan, TAPP_executor exec,
                                                    TAPP_status *status, int num_batches,
                                                    const void *alpha, const void **A,
                                                    const void **B, const void *beta,
                                                    const void **C, void **D);

#endif /* TAPP_TAPP_H_ */
