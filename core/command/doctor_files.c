/*
 * doctor_files.c - checks the bucket that keeps a site's files: it exists, accepts the key, and the
 * clocks agree.
 */
#include "command/doctor.h"
#include "files/s3.h"
#include <string.h>

void
doctor_files(struct doctor *d)
{
	const struct conf_site *site = d->site;
	bool used = site->files != NULL && strcmp(site->files, "s3") == 0;
	char said[S3_SAID];

	if (site->s3_endpoint == NULL)
		return;
	if (s3_probe(site, said))
		doctor_say(d, "files", STET_FINE, NULL, "the bucket %s at %s answers%s",
		    site->s3_bucket, site->s3_endpoint,
		    used ? "" : "; files are not kept there (files = \"directory\")");
	else
		doctor_say(d, "files", used ? STET_TROUBLE : STET_NOTE,
		    "Until it does, nothing can be uploaded, and only files of the cache are"
		    " served.",
		    "the bucket %s at %s: %s", site->s3_bucket, site->s3_endpoint, said);
}
