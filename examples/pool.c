/* y(i) = A(i,j) * x(j) by threads that the program has. Prints the sum of y.
 *
 *   cc -std=c99 -I. examples/pool.c -Lbuild/lib -lstrata -Wl,-rpath,build/lib -o pool
 */
#define _POSIX_C_SOURCE 200809L
#include "strata/api/strata.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { workers = 3, size = 2000 };

/* The program's pool: workers that take tasks from a list. */
struct task {
  void (*function)(void *argument);
  void *argument;
  struct task *next;
};
struct pool {
  pthread_t threads[workers];
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  struct task *tasks;
  int ends;
};

static void *work(void *state) {
  struct pool *pool = state;
  pthread_mutex_lock(&pool->mutex);
  while (pool->tasks || !pool->ends) {
    struct task *task = pool->tasks;
    if (!task) {
      pthread_cond_wait(&pool->changed, &pool->mutex);
      continue;
    }
    pool->tasks = task->next;
    pthread_mutex_unlock(&pool->mutex);
    task->function(task->argument);
    free(task);
    pthread_mutex_lock(&pool->mutex);
  }
  pthread_mutex_unlock(&pool->mutex);
  return NULL;
}

/* What the library needs of a pool. */
static void submit(void *state, void (*function)(void *argument), void *argument) {
  struct pool *pool = state;
  struct task *task = malloc(sizeof *task);
  if (!task)
    abort();
  task->function = function;
  task->argument = argument;
  pthread_mutex_lock(&pool->mutex);
  task->next = pool->tasks;
  pool->tasks = task;
  pthread_cond_signal(&pool->changed);
  pthread_mutex_unlock(&pool->mutex);
}

/* Ends the program with what an error says. */
static void check(strata_error *error) {
  if (!error)
    return;
  fprintf(stderr, "%s\n%s\n", strata_error_message(error), strata_error_hint(error));
  strata_error_free(error);
  exit(1);
}

static double elements[size * size], vector[size];

/* The sum of A * x, whose elements are all 1. */
static double compute(void) {
  int64_t sizes[] = {size, size};
  strata_array matrix = {elements, size * size, STRATA_F64}, x = {vector, size, STRATA_F64};
  strata_session *session;
  strata_format *formats[2];
  strata_tensor *operands[2], *y;
  strata_statement *product;
  double sum = 0;

  for (int at = 0; at < size * size; ++at)
    elements[at] = vector[at % size] = 1;
  check(strata_session_create(&session));
  for (int at = 0; at < 2; ++at)
    check(strata_format_parse(session, "Dense", 2 - at, STRATA_F64, &formats[at]));
  check(strata_tensor_from_buffers(session, formats[0], sizes, &matrix, 1, STRATA_ADOPT, NULL, NULL,
                                   &operands[0]));
  check(strata_tensor_from_buffers(session, formats[1], sizes, &x, 1, STRATA_ADOPT, NULL, NULL,
                                   &operands[1]));
  strata_operand given[] = {{"A", formats[0]}, {"x", formats[1]}};
  check(strata_statement_create(session, "y(i) = A(i,j) * x(j)", given, 2, NULL, &product));
  check(strata_statement_run(product, operands, 2, &y));
  for (int at = 0; at < size; ++at)
    sum += ((const double *)strata_tensor_array(y, 0).data)[at];

  strata_tensor_release(y);
  strata_statement_release(product);
  for (int at = 0; at < 2; ++at) {
    strata_tensor_release(operands[at]);
    strata_format_release(formats[at]);
  }
  strata_session_release(session);
  return sum;
}

int main(void) {
  static struct pool pool = {.mutex = PTHREAD_MUTEX_INITIALIZER,
                             .changed = PTHREAD_COND_INITIALIZER};
  for (int at = 0; at < workers; ++at)
    if (pthread_create(&pool.threads[at], NULL, work, &pool))
      return 1;

  strata_pool threads = {.state = &pool, .threads = workers + 1, .submit = submit};
  strata_use_pool(&threads);
  printf("%d threads: %g\n", strata_threads(), compute());
  strata_use_pool(NULL);

  pthread_mutex_lock(&pool.mutex);
  pool.ends = 1;
  pthread_cond_broadcast(&pool.changed);
  pthread_mutex_unlock(&pool.mutex);
  for (int at = 0; at < workers; ++at)
    pthread_join(pool.threads[at], NULL);
  return 0;
}
