/*
 * check.h - a module's checks for `stet doctor`, which administrators run when something seems
 * wrong: are the module's dependencies available, and does its work get done?
 */
#ifndef STET_CHECK_H
#define STET_CHECK_H

#include <stet/call.h>

/* How bad a finding is. The exit status of `stet doctor` is 1 when there is a warning or worse. */
enum stet_grade { STET_FINE, STET_NOTE, STET_WARNING, STET_TROUBLE };

#define STET_CHECK_SECONDS 10 /* default time limit of a check */
#define STET_CHECK_SECONDS_MAX 300
#define STET_FINDINGS_MAX 100 /* findings of one check; further ones are dropped */

/*
 * A check, for the table `checks` of a module's descriptor. `stet doctor` runs it for each site
 * where the module is enabled, in a process of its own beside the daemon. A crash, or exceeding
 * `seconds`, is a finding, and the other checks still run.
 *
 * `run` gets a call of the slow lane as an administrator. It may query the database, read settings,
 * and send requests to other machines (stet_fetch). It cannot write: stet_write_lane fails. It
 * reports its findings with stet_finding, including that all is well. If it fails, that is a
 * finding too.
 */
struct stet_check {
	const char *name; /* "mail-server": [a-z][a-z0-9_-]*, at most 64, unique in the module.
			     `stet doctor` shows a plugin's as <id>/<name> */
	enum stet_status (*run)(struct stet_call *);
	uint32_t seconds; /* that it may take, at most STET_CHECK_SECONDS_MAX; 0:
			     STET_CHECK_SECONDS */
	/* The check is about the machine, not the site: it runs once, on the first site where the
	 * module is enabled, and its findings name no site. */
	bool machine;
	/* New fields go here, and nowhere else. */
};

/* Reports one finding: a line of text, and advice what to do about it (NULL: none). Only for
 * checks; in any other call it does nothing. */
STET_API void stet_finding(
    struct stet_call *, enum stet_grade, const char *advice, const char *fmt, ...) STET_FMT(4, 5);

#endif
