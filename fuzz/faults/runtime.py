"""Faults of the runtime: release, link, transfer, teardown."""

C, D, L, P, R, T = (f"backends/runtime/{name}" for name in
                    ("context.c", "device.c", "link.c", "pool.c", "release.c",
                     "transfer.c"))
# A context's list of its pools has no room for what these faults put there.
ROOM = {"also": (
    L, "child->own = calloc(pools + 1,",
    "child->own = calloc(linking->parent->nodes.used + nodes + pools + 1,")}
FREED = ("  if (status != PP_OK)\n"
         "    return pp_call_failed(device, PP_CALL_FREE_POOL, status, failure);"
         "\n  if (pool->use == PP_POOL_ORPHAN) device->orphans--;\n"
         "  pool->gone = true;\n  device->pools.gone++;\n")
# name, then (file, what stands there exactly once, what is put instead) ...
FAULTS = [
    ("release: entry dropped before the free succeeded",
     (P, FREED,
      "  if (pool->use == PP_POOL_ORPHAN) device->orphans--;\n"
      "  pool->gone = true;\n  device->pools.gone++;\n"
      "  if (status != PP_OK)\n    return pp_call_failed(device, "
      "PP_CALL_FREE_POOL, status, failure);\n")),
    ("release: retry restarts at the first pool",
     (R, "  pp_status status = pp_device_await(device, failure);",
      "  context->freed = 0;\n"
      "  pp_status status = pp_device_await(device, failure);")),
    ("release: flag left set after a failure",
     (R, "  pp_orphans_retry(device);\n",
      "  pp_orphans_retry(device);\n  context->released = true;\n")),
    ("release: error of a free forgotten",
     (R, "    if (status == PP_OK) context->freed++;\n",
      "    context->freed++;\n    status = PP_OK;\n")),
    ("release: progress not remembered",
     (R, "    if (status == PP_OK) context->freed++;\n  }\n",
      "    if (status == PP_OK) context->freed++;\n  }\n"
      "  if (status != PP_OK) context->freed = 0;\n")),
    ("release: pools in the reverse order",
     (R, "context->own[context->freed], failure)",
      "context->own[context->owns - 1 - context->freed], failure)")),
    ("release: per node instead of per pool", ROOM,
     (L, "    if (child->owns == 0 || child->own[child->owns - 1] != "
      "entry->at.pool)\n", "")),
    ("release: constant compared by key",
     (L, "  return pool->use != PP_POOL_CONSTANT;",
      "  return pp_entry_find(&linking->device->constants, entry->uid) == NULL "
      "&& pool != NULL;")),
    ("release: constants freed", ROOM,
     (L, "  return pool->use != PP_POOL_CONSTANT;", "  return pool != NULL;")),
    ("release: parent's pool freed", ROOM,
     (L, "  if (entry->inherited) return false;\n", "")),
    ("release: free under work in flight",
     (R, "pp_status status = pp_device_await(device, failure);",
      "pp_status status = PP_OK;\n  (void)failure;")),
    ("release: kernel kept",
     (R, "  discard(context);\n  context->released = true;",
      "  context->released = true;")),
    ("free: pools of a lost device forgotten",
     (R, "    pp_pool_orphan(context->device, context->own[context->freed++]);",
      "    context->freed++;")),
    ("link: the second failure is answered",
     (L, "  else\n    give_up(&linking);\n",
      "  else {\n    pp_failure second = {.status = PP_OK};\n"
      "    linking.failure = &second;\n    give_up(&linking);\n"
      "    if (second.status != PP_OK) status = second.status;\n"
      "    if (failure) failure->status = status;\n  }\n"),
     (L, "pp_device_await(device, NULL)",
      "pp_device_await(device, linking->failure)"),
     (L, "pp_pool_free(device, id, NULL)",
      "pp_pool_free(device, id, linking->failure)")),
    ("link: the second failure is told",
     (L, "pp_device_await(device, NULL)",
      "pp_device_await(device, linking->failure)")),
    ("link: upload failure leaks its pool",
     (L, "    return pp_call_failed(device, PP_CALL_FROM_HOST, status, "
      "linking->failure);",
      "    linking->minted--;\n    return pp_call_failed(device, "
      "PP_CALL_FROM_HOST, status, linking->failure);")),
    ("link: failure leaks the delta",
     (L, "  unwind(linking);\n", "  (void)unwind;\n")),
    ("link: failure leaves a cache entry",
     (L, "  unwind(linking);\n",
      "  for (size_t i = 0; i < linking->constant.layout.n && linking->minted == "
      "linking->working.layout.pools + linking->constant.layout.pools; i++)\n"
      "    pp_entry_insert(&linking->device->constants, "
      "&linking->constant.entry[i]);\n  unwind(linking);\n")),
    ("link: pools freed though the device did not come to rest",
     (L, "if (!idle || pp_pool_free(", "(void)idle;\n    if (pp_pool_free(")),
    ("link: orphans forgotten",
     (L, "      pp_pool_orphan(device, id);", "      (void)id;")),
    ("link: orphans never tried again",
     (L, "    pp_orphans_retry(device);\n", "")),
    ("link: constants never found in the cache",
     (L, "  return pp_entry_find(&linking->device->constants, node->uid);",
      "  return NULL;")),
    ("link: aliased input accepted", (L, "if (entry->shared)", "if (false)")),
    ("link: nodes with a span zeroed, others not",
     (L, "(node->data == NULL && node->has_span)", "node->data == NULL")),
    ("link: a failed allocation keeps its id",
     (P, "  if (status != PP_OK)\n    return pp_call_failed(device, "
      "PP_CALL_ALLOC_POOL, status, failure);",
      "  if (status != PP_OK) {\n    table->next_id--;\n    return "
      "pp_call_failed(device, PP_CALL_ALLOC_POOL, status, failure);\n  }")),
    ("offset ignored: upload",
     (T, "end->entry->at.offset, from, end->entry->bytes)",
      "0, from, end->entry->bytes)")),
    ("offset ignored: download",
     (T, "end->entry->at.offset, end->entry->bytes)",
      "0, end->entry->bytes)")),
    ("offset ignored: copy, to",
     (T, "device->ordinal, to->slab, to->entry->at.offset,",
      "device->ordinal, to->slab, 0,")),
    ("offset ignored: copy, from",
     (T, "from->slab, from->entry->at.offset,", "from->slab, 0,")),
    ("offset ignored: memset",
     (L, "entry->at.offset, entry->bytes, 0);", "0, entry->bytes, 0);")),
    ("offset ignored: data",
     (L, "entry->at.offset, node->data, entry->bytes);",
      "0, node->data, entry->bytes);")),
    ("offset ignored: launch",
     (C, "(pp_operand){pool->slab, entry->at.offset}",
      "(pp_operand){pool->slab, 0}")),
    ("run: tenant of the merge buffer not looked at",
     (C, "device->tenant != node->uid ||", "")),
    ("merge: tenant kept after a failure",
     (T, "  device->has_tenant = false;\n", "")),
    ("merge: old buffer freed under work in flight",
     (T, "    pp_status status = pp_device_await(device, failure);\n",
      "    pp_status status = PP_OK;\n")),
    ("teardown: freed merge buffer keeps its tenant (two devices)",
     {"without": ("fuzz cc",), "demands": ("fuzz multidev_cc",)},
     (D, "  device->has_tenant = false;\n", "")),
    ("teardown: merge buffer kept",
     (D, "  return pp_merge_free(device, failure);", "  return PP_OK;")),
]

SECONDS = 60
DEMANDS = ("fuzz cc", "fuzz multidev_cc")


def checks(_):
    table = {"exhaust": [("program", "exhaust_release")]}
    for backend in "cc", "multidev_cc":
        table[f"fuzz {backend}"] = [
            ("campaign", "fuzz-runtime", "--backend", backend, "--seed", "1",
             "--seconds", "{seconds}")]
    table["tests"] = [("unit", "@(runtime|fault|program)/*")]
    return table
