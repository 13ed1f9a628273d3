/* doctor_machine.c - clock, descriptors, certificates, modules. */
#include "base/clock.h"
#include "command/certificate.h"
#include "command/doctor.h"
#include "module/module.h"
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/timex.h>

#define BUILT_MS 1767225600000 /* 2026-01-01: a clock before this date is wrong */
#define OTHER_FILES 512 /* file descriptors needed besides connections */

static void
check_clock(struct doctor *d)
{
	struct timex t = { 0 };
	int state = adjtimex(&t);
	char now[CLOCK_TEXT_SIZE];

	clock_text(clock_now(), now);
	if (clock_now() < BUILT_MS)
		doctor_say(d, "clock", STET_TROUBLE,
		    "Set it, and let NTP keep it: tokens, schedules and records go by it.",
		    "it says %s", now);
	else if (state == TIME_ERROR || (t.status & STA_UNSYNC) != 0)
		doctor_say(d, "clock", STET_NOTE,
		    "Let chrony or systemd-timesyncd keep it, unless the host does.",
		    "it says %s, and nothing on this machine keeps it", now);
	else
		doctor_say(d, "clock", STET_FINE, NULL, "%s", now);
}

static void
check_files(struct doctor *d)
{
	unsigned long want = (unsigned long)d->conf->max_connections + OTHER_FILES;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < want)
		doctor_say(d, "descriptors", STET_NOTE,
		    "The daemon lets in as many as fit. More with LimitNOFILE in its unit; this is"
		    " the limit of this shell.",
		    "%lu may be open, and %d connections want about %lu",
		    (unsigned long)limit.rlim_max, d->conf->max_connections, want);
	else
		doctor_say(d, "descriptors", STET_FINE, NULL, "%d connections fit",
		    d->conf->max_connections);
}

/* ---- certificates ---- */

#define SOON_MS (14LL * 86400000)

void
doctor_certificate(struct doctor *d, const char *path, char *const *hosts)
{
	char *why = NULL, until[CLOCK_TEXT_SIZE];
	struct certificate *c = certificate_read(path, &why);
	int64_t left;

	if (c == NULL) {
		doctor_say(d, "certificate", STET_TROUBLE,
		    "The daemon goes on with the one it had, until it is restarted.", "%s", why);
		free(why);
		return;
	}
	left = certificate_until(c) - clock_now();
	clock_text(certificate_until(c), until);
	for (; hosts != NULL && *hosts != NULL; hosts++)
		if (strcmp(*hosts, "*") != 0 && !certificate_for(c, *hosts))
			doctor_say(d, "certificate", STET_WARNING,
			    "Have one made that names it, too.", "%s is not for %s", path, *hosts);
	if (left <= 0)
		doctor_say(d, "certificate", STET_TROUBLE, "Renew it, and send SIGHUP.",
		    "%s ended at %s", path, until);
	else if (left < SOON_MS)
		doctor_say(d, "certificate", STET_WARNING, "Renew it, and send SIGHUP.",
		    "%s ends at %s", path, until);
	else
		doctor_say(d, "certificate", STET_FINE, NULL, "%s is good until %s", path, until);
	certificate_free(c);
}

static void
check_certificate(struct doctor *d)
{
	if (d->conf->tls_certificate != NULL)
		doctor_certificate(d, d->conf->tls_certificate, NULL);
}

/* ---- modules ---- */

static void
tell_refusal(const struct module_refusal *r, void *arg)
{
	doctor_say(arg, "modules", STET_WARNING,
	    "Install one that fits this version, or remove it.", "%s is refused: %s", r->path,
	    r->reason);
}

static void
check_modules(struct doctor *d)
{
	size_t before = json_array_size(d->findings);

	modules_refused(tell_refusal, d);
	if (json_array_size(d->findings) == before)
		doctor_say(d, "modules", STET_FINE, NULL, "%zu are loaded", modules_count());
}

const struct doctor_check doctor_of_machine[] = {
	{ check_clock, DOCTOR_NOTHING },
	{ check_files, DOCTOR_NOTHING },
	{ check_certificate, DOCTOR_NOTHING },
	{ check_modules, DOCTOR_NOTHING },
	{ 0 },
};
