/* stumbler - the plugins stumbler and faller: enabling them fails half way. */
#include <stet/module.h>

static enum stet_status
stumble(struct stet_call *call, struct stet_tx *tx)
{
	return stet_exec(call, tx, "INSERT INTO no_such_table (id) VALUES (1)", STET_NO_ARGS);
}

static enum stet_status
fall(struct stet_call *call, void *state)
{
	(void)state;
	return stet_fail(call, STET_NOT_FOUND, NULL, "the floor is gone");
}

#ifdef FALLS
#define TABLE "faller_row"
#else
#define TABLE "stumbler_row"
#endif
static const struct stet_migration migrations[] = {
	{ 1, "a table", "CREATE TABLE " TABLE " (id INTEGER PRIMARY KEY)", NULL },
	{ 2, "a step into nothing", NULL, stumble },
};

#ifdef FALLS
STET_MODULE(faller) = {
	STET_MODULE_HEAD(faller),
	.migrations = { migrations, 1, sizeof(migrations[0]) },
	.state_size = 8,
	.open = fall,
};
enum stet_status (*const unused)(struct stet_call *, struct stet_tx *) = stumble;
#else
STET_MODULE(stumbler) = {
	STET_MODULE_HEAD(stumbler),
	.migrations = STET_TABLE(migrations),
};
enum stet_status (*const unused)(struct stet_call *, void *) = fall;
#endif
