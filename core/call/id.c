/* id.c - creates ULIDs. */
#include "call/id.h"
#include "base/clock.h"
#include "call/call.h"
#include <pthread.h>
#include <sodium.h>
#include <string.h>

/* A ULID has 48 bits of milliseconds and 80 random bits, in Crockford's base 32. Within one
 * millisecond the random part counts up, so that ids increase. */
void
id_make(char out[27])
{
	id_make_after(out, 0);
}

void
id_make_after(char out[27], int64_t floor)
{
	static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static uint64_t last, high,
	    low; /* high: 15 random bits and room for a carry; low: 64 bits */
	uint64_t now = (uint64_t)clock_now(), h, l;

	if (now <= (uint64_t)floor)
		now = (uint64_t)floor + 1;
	pthread_mutex_lock(&lock);
	if (now > last) {
		unsigned char seed[10];

		randombytes_buf(seed, sizeof(seed));
		memcpy(&low, seed, 8);
		high = (uint64_t)(seed[8] & 0x7f) << 8 | seed[9]; /* room for the carry */
		last = now;
	} else if (++low == 0)
		high++;
	now = last;
	h = high;
	l = low;
	pthread_mutex_unlock(&lock);
	for (int i = 9; i >= 0; i--, now >>= 5)
		out[i] = digits[now & 31];
	for (int i = 25; i >= 10; i--) {
		out[i] = digits[l & 31];
		l = l >> 5 | h << 59;
		h >>= 5;
	}
	out[26] = '\0';
}

char *
stet_id(struct stet_call *call)
{
	char *id = stet_alloc(call, 27);

	call->asked |= ASKED_ELSE;
	id_make_after(id, call->floor);
	return id;
}
