/*
 * beacon.h - beacons: short texts of a site that are true for some seconds, such as who has an item
 * open. They are in memory, and written to no backup, journal or feed. Daemons that share a site
 * tell one another theirs about once a second.
 */
#ifndef STET_BEACON_H
#define STET_BEACON_H

#include <stet/call.h>

#define STET_BEACON_KEY_MAX 300 /* bytes */
#define STET_BEACON_TEXT_MAX 1000 /* bytes */
#define STET_BEACON_LIFE_MAX 60000 /* milliseconds */
#define STET_BEACONS_MAX 2000 /* of a site, in each daemon */

struct stet_beacon {
	const char *key, *text; /* owned by the call */
	/* New fields go here, and nowhere else. */
};

/* Sets the beacon of this key for so many milliseconds, from any lane; 0 removes it. Begin keys
 * with the name of the module. If it is new, gone or has another text, parked calls run again
 * (stet_wait), like after a commit. Fails with UNAVAILABLE if there are too many, and with
 * VALIDATION_ERROR if the text is too long. */
STET_API STET_MUST enum stet_status stet_beacon_set(
    struct stet_call *, const char *key, const char *text, int64_t life_ms);
/* Returns the number of beacons whose keys begin with `prefix`, in the order of their keys; *out is
 * an array of that many pointers, owned by the call. */
STET_API size_t stet_beacons(
    struct stet_call *, const char *prefix, const struct stet_beacon *const **out);

#endif
