/* finding.c - findings of `stet doctor`. */
#include "base/arena.h"
#include "base/words.h"
#include "command/doctor.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const grades[] = {
	[STET_FINE] = "ok",
	[STET_NOTE] = "note",
	[STET_WARNING] = "warning",
	[STET_TROUBLE] = "error",
};

void
doctor_say(struct doctor *d, const char *check, enum stet_grade grade, const char *advice,
    const char *fmt, ...)
{
	va_list ap;
	char *text;
	json_t *finding;

	va_start(ap, fmt);
	text = words_vformat(fmt, ap);
	va_end(ap);
	if (grade > d->worst)
		d->worst = grade;
	finding =
	    json_pack("{s:s?, s:s, s:s, s:s, s:s?}", "site", d->site != NULL ? d->site->name : NULL,
		"check", check, "grade", grades[grade], "text", text, "advice", advice);
	if (d->site == NULL)
		json_array_insert_new(d->findings, d->of_machine++, finding);
	else
		json_array_append_new(d->findings, finding);
	free(text);
}
