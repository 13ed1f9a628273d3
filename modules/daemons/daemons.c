/* daemons.c - the daemons that serve a site, and its database, for administrators. */
#include <stet/daemons.h>
#include <stet/module.h>

static enum stet_status
daemons_list(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	json_t *items = stet_daemons(call);

	if (items == NULL)
		return stet_error_status(call);
	stet_object(out, NULL);
	stet_put_json(out, "items", items);
	stet_close(out);
	return STET_OK;
}

static enum stet_status
database_status(struct stet_call *call)
{
	json_t *all = stet_database(call), *items = all != NULL ? stet_daemons(call) : NULL;

	if (items == NULL)
		return stet_error_status(call);
	json_object_set(all, "daemons", items);
	stet_put_json(stet_reply(call), NULL, all);
	return STET_OK;
}

static const struct stet_member none[] = { { 0 } };

static const struct stet_member daemon_out[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "New with each start" },
	{ "name", STET_STRING, STET_REQUIRED, .about = "As stet.conf or its machine names it" },
	{ "version", STET_STRING, STET_REQUIRED, .about = "Its version" },
	{ "startedAt", STET_TIME, STET_REQUIRED, .about = "When it started" },
	{ "seenAt", STET_TIME, STET_REQUIRED, .about = "When it last said that it lives" },
	{ "isSelf", STET_BOOLEAN, STET_REQUIRED, .about = "It answers this request" },
	{ "leases", STET_ARRAY, STET_REQUIRED, .about = "Work that it alone does now",
	    .item = STET_STRING },
	{ "lacks", STET_ARRAY, STET_REQUIRED,
	    .about = "Modules that the site uses, and this daemon does not have",
	    .item = STET_STRING },
	{ "indexLag", STET_INTEGER,
	    .about = "Changes that its search index does not show yet; with PostgreSQL" },
	{ "clockOffsetMs", STET_INTEGER,
	    .about =
		"By how much the clock of the daemon that answers is ahead of the database's" },
	{ 0 },
};
static const struct stet_member list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .about = "The daemons, the oldest first",
	    .of = daemon_out },
	{ 0 },
};
static const struct stet_member connections_out[] = {
	{ "active", STET_INTEGER, .about = "Running a statement" },
	{ "idle", STET_INTEGER, .about = "Waiting for one" },
	{ "inTransaction", STET_INTEGER, .about = "Waiting in a transaction" },
	{ "other", STET_INTEGER, .about = "In another state" },
	{ 0 },
};
static const struct stet_member database_out[] = {
	{ "engine", STET_STRING, STET_REQUIRED, .about = "SQLite or PostgreSQL" },
	{ "version", STET_STRING, STET_REQUIRED, .about = "Of the engine" },
	{ "place", STET_STRING, STET_REQUIRED, .about = "Where it is, without a password" },
	{ "schema", STET_STRING, .about = "The site's schema in it" },
	{ "bytes", STET_INTEGER, STET_REQUIRED, .about = "Size of what belongs to the site" },
	{ "logBytes", STET_INTEGER, .about = "Size of the log beside a file" },
	{ "state", STET_INTEGER, .about = "Number of the last write" },
	{ "connections", STET_OBJECT, .about = "Connections of daemons, by state",
	    .of = connections_out },
	{ "maxConnections", STET_INTEGER, .about = "Connections that the server has room for" },
	{ "clockOffsetMs", STET_INTEGER,
	    .about = "By how much the clock of this machine is ahead of the database's" },
	{ "daemons", STET_ARRAY, STET_REQUIRED, .about = "As daemons_list has them",
	    .of = daemon_out },
	{ 0 },
};

static const struct stet_op ops[] = {
	{ "daemons_list", "List Daemons",
	    .about =
		"The daemons that serve the site: several may, if its database is in PostgreSQL.",
	    .route = "GET /admin/daemons", .lane = STET_SLOW, .permission = "daemons:read",
	    .in = none, .out = list_out, .run = daemons_list },
	{ "database_status", "Database Status",
	    .about = "The engine, size, connections and daemons of the site's database.",
	    .lane = STET_SLOW, .permission = "daemons:read", .in = none, .out = database_out,
	    .run = database_status },
};

static const struct stet_command commands[] = {
	{ "database status", "database_status",
	    .about = "Show a site's database: engine, place, size, connections, daemons." },
};

static const struct stet_permission permissions[] = {
	{ "daemons:read", 50 },
};

static const char *const needs[] = { "auth", NULL };

STET_MODULE(daemons) = {
	STET_MODULE_HEAD(daemons),
	.version = "1.0",
	.summary = "The daemons of a site and its database, for administrators",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.commands = STET_TABLE(commands),
	.permissions = STET_TABLE(permissions),
};
