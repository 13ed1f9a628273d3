/* confdriver.c - drivers that stet.conf asks for. A function of this test finds them. */
#include "conf/confdriver.h"
#include "base/arena.h"
#include "conf/conf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Finds drivers "twin" of both kinds, which bring the same key; no other names. */
static const struct conf_driver *
find_twin(const char *modules, const char *plugins, const char *file, char **why)
{
	static const struct conf_key keys[] = { { "twin-x", CONF_TEXT, 0, &confcheck_some },
		{ .name = NULL } };
	static const struct conf_driver twins[] = {
		{ .keys = keys, .kind = CONF_FILES, .name = "twin" },
		{ .keys = keys, .kind = CONF_MAIL, .name = "twin" }
	};
	(void)modules;
	(void)plugins;

	if (strcmp(file, "files-broken") == 0)
		*why = xstrdup("it cannot be opened");
	return strcmp(file, "files-twin") == 0  ? &twins[0]
	       : strcmp(file, "mail-twin") == 0 ? &twins[1]
						: NULL;
}

static void
must_say(const char *text, const char *error)
{
	char *why;

	assert_null(conf_parse(text, "t.conf", &why));
	assert_string_equal(why, error);
	free(why);
}

static void
drivers_of_both_kinds_may_not_share_a_key(void **state)
{
	(void)state;
	must_say("site \"a\" {\ntwin-x = \"y\"\n}\n",
	    "t.conf: the driver mail-twin: files-twin brings the key twin-x, too");
}

static void
a_driver_that_cannot_be_loaded_is_named(void **state)
{
	(void)state;
	must_say("site \"a\" {\nbroken-x = \"y\"\n}\n",
	    "t.conf: the driver files-broken: it cannot be opened");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drivers_of_both_kinds_may_not_share_a_key),
		cmocka_unit_test(a_driver_that_cannot_be_loaded_is_named),
	};

	confdriver_set(find_twin);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
