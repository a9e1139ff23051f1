"""Faults of whatever reads what others wrote: problems in JSON and CSV, text of
routines and programs, lines of the protocol, foreign formats. A name begins
with the fuzz target that reads such things.

Some change what is read but not whether reading, printing and reading again
agree: no fuzzer can know, the tests do."""

JSON, NUMBER, BUILDER, TABLE, CSV, PROGRAM = (
    f"oracle/{name}.c" for name in
    ("json", "number", "builder", "csv_table", "csv_format", "program_parse"))
LEX, LITERAL, EXPRESSION, NODE, STATEMENT = (
    f"backends/routine/{name}.c" for name in
    ("lex", "literal", "parse_expression", "parse_node", "parse_statement"))
LINE, READ, ASK = (f"oracle/conform/wire_{name}.c"
                   for name in ("line", "read", "read_ask"))
PLC, TORCH, TFLM, XLA, BINARY, ENDS = (
    f"oracle/formats/{name}.c" for name in
    ("plc", "pytorch", "tflm", "xla_text", "xla_binary", "ends"))

# What the target finds by itself.
SEEN = [
    ("problem_json: half-open read as closed", (JSON, "  item->hi--;\n", "")),
    ("problem_json: the last item lost",
     (JSON, "  for (size_t i = 0; i < n; i++)\n"
      "    if (add_item(builder, place, json_array_get(items, i), said, diag)",
      "  for (size_t i = 0; i + 1 < n; i++)\n"
      "    if (add_item(builder, place, json_array_get(items, i), said, diag)")
     ),
    ("problem_json: the tree leaks",
     (JSON, "build_problem(&builder, &place, root, diag) : diag->code;\n"
      "  json_decref(root);\n",
      "build_problem(&builder, &place, root, diag) : diag->code;\n")),
    ("problem_json: the order of ids lost",
     (BUILDER, "  problem->items[problem->n] = item;\n"
      "  problem->ids[problem->n++] = copy;\n",
      "  problem->items[problem->n] = item;\n"
      "  problem->ids[problem->n++] = copy;\n"
      "  if (problem->n > 1) {\n"
      "    problem->ids[problem->n - 1] = problem->ids[problem->n - 2];\n"
      "    problem->ids[problem->n - 2] = copy;\n  }\n")),
    ("problem_json: what failed keeps its items",
     (BUILDER, "  if (status != 0) pp_problem_free(builder->problem);\n", "")),
    ("problem_csv: the columns off by one",
     (TABLE, "row.cell[table->header.column[k]] = cell_text(table, k);",
      "row.cell[table->header.column[k]] =\n"
      "        cell_text(table, (k + 1) % table->cells);")),
    ("problem_csv: one byte read past the end",
     (TABLE, "  while (size < source->left && source->at[size] != '\\n' &&",
      "  while (size <= source->left && source->at[size] != '\\n' &&")),
    ("problem_csv: an exclusive end read as inclusive",
     (CSV, "  if (ends == PP_ENDS_SAID && !half_open) return 0;",
      "  if (ends == PP_ENDS_SAID) return 0;")),
    ("problem_csv: a number wraps",
     (NUMBER, "    if (__builtin_mul_overflow(sum, 10, &sum) ||\n"
      "        __builtin_add_overflow(sum, digit, &sum))\n"
      "      return \"is above 2^64 - 1\";\n",
      "    sum = sum * 10 + digit;\n")),
    ("problem_csv: a row with too few cells taken",
     (TABLE, "  if (table->cells != table->header.columns)",
      "  if (table->cells > table->header.columns)")),
    ("problem_csv: a row's room one byte short",
     (TABLE, "  size_t need = table->used + size + 1;\n"
      "  if (need > table->room) {",
      "  size_t need = table->used + size + 1;\n"
      "  if (need > table->room + 1) {"),
     (TABLE, "realloc(table->text, 2 * need)", "realloc(table->text, need)"),
     (TABLE, "    table->room = 2 * need;", "    table->room = need;")),
    ("routine_text: a value written past the data",
     (NODE, "    if (data && given < elements)", "    if (data)")),
    ("routine_text: six digits for every float",
     (LITERAL, "  if (!isinf(value) && float_bits(nearest(text, NULL, info), "
      "info) != bits)\n", "  if (bits == 1)\n")),
    ("routine_text: data leaks when its node is refused",
     (NODE, "    free(data);\n    return false;", "    return false;")),
    ("routine_text: one byte read past the end",
     (LEX, "  while (at < end && is_blank(*at))\n    at++;",
      "  while (is_blank(*at) && at < end)\n    at++;")),
    ("runtime: a program's marker read past the end",
     (PROGRAM, "  if ((size_t)(reader->end - reader->at) < length ||\n",
      "  if (\n")),
    ("runtime: a word one byte too long",
     (PROGRAM, "if (n < WORD - 1)", "if (n < WORD)")),
    ("runtime: a routine's text leaks",
     (PROGRAM, "  free(text);\n  if (status == PP_OK) return true;",
      "  if (status == PP_OK) return true;")),
    ("wire: spans read the wrong way round",
     (READ, "json_array_get(field->value, 0), first)",
      "json_array_get(field->value, 1), first)"),
     (READ, "json_array_get(field->value, 1), last)",
      "json_array_get(field->value, 0), last)")),
    ("wire: a line's tree leaks",
     (LINE, "    kind = take_line(&reader, root, most, ask);\n  }\n"
      "  json_decref(root);",
      "    kind = take_line(&reader, root, most, ask);\n  }")),
    ("formats: .plc of the other byte order",
     (PLC, "return be64toh(big);", "return big;")),
    ("formats: .plc cut off in a record",
     (PLC, "if (bytes->size % PP_PLC_BYTES != 0)",
      "if (bytes->size < PP_PLC_BYTES)")),
    ("formats: an HloProto's number read past the end",
     (BINARY, "    if (reader->at == end) return wrong(reader, start, "
      "\"a number is cut off\");\n", "")),
    ("formats: an HloProto's field longer than the file",
     (BINARY, "  if (size > end - reader->at)\n"
      "    return wrong(reader, start, \"a field ends after the message that "
      "it is in\");\n  return read_message(",
      "  return read_message(")),
    ("formats: an offline plan's room too small",
     (TFLM, "calloc(bytes->size / 2 + 1,", "calloc(bytes->size / 4 + 1,")),
]

# What only those know who know what should have been read, or the target comes
# to by luck alone in a short run.
MEANT = [
    ("wire: a fifth dimension taken",
     (ASK, "  if (rank > PP_RANK)", "  if (rank > PP_RANK + 1)")),
    ("wire: room for the items alone, whatever comes",
     (READ, "count > room ? count : room", "room")),
    ("routine_text: one index too many",
     (STATEMENT, "    if (*count == PP_RANK)", "    if (*count > PP_RANK)")),
    ("routine_text: a third intent forgotten",
     (NODE, "    node->intents |= 1U << k;", "    node->intents = 1U << k;\n"
      "    if (k > 1) node->intents = 2;")),
    ("routine_text: a label without its end",
     (NODE, "  if (name.length >= sizeof node->label)",
      "  if (name.length > sizeof node->label)")),
    ("problem_json: an empty life's end wraps",
     (JSON, "  if (item->hi <= item->lo && problem->kind == PP_SEGMENTS) {",
      "  if (item->hi < item->lo && problem->kind == PP_SEGMENTS) {"),
     (JSON, "  if (item->hi <= item->lo) {\n    pp_bad_span(",
      "  if (item->hi < item->lo) {\n    pp_bad_span(")),
    ("problem_json: a key twice taken",
     (JSON, "JSON_REJECT_DUPLICATES, error", "0, error")),
    ("problem_json: numbers rounded to 53 bits",
     (JSON, "  *number = (uint64_t)json_integer_value(value);",
      "  *number = (uint64_t)(double)json_integer_value(value);")),
    ("problem_json: a negative number wraps",
     (JSON, "  if (json_integer_value(value) < 0) return \"is negative\";\n",
      "")),
    ("problem_json: a key that is unknown passed over",
     (JSON, "    if (!*k) {\n      char shown[60];",
      "    if (!*k && key[0] == '\\0') {\n      char shown[60];")),
    ("problem_json: closed where nothing is said",
     (JSON, "  if (!said)\n    return wrong(place, diag, \"span\",",
      "  if (!said && problem->n > 999)\n"
      "    return wrong(place, diag, \"span\",")),
    ("problem_csv: lines counted twice with CR LF",
     (TABLE, "bool pair = source->at[size] == '\\r' && size + 1 < "
      "source->left &&\n              source->at[size + 1] == '\\n';",
      "bool pair = false;"),
     (TABLE, "table->after_cr && size == 1 && at[0] == '\\n'", "false")),
    ("problem_csv: gaps passed over",
     (CSV, "  if (!gaps || gaps[0] == '\\0') return 0;",
      "  if (!gaps || gaps[0] != '-') return 0;")),
    ("routine_text: nested without bound",
     (EXPRESSION, "  if (parser->nesting == NESTING)",
      "  if (parser->nesting == 100 * NESTING)")),
    ("routine_text: an integer cut to its dtype",
     (LITERAL, "        value > most)", "        value + most == 0)")),
    ("routine_text: a minus before a float lost",
     (LITERAL, "info) | (negative ? sign_bit(info) : 0);", "info);")),
    ("routine_text: a span's ends the wrong way round",
     (NODE, "the span's first position\", &node->lo)",
      "the span's first position\", &node->hi)"),
     (NODE, "the span's last position\", &node->hi)",
      "the span's last position\", &node->lo)")),
    ("runtime: the call before the first one",
     (PROGRAM, "  if (fault->nth == 0) return refuse(reader, \"calls are "
      "counted from 1\");\n", "")),
    ("wire: a key that is unknown passed over",
     (READ, "  if (found == json_object_size(object)) return 0;",
      "  if (found > 0) return 0;")),
    ("wire: id 0 taken",
     (LINE, "  if (root && (!whole_id(root, id) || *id == 0)) {",
      "  if (root && !whole_id(root, id)) {")),
    ("wire: a class of 33 bits wraps",
     (ASK, "  if (item_class > UINT32_MAX)", "  if (item_class == "
      "UINT64_MAX)")),
    ("formats: a block freed with the entry that frees it",
     (TORCH, "        open->last = k - 1;", "        open->last = k;")),
    ("formats: exclusive starts read as inclusive",
     (ENDS, "  *lower = ends == PP_ENDS_EXCLUSIVE ? first + 1 : first;",
      "  *lower = first;")),
    ("formats: an HloProto's field passed over that is longer than the file",
     (BINARY, "  if (size > end - reader->at)\n"
      "    return wrong(reader, start, \"a field ends after the message that "
      "it is in\");\n  reader->at += size;",
      "  if (size > end - reader->at) size = end - reader->at;\n"
      "  reader->at += size;")),
    ("formats: brackets nested without bound",
     (XLA, "      if (depth == PP_NESTING) return wrong(reader, "
      "\"too many brackets inside\");\n", "")),
]

FAULTS = [(name, {"demands": ("fuzz",)}, *edits) for name, *edits in SEEN] + \
         [(name, {"demands": ("tests",)}, *edits) for name, *edits in MEANT]
SECONDS = 20


# The tests that know what each of them should read.
TESTS = {
    "problem_json": [("unit", "formats/*"),
                     ("cram", "plan", "check", "bad"),
                     ("test", "tests/formats/run")],
    "routine_text": [("unit", "@(routine_text|routine_rules)/*")],
    "runtime": [("unit", "program/*")],
    "wire": [("unit", "wire/*"), ("test", "tests/conform/protocol")],
    "formats": [("unit", "formats/*"), ("test", "tests/formats/run")],
}
TESTS["problem_csv"] = TESTS["problem_json"]


def checks(name):
    target = name.split(":")[0]
    table = {"vectors": [("vectors",)]} if target == "wire" else {}
    return {**table, "fuzz": [("target", target)], "tests": TESTS[target]}
