/* confs3.c - the keys of stet.conf about the bucket that keeps files of modules. */
#include "conf/confs3.h"
#include "base/words.h"
#include "conf/confhost.h"
#include <string.h>

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define DIGIT "0123456789"
#define PREFIX_MAX 200 /* with a module and a key it is within the 1024 bytes of a name */

const char *const confs3_styles[] = { "path", "host", NULL };

/* Scheme, host and port. In lower case: the name of the host is signed as it is sent. */
static bool
good_endpoint(const char *text)
{
	const char *host = strncmp(text, "https://", 8) == 0  ? text + 8
			   : strncmp(text, "http://", 7) == 0 ? text + 7
							      : NULL;

	return host != NULL && strpbrk(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ*") == NULL &&
	       confhost_authority(host, strlen(host));
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
good_style(const char *text)
{
	return strcmp(text, confs3_styles[CONF_S3_PATH]) == 0 ||
	       strcmp(text, confs3_styles[CONF_S3_HOST]) == 0;
}

const struct conf_check confs3_endpoint = { good_endpoint,
	"the URL of an S3 service without a path (https://s3.eu-central-1.amazonaws.com)" };
const struct conf_check confs3_bucket = { good_bucket,
	"a bucket: 3 to 63 small letters, digits, hyphens and dots" };
const struct conf_check confs3_region = { good_region, "a region (us-east-1)" };
const struct conf_check confs3_prefix = { good_prefix,
	"names of ASCII letters, digits, -, _ and . with slashes between them" };
const struct conf_check confs3_style = { good_style, "path or host" };

char *
confs3_check(const struct conf_site *site)
{
	bool some = site->s3_endpoint != NULL || site->s3_bucket != NULL ||
		    site->s3_credentials_file != NULL;
	bool all = site->s3_endpoint != NULL && site->s3_bucket != NULL &&
		   site->s3_credentials_file != NULL;

	if (some && !all)
		return words_format(
		    "site \"%s\": s3-endpoint, s3-bucket and s3-credentials-file go together",
		    site->name);
	if (!all && site->files != NULL && strcmp(site->files, "s3") == 0)
		return words_format("site \"%s\": files = \"s3\" needs s3-endpoint, s3-bucket and"
				    " s3-credentials-file",
		    site->name);
	return NULL;
}
