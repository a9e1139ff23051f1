/* poolproof: what the files of the fake driver's interpreter share.
 * SPDX-License-Identifier: MIT */
#ifndef FAKE_PTX_INTERNAL_H
#define FAKE_PTX_INTERNAL_H

#include "ptx.h"
#include "ptx_ops.h"

/* A program's private memory holds the local variables and the parameters of
 * all functions, one after the other with gaps. Its addresses begin at
 * FAKE_PRIVATE; the generic addresses of local variables are FAKE_WINDOW
 * higher. No function calls itself, so each has one place for its variables
 * and one for its registers. */
#define FAKE_WINDOW 0x7c00000000000000ull
#define FAKE_PRIVATE 0x100ull

/* What private memory holds at a byte. */
enum { FAKE_LOCAL = 1, FAKE_PARAM = 2, FAKE_WRITTEN = 4 };

enum { FAKE_SLOTS = 1 << 16, FAKE_NAME = 64, FAKE_VECTOR = 4 };

typedef enum fake_class {
  FAKE_NONE,
  FAKE_PREDICATE,
  FAKE_INT,
  FAKE_BITS,
  FAKE_FLOAT
} fake_class;

typedef enum fake_type {
#define FAKE_TYPE_ENUM(name, type, bits, kind) FAKE_TYPE_##name,
  FAKE_TYPES(FAKE_TYPE_ENUM)
#undef FAKE_TYPE_ENUM
      FAKE_TYPE_COUNT
} fake_type;

typedef struct fake_type_facts {
  const char *name;
  unsigned bits;
  fake_class kind;
} fake_type_facts;

extern const fake_type_facts fake_types[FAKE_TYPE_COUNT];

/* Every instruction of the interpreter. A comparison is there twice: the
 * second does the branch behind it as well. */
typedef enum fake_op {
#define FAKE_OP_ENUM(id, name, d, a, b, c, e) FAKE_OP_##id,
  FAKE_OPS(FAKE_OP_ENUM)
#undef FAKE_OP_ENUM
#define FAKE_OP_ENUM(id, name, d, a, b, c, e) FAKE_OP_setp_##id,
      FAKE_COMPARISONS(FAKE_OP_ENUM)
#undef FAKE_OP_ENUM
#define FAKE_OP_ENUM(id, name, d, a, b, c, e) FAKE_OP_bra_##id,
          FAKE_COMPARISONS(FAKE_OP_ENUM)
#undef FAKE_OP_ENUM
#define FAKE_OP_ENUM(space, width, type) FAKE_OP_ld_##space##_##width,
              FAKE_ACCESSES(FAKE_OP_ENUM)
#undef FAKE_OP_ENUM
#define FAKE_OP_ENUM(space, width, type) FAKE_OP_st_##space##_##width,
                  FAKE_ACCESSES(FAKE_OP_ENUM)
#undef FAKE_OP_ENUM
#define FAKE_OP_ENUM(id) FAKE_OP_##id,
                      FAKE_JUMPS(FAKE_OP_ENUM)
#undef FAKE_OP_ENUM
                          FAKE_OP_COUNT
} fake_op;

/* An instruction with a name in PTX and up to four operands. */
typedef struct fake_entry {
  const char *name;
  fake_op op;
  fake_type type[FAKE_VECTOR]; /* of d, a, b, c */
} fake_entry;

/* The one of that name, or NULL. */
const fake_entry *fake_find_entry(const char *name);

/* Decoded. d, a, b, c are slots; a load, store: d is the value, a the address,
 * immediate is added to it; a jump: immediate is where to, a the predicate, c
 * its value that jumps. */
typedef struct fake_instruction {
  uint16_t op;
  uint16_t d;
  uint16_t a;
  uint16_t b;
  uint16_t c;
  uint16_t spare;
  int32_t immediate;
} fake_instruction;

/* A range of private memory. */
typedef struct fake_place {
  uint32_t at; /* from the beginning, not the address */
  uint32_t bytes;
} fake_place;

/* to, from: bytes from the beginning of private memory. */
typedef struct fake_copy {
  uint32_t to;
  uint32_t from;
  uint32_t bytes;
} fake_copy;

/* copy    [first, first + copies) are its arguments, then come the results
 * caller  a function, as is callee */
typedef struct fake_call {
  size_t caller;
  size_t callee;
  size_t first;
  size_t copies;
  size_t results;
} fake_call;

/* first, parameters, results  places: the results come first
 * variables                   its part of private memory, parameters too */
typedef struct fake_function {
  char name[FAKE_NAME];
  bool entry;
  bool defined;
  uint32_t start;
  size_t first;
  size_t parameters;
  size_t results;
  fake_place variables;
  unsigned mark;
} fake_function;

/* A growing array of any type. */
typedef struct fake_array {
  void *item;
  size_t count;
  size_t room;
} fake_array;

/* Makes room for one more item of `bytes` and counts it; NULL without
 * memory. */
void *fake_append(fake_array *array, size_t bytes);

/* slot      uint64_t: registers, and constants at their values
 * shadow    unsigned char: of private memory as a thread finds it
 * special   slots of %tid, %ntid, %ctaid, %nctaid, .x to .z each */
struct fake_ptx {
  unsigned version;
  unsigned target;
  fake_array code;     /* fake_instruction */
  fake_array slot;     /* uint64_t */
  fake_array shadow;   /* unsigned char */
  fake_array function; /* fake_function */
  fake_array place;    /* fake_place */
  fake_array call;     /* fake_call */
  fake_array copy;     /* fake_copy */
  unsigned char *bytes;
  unsigned char *state;
  uint16_t special[4][3];
};

/* A token: a word, a character, or a string with its quotes. */
typedef struct fake_token {
  const char *at;
  size_t length; /* 0: the end */
  unsigned line;
} fake_token;

typedef enum fake_symbol_kind {
  FAKE_REGISTER, /* count of them when numbered */
  FAKE_VARIABLE, /* a place in private memory */
  FAKE_PARAMETER /* the same */
} fake_symbol_kind;

/* state  FAKE_LOCAL or FAKE_PARAM */
typedef struct fake_symbol {
  fake_token name;
  fake_symbol_kind kind;
  fake_type type;
  bool numbered;
  uint32_t slot;
  uint32_t count;
  fake_place place;
} fake_symbol;

typedef struct fake_label {
  fake_token name;
  uint32_t at;
} fake_label;

typedef struct fake_constant {
  uint64_t value;
  uint16_t slot;
} fake_constant;

typedef struct fake_parser {
  fake_ptx *ptx;
  const char *text;
  const char *at;
  unsigned line;
  fake_token now;
  size_t function;     /* being read */
  fake_array symbol;   /* fake_symbol; inner scopes behind outer ones */
  fake_array label;    /* fake_label */
  fake_array jump;     /* fake_label: uses */
  fake_array constant; /* fake_constant */
  char *log;
  size_t log_bytes;
} fake_parser;

/* ptx_lex.c: false, or a token that is the end, after an error. */
bool fake_refuse(fake_parser *parser, const char *what);
bool fake_refuse_at(fake_parser *parser, fake_token token, const char *what);
void fake_next(fake_parser *parser);
bool fake_is(const fake_parser *parser, const char *text);
bool fake_token_is(fake_token token, const char *text);
bool fake_same(fake_token a, fake_token b);
/* Goes past it if it is there. */
bool fake_accept(fake_parser *parser, const char *text);
bool fake_expect(fake_parser *parser, const char *text);
bool fake_is_word(const fake_parser *parser);
/* An unsigned number that fits. */
bool fake_number(fake_parser *parser, uint64_t *number);
bool fake_no_memory(fake_parser *parser);

/* ptx_symbol.c */
bool fake_declare_registers(fake_parser *parser);
bool fake_declare_variable(fake_parser *parser, fake_symbol_kind kind,
                           fake_symbol *symbol);
bool fake_place_variable(fake_parser *parser, fake_symbol *symbol,
                         uint64_t align);
const fake_symbol *fake_find_variable(const fake_parser *parser,
                                      fake_token name);
/* The register's slot and type, or false; says nothing. */
bool fake_find_register(const fake_parser *parser, fake_token name,
                        uint16_t *slot, fake_type *type);
/* A new slot; false when there are too many. */
bool fake_new_slots(fake_parser *parser, uint64_t value, size_t count,
                    uint16_t *slot);
bool fake_constant_slot(fake_parser *parser, uint64_t value, uint16_t *slot);

/* ptx_operand.c */
typedef enum fake_width {
  FAKE_EXACT, /* the register is as wide as the type */
  FAKE_WIDER  /* it may be wider, where both are integers */
} fake_width;
bool fake_destination(fake_parser *parser, fake_type type, fake_width width,
                      uint16_t *slot, unsigned *bits);
bool fake_source(fake_parser *parser, fake_type type, fake_width width,
                 uint16_t *slot);
/* [register or variable, perhaps + number] */
bool fake_address(fake_parser *parser, uint16_t *slot, int32_t *offset);
/* A type's name; FAKE_TYPE_none when it is none of PTX. */
fake_type fake_type_named(const char *name, size_t length);

/* ptx_decode.c: an instruction at its first word, up to its semicolon. */
bool fake_decode(fake_parser *parser);
bool fake_emit(fake_parser *parser, fake_instruction instruction);

/* ptx_access.c: what is not in the list of ops; word is behind us, name is
 * all of it. */
bool fake_decode_access(fake_parser *parser, const char *name, fake_token word);
bool fake_decode_convert(fake_parser *parser, const char *name,
                         fake_token word);
bool fake_decode_move(fake_parser *parser, const char *name, bool *done);

/* ptx_jump.c: branches, calls and ends. guard, sense: the predicate that a
 * branch waits for; 2: it does not wait. done: it was one of these */
bool fake_decode_jump(fake_parser *parser, const char *name, uint16_t guard,
                      unsigned sense, bool *done);

/* Resolves a function's branches; then, at the end of the text, all calls. */
bool fake_resolve_jumps(fake_parser *parser);
bool fake_resolve_calls(fake_parser *parser);

/* ptx_parse.c: the function of that name, or count. */
size_t fake_find_function(const fake_parser *parser, fake_token name);

/* ptx_run.c: one thread from an entry's start. */
typedef struct fake_thread {
  fake_ptx *ptx;
  const fake_memory *memory;
  fake_tally *tally;
  uint32_t start;
  int result;
} fake_thread;
void fake_run_thread(fake_thread *thread);

#endif
