/* keys.c - the keys of stet.conf about the bucket that stores a site's files. */
#include "keys.h"
#include <string.h>

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define DIGIT "0123456789"
#define PREFIX_MAX 200 /* with a module and a key it is within the 1024 bytes of a name */

static const char *const styles[] = { [S3_PATH] = "path", [S3_HOST] = "host", NULL };

/* Scheme, host and port. In lower case: the name of the host is signed as it is sent. */
static bool
good_endpoint(const char *text)
{
	const char *host = strncmp(text, "https://", 8) == 0  ? text + 8
			   : strncmp(text, "http://", 7) == 0 ? text + 7
							      : NULL;

	return host != NULL && strpbrk(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ*") == NULL &&
	       stet_conf_is_authority(host, strlen(host));
}

/* The rules of AWS for new buckets; the dots are for old ones. */
static bool
good_bucket(const char *text)
{
	size_t len = strlen(text);

	return len >= 3 && len <= 63 && strspn(text, LOWER DIGIT "-.") == len &&
	       strchr("-.", text[0]) == NULL && strchr("-.", text[len - 1]) == NULL &&
	       strstr(text, "..") == NULL;
}

static bool
good_region(const char *text)
{
	size_t len = strlen(text);

	return len > 0 && len <= 63 && strspn(text, LOWER DIGIT "-") == len;
}

/* Names between slashes. None begins with a dot, since clients would resolve "." and "..". */
static bool
good_prefix(const char *text)
{
	size_t len = strlen(text);

	return len > 0 && len <= PREFIX_MAX &&
	       strspn(text, LOWER DIGIT "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_./") == len &&
	       strchr("/.", text[0]) == NULL && text[len - 1] != '/' &&
	       strstr(text, "//") == NULL && strstr(text, "/.") == NULL;
}

static bool
good_file(const char *text)
{
	return *text != '\0';
}

const struct stet_conf_key keys_conf[KEYS_COUNT] = {
	{ "s3-endpoint", .good = good_endpoint,
	    .want = "the URL of an S3 service without a path"
		    " (https://s3.eu-central-1.amazonaws.com)" },
	{ "s3-bucket", .good = good_bucket,
	    .want = "a bucket: 3 to 63 small letters, digits, hyphens and dots" },
	{ "s3-region", .good = good_region, .want = "a region (us-east-1)" },
	{ "s3-prefix", .good = good_prefix,
	    .want = "names of ASCII letters, digits, -, _ and . with slashes between them" },
	{ "s3-style", STET_CONF_CHOICE, .fallback = "path", .want = "path or host",
	    .choices = styles },
	{ "s3-credentials-file", .good = good_file, .want = "a file" },
	{ "s3-redirect", STET_CONF_SWITCH },
	{ "s3-timeout", STET_CONF_SPAN, .fallback = "30s" },
};

struct s3_bucket
keys_bucket(const struct stet_conf *conf)
{
	return (struct s3_bucket){ .endpoint = stet_conf_text(conf, "s3-endpoint"),
		.name = stet_conf_text(conf, "s3-bucket"),
		.credentials_file = stet_conf_text(conf, "s3-credentials-file"),
		.region = stet_conf_text(conf, "s3-region"),
		.prefix = stet_conf_text(conf, "s3-prefix"),
		.ca = stet_conf_text(conf, "fetch-ca"),
		.style = (int)stet_conf_number(conf, "s3-style"),
		.timeout = stet_conf_number(conf, "s3-timeout") };
}

const char *
keys_check(const struct stet_conf *conf, bool used)
{
	const struct s3_bucket bucket = keys_bucket(conf);
	bool some =
	    bucket.endpoint != NULL || bucket.name != NULL || bucket.credentials_file != NULL;
	bool all =
	    bucket.endpoint != NULL && bucket.name != NULL && bucket.credentials_file != NULL;

	if (some && !all)
		return "s3-endpoint, s3-bucket and s3-credentials-file go together";
	if (used && !all)
		return "files = \"s3\" needs s3-endpoint, s3-bucket and s3-credentials-file";
	return NULL;
}
