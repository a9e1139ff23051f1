#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse(const char *path, pp_diag *diag) {
  if (errno == ENOMEM) return pp_fail_memory(diag);
  return pp_fail(diag, PP_EXIT_INPUT, "%s: cannot be written: %s", path,
                 strerror(errno));
}

/* What path leads to: through links, so that a link stays one. */
static char *resolve(const char *path) {
  char *target = realpath(path, NULL);
  return target || errno != ENOENT ? target : strdup(path);
}

static bool written_directly(const char *target) {
  struct stat about;
  return stat(target, &about) == 0 && !S_ISREG(about.st_mode);
}

static int temporary_fd(pp_output *output) {
  static const char suffix[] = ".XXXXXX";
  size_t n = strlen(output->target);
  output->temporary = malloc(n + sizeof suffix);
  if (!output->temporary) return -1;
  memcpy(output->temporary, output->target, n);
  memcpy(output->temporary + n, suffix, sizeof suffix);
  int fd = mkstemp(output->temporary);
  if (fd < 0) return -1;
  mode_t mask = umask(0);
  umask(mask);
  if (fchmod(fd, 0666 & ~mask) == 0) return fd;
  close(fd);
  return -1;
}

static void forget(pp_output *output) {
  free(output->target);
  free(output->temporary);
  free(output->buffer);
  output->target = output->temporary = output->buffer = NULL;
}

/* Opens what target leads to; NULL with errno when that cannot be. */
static FILE *open_target(pp_output *output) {
  if (written_directly(output->target)) return fopen(output->target, "w");
  if (access(output->target, F_OK) == 0 && access(output->target, W_OK) != 0)
    return NULL;
  int fd = temporary_fd(output);
  if (fd < 0) return NULL;
  FILE *stream = fdopen(fd, "w");
  if (stream) return stream;
  close(fd);
  unlink(output->temporary);
  errno = ENOMEM;
  return NULL;
}

static int open_file(pp_output *output, pp_diag *diag) {
  enum { PP_BUFFER = 1 << 16 };
  errno = ENOENT;
  output->buffer = malloc(PP_BUFFER);
  if (!output->buffer) return pp_fail_memory(diag);
  if (output->path[0] != '\0') output->target = resolve(output->path);
  if (output->target) output->stream = open_target(output);
  if (!output->stream) return refuse(output->path, diag);
  setvbuf(output->stream, output->buffer, _IOFBF, PP_BUFFER);
  return 0;
}

int pp_output_open(pp_output *output, const char *path, pp_diag *diag) {
  *output = (pp_output){.path = path};
  if (strcmp(path, "-") == 0) {
    output->stream = stdout;
    return 0;
  }
  int status = open_file(output, diag);
  if (status != 0) forget(output);
  return status;
}

int pp_output_end(pp_output *output, int status, pp_diag *diag) {
  FILE *stream = output->stream;
  bool good = fflush(stream) == 0 && !ferror(stream);
  if (stream != stdout) good = fclose(stream) == 0 && good;
  if (good && status == 0 && output->temporary)
    good = rename(output->temporary, output->target) == 0;
  if (output->temporary && (!good || status != 0)) unlink(output->temporary);
  if (!good && status == 0)
    status = pp_fail(diag, PP_EXIT_RESOURCE, "%s: cannot be written: %s",
                     output->path, strerror(errno));
  forget(output);
  return status;
}
