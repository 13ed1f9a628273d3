/* stet.c - the administrator's command: opens a site and runs commands on it, beside the daemon. */
#include "base/dir.h"
#include "base/log.h"
#include "call/call.h"
#include "call/shape.h"
#include "call/site.h"
#include "command/arguments.h"
#include "command/backup_command.h"
#include "command/command.h"
#include "command/copy.h"
#include "command/disable.h"
#include "command/doctor.h"
#include "command/init.h"
#include "command/key.h"
#include "command/login.h"
#include "command/mail.h"
#include "command/print.h"
#include "command/remote.h"
#include "command/restore_command.h"
#include "command/upgrade_command.h"
#include "command/verify.h"
#include "conf/conf.h"
#include "conf/confdatabase.h"
#include "conf/confdriver.h"
#include "db/ask.h"
#include "db/db.h"
#include "db/reader.h"
#include "installdirs.h"
#include "module/driver.h"
#include "module/module.h"
#include "site/site.h"
#include "site/suspension.h"
#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

/* A command of the core itself: its argv begins after its name, of one word or two. */
struct builtin {
	const char *name, *usage, *about, *details;
	int (*run)(struct site *, const struct options *, int argc, char **argv);
	bool creates; /* may create the site's database */
	/* Runs on a site that is not opened. If there is also `run`, this one runs if arguments
	 * follow. */
	int (*apart)(const struct conf_site *, const struct options *, int argc, char **argv);
	/* Runs on the configuration with all its sites. */
	int (*whole)(const struct conf *, const struct options *, int argc, char **argv);
	bool alone; /* some of its forms need no site */
	const struct stet_member *in; /* arguments of `apart` */
	const char *operands; /* operands among these; NULL: file */
	/* Runs without a configuration. If there is also `run`, this one runs if --site is a URL.
	 */
	int (*away)(const struct options *, int argc, char **argv);
};

/* ---- init ---- */

/* The state of the process before the site was opened. */
static bool had_directory, had_database;

static int
run_init(struct site *site, const struct options *o, int argc, char **argv)
{
	json_t *result, *modules = json_array();
	struct generation *gen;
	int status;

	gen = site_generation(site);
	for (size_t i = 0; i < gen->module_count; i++)
		json_array_append_new(modules, json_string(gen->module[i]->m.name));
	generation_put(gen);
	result = json_pack("{s:s, s:s, s:s, s:b, s:b, s:o}", "site", site->conf.name, "data",
	    site->conf.data, "database",
	    site->db_file != NULL ? site->db_file : site->conf.database, "createdDirectory",
	    !had_directory, "createdDatabase", !had_database, "modules", modules);
	status = init_modules(site, argc, argv, result);
	if (status == EXIT_SUCCESS)
		print_command_result(stdout, o, result);
	else
		json_decref(result);
	return status;
}

/* ---- help ---- */

static int run_help(struct site *, const struct options *, int, char **);

static const struct builtin builtins[] = {
	{ "init", "[--public-search WHO]", "Make a site's directory, database and tables.",
	    "Options are of modules. --public-search all: everybody finds what is published, without\n"
	    "credentials.\n",
	    run_init, true },
	{ "call", "[--site URL] OP [key=value …] | OP --input JSON | --list",
	    "Run any operation of a site, and print the JSON it answers.",
	    "It runs on this machine as the site's administrator. With a URL it runs over HTTP as who\n"
	    "has signed in by \"stet login\", or with the token in the environment, STET_TOKEN.\n"
	    "Values are read by the operation's shape: lists are parted by commas, objects are "
	    "JSON.\n--input takes JSON itself, - for standard input, or @FILE.\n"
	    "\"stet help call OP\" tells what one takes.\n",
	    command_call, false, .away = remote_call },
	{ "login", "[URL [--scope SCOPES]]",
	    "Sign in to a site by its URL, for \"stet call --site URL\"; list where you are signed in.",
	    "A browser has to agree: the command shows a page and a code. SCOPES are separated by\n"
	    "blanks; without them it asks for all but admin. The tokens are kept in\n"
	    "~/.config/stet/logins.json, which only you may read.\n",
	    .away = login_run },
	{ "logout", "URL", "Sign out of a site: end the tokens there, and forget them here.", NULL,
	    .away = logout_run },
	{ "backup", NULL, "Make an archive of a site, which goes on meanwhile.", NULL,
	    .apart = backup_run, .alone = true, .in = backup_in },
	{ "restore", NULL, "Put a site back from a backup.",
	    "It is unpacked beside the site, looked through, and switched in at the end.\n",
	    .apart = restore_run, .in = restore_in },
	{ "database copy", NULL,
	    "Copy a site's database into PostgreSQL, or into a file of SQLite.",
	    "Nothing else may write to the site meanwhile. Rows are counted and compared. The site stays\n"
	    "where it is until database in stet.conf names the copy.\n",
	    .apart = copy_run, .in = copy_in },
	{ "key", NULL, "Change the key of a site, with which its secrets are sealed.",
	    "What another key than the site's has sealed can never be opened again.\n",
	    .apart = key_run, .alone = true, .in = key_in, .operands = "what file" },
	{ "mail", NULL, "Try the mail server of a site, or list the mails that wait.", NULL,
	    .apart = mail_run, .in = mail_in, .operands = "what address" },
	{ "verify", NULL, "Look for damage in a site's database, or in a backup.", NULL, verify_run,
	    .apart = verify_file, .alone = true, .in = verify_in },
	{ "upgrade", "--plan", "List what the next start of stetd changes in a site's tables.",
	    "Of what is additive, daemons of the version before take no notice.\n",
	    .apart = upgrade_run },
	{ "doctor", "", "Look for what is wrong around the sites, and say what to do.", NULL,
	    .whole = doctor_run },
	{ "help", "[COMMAND]", "What there is, or what a command takes.", NULL, run_help, false },
};
#define BUILTINS (sizeof(builtins) / sizeof(builtins[0]))

/* How many words the name has. */
static int
words_of(const struct builtin *b)
{
	return strchr(b->name, ' ') != NULL ? 2 : 1;
}

/* Finds the command whose name argv begins with. */
static const struct builtin *
builtin_find(int argc, char **argv)
{
	for (size_t i = 0; i < BUILTINS; i++) {
		const char *name = builtins[i].name, *second = strchr(name, ' ');
		size_t len = strcspn(name, " ");

		if (argc < words_of(&builtins[i]) || strncmp(argv[0], name, len) != 0 ||
		    argv[0][len] != '\0')
			continue;
		if (second == NULL || strcmp(argv[1], second + 1) == 0)
			return &builtins[i];
	}
	return NULL;
}

static void
usage(FILE *f)
{
	fputs("usage: stet [--config FILE] [--site NAME] [--data DIR] [--json] COMMAND …\n\n"
	      "  --config FILE        the configuration (" CONF_PATH ")\n"
	      "  --site NAME          which site of the configuration; of \"call\", a URL too\n"
	      "  --data DIR           a site by its directory, without a configuration\n"
	      "  --json               print results as JSON\n"
	      "  --help, --version\n\n"
	      "commands:\n",
	    f);
	for (size_t i = 0; i < BUILTINS; i++)
		fprintf(f, "  %-20s %s\n", builtins[i].name, builtins[i].about);
	command_list(f, 0, NULL);
	fputs("\n\"stet help COMMAND\" tells more of one.\n", f);
}

static int
unknown(int argc, char **argv)
{
	fprintf(stderr, "stet: unknown command %s%s%s\n", argv[0], argc > 1 ? " " : "",
	    argc > 1 ? argv[1] : "");
	if (command_list(stderr, 1, argv) == 0) /* other commands that begin with this word */
		fputs("stet: \"stet help\" lists the commands\n", stderr);
	return EXIT_USAGE;
}

static void
help_builtin(const struct builtin *b)
{
	const char *operands = b->operands != NULL ? b->operands : "file";

	printf("usage: stet %s", b->name);
	if (b->in != NULL)
		argument_usage(stdout, b->in, operands);
	else if (*b->usage != '\0')
		printf(" %s", b->usage);
	printf("\n\n%s\n%s", b->about, b->details != NULL ? b->details : "");
	if (b->in != NULL && shape_count(b->in) > 0) {
		fputc('\n', stdout);
		argument_details(stdout, b->in, operands);
	}
}

/* "call OP": prints what the op takes. */
static int
help_call(const char *op)
{
	if (command_op_help(stdout, op))
		return EXIT_SUCCESS;
	fprintf(stderr, "stet: there is no operation %s: see \"stet call --list\"\n", op);
	return EXIT_USAGE;
}

static int
run_help(struct site *site, const struct options *o, int argc, char **argv)
{
	/* Operands of a built-in command may precede --help: "stet key rotate --help". */
	const struct builtin *b = builtin_find(argc, argv);
	struct command c;

	(void)site;
	(void)o;
	if (argc == 2 && strcmp(argv[0], "call") == 0)
		return help_call(argv[1]);
	if (argc == 0)
		usage(stdout);
	else if (b != NULL)
		help_builtin(b);
	else if (command_find(argc, argv, &c) && c.words == argc)
		command_help(stdout, &c);
	else if (command_list(stdout, argc, argv) == 0)
		return unknown(argc, argv);
	return EXIT_SUCCESS;
}

/* ---- the command line ---- */

/* Returns the value of an option "--data DIR" or "--data=DIR". NULL: it is another word. */
static const char *
option(const char *name, int argc, char **argv, int *used)
{
	size_t len = strlen(name);

	if (strncmp(argv[0], name, len) != 0)
		return NULL;
	*used = 1;
	if (argv[0][len] == '=')
		return argv[0] + len + 1;
	if (argv[0][len] != '\0' || argc < 2)
		return NULL;
	*used = 2;
	return argv[1];
}

/* Reads the options before the command. Returns their number, or -1 after an error message. */
static int
parse_options(int argc, char **argv, struct options *o)
{
	int i = 0, used = 1;
	const char *value;

	for (; i < argc && argv[i][0] == '-'; i += used) {
		used = 1;
		if (strcmp(argv[i], "--json") == 0)
			o->json = true;
		else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "--version") == 0)
			break;
		else if ((value = option("--config", argc - i, argv + i, &used)) != NULL)
			o->config = value;
		else if ((value = option("--site", argc - i, argv + i, &used)) != NULL)
			o->site = value;
		else if ((value = option("--data", argc - i, argv + i, &used)) != NULL)
			o->data = value;
		else {
			fprintf(stderr, "stet: unknown option, or one without its value: %s\n",
			    argv[i]);
			return -1;
		}
	}
	return i;
}

/* ---- the site ---- */

/* Loads the configuration. alone: if there is none, the command continues without a site. */
static struct conf *
configuration(const struct options *o, bool alone)
{
	const char *path = o->config;
	struct conf *conf;
	char *why = NULL;

	if (o->data != NULL)
		return conf_embedded(o->data, NULL);
	if (path == NULL && access(CONF_PATH, F_OK) == 0)
		path = CONF_PATH;
	if (path == NULL && alone)
		return conf_embedded(".", NULL);
	if (path == NULL) {
		fputs("stet: which site? Say --data DIR or --config FILE: there is no " CONF_PATH
		      "\n",
		    stderr);
		return NULL;
	}
	confdriver_set(driver_find);
	if ((conf = conf_read(path, &why)) == NULL)
		fprintf(stderr, "stet: %s\n", why != NULL ? why : "the configuration is not good");
	free(why);
	return conf;
}

/* Asks running daemons for the site's URL, from which links are made: a daemon with --listen or
 * another configuration may serve the site at another address. */
static void
ask_daemons(struct conf *conf, struct options *o)
{
	o->guessed = o->data != NULL;
	for (size_t i = 0; i < conf->site_count; i++) {
		char *url = dir_daemon_url(conf->sites[i].data);

		if (url != NULL && conf_default_url(&conf->sites[i], url))
			o->guessed = false;
		free(url);
	}
}

static const struct conf_site *
site_of(const struct conf *conf, const struct options *o)
{
	for (size_t i = 0; i < conf->site_count; i++)
		if (o->site != NULL ? strcmp(conf->sites[i].name, o->site) == 0
				    : conf->site_count == 1)
			return &conf->sites[i];
	return NULL;
}

static const struct conf_site *
choose(const struct conf *conf, const struct options *o)
{
	const struct conf_site *site = site_of(conf, o);

	if (site != NULL)
		return site;
	if (o->site != NULL)
		fprintf(stderr, "stet: there is no site %s; there are", o->site);
	else
		fputs("stet: which site? Say --site NAME; there are", stderr);
	for (size_t i = 0; i < conf->site_count; i++)
		fprintf(stderr, " %s", conf->sites[i].name);
	fputc('\n', stderr);
	return NULL;
}

static struct site *
open_site(const struct conf_site *conf, bool create)
{
	struct site *site;
	char *why = NULL, *place = confdatabase_place(conf);

	had_directory = access(conf->data, F_OK) == 0;
	/* A database that does not answer is told when the site is opened. */
	had_database = db_there(place) != DB_NOT_THERE;
	free(place);
	if (!had_database && !create) {
		fprintf(stderr, "stet: there is no site in %s%s; \"stet init\" makes one\n",
		    conf->database != NULL ? "the schema " : "",
		    conf->database != NULL ? conf->database_schema : conf->data);
		return NULL;
	}
	if ((site = site_open(conf, false, &why)) == NULL)
		fprintf(stderr, "stet: %s\n", why != NULL ? why : "the site cannot be opened");
	free(why);
	return site;
}

/* ---- running ---- */

static int
run_on(struct site *site, const struct options *o, int argc, char **argv)
{
	const struct builtin *b = builtin_find(argc, argv);
	struct command c;
	int status;

	if (b != NULL)
		status = b->run(site, o, argc - words_of(b), argv + words_of(b));
	else if (command_find(argc, argv, &c))
		status = command_run(site, o, &c, argc - c.words, argv + c.words);
	else
		status = unknown(argc, argv);
	return status;
}

static bool
is_apart(const struct builtin *b, int argc)
{
	return b != NULL && b->apart != NULL && (b->run == NULL || argc > 1);
}

static bool
is_alone(const struct builtin *b, const struct options *o, int argc)
{
	return is_apart(b, argc) && b->alone && o->data == NULL && o->config == NULL &&
	       access(CONF_PATH, F_OK) != 0;
}

static int
run_site(const struct conf *conf, const struct options *o, int argc, char **argv)
{
	const struct builtin *b = builtin_find(argc, argv);
	int words = b != NULL ? words_of(b) : 0;
	const struct conf_site *which;
	struct site *site;
	int status;

	if (b != NULL && b->whole != NULL)
		return b->whole(conf, o, argc - words, argv + words);
	if (is_alone(b, o, argc))
		return b->apart(NULL, o, argc - words, argv + words);
	if ((which = choose(conf, o)) == NULL)
		return EXIT_USAGE;
	if (!command_can_open(which))
		return EXIT_FAILURE;
	if (is_apart(b, argc))
		return b->apart(which, o, argc - words, argv + words);
	if ((site = open_site(which, b != NULL && b->creates)) == NULL)
		return EXIT_FAILURE;
	status = run_on(site, o, argc, argv);
	reader_close(NULL);
	site_close(site);
	return status;
}

static bool
known(int argc, char **argv)
{
	struct command c;

	return builtin_find(argc, argv) != NULL || command_find(argc, argv, &c);
}

/* Returns true for a request for help, which needs no site. */
static bool
asks_help(int argc, char **argv)
{
	return argc == 0 || strcmp(argv[0], "help") == 0 || strcmp(argv[0], "--help") == 0 ||
	       strcmp(argv[argc - 1], "--help") == 0;
}

static int
help(int argc, char **argv)
{
	bool first, last, itself;

	if (argc == 0) {
		usage(stderr);
		return EXIT_USAGE;
	}
	last = argc > 1 && strcmp(argv[argc - 1], "--help") == 0; /* COMMAND ... --help */
	argc -= last;
	itself = last && argc == 1 && strcmp(argv[0], "help") == 0; /* help --help */
	first = !itself && (strcmp(argv[0], "help") == 0 || strcmp(argv[0], "--help") == 0);
	return run_help(NULL, NULL, argc - first, argv + first);
}

static void
tell_refusal(const struct module_refusal *r, void *arg)
{
	(void)arg;
	fprintf(stderr, "stet: %s is refused: %s\n", r->path, r->reason);
}

/* Runs `module disable`, which must work even if plugins crash and the database is locked.
 * Returns -1 to continue. */
static int
guard(const struct conf *conf, const struct options *o, int argc, char **argv)
{
	const struct conf_site *site = site_of(conf, o);

	if (site == NULL || argc != 3 || strcmp(argv[0], "module") != 0 ||
	    strcmp(argv[1], "disable") != 0)
		return -1;
	return disable_begin(site, argv[2]);
}

static int
run(struct options *o, int argc, char **argv)
{
	struct conf *conf;
	int status;

	if (asks_help(argc, argv) && o->config == NULL)
		conf = conf_embedded(".", NULL); /* needed only for the module directories */
	else
		conf = configuration(o, is_alone(builtin_find(argc, argv), o, argc));
	if (conf == NULL)
		return EXIT_FAILURE;
	log_level(STET_ERROR); /* the daemon and `stet module list` report refused modules */
	suspension_hold_back(conf);
	if ((status = guard(conf, o, argc, argv)) >= 0) {
		conf_free(conf);
		return status;
	}
	modules_scan(conf->module_path, conf->plugin_path);
	o->module_path = conf->module_path;
	o->plugin_path = conf->plugin_path;
	disable_loaded();
	log_level(STET_WARN);
	if (modules_count() == 0) {
		fprintf(stderr,
		    "stet: there are no modules in %s: is stet installed? STET_MODULE_PATH names "
		    "another directory (of a build tree: modules/.libs)\n",
		    conf->module_path);
		modules_refused(tell_refusal, NULL);
		status = EXIT_FAILURE;
	} else if (asks_help(argc, argv))
		status = help(argc, argv);
	else if (!known(argc, argv))
		status = unknown(argc, argv);
	else {
		ask_daemons(conf, o);
		status = run_site(conf, o, argc, argv);
	}
	conf_free(conf);
	return status;
}

/* Reads options that may also follow the command's name: "stet call --site URL OP". Returns the
 * number of words read. */
static int
late_site(int argc, char **argv, struct options *o)
{
	const char *value;
	int used = 0;

	if (argc > 1 && strcmp(argv[0], "call") == 0 &&
	    (value = option("--site", argc - 1, argv + 1, &used)) != NULL)
		o->site = value;
	return used;
}

/* Runs a command that needs no local site. Returns -1 to continue. */
static int
run_away(const struct options *o, int argc, char **argv)
{
	const struct builtin *b = builtin_find(argc, argv);
	bool url = remote_is_url(o->site);

	if (asks_help(argc, argv))
		return -1;
	if (b != NULL && b->away != NULL && (b->run == NULL || url))
		return b->away(o, argc - words_of(b), argv + words_of(b));
	if (!url)
		return -1;
	fputs("stet: only \"stet call\" works on a site by its URL\n", stderr);
	return EXIT_USAGE;
}

int
main(int argc, char **argv)
{
	struct options o = { 0 };
	int used = parse_options(argc - 1, argv + 1, &o), status;

	if (used < 0)
		return EXIT_USAGE;
	argc -= 1 + used;
	argv += 1 + used;
	if (argc > 0 && strcmp(argv[0], "--version") == 0) {
		puts("stet " PACKAGE_VERSION);
		return EXIT_SUCCESS;
	}
	if (o.data != NULL && o.config != NULL) {
		fputs("stet: --data and --config exclude each other\n", stderr);
		return EXIT_USAGE;
	}
	if (sodium_init() < 0 || log_open(NULL, STET_WARN) != 0) {
		fputs("stet: cannot start\n", stderr);
		return EXIT_FAILURE;
	}
	if ((used = late_site(argc, argv, &o)) > 0) {
		argv[used] = argv[0];
		argc -= used;
		argv += used;
	}
	if ((status = run_away(&o, argc, argv)) < 0) {
		db_global_init();
		status = run(&o, argc, argv);
	}
	if (fflush(stdout) != 0 || ferror(stdout)) { /* a token that is not printed is lost */
		fprintf(stderr, "stet: cannot write the result: %s\n", strerror(errno));
		return EXIT_FAILURE;
	}
	return status;
}
