/* metric.c - what GET /metrics shows of the modules of a site, for tests. */
#include "metric.h"
#include "base/buf.h"
#include "module/series.h"
#include <string.h>

bool
metric_shows(struct harness *h, const char *text)
{
	struct series_all all = { 0 };
	struct buf lines = { 0 };
	bool found;

	series_collect(harness_site(h), &all);
	series_write(&lines, &all);
	found = lines.data != NULL && strstr(lines.data, text) != NULL;
	if (!found)
		print_error("%s", lines.data != NULL ? lines.data : "nothing\n");
	buf_free(&lines);
	series_drop(&all);
	return found;
}
