#include "shadow.h"

#include "element.h"

/* A kernel at a point. */
typedef struct pp_kernel {
  size_t first;
  size_t end;
  uint64_t counter[PP_AXES];
} pp_kernel;

static void write_bytes(pp_ref_shadow *s, size_t node, uint64_t from,
                        uint64_t bytes) {
  s->version++;
  for (uint64_t b = from; b < from + bytes; b++) {
    s->tag[s->place[node] + b] = (pp_ref_tag){node, s->version};
    s->latest[node][b] = s->version;
  }
}

static bool read_bytes(const pp_ref_shadow *s, size_t node, uint64_t from,
                       uint64_t bytes, pp_ref_trespass *first) {
  for (uint64_t b = from; b < from + bytes; b++) {
    pp_ref_tag found = s->tag[s->place[node] + b];
    uint64_t wanted = s->latest[node][b];
    if (found.version == wanted && wanted != 0) continue;
    first->node = node;
    first->byte = b;
    first->found = found;
    first->wanted = wanted;
    return false;
  }
  return true;
}

static uint64_t bytes_of(const pp_node *node) {
  uint64_t bytes = pp_ref_width(node->dtype);
  for (unsigned d = 0; d < node->rank; d++)
    bytes *= node->dims[d];
  return bytes;
}

void pp_ref_shadow_fill(pp_ref_shadow *s, size_t node) {
  write_bytes(s, node, 0, bytes_of(&s->node[node]));
}

bool pp_ref_shadow_read(const pp_ref_shadow *s, size_t node,
                        pp_ref_trespass *first) {
  first->statement = s->statements;
  first->writes = false;
  return read_bytes(s, node, 0, bytes_of(&s->node[node]), first);
}

static bool read_element(const pp_ref_shadow *s, const pp_statement *statement,
                         const pp_access *access, const uint64_t *counter,
                         pp_ref_trespass *first) {
  const pp_node *node = &s->node[access->node];
  uint64_t at =
      pp_ref_element(node, access, statement->axes + statement->inner, counter);
  return read_bytes(s, access->node, at, pp_ref_width(node->dtype), first);
}

/* All loads of the expression, as often as its loops make them. */
static bool load(const pp_ref_shadow *s, const pp_statement *statement,
                 uint64_t *counter, pp_ref_trespass *first) {
  unsigned loop[PP_AXES] = {0}; /* the first steps of those that are open */
  unsigned open = 0;
  for (unsigned k = 0; k < statement->steps; k++) {
    const pp_step *step = &statement->step[k];
    unsigned end = step->axis + step->axes;
    if (step->op == PP_OP_LOAD) {
      const pp_access *read = &statement->read[step->read];
      if (!read_element(s, statement, read, counter, first)) return false;
    } else if (step->op == PP_OP_LOOP) {
      if (pp_ref_has_points(statement->extent, step->axis, end))
        loop[open++] = k;
      else
        k = pp_ref_loop_end(statement, k);
    } else if (step->op == PP_OP_NEXT) {
      const pp_step *begin = &statement->step[loop[open - 1]];
      end = begin->axis + begin->axes;
      if (pp_ref_next_point(statement->extent, counter, begin->axis, end))
        k = loop[open - 1];
      else
        open--;
    }
  }
  return true;
}

static bool run_point(pp_ref_shadow *s, pp_kernel *kernel,
                      pp_ref_trespass *first) {
  for (size_t k = kernel->first; k < kernel->end; k++) {
    const pp_statement *statement = &s->statement[k];
    const pp_access *target = &statement->target;
    const pp_node *node = &s->node[target->node];
    first->statement = k;
    first->writes = false;
    if (!load(s, statement, kernel->counter, first)) return false;
    first->writes = statement->fold != PP_FOLD_SET;
    if (first->writes &&
        !read_element(s, statement, target, kernel->counter, first))
      return false;
    uint64_t at =
        pp_ref_element(node, target, statement->axes, kernel->counter);
    write_bytes(s, target->node, at, pp_ref_width(node->dtype));
  }
  return true;
}

/* From the last point to the one before it, and from the first to none. */
static bool previous_point(const uint64_t *extent, uint64_t *counter,
                           unsigned axes) {
  for (unsigned a = axes; a > 0; a--) {
    if (counter[a - 1] > 0) {
      counter[a - 1]--;
      return true;
    }
    counter[a - 1] = extent[a - 1] - 1;
  }
  return false;
}

static bool run_kernel(pp_ref_shadow *s, pp_kernel *kernel, bool backwards,
                       pp_ref_trespass *first) {
  const pp_statement *statement = &s->statement[kernel->first];
  unsigned axes = statement->axes;
  if (statement->kind == PP_BARRIER ||
      !pp_ref_has_points(statement->extent, 0, axes))
    return true;
  for (unsigned a = 0; backwards && a < axes; a++)
    kernel->counter[a] = statement->extent[a] - 1;
  do {
    if (!run_point(s, kernel, first)) return false;
  } while (backwards ? previous_point(statement->extent, kernel->counter, axes)
                     : pp_ref_next_point(statement->extent, kernel->counter, 0,
                                         axes));
  return true;
}

bool pp_ref_shadow_run(pp_ref_shadow *s, bool backwards,
                       pp_ref_trespass *first) {
  size_t k = 0;
  while (k < s->statements) {
    pp_kernel kernel = {.first = k};
    do {
      k++;
    } while (k < s->statements && s->statement[k].joins);
    kernel.end = k;
    if (!run_kernel(s, &kernel, backwards, first)) return false;
  }
  return true;
}
