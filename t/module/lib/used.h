/* used.h - tests of media usage: a site whose items refer to media items. */
#ifndef T_USED_H
#define T_USED_H

#include "inside.h"
#include "posts.h"

/* posts_begin with more fields of posts: hero (image), other (image, not translatable), manual
 * (file), shots (a repeater of the image photo and the text note). body is Portable Text. The
 * collection plain has title and hero, and no revisions. */
int used_begin(void **state);
#define used(name) cmocka_unit_test_setup_teardown(name, used_begin, posts_end)

/* Ids of media items. */
#define M1 "01MMMMMMMMMMMMMMMMMMMMMMM1"
#define M2 "01MMMMMMMMMMMMMMMMMMMMMMM2"
#define M3 "01MMMMMMMMMMMMMMMMMMMMMMM3"
#define HERO(id) "'hero':{'id':'" id "'}"

/* Returns the index's entries about a media item: "columns hero, shots[0].photo; draft_overlay
 * hero" for each item that uses it. One line each, in the order of ids; "trash: " precedes an item
 * in the trash. Static buffer. */
const char *places(struct harness *, const char *media);
/* Returns the number of items that use it by the index, without those in the trash. */
int64_t uses(struct harness *, const char *media);

/* ---- administration ---- */

#define USAGE "/admin/media-usage"
/* Starts the activation, and repeats POST of progress until it is done. */
void activate(struct harness *);
/* One POST of progress. */
struct outcome *progress(struct harness *);
/* Repairs this collection ("": all) and returns the response. */
struct outcome *repair(struct harness *, const char *collection);
/* Returns the state of the collection in the table of coverage, or "". Static buffer. */
const char *state_of(struct harness *, const char *collection);
/* The id of a collection. */
const char *collection_id(struct harness *, const char *slug);

#endif
