/* thief.c - built like a bundled module, it declares names that belong to other modules: see TAKES
 * in plugins.mk. */
#include <stet/module.h>

static enum stet_status
run(struct stet_call *call)
{
	(void)call;
	return STET_OK;
}

static const struct stet_op ops[] = {
	{ "steal", "Steal", "Takes a route.", "GET /admin/plugins", 0, STET_READ, NULL, "admin",
	    NULL, NULL, run },
};
static const struct stet_op quiet[] = {
	{ "take", "Take", .lane = STET_READ, .scope = "admin", .run = run },
};
static const struct stet_command commands[] = { { "module list", "take", .about = "Takes." } };
static const struct stet_permission permissions[] = { { "plugins:manage", 10 } };
static const struct stet_status_def statuses[] = { { "PLUGIN_LIST_ERROR", 418, "Mine" } };
static const void *const anything;
static const struct stet_service_def services[] = { STET_SERVICE("loot/1", anything) };

#ifdef TAKES_ROUTE
STET_MODULE(route_thief) = {
	STET_MODULE_HEAD(route_thief),
	.ops = STET_TABLE(ops),
	.services = STET_TABLE(services),
};
const void *const unused[] = { permissions, statuses, quiet, commands };
#elif defined(TAKES_STATUS)
STET_MODULE(status_thief) = {
	STET_MODULE_HEAD(status_thief),
	.statuses = STET_TABLE(statuses),
};
const void *const unused[] = { permissions, ops, services, quiet, commands };
#elif defined(TAKES_COMMAND)
STET_MODULE(command_thief) = {
	STET_MODULE_HEAD(command_thief),
	.ops = STET_TABLE(quiet),
	.commands = STET_TABLE(commands),
};
const void *const unused[] = { permissions, ops, services, statuses };
#else
STET_MODULE(permission_thief) = {
	STET_MODULE_HEAD(permission_thief),
	.permissions = STET_TABLE(permissions),
};
const void *const unused[] = { ops, services, statuses, quiet, commands };
#endif
