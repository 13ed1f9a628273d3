/* status.h - outcomes of calls, and the attributes that the SDK's declarations use. */
#ifndef STET_STATUS_H
#define STET_STATUS_H

#include <stdint.h>

#define STET_API __attribute__((visibility("default")))
#define STET_MUST __attribute__((warn_unused_result))
#define STET_FMT(f, a) __attribute__((format(printf, f, a)))

/* How a call ended: a number of the core, of a bundled module, or one that the host gave to a row
 * of a module's table `statuses` when it loaded the module (stet_code). */
enum stet_status {
#define STET_STATUS(number, name, http, text) STET_##name = (number),
#include <stet/status.def>
#undef STET_STATUS
	/* Statuses of bundled modules that plugins fail with, or compare. */
	STET_DELETE_BLOCKED = 13,
	STET_COLLECTION_NOT_FOUND = 28,
	STET_FIELD_NOT_FOUND = 29,
	STET_SLUG_CONFLICT = 33,
	STET_COLLECTION_EXISTS = 34,
	STET_FIELD_EXISTS = 35,
	STET_SAVE_REJECTED = 41,
	STET_CONTENT_LIST_ERROR = 45,
	STET_CONTENT_GET_ERROR = 46,
	STET_CONTENT_HOOK_ERROR = 50,
	STET_COMMENT_REJECTED = 112,
};

/* Flags of a status. */
#define STET_VERDICT                                                                        \
	0x1u /* what a plugin's hook says with it is for the client. What a hook fails with \
		otherwise is logged, and the client learns no more than that a hook failed */
#define STET_HOOK_FAILED 0x2u /* stands for hooks that failed otherwise; one on a site */

/*
 * A status that a module brings. Its name is unique on a site: of two modules that bring the same,
 * the later one is not enabled. An op names the one of its faults (`fault` of struct stet_op), a
 * handler gets its number from stet_code.
 */
struct stet_status_def {
	const char
	    *name; /* "GUEST_BANNED": [A-Z][A-Z0-9_]*, at most 64; the `code` of the envelope */
	int http; /* 400 to 599 */
	const char *text; /* what clients read if the handler says nothing else */
	uint32_t flags;
	enum stet_status number; /* for rows of bundled modules that have a constant; 0: any */
	/* New fields go here, and nowhere else. */
};

/* Return what went wrong to the caller; the detail is already recorded (see stet_fail). */
#define STET_TRY(expr)                          \
	do {                                    \
		enum stet_status try_ = (expr); \
		if (try_ != STET_OK)            \
			return try_;            \
	} while (0)

/* The name of a status ("SLUG_CONFLICT"), its HTTP status, its default text. Never NULL: a number
 * that no loaded module brings reads as INTERNAL_ERROR. */
STET_API const char *stet_status_name(enum stet_status);
STET_API int stet_status_http(enum stet_status);
STET_API const char *stet_status_text(enum stet_status);

#endif
