/* dawdler - a module whose reads take their time; each answers which one it was. */
#include <stdatomic.h>
#include <stet/module.h>
#include <string.h>
#include <time.h>

static atomic_long order;

static enum stet_status
dawdle(struct stet_call *call, long us)
{
	struct timespec begun, now;

	clock_gettime(CLOCK_MONOTONIC, &begun);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - begun.tv_sec) * 1000000 + (now.tv_nsec - begun.tv_nsec) / 1000 < us);
	stet_put_int(stet_reply(call), NULL, atomic_fetch_add(&order, 1));
	return STET_OK;
}

static enum stet_status
take_long(struct stet_call *call)
{
	return dawdle(call, 100000);
}

static enum stet_status
take_short(struct stet_call *call)
{
	return dawdle(call, 50);
}

/* As the body says, which is what it is known by: as long as the request of another body. */
static enum stet_status
take_either(struct stet_call *call)
{
	size_t len;

	return strstr(stet_body(call, &len), "long") != NULL ? take_long(call) : take_short(call);
}

static enum stet_lane
choose_either(struct stet_call *call)
{
	size_t len;
	const char *body = stet_body(call, &len);

	stet_alike(call, "either", body, len);
	return STET_READ;
}

static const struct stet_op ops[] = {
	{ "dawdler_either", "One or the other", .route = "POST /dawdle/either",
	    .flags = STET_PUBLIC | STET_RAW, .lane = STET_READ, .run = take_either,
	    .choose = choose_either },
	{ "dawdler_long", "A long read", .route = "GET /dawdle/long", .flags = STET_PUBLIC,
	    .lane = STET_READ, .run = take_long },
	{ "dawdler_short", "A short one", .route = "GET /dawdle/short", .flags = STET_PUBLIC,
	    .lane = STET_READ, .run = take_short },
};

STET_MODULE(dawdler) = {
	STET_MODULE_HEAD(dawdler),
	.version = "1.0",
	.summary = "Reads that take their time",
	.ops = STET_TABLE(ops),
};
