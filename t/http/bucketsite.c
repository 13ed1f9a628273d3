/* bucketsite.c - a site of a daemon whose files are in a bucket, or may be. */
#include "bucketsite.h"

#include "watcher.h"
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct bucket bucket;

static void
write_credentials(struct daemon *d)
{
	FILE *f = fopen(daemon_path(d, "s3-key"), "w");

	assert_non_null(f);
	(void)fprintf(f, "%s\n%s\n", BUCKET_ID, BUCKET_SECRET);
	(void)fclose(f);
	assert_int_equal(chmod(daemon_path(d, "s3-key"), 0600), 0);
}

void
bucketsite_write(struct daemon *d, const char *files, const char *more)
{
	char site[700];

	write_credentials(d);
	(void)snprintf(site, sizeof(site),
	    "files = \"%s\"\ns3-endpoint = \"http://127.0.0.1:%d\"\ns3-bucket = \"" BUCKET_NAME
	    "\"\ns3-region = \"" BUCKET_REGION "\"\ns3-prefix = \"site\"\n"
	    "s3-credentials-file = \"%s\"\n%s%s",
	    files, bucket.port, daemon_path(d, "s3-key"),
	    strstr(more, "file-cache") == NULL ? "file-cache = \"64KiB\"\n" : "", more);
	daemon_write_conf(d, WATCHED, site);
}

void
bucketsite_clear_cache(struct daemon *d)
{
	char path[400];
	const struct dirent *entry;
	DIR *dir = opendir(daemon_path(d, "data/file-cache"));

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		(void)snprintf(
		    path, sizeof(path), "%s/%s", daemon_path(d, "data/file-cache"), entry->d_name);
		if (entry->d_name[0] != '.')
			assert_int_equal(unlink(path), 0);
	}
	if (dir != NULL)
		closedir(dir);
}

const char *
bucketsite_key(const char *id)
{
	static char key[64];
	json_t *data = remote_must(&library.by_admin, 200, "GET", NULL, "/media/%s", id);

	(void)snprintf(
	    key, sizeof(key), "%s", text_of(json_object_get(data, "item"), "storageKey"));
	json_decref(data);
	return key;
}
