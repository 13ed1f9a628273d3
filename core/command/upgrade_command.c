/* upgrade_command.c - lists migrations that wait. */
#include "command/upgrade_command.h"
#include "command/print.h"
#include "db/reader.h"
#include "site/site.h"
#include <stdlib.h>
#include <string.h>

/* Says whether daemons of the version before may go on meanwhile. */
static void
conclude(const json_t *pending)
{
	bool additive = true;
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)pending, i, one) additive &=
	    json_is_true(json_object_get(one, "additive"));
	if (json_array_size(pending) == 0)
		puts("No migration waits.");
	else if (additive)
		puts("All of them are additive: other daemons of the site go on meanwhile.");
	else
		puts("Daemons of the version before do not go on with what is not additive.");
}

int
upgrade_run(const struct conf_site *conf, const struct options *o, int argc, char **argv)
{
	json_t *pending;
	char *why = NULL;
	bool good;

	if (argc != 1 || strcmp(argv[0], "--plan") != 0) {
		fputs("stet: say \"stet upgrade --plan\"; stetd itself upgrades when it starts\n",
		    stderr);
		return EXIT_USAGE;
	}
	pending = json_array();
	good = site_plan(conf, pending, &why);
	reader_close(NULL);
	if (good && o->json) {
		print_command_result(stdout, o, json_pack("{s:O}", "pending", pending));
	} else if (good) {
		json_t *list = json_pack("{s:O}", "items", pending);

		if (json_array_size(pending) > 0)
			print_columns(stdout, list, "module version name additive");
		json_decref(list);
		conclude(pending);
	} else
		fprintf(stderr, "stet: %s\n", why != NULL ? why : "the site cannot be opened");
	free(why);
	json_decref(pending);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
