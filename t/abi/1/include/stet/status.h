/* status.h - outcomes of calls, and the attributes that the SDK's declarations use. */
#ifndef STET_STATUS_H
#define STET_STATUS_H

#define STET_API __attribute__((visibility("default")))
#define STET_MUST __attribute__((warn_unused_result))
#define STET_FMT(f, a) __attribute__((format(printf, f, a)))

enum stet_status {
#define STET_STATUS(name, http, level, text) STET_##name,
#include <stet/status.def>
#undef STET_STATUS
	STET_STATUS_COUNT
};

/* Return what went wrong to the caller; the detail is already recorded (see stet_fail). */
#define STET_TRY(expr)                          \
	do {                                    \
		enum stet_status try_ = (expr); \
		if (try_ != STET_OK)            \
			return try_;            \
	} while (0)

/* The wire name of a status ("SLUG_CONFLICT"), its HTTP status, its default text. Never NULL. */
STET_API const char *stet_status_name(enum stet_status);
STET_API int stet_status_http(enum stet_status);
STET_API const char *stet_status_text(enum stet_status);

#endif
