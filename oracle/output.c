#include "output.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse(const char *path, pp_diag *diag) {
  if (errno == ENOMEM) return pp_fail_memory(diag);
  return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: cannot be written: %s", path,
                      strerror(errno));
}

/* What path leads to: through links, so that a link stays one, even one that
 * leads to no file yet. */
static char *resolve(const char *path) {
  char *target = realpath(path, NULL);
  if (target || errno != ENOENT) return target;
  char link[PATH_MAX];
  ssize_t length = readlink(path, link, sizeof link - 1);
  if (length < 0) return strdup(path);
  link[length] = '\0';
  const char *slash = strrchr(path, '/');
  size_t folder = link[0] == '/' || !slash ? 0 : (size_t)(slash - path) + 1;
  target = malloc(folder + (size_t)length + 1);
  if (!target) return NULL;
  memcpy(target, path, folder);
  memcpy(target + folder, link, (size_t)length + 1);
  return target;
}

static bool written_directly(const char *target) {
  struct stat about;
  return stat(target, &about) == 0 && !S_ISREG(about.st_mode);
}

/* The temporary that a signal that ends the process takes away. */
static char *volatile pending;

static void clean_up(int signal_number) {
  if (pending) unlink(pending);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

/* Only signals that would end the process unhandled are watched. */
static void watch(char *temporary) {
  static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
  const struct sigaction ours = {.sa_handler = clean_up};
  const struct sigaction none = {.sa_handler = SIG_DFL};
  pending = temporary;
  for (size_t k = 0; k < sizeof ends / sizeof ends[0]; k++) {
    struct sigaction now;
    if (sigaction(ends[k], NULL, &now) != 0) continue;
    if (temporary && now.sa_handler == SIG_DFL)
      sigaction(ends[k], &ours, NULL);
    else if (!temporary && now.sa_handler == clean_up)
      sigaction(ends[k], &none, NULL);
  }
}

/* The mode of the file that is replaced, or what a new one gets. */
static mode_t mode_for(const char *target) {
  struct stat about;
  if (stat(target, &about) == 0) return about.st_mode & 07777;
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

static int temporary_fd(pp_output *output) {
  static const char name[] = ".poolproof-XXXXXX";
  const char *slash = strrchr(output->target, '/');
  size_t folder = slash ? (size_t)(slash - output->target) + 1 : 0;
  output->temporary = malloc(folder + sizeof name);
  if (!output->temporary) return -1;
  memcpy(output->temporary, output->target, folder);
  memcpy(output->temporary + folder, name, sizeof name);
  int fd = mkstemp(output->temporary);
  if (fd < 0) return -1;
  watch(output->temporary);
  if (fchmod(fd, mode_for(output->target)) == 0) return fd;
  close(fd);
  unlink(output->temporary);
  return -1;
}

static void forget(pp_output *output) {
  if (output->temporary) watch(NULL);
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
  if (output->path[0] == '\0')
    return pp_diag_fail(diag, PP_EXIT_INPUT, "-o: the name is empty");
  output->buffer = malloc(PP_BUFFER);
  if (!output->buffer) return pp_fail_memory(diag);
  output->target = resolve(output->path);
  if (output->target) output->stream = open_target(output);
  if (!output->stream) return refuse(output->path, diag);
  setvbuf(output->stream, output->buffer, _IOFBF, PP_BUFFER);
  return 0;
}

int pp_output_path(const char *dir, const char *name, char *path, size_t size,
                   pp_diag *diag) {
  int length = snprintf(path, size, "%s/%s", dir ? dir : ".", name);
  if (length >= 0 && (size_t)length < size) return 0;
  return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: the path is too long", name);
}

int pp_output_apart(const char *path, const char *input, pp_diag *diag) {
  struct stat out;
  struct stat in;
  if (strcmp(path, "-") == 0 || strcmp(input, "-") == 0) return 0;
  if (stat(path, &out) != 0 || stat(input, &in) != 0) return 0;
  if (!S_ISREG(out.st_mode) || out.st_dev != in.st_dev ||
      out.st_ino != in.st_ino)
    return 0;
  return pp_diag_fail(diag, PP_EXIT_INPUT,
                      "%s: is read here; -o needs another file", path);
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

int pp_fail_write(const FILE *out, pp_diag *diag) {
  return pp_diag_fail(diag, PP_EXIT_RESOURCE, "%s cannot be written: %s",
                      out == stdout ? "standard output" : "the output",
                      strerror(errno));
}

int pp_output_end(pp_output *output, int status, pp_diag *diag) {
  FILE *stream = output->stream;
  bool good = fflush(stream) == 0 && !ferror(stream);
  if (!good && status == 0 && stream == stdout)
    status = pp_fail_write(stream, diag);
  if (stream != stdout) good = fclose(stream) == 0 && good;
  if (good && status == 0 && output->temporary)
    good = rename(output->temporary, output->target) == 0;
  if (output->temporary && (!good || status != 0)) unlink(output->temporary);
  if (!good && status == 0)
    status = pp_diag_fail(diag, PP_EXIT_RESOURCE, "%s: cannot be written: %s",
                          output->path, strerror(errno));
  forget(output);
  return status;
}
