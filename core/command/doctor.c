/* doctor.c - runs the checks, and shows what they found. */
#include "command/doctor.h"
#include "base/dir.h"
#include "base/words.h"
#include "call/call.h"
#include "call/json.h"
#include "command/command.h"
#include "command/print.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const grades[] = {
	[STET_FINE] = "ok",
	[STET_NOTE] = "note",
	[STET_WARNING] = "WARNING",
	[STET_TROUBLE] = "ERROR",
};

static const char *
str(const json_t *finding, const char *name)
{
	const char *text = json_string_value(json_object_get(finding, name));

	return text != NULL ? text : "";
}

static const char *
shout(const char *grade)
{
	for (size_t i = 0; i < sizeof(grades) / sizeof(grades[0]); i++)
		if (strcasecmp(grades[i], grade) == 0)
			return grades[i];
	return grade;
}

static void
show_advice(const char *advice)
{
	fputs("         ", stdout);
	print_text(stdout, advice);
	fputc('\n', stdout);
}

static void
show(const json_t *findings)
{
	const json_t *f;
	size_t i;

	json_array_foreach(findings, i, f)
	{
		printf("%-8s %s%s%s: ", shout(str(f, "grade")), str(f, "site"),
		    *str(f, "site") != '\0' ? ", " : "", str(f, "check"));
		print_text(stdout, str(f, "text"));
		fputc('\n', stdout);
		if (*str(f, "advice") != '\0')
			show_advice(str(f, "advice"));
	}
}

static bool
exists(const struct conf_site *site, const char *name)
{
	char *path = words_format("%s/%s", site->data, name);
	struct stat st;
	bool there = stat(path, &st) == 0 && (*name == '\0' || st.st_size > 0);

	free(path);
	return there;
}

static bool
has(const struct doctor *d, enum doctor_need need)
{
	switch (need) {
	case DOCTOR_DIRECTORY:
		return exists(d->site, "");
	case DOCTOR_DATABASE:
		return d->site->database != NULL ? exists(d->site, "") && !d->away
						 : exists(d->site, SITE_DATABASE);
	default:
		return true;
	}
}

static void
run_checks(struct doctor *d, const struct doctor_check *check)
{
	for (; check->run != NULL; check++)
		if (has(d, check->need))
			check->run(d);
}

int
doctor_run(const struct conf *conf, const struct options *o, int argc, char **argv)
{
	struct doctor d = { .conf = conf, .embedded = o->data != NULL };
	size_t looked_at = 0;
	char *text;

	if (argc > 0) {
		fprintf(stderr, "stet: %s is one word too many\n", argv[0]);
		return EXIT_USAGE;
	}
	d.findings = json_array();
	d.asked = json_object();
	run_checks(&d, doctor_of_machine);
	for (size_t i = 0; i < conf->site_count; i++) {
		d.site = &conf->sites[i];
		if (o->site != NULL && strcmp(d.site->name, o->site) != 0)
			continue;
		d.away = false;
		run_checks(&d, doctor_of_site);
		looked_at++;
	}
	if (looked_at == 0) {
		fprintf(stderr, "stet: there is no site %s\n", o->site);
		d.worst = STET_TROUBLE;
	} else if (!o->json)
		show(d.findings);
	else {
		text = json_text(d.findings);
		printf("{\"ok\":%s,\"findings\":%s}\n", d.worst < STET_WARNING ? "true" : "false",
		    text);
		free(text);
	}
	json_decref(d.findings);
	json_decref(d.asked);
	return d.worst < STET_WARNING ? EXIT_SUCCESS : EXIT_FAILURE;
}
