/* colleagues.h - a site whose users have names, with a draft of the author: for tests of notes and
 * reviews. */
#ifndef T_COLLEAGUES_H
#define T_COLLEAGUES_H

#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char draft[27]; /* a post of `author` whose body has the blocks b1 and b2 */

int colleagues_begin(void **state);
#define with_colleagues(name) cmocka_unit_test_setup_teardown(name, colleagues_begin, posts_end)

/* Sends a request about the draft: on(h, author, "POST", "/notes", "{'body':'x'}"). */
struct outcome *on(struct harness *, const struct harness_user *, const char *method,
    const char *below, const char *body, ...) STET_FMT(5, 6);
/* Writes a note and stores its id. */
void write_note(struct harness *, const struct harness_user *, char id[27], const char *body);

#endif
