/*
 * series.c - metrics counted by modules. The numbers of a module on a site are allocated when it
 * first counts there, and live as long as the site.
 */
#include "module/series.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/log.h"
#include "call/call.h"
#include "call/metrics.h"
#include "call/site.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <stet/metric.h>
#include <string.h>

struct number {
	_Atomic int64_t value;
	atomic_bool shown;
};
struct series {
	const struct loaded *module;
	struct number number[];
};

static struct series *
series_of(struct site *site, const struct loaded *module)
{
	struct series *s = atomic_load(&site->series[module->index]), *none = NULL;

	if (s != NULL)
		return s;
	s = xcalloc(1, sizeof(*s) + module->m.metrics.count * sizeof(s->number[0]));
	s->module = module;
	if (atomic_compare_exchange_strong(&site->series[module->index], &none, s))
		return s;
	free(s);
	return none;
}

static struct number *
number_of(struct stet_call *call, const char *name, bool set, int64_t n)
{
	const struct loaded *module = call->owner;
	struct stet_metric row = { .name = NULL };
	uint32_t i = 0;

	stet_assert(module != NULL && call->site != NULL);
	while (i < module->m.metrics.count) {
		stet_table_row(&module->m.metrics, i, &row, sizeof(row));
		if (strcmp(row.name, name) == 0)
			break;
		i++;
	}
	stet_assert(i < module->m.metrics.count);
	stet_assert(row.gauge || (!set && n >= 0));
	return &series_of(call->site, module)->number[i];
}

void
stet_metric_add(struct stet_call *call, const char *name, int64_t n)
{
	struct number *number = number_of(call, name, false, n);

	atomic_fetch_add_explicit(&number->value, n, memory_order_relaxed);
	atomic_store_explicit(&number->shown, true, memory_order_relaxed);
}

void
stet_metric_set(struct stet_call *call, const char *name, int64_t value)
{
	struct number *number = number_of(call, name, true, 0);

	atomic_store_explicit(&number->value, value, memory_order_relaxed);
	atomic_store_explicit(&number->shown, true, memory_order_relaxed);
}

/* ---- showing them ---- */

struct series_one {
	const struct loaded *module; /* lives as long as the process */
	uint32_t row;
	unsigned order; /* order of collection */
	int64_t value;
	char *site;
};

static void
collect(struct site *site, const struct series *s, uint32_t row, struct series_all *all)
{
	if (!atomic_load_explicit(&s->number[row].shown, memory_order_relaxed))
		return;
	/* Doubles the array whenever the count is a power of two. */
	if ((all->count & (all->count - 1)) == 0)
		all->at = xrealloc(all->at, (2 * (size_t)all->count + 1) * sizeof(all->at[0]));
	all->at[all->count] = (struct series_one){ .module = s->module,
		.row = row,
		.order = all->count,
		.value = atomic_load_explicit(&s->number[row].value, memory_order_relaxed),
		.site = xstrdup(site_name(site)) };
	all->count++;
}

void
series_collect(struct site *site, struct series_all *all)
{
	for (size_t i = 0; i < MODULES_MAX; i++) {
		const struct series *s = atomic_load(&site->series[i]);

		if (s == NULL)
			continue;
		for (uint32_t row = 0; row < s->module->m.metrics.count; row++)
			collect(site, s, row, all);
	}
}

/* Sorts by module, metric, and the order of sites. */
static int
compare(const void *a, const void *b)
{
	const struct series_one *x = a, *y = b;

	if (x->module->index != y->module->index)
		return x->module->index < y->module->index ? -1 : 1;
	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* "stet_media_uploads_total" */
static void
put_name(struct buf *b, const struct series_one *one, const struct stet_metric *row)
{
	size_t at;

	buf_str(b, "stet_");
	at = b->len;
	buf_printf(b, "%s_%s", one->module->m.name, row->name);
	for (; at < b->len; at++)
		if (b->data[at] == '-')
			b->data[at] = '_';
}

void
series_write(struct buf *b, struct series_all *all)
{
	struct buf name = { 0 };

	if (all->count > 0)
		qsort(all->at, all->count, sizeof(all->at[0]), compare);
	for (unsigned i = 0; i < all->count; i++) {
		const struct series_one *one = &all->at[i];
		struct stet_metric row;

		stet_table_row(&one->module->m.metrics, one->row, &row, sizeof(row));
		if (i == 0 || one[-1].module != one->module || one[-1].row != one->row) {
			buf_free(&name);
			put_name(&name, one, &row);
			metrics_head(b, name.data, row.gauge ? "gauge" : "counter", row.help);
		}
		metrics_line(b, name.data, "site", one->site, NULL, NULL, (double)one->value);
	}
	buf_free(&name);
}

void
series_drop(struct series_all *all)
{
	for (unsigned i = 0; i < all->count; i++)
		free(all->at[i].site);
	free(all->at);
}

void
series_free(struct site *site)
{
	for (size_t i = 0; i < MODULES_MAX; i++)
		free(atomic_load(&site->series[i]));
}
