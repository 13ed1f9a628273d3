/* fair.c - a queue that takes turns between keys. */
#include "base/fair.h"
#include "base/arena.h"

#include <stddef.h>
#include <stdlib.h>

/* The items of one key, while there are any. */
struct fair_line {
	struct fair_line *next; /* the next line in the ring */
	struct fair_line *alike; /* the next line with the same slot in the table */
	uint64_t key;
	struct fair_item *first, **last;
};

static struct fair_line **
find(struct fair *f, uint64_t key)
{
	struct fair_line **at = &f->line[key & (FAIR_LINES - 1)];

	while (*at != NULL && (*at)->key != key)
		at = &(*at)->alike;
	return at;
}

/* A new line waits for its turn behind all others. */
static struct fair_line *
begin(struct fair *f, uint64_t key)
{
	struct fair_line *line = xcalloc(1, sizeof(*line));

	line->key = key;
	line->last = &line->first;
	line->next = f->last != NULL ? f->last->next : line;
	if (f->last != NULL)
		f->last->next = line;
	f->last = line;
	return line;
}

void
fair_push(struct fair *f, uint64_t key, struct fair_item *item)
{
	struct fair_line **at = find(f, key);

	if (*at == NULL)
		*at = begin(f, key);
	item->next = NULL;
	*(*at)->last = item;
	(*at)->last = &item->next;
}

static void
end(struct fair *f, struct fair_line *line)
{
	*find(f, line->key) = line->alike;
	if (line->next == line)
		f->last = NULL;
	else
		f->last->next = line->next;
	free(line);
}

struct fair_item *
fair_pop(struct fair *f)
{
	struct fair_line *line = f->last != NULL ? f->last->next : NULL;
	struct fair_item *item;

	if (line == NULL)
		return NULL;
	item = line->first;
	line->first = item->next;
	if (line->first == NULL)
		end(f, line);
	else
		f->last = line;
	return item;
}
