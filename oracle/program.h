/* poolproof: programs: what to do to a runtime, step by step, as text.
 *
 *   # poolproof-backend: cc multidev_cc
 *   option delay
 *   routine double
 *   ...
 *   end
 *   root a 0
 *   link b a double
 *   fault free_pool 1 backend_failed
 *   release b
 *   release b
 *
 * One operation, option or comment (#) a line; routines as
 * backends/routine/README.md says. Contexts and routines have names, and are
 * above what uses them. A name may be made again; what is to be done to a
 * context that is not there (its making failed, or it was freed), and the
 * making of one that is, are skipped. Options: delay, max_pool BYTES,
 * alignment BYTES (poolproof/fault.h). A fault's call is counted from its line
 * on; `any` is a call of any kind. The marker names the backends that the
 * program is for, or none. SPDX-License-Identifier: MIT */
#ifndef PP_PROGRAM_H
#define PP_PROGRAM_H

#include <poolproof/fault.h>
#include <poolproof/routine.h>

#include "diag.h"

#include <stdio.h>

/* Enumerator, word, what follows it: N a context to be made, C one made above,
 * O a second one made above, R a routine, d a device's ordinal, u a uid, s a
 * seed, b `bytes N` or nothing, k link options, f a fault. */
#define PP_VERBS(X)                                                            \
  X(ROOT, root, "Nd")                                                          \
  X(LINK, link, "NORk")                                                        \
  X(RUN, run, "C")                                                             \
  X(AWAIT, await, "C")                                                         \
  X(UPLOAD, upload, "Cusb")                                                    \
  X(DOWNLOAD, download, "Cub")                                                 \
  X(COPY, copy, "COu")                                                         \
  X(MERGE, merge, "COu")                                                       \
  X(RELEASE, release, "C")                                                     \
  X(FREE, free, "C")                                                           \
  X(TEARDOWN, teardown, "")                                                    \
  X(FAULT, fault, "f")

typedef enum pp_verb {
#define PP_VERB_ENUM(NAME, name, shape) PP_DO_##NAME,
  PP_VERBS(PP_VERB_ENUM)
#undef PP_VERB_ENUM
      PP_VERB_COUNT
} pp_verb;

/* One step. Fields that the verb does not want are 0.
 * context    which context, made or used (copy, merge: to)
 * other      the parent of link; copy, merge: from
 * bytes      upload, download: the host's size when has_bytes, otherwise the
 *            node's own
 * line       of the text; 0: it has none */
typedef struct pp_operation {
  pp_verb verb;
  size_t context, other, routine;
  uint64_t device, uid, seed, bytes, cap;
  bool has_bytes, no_reuse;
  pp_fault fault;
  size_t line;
} pp_operation;

typedef struct pp_name {
  char text[PP_LABEL];
} pp_name;

/* backends  bit i: the marker names backend i. Without a marker has_marker is
 *           false, and it may run on any */
typedef struct pp_program {
  bool has_marker;
  uint64_t backends;
  pp_fault_options options;
  pp_name *context;
  size_t contexts, context_room;
  pp_routine **routine;
  size_t routines, routine_room;
  pp_operation *operation;
  size_t operations, operation_room;
} pp_program;

/* What the parser takes at most: more is no test, but a mistake. */
enum { PP_PROGRAM_OPERATIONS = 4096, PP_PROGRAM_BYTES = 1 << 20 };

/* Each returns false without memory; the program is then as before.
 * pp_program_routine takes over the caller's hold on the routine. */
bool pp_program_context(pp_program *program, const char *name, size_t *index);
bool pp_program_routine(pp_program *program, pp_routine *routine,
                        size_t *index);
bool pp_program_add(pp_program *program, const pp_operation *operation);

/* *to, a zeroed or valid program, becomes the same as from. */
bool pp_program_copy(pp_program *to, const pp_program *from);

/* Leaves an empty program. */
void pp_program_free(pp_program *program);

/* The word of a verb; its shape; the word of a status that a fault may have,
 * or NULL; static. */
const char *pp_verb_name(pp_verb verb);
const char *pp_verb_shape(pp_verb verb);
const char *pp_fault_status_name(pp_status status);

/* Reads the text form. On errors (PP_EXIT_INPUT with file, line and column,
 * PP_EXIT_RESOURCE) the program is empty. */
int pp_program_parse(const char *name, const char *text, size_t size,
                     pp_program *program, pp_diag *diag);

/* The same, from a file or "-". */
int pp_program_read(const char *path, pp_program *program, pp_diag *diag);

/* One operation in its text form, without the end of the line, in text. */
const char *pp_operation_print(const pp_program *program,
                               const pp_operation *operation, char *text,
                               size_t size);

/* The whole. PP_EXIT_RESOURCE: no memory, or the write failed. */
int pp_program_write(FILE *out, const pp_program *program, pp_diag *diag);

#endif
