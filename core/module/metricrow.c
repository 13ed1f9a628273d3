/* metricrow.c - validates a module's row of metrics: its name and help text. */
#include "module/metricrow.h"
#include <stet/metric.h>
#include <string.h>

#define METRIC_NAME_MAX 64

static bool
is_name(const char *name)
{
	size_t len = name != NULL ? strlen(name) : 0;

	return len > 0 && len <= METRIC_NAME_MAX && name[0] >= 'a' && name[0] <= 'z' &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == len;
}

static bool
is_total(const char *name)
{
	size_t len = strlen(name);

	return len > 6 && strcmp(name + len - 6, "_total") == 0;
}

const char *
metricrow_check(const struct stet_module *m, uint32_t i)
{
	struct stet_metric row, other;

	if (m->metrics.count > STET_METRICS_MAX)
		return "it has too many metrics";
	stet_table_row(&m->metrics, i, &row, sizeof(row));
	if (!is_name(row.name))
		return "a metric of it has a bad name";
	if (row.help == NULL || *row.help == '\0' || strpbrk(row.help, "\n\\") != NULL)
		return "a metric of it has no line of help";
	if (is_total(row.name) == row.gauge)
		return "a counter's name ends with _total, and a gauge's does not";
	for (uint32_t k = 0; k < i; k++) {
		stet_table_row(&m->metrics, k, &other, sizeof(other));
		if (strcmp(row.name, other.name) == 0)
			return "it has two metrics of one name";
	}
	return NULL;
}
