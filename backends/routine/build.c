#include "internal.h"

#include "planner/internal.h"

#include <stdlib.h>
#include <string.h>

const pp_dtype_info *pp_dtype_look(pp_dtype dtype) {
  enum { INT = 0, FLOAT = 1 };
  static const pp_dtype_info info[] = {
#define PP_DTYPE_INFO(NAME, name, type, kind)                                  \
  {#name, sizeof(type), (kind) == FLOAT, (type)-1 < (type)1},
      PP_DTYPES(PP_DTYPE_INFO)
#undef PP_DTYPE_INFO
  };
  return (unsigned)dtype < PP_DTYPE_COUNT ? &info[dtype] : NULL;
}

size_t pp_dtype_bytes(pp_dtype dtype) {
  const pp_dtype_info *info = pp_dtype_look(dtype);
  return info ? info->bytes : 0;
}

const char *pp_dtype_name(pp_dtype dtype) {
  const pp_dtype_info *info = pp_dtype_look(dtype);
  return info ? info->name : "?";
}

const char *pp_op_name(pp_op op) {
  static const char *const names[] = {
#define PP_OP_TEXT(NAME, name, arity) #name,
      PP_OPS(PP_OP_TEXT)
#undef PP_OP_TEXT
  };
  return (unsigned)op < PP_OP_COUNT ? names[op] : NULL;
}

int pp_op_arity(pp_op op) {
  static const int arities[] = {
#define PP_OP_ARITY(NAME, name, arity) arity,
      PP_OPS(PP_OP_ARITY)
#undef PP_OP_ARITY
  };
  return arities[op];
}

uint64_t pp_node_elements(const pp_node *node) {
  uint64_t elements = 1;
  for (unsigned d = 0; d < node->rank; d++)
    if (node->dims[d] == 0) return 0;
  for (unsigned d = 0; d < node->rank; d++)
    elements *= node->dims[d];
  return elements;
}

uint64_t pp_node_bytes(const pp_node *node) {
  return pp_node_elements(node) * pp_dtype_bytes(node->dtype);
}

void *pp_data_new(const pp_node *node) {
  uint64_t bytes = pp_node_bytes(node);
  if (bytes > PTRDIFF_MAX) return NULL;
  return malloc(bytes > 0 ? (size_t)bytes : 1);
}

bool pp_is_name(const char *text) {
  if (!pp_is_letter(*text)) return false;
  for (; *text != '\0'; text++)
    if (!pp_is_letter(*text) && !pp_is_digit(*text)) return false;
  return true;
}

bool pp_same_access(const pp_access *a, const pp_access *b, unsigned rank,
                    unsigned axes) {
  if (a->node != b->node) return false;
  for (unsigned d = 0; d < rank; d++) {
    if (a->index[d].base != b->index[d].base) return false;
    for (unsigned axis = 0; axis < axes; axis++)
      if (a->index[d].scale[axis] != b->index[d].scale[axis]) return false;
  }
  return true;
}

bool pp_statement_reduces(const pp_statement *statement, unsigned rank) {
  for (unsigned axis = 0; axis < statement->axes; axis++)
    if (!pp_access_moves(&statement->target, rank, axis)) return true;
  return false;
}

bool pp_same_loops(const pp_statement *a, const pp_statement *b) {
  if (a->axes != b->axes) return false;
  for (unsigned axis = 0; axis < a->axes; axis++)
    if (a->extent[axis] != b->extent[axis]) return false;
  return true;
}

static int by_label(const void *a, const void *b) {
  const pp_node *const *left = a;
  const pp_node *const *right = b;
  int order = strcmp((*left)->label, (*right)->label);
  if (order != 0) return order;
  return *left < *right ? -1 : *left > *right;
}

const pp_node **pp_nodes_by_label(const pp_routine *routine) {
  size_t n = routine->nodes;
  const pp_node **nodes = pp_scratch_new(NULL, n, sizeof(const pp_node *));
  if (!nodes) return NULL;
  for (size_t i = 0; i < n; i++)
    nodes[i] = &routine->node[i];
  qsort(nodes, n, sizeof(const pp_node *), by_label);
  return nodes;
}

void *pp_grown(void *memory, size_t count, size_t bytes) {
  enum { FIRST = 4 };
  size_t room = count == 0 ? FIRST : count;
  bool full = count == 0 || (count >= FIRST && (count & (count - 1)) == 0);
  if (!full) return memory;
  if (count > 0 && __builtin_mul_overflow(count, 2, &room)) return NULL;
  if (__builtin_mul_overflow(room, bytes, &bytes)) return NULL;
  return realloc(memory, bytes);
}

pp_routine *pp_routine_new(const char *name) {
  pp_routine *routine = calloc(1, sizeof *routine);
  size_t length = strlen(name);
  char *copy = malloc(length + 1);
  if (!routine || !copy) {
    free(routine);
    free(copy);
    return NULL;
  }
  memcpy(copy, name, length + 1);
  routine->name = copy;
  routine->holders = 1;
  return routine;
}

pp_routine *pp_routine_hold(pp_routine *routine) {
  __atomic_fetch_add(&routine->holders, 1, __ATOMIC_RELAXED);
  return routine;
}

void pp_routine_free(pp_routine *routine) {
  if (!routine ||
      __atomic_fetch_sub(&routine->holders, 1, __ATOMIC_ACQ_REL) > 1)
    return;
  for (size_t i = 0; i < routine->nodes; i++)
    free((void *)routine->node[i].data);
  free(routine->node);
  free(routine->statement);
  free(routine->order);
  free(routine->position);
  pp_code_free(routine->code);
  free(routine->name);
  free(routine);
}

static pp_status sealed(pp_failure *failure) {
  return pp_fail(failure, PP_BAD_ROUTINE,
                 "the routine is sealed and takes no more");
}

static pp_status no_memory(pp_failure *failure) {
  return pp_fail(failure, PP_NO_MEMORY, "no memory for the routine");
}

/* Do the node's bytes fit 63 bits? */
static bool bytes_fit(const pp_node *node) {
  uint64_t bytes = pp_dtype_bytes(node->dtype);
  for (unsigned d = 0; d < node->rank; d++)
    if (node->dims[d] == 0) return true;
  for (unsigned d = 0; d < node->rank; d++)
    if (__builtin_mul_overflow(bytes, node->dims[d], &bytes)) return false;
  return bytes <= INT64_MAX;
}

pp_status pp_node_check(const pp_node *node, pp_failure *failure) {
  enum { KNOWN = PP_OBSERVABLE | PP_CONSTANT | PP_HOST | PP_MERGE };
  pp_status bad = PP_BAD_ROUTINE;
  uint64_t uid = node->uid;
  const char *label = node->label;
  if (!memchr(label, '\0', PP_LABEL) || !pp_is_name(label))
    return pp_fail_node(failure, bad, uid,
                        "node %llu: a label is 1 to %d letters, digits and _, "
                        "no digit first",
                        (unsigned long long)uid, PP_LABEL - 1);
  if (!pp_dtype_look(node->dtype))
    return pp_fail_node(failure, bad, uid, "node %s: there is no dtype %u",
                        label, (unsigned)node->dtype);
  if (node->rank > PP_RANK)
    return pp_fail_node(failure, bad, uid,
                        "node %s: %u dimensions, at most %d may be", label,
                        node->rank, PP_RANK);
  if (!bytes_fit(node))
    return pp_fail_node(failure, bad, uid,
                        "node %s: its bytes do not fit 63 bits", label);
  if ((node->intents & ~(unsigned)KNOWN) != 0)
    return pp_fail_node(failure, bad, uid, "node %s: there are no intents %u",
                        label, node->intents);
  if ((node->intents & PP_MERGE) != 0 && node->intents != PP_MERGE)
    return pp_fail_node(failure, bad, uid,
                        "node %s: a merge node has no other intent", label);
  return PP_OK;
}

/* The fields that count; 0 in the others. */
static pp_node plain_node(const pp_node *node) {
  pp_node plain = {.uid = node->uid,
                   .dtype = node->dtype,
                   .rank = node->rank,
                   .intents = node->intents,
                   .has_span = node->has_span};
  memcpy(plain.label, node->label, strlen(node->label));
  memcpy(plain.dims, node->dims, node->rank * sizeof *node->dims);
  if (node->has_span) {
    plain.lo = node->lo;
    plain.hi = node->hi;
  }
  return plain;
}

pp_status pp_node_take(pp_routine *routine, const pp_node *node, void *data,
                       size_t *index, pp_failure *failure) {
  pp_node *grown = pp_grown(routine->node, routine->nodes, sizeof *grown);
  if (!grown) {
    free(data);
    return no_memory(failure);
  }
  routine->node = grown;
  *index = routine->nodes;
  grown[*index] = plain_node(node);
  grown[*index].data = data;
  routine->nodes++;
  return PP_OK;
}

pp_status pp_routine_node(pp_routine *routine, const pp_node *node,
                          size_t *index, pp_failure *failure) {
  if (routine->code) return sealed(failure);
  pp_status status = pp_node_check(node, failure);
  if (status != PP_OK) return status;
  void *data = NULL;
  if (node->data) {
    data = pp_data_new(node);
    if (!data) return no_memory(failure);
    memcpy(data, node->data, (size_t)pp_node_bytes(node));
  }
  return pp_node_take(routine, node, data, index, failure);
}

/* The expression leaves one value, and its loops have all inner axes. */
static pp_status check_end(const pp_stack *stack, const pp_statement *statement,
                           size_t at, pp_failure *failure) {
  if (stack->loops > 0)
    return pp_fail(failure, PP_BAD_ROUTINE,
                   "statement %zu: %u loops have no next", at, stack->loops);
  if (stack->height != 1)
    return pp_fail(failure, PP_BAD_ROUTINE,
                   "statement %zu: the expression leaves %d values, not one",
                   at, stack->height);
  for (unsigned k = 0; k < statement->inner; k++)
    if ((stack->looped & 1U << (statement->axes + k)) == 0)
      return pp_fail(failure, PP_BAD_ROUTINE,
                     "statement %zu: no loop has the inner axis %u", at,
                     statement->axes + k);
  return PP_OK;
}

static pp_status check_steps(const pp_statement *statement, size_t at,
                             pp_failure *failure) {
  pp_stack stack = {0};
  for (unsigned k = 0; k < statement->steps; k++)
    if (!pp_stack_step(&stack, statement, &statement->step[k]))
      return pp_fail(failure, PP_BAD_ROUTINE, "statement %zu: step %u: %s", at,
                     k, stack.wrong);
  return check_end(&stack, statement, at, failure);
}

static pp_status check_counts(const pp_statement *statement, size_t at,
                              pp_failure *failure) {
  const struct {
    unsigned count;
    unsigned most;
    const char *what;
  } counts[] = {{statement->axes, PP_AXES, "axes"},
                {statement->inner, PP_AXES, "inner axes"},
                {statement->reads, PP_READS, "reads"},
                {statement->steps, PP_STEPS, "steps"}};
  for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++)
    if (counts[k].count > counts[k].most)
      return pp_fail(failure, PP_BAD_ROUTINE,
                     "statement %zu: %u %s, at most %u may be", at,
                     counts[k].count, counts[k].what, counts[k].most);
  if (statement->axes + statement->inner > PP_AXES)
    return pp_fail(failure, PP_BAD_ROUTINE,
                   "statement %zu: %u axes and %u inner ones, at most %d may "
                   "be",
                   at, statement->axes, statement->inner, PP_AXES);
  if ((unsigned)statement->fold < PP_FOLD_COUNT) return PP_OK;
  return pp_fail(failure, PP_BAD_ROUTINE, "statement %zu: there is no fold %u",
                 at, (unsigned)statement->fold);
}

static pp_status check_statement(const pp_statement *statement, size_t at,
                                 pp_failure *failure) {
  if ((unsigned)statement->kind > PP_BARRIER)
    return pp_fail(failure, PP_BAD_ROUTINE,
                   "statement %zu: there is no kind %u", at,
                   (unsigned)statement->kind);
  if (statement->kind == PP_BARRIER) return PP_OK;
  pp_status status = check_counts(statement, at, failure);
  return status == PP_OK ? check_steps(statement, at, failure) : status;
}

pp_status pp_routine_statement(pp_routine *routine,
                               const pp_statement *statement,
                               pp_failure *failure) {
  static const pp_statement barrier = {.kind = PP_BARRIER};
  if (routine->code) return sealed(failure);
  pp_status status = check_statement(statement, routine->statements, failure);
  if (status != PP_OK) return status;
  pp_statement *grown =
      pp_grown(routine->statement, routine->statements, sizeof *grown);
  if (!grown) return no_memory(failure);
  routine->statement = grown;
  grown[routine->statements] =
      statement->kind == PP_BARRIER ? barrier : *statement;
  routine->statements++;
  return PP_OK;
}
