/* crowd.c - one request by sixteen clients at once. */
#include "crowd.h"
#include <stdio.h>

void
crowd_rush(struct crowd *c, const struct daemon *d, const char *method, const char *path,
    const char *const *bodies, int count, const char *headers)
{
	struct remote r[CROWD];

	for (int i = 0; i < CROWD; i++) {
		remote_open(&r[i], d, NULL);
		(void)snprintf(r[i].more, sizeof(r[i].more), "%sX-Forwarded-For: 192.0.2.%d\r\n",
		    headers, i + 1);
	}
	for (int i = 0; i < CROWD; i++)
		remote_say(&r[i], method, bodies[i % count], "%s", path);
	for (int i = 0; i < CROWD; i++) {
		struct answer a;

		remote_hear(&r[i], &a);
		c->http[i] = a.status;
		c->cookie[i] = answer_header(&a, "Set-Cookie") != NULL;
		(void)snprintf(c->said[i], sizeof(c->said[i]), "%s", a.body);
		answer_free(&a);
		remote_close(&r[i]);
	}
}

int
crowd_winner(const struct crowd *c, int http, const char *text, const char *other)
{
	int won = -1;

	for (int i = 0; i < CROWD; i++)
		if (c->http[i] == http && won < 0)
			won = i;
		else if (strstr(c->said[i], text) == NULL && strstr(c->said[i], other) == NULL)
			fail_msg("%d: %d %s", i, c->http[i], c->said[i]);
	assert_true(won >= 0);
	return won;
}

int
crowd_signed_in(const struct crowd *c)
{
	int count = 0;

	for (int i = 0; i < CROWD; i++) {
		assert_true(c->http[i] < 500);
		count += c->cookie[i];
	}
	return count;
}
