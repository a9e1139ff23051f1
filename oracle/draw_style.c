/* poolproof: view.h, colours, patterns and the script of the page. */
#include "draw_parts.h"

/* Paul Tol's "light" scheme, which colour-blind eyes can tell apart and dark
 * text can be read on; the reddish ones last or left out, since red means a
 * violation. */
static const uint32_t hues[PP_HUES] = {0x77AADD, 0xEEDD88, 0x44BB99, 0x99DDFF,
                                       0xBBCC33, 0xDDDDDD, 0xAAAA00, 0xEE8866};

static uint32_t mix(uint32_t a, uint32_t b, uint32_t percent) {
  uint32_t out = 0;
  for (unsigned shift = 0; shift < 24; shift += 8) {
    uint32_t x = (a >> shift) & 255;
    uint32_t y = (b >> shift) & 255;
    out |= ((x * (100 - percent) + y * percent + 50) / 100) << shift;
  }
  return out;
}

static void put_colour(pp_pen *pen, const char *property, uint32_t colour) {
  static const char digit[] = "0123456789abcdef";
  char text[8] = "#";
  for (unsigned i = 0; i < 6; i++)
    text[1 + i] = digit[(colour >> (20 - 4 * i)) & 15];
  text[7] = '\0';
  pp_pen_put(pen, property);
  pp_pen_put(pen, text);
}

static void put_hues(pp_pen *pen, bool dark) {
  for (uint32_t k = 0; k < PP_HUES * PP_TINTS; k++) {
    uint32_t hue = hues[k % PP_HUES];
    uint32_t tint = k / PP_HUES;
    uint32_t fill =
        dark ? mix(hue, 0, 7 + 10 * tint) : mix(hue, 0xFFFFFF, 17 * tint);
    pp_pen_put(pen, ".k");
    pp_pen_count(pen, k);
    put_colour(pen, "{fill:", fill);
    put_colour(pen, ";stroke:", mix(hue, 0, dark ? 72 : 50));
    pp_pen_put(pen, "}\n");
  }
  for (uint32_t k = 0; k < PP_HUES; k++) {
    pp_pen_put(pen, ".m");
    pp_pen_count(pen, k);
    put_colour(pen, "{stroke:", dark ? mix(hues[k], 0, 18) : hues[k]);
    pp_pen_put(pen, "}\n");
  }
}

static const char *const shape_css =
    "text{font:12px system-ui,-apple-system,'Segoe UI','DejaVu Sans',"
    "Verdana,sans-serif}\n"
    ".h{font-size:18px;font-weight:600}.num{font-size:17px;font-weight:600}\n"
    ".bold,.bant,.cap,.tot,.bnd{font-weight:600}\n"
    ".s{font-size:10px}.xs{font-size:9px}.c{text-anchor:middle}.e{text-anchor:"
    "end}\n"
    ".t{text-anchor:middle;font-size:12px;fill:#10151b;pointer-events:none}\n"
    ".t.s{font-size:10px}\n"
    ".w{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-opacity:.8}\n"
    ".i{stroke-width:.7}.n{stroke:none}.r{stroke-dasharray:3 2;"
    "stroke-width:1.4}\n"
    ".z{fill:none;stroke-width:1.4}\n"
    ".i:hover{stroke-width:2.2}\n"
    ".live{fill:url(#pp-live);stroke:#10151b;stroke-width:1.5;"
    "stroke-dasharray:7 3;pointer-events:none}\n"
    ".free{fill:url(#pp-free);stroke:none}.frame{fill:none}\n"
    ".hatch{stroke:#10151b;stroke-opacity:.38;stroke-width:1.2}\n"
    ".o{paint-order:stroke;stroke-width:3px;stroke-opacity:.85}\n"
    ".m{fill:none;stroke-width:1}\n"
    "line.tot{stroke-width:2}\n"
    "line.bnd{stroke-width:2;stroke-dasharray:9 4}\n"
    "line.cap{stroke-width:2;stroke-dasharray:2 3}\n"
    ".x{stroke-width:2.4;stroke-dasharray:none}.bad{fill-opacity:.78;stroke-"
    "width:1.2}\n"
    ".bad.n{stroke:none;fill-opacity:1}\n";

static const char *const light_css =
    ".bg{fill:#fff}.plot{fill:#fff;stroke:#d5dae0}\n"
    ".o{stroke:#fff}text,.tot{fill:#1b2027}.dim{fill:#57606a}\n"
    ".grid{stroke:#e4e8ec}.tick,.frame{stroke:#7d8894}\n"
    ".dot{stroke:#c3cad2}\n"
    "line.tot{stroke:#1b2027}\n"
    ".bnd{fill:#0a5a8a}line.bnd{stroke:#0a5a8a}\n"
    ".cap{fill:#7a2f8f}line.cap{stroke:#7a2f8f}\n"
    ".rt{fill:#b3001b}line.rt{stroke:#b3001b}.x{stroke:#d0021b}.bad{fill:#"
    "d0021b;stroke:#7d0010}\n"
    ".ban{fill:#b3001b}.bant{fill:#fff}.m8{stroke:#d0021b}\n";

static const char *const dark_css =
    ".bg{fill:#14181d}.plot{fill:#181d23;stroke:#39424d}\n"
    ".o{stroke:#181d23}text,.tot{fill:#e8ecf1}.dim{fill:#a3adb8}\n"
    ".t{fill:#10151b}\n"
    ".grid{stroke:#2a313a}.tick,.frame{stroke:#8a95a1}\n"
    ".dot{stroke:#3f4954}\n"
    "line.tot{stroke:#e8ecf1}\n"
    ".bnd{fill:#6cc4f5}line.bnd{stroke:#6cc4f5}\n"
    ".cap{fill:#d9a0ea}line.cap{stroke:#d9a0ea}\n"
    ".rt{fill:#ff7b81}line.rt{stroke:#ff7b81}.x{stroke:#ff3b47}.bad{fill:#"
    "ff2b3a;stroke:#ffd0d3}\n"
    ".ban{fill:#c01024}.bant{fill:#fff}.m8{stroke:#ff3b47}\n";

void pp_draw_style(pp_pen *pen) {
  pp_pen_put(pen, "<style>\n");
  put_hues(pen, false);
  pp_pen_put(pen, light_css);
  pp_pen_put(pen, shape_css);
  pp_pen_put(pen, "@media (prefers-color-scheme:dark){\n");
  put_hues(pen, true);
  pp_pen_put(pen, dark_css);
  pp_pen_put(pen, ".z{fill:none;stroke:#e8ecf1}.live{stroke:#e8ecf1}"
                  ".x{stroke:#ff3b47}\n}\n</style>\n");
}

void pp_draw_patterns(pp_pen *pen) {
  pp_pen_put(pen,
             "<defs><pattern id=\"pp-free\" width=\"7\" height=\"7\" "
             "patternUnits=\"userSpaceOnUse\">"
             "<path class=\"dot\" d=\"M-1 1l2-2M0 7l7-7M6 8l2-2\"/>"
             "</pattern>\n<pattern id=\"pp-live\" width=\"8\" height=\"8\" "
             "patternUnits=\"userSpaceOnUse\">"
             "<path class=\"hatch\" d=\"M-1 7l2 2M0 0l8 8M7-1l2 2\"/>"
             "</pattern></defs>\n");
}

void pp_draw_script(pp_pen *pen) {
  pp_pen_put(
      pen,
      "<script>\n"
      "(function () {\n"
      "  var tip = document.getElementById('tip'), shown = null;\n"
      "  function words(node) {\n"
      "    var title = node.querySelector && node.querySelector('title');\n"
      "    if (title && title.parentNode === node) {\n"
      "      node.words = title.textContent;\n"
      "      node.removeChild(title);\n"
      "    }\n"
      "    return node.words;\n"
      "  }\n"
      "  document.addEventListener('mousemove', function (event) {\n"
      "    var node = event.target;\n"
      "    while (node && node.nodeType === 1 && !words(node))\n"
      "      node = node.parentNode;\n"
      "    if (!node || node.nodeType !== 1) {\n"
      "      tip.style.display = 'none';\n"
      "      shown = null;\n"
      "      return;\n"
      "    }\n"
      "    if (node !== shown) tip.textContent = node.words;\n"
      "    shown = node;\n"
      "    tip.style.display = 'block';\n");
  pp_pen_put(
      pen,
      "    var w = tip.offsetWidth, h = tip.offsetHeight;\n"
      "    var x = event.clientX + 14, y = event.clientY + 14;\n"
      "    if (x + w > innerWidth) x = Math.max(0, event.clientX - w - 8);\n"
      "    if (y + h > innerHeight) y = Math.max(0, event.clientY - h - 8);\n"
      "    tip.style.left = x + 'px';\n"
      "    tip.style.top = y + 'px';\n"
      "  });\n"
      "})();\n"
      "</script>\n");
}
