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
  output->target = output->temporary = NULL;
}

int pp_output_open(pp_output *output, const char *path, pp_diag *diag) {
  *output = (pp_output){.path = path};
  if (strcmp(path, "-") == 0) {
    output->stream = stdout;
    return 0;
  }
  output->target = resolve(path);
  if (path[0] == '\0') errno = ENOENT;
  if (!output->target || path[0] == '\0') {
    int status = refuse(path, diag);
    forget(output);
    return status;
  }
  if (written_directly(output->target)) {
    output->stream = fopen(output->target, "w");
  } else if (access(output->target, F_OK) != 0 ||
             access(output->target, W_OK) == 0) {
    int fd = temporary_fd(output);
    output->stream = fd < 0 ? NULL : fdopen(fd, "w");
    if (fd >= 0 && !output->stream) {
      close(fd);
      unlink(output->temporary);
      errno = ENOMEM;
    }
  }
  if (output->stream) return 0;
  int status = refuse(path, diag);
  forget(output);
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
