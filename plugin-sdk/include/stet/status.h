/* status.h - outcomes of calls, and the attributes that the SDK's declarations use. */
#ifndef STET_STATUS_H
#define STET_STATUS_H

#include <stdint.h>

#define STET_API __attribute__((visibility("default")))
#define STET_MUST __attribute__((warn_unused_result))
#define STET_FMT(f, a) __attribute__((format(printf, f, a)))

/* The outcome of a call: a number of the core, of a bundled module, or one that the host
 * assigned to a row of a module's table `statuses` when it loaded the module (stet_code). */
enum stet_status {
#define STET_STATUS(number, name, http, text) STET_##name = (number),
#include <stet/status.def>
#undef STET_STATUS
	/* Statuses of bundled modules that plugins return or compare. */
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
#define STET_VERDICT                                                                       \
	0x1u /* if a plugin's hook fails with it, the client sees its code and text. Other \
		failures of a hook are logged, and the client learns only that a hook failed */
#define STET_HOOK_FAILED 0x2u /* the status for all other failures of hooks; one on a site */

/* A status that a module brings. Its name is unique on a site: if two modules bring the same
 * name, the later one is not enabled. An op names the status of its faults (`fault` of struct
 * stet_op); a handler gets the number from stet_code. */
struct stet_status_def {
	const char
	    *name; /* "GUEST_BANNED": [A-Z][A-Z0-9_]*, at most 64; the `code` of the envelope */
	int http; /* 400 to 599 */
	const char *text; /* the text that clients read if the handler gives none */
	uint32_t flags;
	enum stet_status
	    number; /* for bundled modules with a constant for it; 0: the host assigns a number */
	/* New fields go here, and nowhere else. */
};

/* If expr fails, returns its status to the caller. The error is already recorded (see
 * stet_fail). */
#define STET_TRY(expr)                          \
	do {                                    \
		enum stet_status try_ = (expr); \
		if (try_ != STET_OK)            \
			return try_;            \
	} while (0)

/* The name of a status ("SLUG_CONFLICT"), its HTTP status, its default text. Never NULL: a
 * number that no loaded module brings is shown as INTERNAL_ERROR. */
STET_API const char *stet_status_name(enum stet_status);
STET_API int stet_status_http(enum stet_status);
STET_API const char *stet_status_text(enum stet_status);

#endif
