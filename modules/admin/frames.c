/*
 * frames.c - files of the pages and field widgets that plugins add. Their policy gives them an
 * origin of their own even if somebody opens their address in a tab: their scripts have no cookie,
 * no storage and no API, and load nothing but files of their plugin. What they do they ask of the
 * page around them, by messages (web/frames).
 */
#include "admin.h"
#include <stet/file.h>
#include <stet/pages.h>
#include <string.h>
#include <sys/stat.h>

#define HOST_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:"

/* The plugin's files as sources of a policy. A document of an origin of its own has no 'self', so
 * the host is named: as the site is known, and as it was asked for here. */
static const char *
sources(struct stet_call *call, const char *plugin)
{
	const char *host = stet_request_header(call, "host"), *base = stet_base_url(call);
	const char *out = stet_printf(call, "%s" FRAME_FILES "/%s/", base, plugin);

	if (host != NULL && *host != '\0' && host[strspn(host, HOST_CHARACTERS)] == '\0')
		out = stet_printf(call, "%s %s" FRAME_FILES "/%s/", out, host, plugin);
	return out;
}

/* 'self' of frame-ancestors is the origin that the document came from. */
static const char *
policy(struct stet_call *call, const char *plugin)
{
	const char *own = sources(call, plugin);

	return stet_printf(call,
	    "sandbox allow-scripts allow-forms; default-src 'none'; script-src %s; style-src %s; "
	    "img-src %s; font-src %s; connect-src 'none'; form-action 'none'; base-uri 'none'; "
	    "frame-ancestors 'self'",
	    own, own, own, own);
}

enum stet_status
frame_file(struct stet_call *call)
{
	const char *plugin = stet_arg(call, "plugin"), *folder = stet_arg(call, "folder"),
		   *file = stet_arg(call, "file");
	struct stet_file_answer answer = { .type = type_of_file(file),
		.show = STET_FILE_SHOW,
		/* A new version of the plugin has files of the same names. */
		.cache = "no-cache" };
	struct stat st;
	int fd;

	if (answer.type == NULL)
		return stet_fail(call, STET_NOT_FOUND, NULL, "File not found");
	STET_TRY(stet_page_file(
	    call, plugin, folder != NULL ? stet_printf(call, "%s/%s", folder, file) : file, &fd));
	if (fstat(fd, &st) == 0)
		answer.tag = stet_printf(call, "%llx-%llx-%llx-%llx", (unsigned long long)st.st_ino,
		    (unsigned long long)st.st_size, (unsigned long long)st.st_mtim.tv_sec,
		    (unsigned long long)st.st_mtim.tv_nsec);
	answer.policy = policy(call, plugin);
	/* The policy names the host that it was asked for. */
	stet_header(call, "Vary", "Host");
	return stet_reply_file(call, fd, &answer);
}
