/* used.h - a site whose items refer to media items, for tests of their usage. */
#ifndef T_USED_H
#define T_USED_H

#include "inside.h"
#include "posts.h"

/* posts_begin, and in posts: hero (image), other (image, not translatable), manual (file), shots
 * (repeater with the image photo and the text note); body is Portable Text. The collection plain
 * has no revisions: title, hero. */
int used_begin(void **state);
#define used(name) cmocka_unit_test_setup_teardown(name, used_begin, posts_end)

/* Ids of media items. */
#define M1 "01MMMMMMMMMMMMMMMMMMMMMMM1"
#define M2 "01MMMMMMMMMMMMMMMMMMMMMMM2"
#define M3 "01MMMMMMMMMMMMMMMMMMMMMMM3"
#define HERO(id) "'hero':{'id':'" id "'}"

/* What the index says of a media item: "columns hero, shots[0].photo; draft_overlay hero" for each
 * item that uses it, one a line in the order of their ids, with "trash: " before one in the trash.
 * Static buffer. */
const char *places(struct harness *, const char *media);
/* How many items use it, by the index; those in the trash left out. */
int64_t uses(struct harness *, const char *media);

/* ---- administration ---- */

#define USAGE "/admin/media-usage"
/* POST of activation, and of progress as long as that says 0. */
void activate(struct harness *);
/* One POST of progress. */
struct outcome *progress(struct harness *);
/* The answer to a repair of this collection; "": of all. */
struct outcome *repair(struct harness *, const char *collection);
/* How the collection stands in the table of coverage; "" when it does not. Static buffer. */
const char *state_of(struct harness *, const char *collection);
/* The id of a collection. */
const char *collection_id(struct harness *, const char *slug);

#endif
