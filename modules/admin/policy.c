/*
 * policy.c - the Content-Security-Policy of the pages: from where they load what.
 *
 * Scripts and styles come from the daemon alone, and no script makes markup of text (Trusted
 * Types; ProseMirror's policy hands pasted HTML to a document that is not shown). Pictures and
 * films may come from the bucket that keeps the files, where the daemon sends readers there, and
 * previews of items are shown in frames of the site, as pages of plugins are in frames of the
 * daemon, with a policy of their own (frames.c). These origins are of the configuration and of
 * the settings; one that is not a plain origin is left out, so that no value of a setting says
 * anything else in a policy.
 */
#include "admin.h"
#include <stet/file.h>
#include <stet/settings.h>
#include <string.h>

#define HOST_MAX 253
#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* ":8080", or nothing. */
static bool
is_port(const char *text, const char *end)
{
	size_t len = (size_t)(end - text);

	return len == 0 ||
	       (*text == ':' && len >= 2 && len <= 6 && strspn(text + 1, DIGITS) >= len - 1);
}

/* A name of ASCII letters, digits, hyphens and dots, or an address. */
static bool
is_authority(const char *text, const char *end)
{
	bool bracket = text < end && *text == '[';
	size_t len =
	    bracket ? strspn(text + 1, DIGITS "abcdefABCDEF:.") : strspn(text, DIGITS LETTERS "-.");

	if (len == 0 || len > HOST_MAX || (!bracket && strchr("-.", *text) != NULL))
		return false;
	text += len;
	if (bracket) {
		text++;
		if (text >= end || *text++ != ']')
			return false;
	}
	return text <= end && is_port(text, end);
}

/* The origin of an absolute URL, as it stands there; NULL if it is not plain. */
static const char *
origin_of(struct stet_call *call, const char *url)
{
	const char *host, *end;

	if (url == NULL)
		return NULL;
	if (strncmp(url, "https://", 8) == 0)
		host = url + 8;
	else if (strncmp(url, "http://", 7) == 0)
		host = url + 7;
	else
		return NULL;
	end = host + strcspn(host, "/?#");
	return is_authority(host, end) ? stet_strndup(call, url, (size_t)(end - url)) : NULL;
}

/* " https://www.example.org", or "" for none. */
static const char *
source(struct stet_call *call, const char *url)
{
	const char *origin = origin_of(call, url);

	return origin != NULL ? stet_printf(call, " %s", origin) : "";
}

enum stet_status
policy_make(struct stet_call *call, const char **out)
{
	const char *files = source(call, stet_file_origin(call));
	const char *base = source(call, stet_base_url(call)), *site;

	STET_TRY(stet_setting_text(call, "url", &site));
	site = source(call, site);
	if (strcmp(site, base) == 0)
		site = "";
	*out = stet_printf(call,
	    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
	    "img-src 'self' data: blob:%s; font-src 'self'; media-src 'self' blob:%s; frame-src 'self'%s%s; "
	    "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
	    "require-trusted-types-for 'script'; trusted-types ProseMirrorClipboard",
	    files, files, base, site);
	return STET_OK;
}
