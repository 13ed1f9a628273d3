/*
 * check.h - what a module looks at for `stet doctor`, which administrators run when something seems
 * wrong: is what the module depends on there, and is what it does being done?
 */
#ifndef STET_CHECK_H
#define STET_CHECK_H

#include <stet/call.h>

/* How bad a finding is. The exit status of `stet doctor` is 1 when there is a warning or worse. */
enum stet_grade { STET_FINE, STET_NOTE, STET_WARNING, STET_TROUBLE };

#define STET_CHECK_SECONDS 10 /* that a check has when its row says nothing else */
#define STET_CHECK_SECONDS_MAX 300
#define STET_FINDINGS_MAX 100 /* of one check; those beyond are left out */

/*
 * A check, for the table `checks` of a module's descriptor. It is run for each site where the
 * module is enabled, by `stet doctor`, in a process of its own beside the daemon: one that crashes
 * or takes longer than `seconds` is a finding, and the other checks are run all the same.
 *
 * `run` has a call of the slow lane as an administrator. It may query the database, read settings,
 * and ask other machines (stet_fetch). Nothing is written: stet_write_lane fails. What it finds it
 * says with stet_finding, also that all is fine. When it fails itself, that is a finding too.
 */
struct stet_check {
	const char *name; /* "mail-server": [a-z][a-z0-9_-]*, at most 64, unique in the module.
			     `stet doctor` shows a plugin's as <id>/<name> */
	enum stet_status (*run)(struct stet_call *);
	uint32_t seconds; /* that it may take, at most STET_CHECK_SECONDS_MAX; 0:
			     STET_CHECK_SECONDS */
	/* It looks at the machine rather than at the site: it is run once, on the first site where
	 * the module is enabled, and its findings name no site. */
	bool machine;
	/* New fields go here, and nowhere else. */
};

/* Say one finding: what is so (a line of text), and what to do about it (NULL: nothing). Of a check
 * only; in any other call it does nothing. */
STET_API void stet_finding(
    struct stet_call *, enum stet_grade, const char *advice, const char *fmt, ...) STET_FMT(4, 5);

#endif
