/*
 * tree.c - arranges the terms of a page as a tree: each below its parent, if the parent is on
 * the page.
 */
#include "taxonomies.h"
#include <stdlib.h>
#include <string.h>

static int
by_group(const void *a, const void *b)
{
	const struct node *x = *(struct node *const *)a, *y = *(struct node *const *)b;
	int order = strcmp(x->term.group, y->term.group);

	return order != 0 ? order : strcmp(x->term.locale, y->term.locale);
}

/* The row of the parent in the child's locale; or else in the lowest locale on the page. */
static struct node *
parent_of(struct node *const *sorted, size_t count, const struct node *child)
{
	size_t low = 0, high = count;
	struct node *found = NULL;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (strcmp(sorted[middle]->term.group, child->term.parent) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < count && strcmp(sorted[low]->term.group, child->term.parent) == 0; low++)
		if (found == NULL || strcmp(sorted[low]->term.locale, child->term.locale) == 0)
			found = sorted[low];
	return found;
}

static void
join(struct stet_call *call, struct node *node, size_t count)
{
	struct node **sorted = stet_alloc(call, (count + 1) * sizeof(*sorted));

	for (size_t i = 0; i < count; i++)
		sorted[i] = &node[i];
	qsort(sorted, count, sizeof(*sorted), by_group);
	for (size_t i = 0; i < count; i++) {
		struct node *up = parent_of(sorted, count, &node[i]);

		node[i].up = up;
		if (up == NULL)
			continue;
		if (up->last != NULL)
			up->last->next = &node[i];
		else
			up->first = &node[i];
		up->last = &node[i];
	}
}

static void
open_node(struct stet_json *out, const struct node *n)
{
	term_open(out, NULL, &n->term);
	if (n->count >= 0)
		stet_put_int(out, "count", n->count);
	stet_array(out, "children");
}

static void
close_node(struct stet_json *out)
{
	stet_close(out);
	stet_close(out);
}

/* Writes a term with everything below it. */
static void
put_tree(struct stet_json *out, const struct node *top)
{
	const struct node *n = top;

	open_node(out, n);
	for (;;) {
		if (n->first != NULL) {
			n = n->first;
			open_node(out, n);
			continue;
		}
		close_node(out);
		while (n != top && n->next == NULL) {
			n = n->up;
			close_node(out);
		}
		if (n == top)
			return;
		n = n->next;
		open_node(out, n);
	}
}

void
tree_put(struct stet_call *call, struct stet_json *out, const char *key, struct node *node,
    size_t count, bool nested)
{
	if (nested)
		join(call, node, count);
	stet_array(out, key);
	for (size_t i = 0; i < count; i++)
		if (node[i].up == NULL)
			put_tree(out, &node[i]);
	stet_close(out);
}
