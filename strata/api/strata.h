/* The Strata library's C interface: tensors in any format, statements compiled to kernels.
 *
 *   strata_session *session;
 *   strata_format *csr;
 *   strata_tensor *operands[2], *y;
 *   strata_statement *spmv;
 *   check(strata_session_create(&session));
 *   check(strata_format_parse(session, "CSR", 2, STRATA_F64, &csr));
 *   check(strata_tensor_from_buffers(session, csr, sizes, arrays, 3, STRATA_ADOPT, NULL, NULL,
 *                                    &operands[0]));
 *   ...
 *   strata_operand formats[] = {{"A", csr}, {"x", dense}};
 *   check(strata_statement_create(session, "y(i) = A(i,j) * x(j)", formats, 2, NULL, &spmv));
 *   check(strata_statement_run(spmv, operands, 2, &y));
 *
 * Every function that can fail returns an error, which the caller frees, or null; what it hands out
 * is untouched then. Handles are counted: each begins with one reference, which is given back by
 * its _release function (that takes null, too). What a handle needs, it holds. Texts that are
 * returned live as long as the handle they belong to, unless it is said that they are the caller's.
 *
 * Any thread may call any function. Functions that parse, pack, convert, compile, compute, read or
 * write take turns in a session, so that they may wait; so do those that make or release a
 * statement. A run of a statement for types and sizes that it has been run for takes no turn, if
 * nothing is left to decide: several threads compute at once then. (Without a pool of the
 * program's.) What only tells something, retains, or releases anything else never waits. Part of
 * Strata, under the Apache License v2.0 with LLVM Exceptions.
 */
#ifndef STRATA_API_STRATA_H
#define STRATA_API_STRATA_H

#include "strata/runtime/abi.h"

#ifndef STRATA_API
#define STRATA_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0". */
STRATA_API const char *strata_version(void);

/* ---- Errors ---- */

/* The kinds of errors. Numbers never change their meaning. */
typedef enum strata_error_code {
  STRATA_ERROR_EXPRESSION = 1,   /* a statement that the language does not have */
  STRATA_ERROR_SHAPE = 2,        /* sizes, or numbers of dimensions, that do not fit each other */
  STRATA_ERROR_FORMAT = 3,       /* a format that does not exist, or cannot store the tensor */
  STRATA_ERROR_SCHEDULE = 4,     /* a schedule that is not legal for the statement */
  STRATA_ERROR_TYPE = 5,         /* an element type that is not possible there */
  STRATA_ERROR_ARGUMENT = 6,     /* a name, number or buffer that does not belong there */
  STRATA_ERROR_WIDTH = 7,        /* positions or coordinates that do not fit their bits */
  STRATA_ERROR_FILE = 8,         /* a file that cannot be read or written */
  STRATA_ERROR_UNSUPPORTED = 9,  /* what Strata cannot do, or not yet */
  STRATA_ERROR_MEMORY = 10,      /* there is not enough */
  STRATA_ERROR_INTERRUPTED = 11, /* strata_session_interrupt was called */
  STRATA_ERROR_ARITHMETIC = 12,  /* an integer was divided by zero */
  STRATA_ERROR_INTERNAL = 13,    /* a mistake in Strata */
  STRATA_ERROR_RANKS = 14        /* of another rank, or of what carries messages between them */
} strata_error_code;

typedef struct strata_error strata_error;

STRATA_API int32_t strata_error_kind(const strata_error *);
/* What is wrong, in one line. */
STRATA_API const char *strata_error_message(const strata_error *);
/* The code of the kind of mistake, "SE0204", which docs/Errors.md explains; empty of a mistake in
 * Strata. */
STRATA_API const char *strata_error_mistake(const strata_error *);
/* What would help, a line for each advice; may be empty. */
STRATA_API const char *strata_error_hint(const strata_error *);
/* The line of a text that the error is about; empty if it is about none. */
STRATA_API const char *strata_error_text(const strata_error *);
/* Where in that text, counted from 1; 0 if nowhere. Columns count bytes. */
STRATA_API int32_t strata_error_line(const strata_error *);
STRATA_API int32_t strata_error_column(const strata_error *);
STRATA_API void strata_error_free(strata_error *);

/* ---- Settings ---- */

/* Reads the files strata.toml (docs/Configuration.md), which stand in for variables of the
 * environment from here on, and limit the memory of sessions that are made then: to be called
 * before other functions. Without this call the library reads none. */
STRATA_API strata_error *strata_settings_read(void);
/* The value of a setting by its key in such a file, from there or from the environment, as text to
 * be freed with strata_text_free (of memory, in bytes); null if nothing gives one. */
STRATA_API char *strata_settings_value(const char *key);

/* ---- Sessions ---- */

/* A compiler with the kernels that it has made. */
typedef struct strata_session strata_session;

/* Kernels are also looked for in the user's cache, as the command line does (STRATA_CACHE_DIR). */
STRATA_API strata_error *strata_session_create(strata_session **session);
STRATA_API strata_session *strata_session_retain(strata_session *);
STRATA_API void strata_session_release(strata_session *);
/* The folder in which the session looks for kernels and keeps those that it makes, of which it must
 * be the only writer's; null: none are kept. Without this call, the user's cache. */
STRATA_API strata_error *strata_session_keep_kernels(strata_session *, const char *folder);
/* No computation takes more memory than that, its result included; negative: as much as there is.
 * Each of several at once may take so much. */
STRATA_API void strata_session_limit_memory(strata_session *, int64_t bytes);
/* Asks what runs in the session to end with STRATA_ERROR_INTERRUPTED. Safe in signal handlers. */
STRATA_API void strata_session_interrupt(strata_session *);
/* How many kernels it has made ready, by compiling them or from the folder. */
STRATA_API int64_t strata_session_compiled(strata_session *);
/* How many runs of statements have repeated an earlier one: its kernels were called again, and
 * nothing was decided anew. */
STRATA_API int64_t strata_session_repeated(strata_session *);

/* So many threads work at once in this process's computations, in an arena of their own, but not
 * more than there are for it; 0: as many as there are, or as STRATA_NUM_THREADS says. */
STRATA_API void strata_set_threads(int32_t count);
STRATA_API int32_t strata_threads(void);

/* A pool of threads that the program has. */
typedef struct strata_pool {
  void *state;     /* what its functions are given */
  int32_t threads; /* that work at once in a call, the calling one included */
  /* Has the task called once with its argument, at any time and by any thread, and does not wait
   * for it. */
  void (*submit)(void *state, void (*task)(void *argument), void *argument);
  /* If not null, called once for each strata_use_pool, when no call needs the pool any more, by
   * any thread. It must call nothing here. Tasks that have not begun may still be called after it;
   * they do not use the state. */
  void (*release)(void *state);
} strata_pool;

/* From now on calls use threads of this pool beside the calling one, and start none; null: those of
 * the library again. A call submits a task for each thread that can help where its work is divided;
 * the task lasts until the call ends, or does something else for long. No call waits for a task to
 * begin: where the pool is busy the calling thread does all of the work, and a task that comes too
 * late ends at once, even after the call. The bits of results do not depend on it. Calls that run
 * at the same time (in several sessions) may each use so many threads. With a pool,
 * strata_set_threads says how many of its threads work in a call. Calls that run already end with
 * the pool that they began with. */
STRATA_API void strata_use_pool(const strata_pool *pool);

/* ---- Ranks and machines ---- */

/* The processes that a launcher of MPI has started, each of which calls the same functions in the
 * same order, or a group of them. Functions to which that applies are called collective: those that
 * compute with a tensor in pieces, or make one. An error of one rank is one of all, with its code.
 */
typedef struct strata_ranks strata_ranks;

/* Collective. `communicator` is the address of an MPI_Comm, of which a duplicate is made; null: all
 * processes that the launcher has started; without a launcher this one is alone, and no library of
 * MPI is loaded. A rank that is waited for longer than `deadline` seconds is an error; 0: there is
 * no deadline. One thread of the process uses them. */
STRATA_API strata_error *strata_ranks_create(strata_session *, const void *communicator,
                                             double deadline, strata_ranks **ranks);
STRATA_API strata_ranks *strata_ranks_retain(strata_ranks *);
/* The last one closes them. */
STRATA_API void strata_ranks_release(strata_ranks *);
/* Collective: ends what carries messages, before the process ends. Nothing can be computed by them
 * from then on. */
STRATA_API strata_error *strata_ranks_close(strata_ranks *);
/* Collective: whether all ranks could do what each did by itself, as reading a file. `kind` and
 * `message` are those of this rank's error; 0 if there is none. Behind the message its code may
 * stand: "no such file [SE1301]". Gives an error about other ranks, null where this one has one
 * itself. */
STRATA_API strata_error *strata_ranks_settle(strata_ranks *, int32_t kind, const char *message);
STRATA_API int32_t strata_ranks_rank(const strata_ranks *);
STRATA_API int32_t strata_ranks_size(const strata_ranks *);
/* What carries the messages: "Open MPI v4.1.4"; "none" of a process that is alone. */
STRATA_API const char *strata_ranks_library(const strata_ranks *);
/* The bytes that this rank has sent to others so far. */
STRATA_API int64_t strata_ranks_sent(const strata_ranks *);

/* A grid of cells, which the ranks have: a rank has several, or none, and what is computed depends
 * on the cells alone. Formats name it: "CSR on M(i)". */
typedef struct strata_machine strata_machine;

/* With so many cells on each axis; 0: as many as the ranks leave. Axes are called x, y, z, w. */
STRATA_API strata_error *strata_machine_create(strata_ranks *, const char *name,
                                               const int64_t *cells, int32_t axes,
                                               strata_machine **machine);
STRATA_API strata_machine *strata_machine_retain(strata_machine *);
STRATA_API void strata_machine_release(strata_machine *);
STRATA_API const char *strata_machine_name(const strata_machine *);
STRATA_API int32_t strata_machine_axes(const strata_machine *);
/* Of each axis; belongs to the machine. */
STRATA_API const int64_t *strata_machine_cells(const strata_machine *);
STRATA_API strata_ranks *strata_machine_ranks(const strata_machine *);

/* ---- Formats ---- */

/* How a tensor of some order and element type is stored. */
typedef struct strata_format strata_format;

/* One array of a storage. */
typedef struct strata_array {
  void *data;
  int64_t count; /* elements */
  int32_t type;  /* a strata_type */
} strata_array;

/* What an array of a format holds. */
typedef struct strata_array_role {
  const char *name; /* "pos", "crd", ..., "values" */
  int32_t level;    /* counted from 0; -1 of the values */
  int32_t type;     /* a strata_type; -1 where the format leaves the width open */
} strata_array_role;

/* From a name, a list of levels or a map, as programs and -f write them: "CSR", "BCSR:2x3",
 * "{CSR, pos = 64, crd = 32}", "(i, j) -> (i : dense, j : compressed)", "ds:1,0"; with the places
 * of its pieces on a machine: "CSR on M(i)", whose dimensions are i, j, k, ... */
STRATA_API strata_error *strata_format_parse(strata_session *, const char *text, int32_t order,
                                             strata_type type, strata_format **format);
/* The same with positions and coordinates of so many bits (8, 16, 32, 64) where it leaves them
 * open; 0 leaves them so. */
STRATA_API strata_error *strata_format_with_widths(const strata_format *, int32_t positions,
                                                   int32_t coordinates, strata_format **format);
/* The same for another element type. */
STRATA_API strata_error *strata_format_with_type(const strata_format *, strata_type type,
                                                 strata_format **format);
STRATA_API strata_format *strata_format_retain(strata_format *);
STRATA_API void strata_format_release(strata_format *);
STRATA_API int32_t strata_format_order(const strata_format *);
STRATA_API strata_type strata_format_type(const strata_format *);
/* Its name, if the table of formats has one for it, else its map; strata_format_parse reads it. */
STRATA_API const char *strata_format_name(const strata_format *);
/* Its map, whether it has a name or not (a hybrid format has none, and is told by its name);
 * strata_format_parse reads it. */
STRATA_API const char *strata_format_text(const strata_format *);
/* The machine that it names: "M"; null of a format without places. */
STRATA_API const char *strata_format_machine(const strata_format *);
/* Do they store tensors in the same way (the element type apart)? */
STRATA_API int32_t strata_format_equal(const strata_format *, const strata_format *);
/* What elements are worth that are not stored: the real and the imaginary part. 0 if that is zero,
 * or if there are no such elements. Integers of more than 53 bits are rounded. */
STRATA_API int32_t strata_format_fill(const strata_format *, double fill[2]);
/* Has it a place for each element (Dense, in any order of dimensions)? */
STRATA_API int32_t strata_format_is_full(const strata_format *);
STRATA_API int32_t strata_format_level_count(const strata_format *);
/* "dense", "compressed", ...; null outside [0, level count). */
STRATA_API const char *strata_format_level(const strata_format *, int32_t level);
/* With the values, which come last. */
STRATA_API int32_t strata_format_array_count(const strata_format *);
STRATA_API strata_array_role strata_format_array(const strata_format *, int32_t index);

/* ---- Tensors ---- */

typedef struct strata_tensor strata_tensor;

typedef void (*strata_release_fn)(void *state);

/* What becomes of memory that is handed in. */
enum {
  STRATA_COPY = 0,
  STRATA_ADOPT = 1,   /* it is used where it is, and only read, until `release` is called */
  STRATA_VALIDATE = 2 /* every promise of the format is checked first */
};

/* From the arrays of its format, in their order. Adopted arrays must keep their addresses and
 * pattern; `release`, if not null, is called once when none of them is needed any more, also after
 * an error, by any thread and inside any call: it must call nothing here that takes turns. Where
 * widths are open, those of the arrays decide. */
STRATA_API strata_error *strata_tensor_from_buffers(strata_session *, const strata_format *,
                                                    const int64_t *sizes,
                                                    const strata_array *arrays, int32_t count,
                                                    int32_t flags, strata_release_fn release,
                                                    void *state, strata_tensor **tensor);

/* What several entries at one place mean. */
enum { STRATA_SUM_DUPLICATES = 0, STRATA_REFUSE_DUPLICATES = 1 };

/* From `count` entries: for each dimension an array of coordinates (32 or 64 bits), and values.
 * They are copied. Elements without an entry have the format's fill value. */
STRATA_API strata_error *strata_tensor_from_coordinates(strata_session *, const strata_format *,
                                                        const int64_t *sizes, int64_t count,
                                                        const strata_array *coordinates,
                                                        strata_array values, int32_t duplicates,
                                                        strata_tensor **tensor);
/* Without entries; of a full format, the fill everywhere. */
STRATA_API strata_error *strata_tensor_empty(strata_session *, const strata_format *,
                                             const int64_t *sizes, strata_tensor **tensor);
/* From any file that programs read; the format, one without places, says the order and the element
 * type. Without one the
 * file says them, and the tensor is Dense if the file lists every element, as the file stores it
 * level by level if it does so in order, else COO. What follows `::` in the name says which of the
 * file's tensors is meant, and which part of it. */
STRATA_API strata_error *strata_tensor_read(strata_session *, const char *file,
                                            const strata_format *, strata_tensor **tensor);
/* The same without a format, but of an order and an element type (a strata_type) that the caller
 * says; -1: the file says it. Of a file that holds several tensors, that of the order is read. */
STRATA_API strata_error *strata_tensor_read_as(strata_session *, const char *file, int32_t order,
                                               int32_t type, strata_tensor **tensor);
/* The same, and the names of the rows, columns, ... where the file has them: a text in JSON, a list
 * for each dimension or null. The text is the caller's, to be freed with strata_text_free. */
STRATA_API strata_error *strata_tensor_read_names(strata_session *, const char *file, int32_t order,
                                                  int32_t type, strata_tensor **tensor,
                                                  char **names);
/* What may follow `::` in the name of a file that may hold several tensors: a list in JSON, empty
 * for any other file. The text is the caller's, to be freed with strata_text_free. */
STRATA_API strata_error *strata_file_tensors(const char *file, char **names);
/* By the file's ending; all or nothing. */
STRATA_API strata_error *strata_tensor_write(strata_tensor *, const char *file);
/* The same elements in another format, of any element type that holds them; what has that format
 * already is retained. */
STRATA_API strata_error *strata_tensor_convert(strata_tensor *, const strata_format *,
                                               strata_tensor **tensor);
/* With memory of its own. */
STRATA_API strata_error *strata_tensor_copy(strata_tensor *, strata_tensor **tensor);
/* Checks every promise of the format. */
STRATA_API strata_error *strata_tensor_validate(strata_tensor *);
/* The arrays of every level, the values, and the tree of coordinates in characters, as
 * `print(A, storage)` writes them; long ones are cut. The text is the caller's, to be freed with
 * strata_text_free. */
STRATA_API strata_error *strata_tensor_draw_storage(strata_tensor *, char **text);
/* Writes a PNG picture of where the entries lie, darker where there are more: the dimension `down`
 * from its top, `across` from its left, both counted from 0. The longer side has about so many
 * pixels, from 8 to 8192; 0: 512. */
STRATA_API strata_error *strata_tensor_spy(strata_tensor *, int32_t down, int32_t across,
                                           int32_t pixels, const char *file);
STRATA_API strata_tensor *strata_tensor_retain(strata_tensor *);
STRATA_API void strata_tensor_release(strata_tensor *);
STRATA_API int32_t strata_tensor_order(const strata_tensor *);
STRATA_API const int64_t *strata_tensor_sizes(const strata_tensor *);
/* With every width decided; belongs to the tensor. */
STRATA_API const strata_format *strata_tensor_format(const strata_tensor *);
/* Values, padding included. */
STRATA_API int64_t strata_tensor_stored(const strata_tensor *);
/* Of all arrays. */
STRATA_API int64_t strata_tensor_bytes(const strata_tensor *);
/* An array where it lies, to be read as long as the tensor is held. */
STRATA_API strata_array strata_tensor_array(const strata_tensor *, int32_t index);

/* ---- Tensors in pieces ---- */

/* The machine that has its pieces; null of a tensor that each rank has whole. */
STRATA_API strata_machine *strata_tensor_machine(const strata_tensor *);
/* Collective. The same elements in another format, which names `machine`, or the one that the
 * tensor is on (then null will do), or none: each rank has it whole then. A tensor without pieces
 * is taken to be the same on all ranks. */
STRATA_API strata_error *strata_tensor_place(strata_tensor *, const strata_format *,
                                             strata_machine *machine, strata_tensor **result);
/* Collective. From what each rank has, which begins at the coordinates `first` of a tensor of these
 * sizes: its rows of a matrix, however many. What lies on the rank that the format places it on
 * stays there, everything else is sent; elements that several have are added up. */
STRATA_API strata_error *strata_tensor_from_piece(strata_machine *, const strata_format *,
                                                  const int64_t *sizes, strata_tensor *piece,
                                                  const int64_t *first, strata_tensor **result);
/* The pieces of this rank: one for each of its cells. */
STRATA_API int32_t strata_tensor_piece_count(const strata_tensor *);
/* A piece, a tensor by itself, whose coordinates count from where it begins. */
STRATA_API strata_error *strata_tensor_piece(strata_tensor *, int32_t index, strata_tensor **piece);
/* Which cell has it; -1 outside [0, piece count). */
STRATA_API int64_t strata_tensor_piece_cell(const strata_tensor *, int32_t index);
/* The first coordinate of it in each dimension, and that behind the last; belongs to the tensor. Of
 * a piece that is cut by entries not everything between them. */
STRATA_API const int64_t *strata_tensor_piece_first(const strata_tensor *, int32_t index);
STRATA_API const int64_t *strata_tensor_piece_end(const strata_tensor *, int32_t index);

/* ---- Statements ---- */

/* A statement in index notation, compiled for formats; sizes and scalars are given when it runs. */
typedef struct strata_statement strata_statement;

typedef struct strata_operand {
  const char *name;
  const strata_format *format;
} strata_operand;

/* Null, or all zero, is the default of everything. */
typedef struct strata_statement_options {
  /* Of the result; null: of the expression's element type, and dense if no operand is sparse, else
   * compressed along each dimension along which absent operands leave nothing (001, section 5.1).
   */
  const strata_format *result;
  const char *schedule;  /* "split(i,i0,i1,32),reorder(i0,i1,j)"; null: the compiler's own */
  int32_t deterministic; /* the same bits on all processors */
  /* Those that formats and the schedule name. With one, creating the statement is not collective,
   * and running it is. */
  strata_machine *const *machines;
  int32_t machine_count;
} strata_statement_options;

/* `y(i) = A(i,j) * x(j)`, with the format of every tensor on the right side (and of the left
 * side's, if it is updated). Scalars are operands of order 0. */
STRATA_API strata_error *strata_statement_create(strata_session *, const char *text,
                                                 const strata_operand *operands, int32_t count,
                                                 const strata_statement_options *options,
                                                 strata_statement **statement);
/* One of several statements that are computed as one program: what they have in common is computed
 * once, and what one makes and another reads need not be stored. */
typedef struct strata_step {
  const char *text;         /* as strata_statement_create takes it */
  const char *const *names; /* of its operands, in it */
  const int32_t *sources;   /* of each: the program's operand 0, 1, ..., or the result of the first
                               step (-1), of the second (-2), ... before this one */
  int32_t count;            /* of both */
  const strata_format *result; /* null: what follows from the operands */
} strata_step;

/* The program takes operands in these formats, in their order, and has the results of some steps,
 * by their numbers from 0 on, each step once. None of them is in pieces. */
STRATA_API strata_error *strata_statement_join(strata_session *, const strata_step *steps,
                                               int32_t step_count,
                                               const strata_format *const *operands,
                                               int32_t operand_count, const int32_t *returned,
                                               int32_t returned_count, int32_t deterministic,
                                               strata_statement **program);
STRATA_API strata_statement *strata_statement_retain(strata_statement *);
STRATA_API void strata_statement_release(strata_statement *);
/* Of the result, with the widths that it leaves open; belongs to the statement. */
STRATA_API const strata_format *strata_statement_result(const strata_statement *);
/* The names of the operands that it reads, in the order in which run takes them; null after the
 * last. */
STRATA_API const char *strata_statement_operand(const strata_statement *, int32_t index);
/* How many results it has: one, unless it was joined. */
STRATA_API int32_t strata_statement_result_count(const strata_statement *);
/* Computes it. The operands have the formats that were given, with any widths; there is a place for
 * each result. */
STRATA_API strata_error *strata_statement_run(strata_statement *, strata_tensor *const *operands,
                                              int32_t count, strata_tensor **result);
/* Computes it into the values of `target`, whatever they are: a tensor that stores every element,
 * of the result's format and sizes. Its memory, if it is adopted, must be such that it may be
 * written to; that of an operand is refused, and so is a program of several results. After an error
 * its values are not specified. */
STRATA_API strata_error *strata_statement_run_into(strata_statement *,
                                                   strata_tensor *const *operands, int32_t count,
                                                   strata_tensor *target);
/* The two halves of it: which entries the result has, their values being its fill; and the values
 * of a result with the entries of `pattern`, whose arrays of positions and coordinates it refers
 * to. Where operands keep their entries and their values change, the first is done once. An error
 * if the result is converted, or of a format in which entries follow from values, or if an entry is
 * to be computed that the pattern lacks. (TACO: assemble and compute.) */
STRATA_API strata_error *strata_statement_assemble(strata_statement *,
                                                   strata_tensor *const *operands, int32_t count,
                                                   strata_tensor **pattern);
STRATA_API strata_error *strata_statement_compute(strata_statement *,
                                                  strata_tensor *const *operands, int32_t count,
                                                  const strata_tensor *pattern,
                                                  strata_tensor **result);
/* The plan in words, or the kernel at a stage ("loops", "ta", "cin", "lvl", "scf", "vector",
 * "c", "llvm", "assembly"). The text is the caller's, to be freed with strata_text_free. */
STRATA_API strata_error *strata_statement_show(strata_statement *, const char *stage, char **text);
/* What `strata explain` tells: operands and how they are stored, conversions and why, the schedule,
 * the loops, what is allocated. As text (0), as JSON with the keys of docs/CommandLine.md (1), or
 * as HTML with pictures and code, for a page that there is (2). With the operands of a run (else
 * null, and 0 of them) also how much it is expected to do, and, where the machine has been measured
 * (`strata machine`), how long that takes. */
STRATA_API strata_error *strata_statement_explain(strata_statement *,
                                                  strata_tensor *const *operands, int32_t count,
                                                  int32_t as, char **text);
STRATA_API void strata_text_free(char *text);

/* ---- Gradients ---- */

/* The statements that compute the gradient of a statement by some of its operands, from the
 * cotangent: the derivatives of some number by the elements of the result. They are run in their
 * order, each with operands that are those of the statement, the cotangent, or the result of one
 * before. The gradient by a sparse operand is computed where that stores entries, and has its
 * format. docs/Gradients.md says what has a gradient. */
typedef struct strata_gradient strata_gradient;

/* `operands` are those of strata_statement_create, with their formats; `by` names some of them. */
STRATA_API strata_error *strata_gradient_create(strata_session *, const char *text,
                                                const strata_operand *operands, int32_t count,
                                                const char *const *by, int32_t by_count,
                                                strata_gradient **gradient);
STRATA_API strata_gradient *strata_gradient_retain(strata_gradient *);
STRATA_API void strata_gradient_release(strata_gradient *);
/* The name of the cotangent: "dy". */
STRATA_API const char *strata_gradient_cotangent(const strata_gradient *);
/* What the gradient by an operand is called, in the order of `by`: "dA"; empty if it is zero; null
 * after the last. */
STRATA_API const char *strata_gradient_name(const strata_gradient *, int32_t index);
/* A statement: "dA(i,j)<A, structural> = dy(i) * x(j)"; null after the last. */
STRATA_API const char *strata_gradient_statement(const strata_gradient *, int32_t index);
/* The tensor on its left side; null after the last. */
STRATA_API const char *strata_gradient_result(const strata_gradient *, int32_t index);
/* The format and the element type in which its result is to be computed; null after the last, and
 * where any will do. They belong to the gradient. */
STRATA_API const strata_format *strata_gradient_format(const strata_gradient *, int32_t index);
/* The operands that a statement reads; null after the last. */
STRATA_API const char *strata_gradient_operand(const strata_gradient *, int32_t index,
                                               int32_t operand);

/* ---- Programs ---- */

/* What a program in the language has printed, and the tensors that it has made. */
typedef struct strata_outcome strata_outcome;

typedef struct strata_parameter {
  const char *name, *value; /* as -D gives them */
} strata_parameter;

/* Runs a program's `main`. `name` is what messages call the text. `results` names the tensors and
 * scalars of `main` that are wanted; with null, whatever has a value at its end is. With ranks, not
 * null, these run it together: it is collective then, and rank 0 alone prints and writes. */
STRATA_API strata_error *strata_program_run(strata_session *, const char *text, const char *name,
                                            const strata_parameter *parameters,
                                            int32_t parameter_count, const char *const *results,
                                            int32_t result_count, strata_ranks *ranks,
                                            strata_outcome **outcome);
STRATA_API void strata_outcome_release(strata_outcome *);
STRATA_API const char *strata_outcome_printed(const strata_outcome *);
/* The names of the results; null after the last. */
STRATA_API const char *strata_outcome_name(const strata_outcome *, int32_t index);
/* A result; it belongs to the outcome, unless it is retained. */
STRATA_API strata_tensor *strata_outcome_tensor(const strata_outcome *, int32_t index);

/* ---- Functions of MLIR ---- */

/* A function of a module in MLIR's text, of operations of ta, or of linalg and sparse_tensor. */
typedef struct strata_function strata_function;

/* `name` is what messages call the text; with null for `entry`, the function is main, or the only
 * one. The old keys of sparse_tensor's encodings are read, too. */
STRATA_API strata_error *strata_function_create(strata_session *, const char *text,
                                                const char *name, const char *entry,
                                                strata_function **function);
STRATA_API void strata_function_release(strata_function *);
/* What it takes and returns, by number: a format with its element type, which the caller releases;
 * null after the last. A scalar is a tensor without dimensions. */
STRATA_API strata_format *strata_function_operand(const strata_function *, int32_t index);
STRATA_API strata_format *strata_function_result(const strata_function *, int32_t index);
/* Calls it with tensors in the formats of its operands. The results are called 0, 1, .... */
STRATA_API strata_error *strata_function_run(strata_function *, strata_tensor *const *operands,
                                             int32_t count, strata_outcome **outcome);

#ifdef __cplusplus
}
#endif
#endif /* STRATA_API_STRATA_H */
