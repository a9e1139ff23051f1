#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PP_CHUNK = 1 << 16 };

const char *pp_input_name(const char *path) {
  return strcmp(path, "-") == 0 ? "standard input" : path;
}

int pp_source_open(pp_source *source, const char *path, pp_diag *diag) {
  bool standard = strcmp(path, "-") == 0;
  *source = (pp_source){.name = pp_input_name(path),
                        .fd = standard ? STDIN_FILENO : -1,
                        .line = 1};
  if (!standard) source->fd = open(path, O_RDONLY | O_CLOEXEC);
  if (source->fd < 0)
    return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: cannot be read: %s", path,
                        strerror(errno));
  source->buffer = malloc(PP_CHUNK);
  if (!source->buffer) {
    pp_source_close(source);
    return pp_fail_memory(diag);
  }
  return 0;
}

void pp_source_memory(pp_source *source, const char *name, const void *bytes,
                      size_t size) {
  *source =
      (pp_source){.name = name, .fd = -1, .at = bytes, .left = size, .line = 1};
}

void pp_source_close(pp_source *source) {
  free(source->buffer);
  if (source->fd > STDIN_FILENO) close(source->fd);
  source->buffer = NULL;
  source->fd = -1;
}

bool pp_source_fill(pp_source *source) {
  if (source->left > 0) return true;
  if (source->fd < 0 || source->failure) return false;
  while (source->left < PP_CHUNK) {
    ssize_t got = read(source->fd, source->buffer + source->left,
                       PP_CHUNK - source->left);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) source->failure = errno;
    if (got <= 0) break;
    source->left += (size_t)got;
  }
  source->at = source->buffer;
  return source->left > 0;
}

static void skip(pp_source *source) {
  if (*source->at == '\n') source->line++;
  source->at++;
  source->left--;
}

int pp_source_peek(pp_source *source) {
  static const char mark[] = "\xef\xbb\xbf";
  if (pp_source_fill(source) && source->left >= 3 &&
      memcmp(source->at, mark, 3) == 0) {
    source->at += 3;
    source->left -= 3;
  }
  while (pp_source_fill(source)) {
    if (!strchr(" \t\r\n", *source->at) || *source->at == '\0')
      return (unsigned char)*source->at;
    skip(source);
  }
  return -1;
}

ssize_t pp_source_read(pp_source *source, void *to, size_t size) {
  if (!pp_source_fill(source)) return source->failure ? -1 : 0;
  size_t n = source->left < size ? source->left : size;
  memcpy(to, source->at, n);
  source->at += n;
  source->left -= n;
  return (ssize_t)n;
}

int pp_source_status(const pp_source *source, pp_diag *diag) {
  if (!source->failure) return 0;
  return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: cannot be read: %s",
                      source->name, strerror(source->failure));
}

static int read_text(pp_source *source, size_t most, char **text, size_t *size,
                     pp_diag *diag) {
  size_t room = 0;
  for (ssize_t got = 1; got > 0; *size += (size_t)got) {
    if (*size > most)
      return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: more than %zu bytes",
                          source->name, most);
    if (*size == room) {
      room = room > 0 ? 2 * room : PP_CHUNK;
      char *more = realloc(*text, room);
      if (!more) return pp_fail_memory(diag);
      *text = more;
    }
    got = pp_source_read(source, *text + *size, room - *size);
    if (got < 0) return pp_source_status(source, diag);
  }
  return 0;
}

char *pp_source_text(const char *path, size_t most, size_t *size,
                     pp_diag *diag) {
  pp_source source;
  char *text = NULL;
  *size = 0;
  if (pp_source_open(&source, path, diag) != 0) return NULL;
  if (read_text(&source, most, &text, size, diag) != 0) {
    free(text);
    text = NULL;
  }
  pp_source_close(&source);
  return text;
}
