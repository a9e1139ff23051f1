/* Waivers: what is read, what is refused, what they cover. */
#include "conform/waivers.h"
#include "support.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int read_waivers(const char *text, pp_waivers *waivers, pp_diag *diag) {
  char path[64];
  int fd = memfd_create("waivers", 0);
  cr_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
  sprintf(path, "/proc/self/fd/%d", fd);
  int status = pp_waivers_read(path, waivers, diag);
  close(fd);
  return status;
}

#define ONE(id, issue, expires)                                                \
  "{\"id\":\"" id "\",\"issue\":\"" issue "\",\"expires\":\"" expires          \
  "\",\"reason\":\"why\"}"
#define ALL(list) "{\"poolproof\":\"waivers/1\",\"waivers\":[" list "]}"
#define ID "arena-0123456789abcdef"
#define URL "https://example.org/1"

static const struct {
  const char *text, *sentence;
} refused[] = {
    {"[]", "not waivers: an object with \"poolproof\""},
    {"{\"poolproof\":\"waivers/2\",\"waivers\":[]}", "not waivers: "},
    {"{\"poolproof\":\"waivers/1\"}", "\"waivers\", an array, is wanted"},
    {"{\"poolproof\":\"waivers/1\",\"waivers\":[],\"x\":1}", "no other key"},
    {ALL("{") "}", "not JSON"},
    {ALL("7"), "waiver 0 is not an object"},
    {ALL("{\"id\":\"" ID "\",\"issue\":\"" URL "\",\"expires\":"
         "\"2027-01-31\"}"),
     "waiver 0: \"reason\" is missing"},
    {ALL("{\"id\":7,\"issue\":\"" URL "\",\"expires\":\"2027-01-31\","
         "\"reason\":\"x\"}"),
     "waiver 0: \"id\" is not a string"},
    {ALL("{\"id\":\"" ID "\",\"id\":\"" ID "\"}"), "duplicate"},
    {ALL("{\"id\":\"" ID "\",\"why\":\"x\"}"), "\"why\" is not a key"},
    {ALL(ONE("arena-0123456789abcdeF", URL, "2027-01-31")), "\"id\": arena"},
    {ALL(ONE("arenas-0123456789abcdef", URL, "2027-01-31")), "\"id\": "},
    {ALL(ONE("arena-0123456789abcde", URL, "2027-01-31")), "\"id\": "},
    {ALL(ONE(ID, "", "2027-01-31")), "\"issue\" is no http(s) URL"},
    {ALL(ONE(ID, "ftp://example.org", "2027-01-31")), "\"issue\": ftp"},
    {ALL(ONE(ID, "https://", "2027-01-31")), "\"issue\": https://"},
    {ALL(ONE(ID, "https://a b", "2027-01-31")), "\"issue\": https://a b"},
    {ALL(ONE(ID, URL, "2027-02-29")), "\"expires\": 2027-02-29 is no date"},
    {ALL(ONE(ID, URL, "2027-1-31")), "\"expires\": 2027-1-31"},
    {ALL(ONE(ID, URL, " 2027-01-31")), "\"expires\":  2027-01-31"},
    {ALL(ONE(ID, URL, "2027-01-31Z")), "\"expires\": 2027-01-31Z"},
    {ALL(ONE(ID, URL, "soon")), "\"expires\": soon"},
    {ALL(ONE(ID, URL, "2027-01-31") "," ONE(ID, URL, "2027-01-31")),
     "waiver 1: \"id\": " ID " is waived twice"},
};

Test(waivers, refused) {
  for (size_t k = 0; k < COUNT(refused); k++) {
    pp_waivers waivers;
    pp_diag diag = {0};
    cr_expect_eq(read_waivers(refused[k].text, &waivers, &diag), PP_EXIT_INPUT,
                 "%zu: %s", k, refused[k].text);
    cr_expect(strstr(diag.text, refused[k].sentence), "%zu: %s", k, diag.text);
    cr_expect(waivers.n == 0 && waivers.waiver == NULL);
  }
  pp_expect_no_leak();
}

/* A waiver holds to the end of its day, for its question alone. */
Test(waivers, hold) {
  enum { END = 1709251200 }; /* 2024-03-01, 0:00 */
  pp_waivers waivers;
  pp_diag diag = {0};
  cr_assert_eq(read_waivers(ALL(ONE(ID, URL, "2024-02-29") "," ONE(
                                "score-0000000000000000", "http://b.example",
                                "2024-03-01")),
                            &waivers, &diag),
               0, "%s", diag.text);
  char *stale = pp_waivers_stale(&waivers, END - 1);
  cr_expect_str_eq(stale,
                   ID ": matched nothing (" URL ")\nscore-0000000000000000: "
                      "matched nothing (http://b.example)\n");
  free(stale);
  cr_expect_null(pp_waivers_find(&waivers, "arena-0123456789abcdee", END - 1));
  cr_expect_null(pp_waivers_find(&waivers, ID, END));
  const pp_waiver *found = pp_waivers_find(&waivers, ID, END - 1);
  cr_assert(found && found->used);
  cr_expect_str_eq(found->url, URL);
  cr_expect(pp_waivers_find(&waivers, "score-0000000000000000", END));
  stale = pp_waivers_stale(&waivers, END - 1);
  cr_expect_str_eq(stale, "");
  free(stale);
  stale = pp_waivers_stale(&waivers, END);
  cr_expect_str_eq(stale, ID ": expired after 2024-02-29 (" URL ")\n");
  free(stale);
  pp_waivers_free(&waivers);
  pp_expect_no_leak();
}
