/* confdatabase.c - the keys of stet.conf about databases: places, and what is refused. */
#include "conf/confdatabase.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct conf *
good(const char *text)
{
	char *why;
	struct conf *conf = conf_parse(text, "t.conf", &why);

	if (conf == NULL)
		fail_msg("refused: %s", why);
	return conf;
}

/* Checks that the text is refused for this reason, and that no password is told. */
static void
bad(const char *text, const char *what)
{
	char *why;

	if (conf_parse(text, "t.conf", &why) != NULL)
		fail_msg("accepted: %s", text);
	if (strncmp(why, "t.conf:", 7) != 0 || strstr(why, what) == NULL ||
	    strstr(why, "secret") != NULL)
		fail_msg("\"%s\": wanted \"%s\", got: %s", text, what, why);
	free(why);
}

#define DATA "data = \"/some d\"\n"
#define ENGINE "files-directory = \"/srv\"\ndatabase = "

static void
a_database_has_a_place_with_the_values_of_its_keys(void **state)
{
	static const struct {
		const char *lines, *place;
	} cases[] = {
		{ "data = \"/d\"", "/d/stet.db" },
		{ DATA ENGINE "\"postgresql:///stet\"",
		    "postgresql:///stet?stet_schema=stet_the_blog&stet_timeout=5000"
		    "&stet_directory=/some%20d/tmp" },
		{ DATA ENGINE "\"postgresql://u@h:5433/d?sslmode=require\"\n"
			      "database-schema = \"other\"\ndatabase-timeout = \"250ms\"\n"
			      "database-password-file = \"/run/a file&more\"",
		    "postgresql://u@h:5433/d?sslmode=require&stet_schema=other&stet_timeout=250"
		    "&stet_directory=/some%20d/tmp&stet_password_file=/run/a%20file%26more" },
	};
	char text[512], *place, *file;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct conf *conf;

		(void)snprintf(text, sizeof(text), "site \"the-blog\" {\n%s\n}\n", cases[i].lines);
		conf = good(text);
		place = confdatabase_place(&conf->sites[0]);
		file = confdatabase_file(&conf->sites[0]);
		assert_string_equal(place, cases[i].place);
		assert_true((file != NULL) == (i == 0));
		free(place);
		free(file);
		conf_free(conf);
	}
}

static void
a_database_without_all_it_takes_is_refused(void **state)
{
	static const struct {
		const char *lines, *what;
	} cases[] = {
		{ ENGINE "\"mysql://h/d\"", "database: the URI must begin with postgresql://" },
		{ ENGINE "\"postgres://u:secret@h/d\"", "must begin with postgresql://" },
		{ ENGINE "\"postgresql:stet\"", "must begin with postgresql://" },
		{ ENGINE "\"postgresql:///a b\"", "must not hold blanks" },
		{ ENGINE "\"postgresql://u:secret@h/d\"", "must not hold a password" },
		{ ENGINE "\"postgresql://u:p?secret@h/d\"", "must not hold a password" },
		{ ENGINE "\"postgresql:///d?password=secret\"", "must not hold a password" },
		{ ENGINE "\"postgresql:///d?a=b&pass%77ord=secret\"", "must not hold a password" },
		{ ENGINE "\"postgresql:///d?sslpassword=secret\"", "must not hold a password" },
		{ ENGINE "\"postgresql:///d?stet_timeout=0\"", "must not begin with stet_" },
		{ ENGINE "\"postgresql:///d\"\ndatabase-schema = \"Main\"",
		    "database-schema: \"Main\" is not a name of at most 63" },
		{ ENGINE "\"postgresql:///d\"\ndatabase-schema = \"pg_x\"", "is not a name" },
		{ ENGINE "\"postgresql:///d\"\ndatabase-schema = \"1x\"", "is not a name" },
		{ ENGINE "\"postgresql:///d\"\ndatabase-connections = 0", "between 1 and 1000" },
		{ "database-password-file = \"/p\"", "there is no database" },
		{ "database-schema = \"s\"", "there is no database" },
		{ "database = \"postgresql:///d\"", "files: with a database in PostgreSQL" },
		{ "database = \"postgresql:///d\"\nfiles = \"directory\"", "files-directory" },
		{ "data = \"/d\"\nfiles-directory = \"/d/files\"", "not be in the data directory" },
		{ "data = \"/d\"\nfiles-directory = \"/d/\"", "not be in the data directory" },
		{ "files-directory = \"files\"", "the absolute path of a directory" },
	};
	char text[512];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		(void)snprintf(text, sizeof(text), "site \"a\" {\n%s\n}\n", cases[i].lines);
		bad(text, cases[i].what);
	}
	(void)snprintf(
	    text, sizeof(text), "site \"%063d\" {\n" ENGINE "\"postgresql:///d\"\n}\n", 0);
	memcpy(strchr(text, '0'), "a", 1);
	bad(text, "set database-schema");
}

static void
sites_share_neither_tables_nor_files(void **state)
{
	(void)state;
	conf_free(good("site a {\nhosts = { \"a\" }\n" ENGINE "\"postgresql:///d\"\n}\n"
		       "site b {\nhosts = { \"b\" }\ndatabase = \"postgresql:///d\"\n"
		       "files-directory = \"/srv2\"\n}\n"));
	bad("site a {\nhosts = { \"a\" }\n" ENGINE "\"postgresql:///d\"\n}\n"
	    "site b {\nhosts = { \"b\" }\ndatabase = \"postgresql:///d\"\n"
	    "database-schema = \"stet_a\"\nfiles-directory = \"/srv2\"\n}\n",
	    "database-schema: it is that of \"a\"");
	bad("site a {\nhosts = { \"a\" }\nfiles-directory = \"/srv\"\n}\n"
	    "site b {\nhosts = { \"b\" }\nfiles-directory = \"/srv/\"\n}\n",
	    "files-directory: it is that of \"a\"");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_database_has_a_place_with_the_values_of_its_keys),
		cmocka_unit_test(a_database_without_all_it_takes_is_refused),
		cmocka_unit_test(sites_share_neither_tables_nor_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
