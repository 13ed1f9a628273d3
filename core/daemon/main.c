/* main.c - stetd: options, boot order, signals. */
#include "config.h"

#include "backup/keeper.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/crash.h"
#include "base/log.h"
#include "base/thread.h"
#include "base/words.h"
#include "call/unsent.h"
#include "conf/conf.h"
#include "conf/confdriver.h"
#include "conf/confkey.h"
#include "daemon/admin.h"
#include "daemon/heap.h"
#include "daemon/notify.h"
#include "daemon/process.h"
#include "daemon/scrape.h"
#include "daemon/stuck.h"
#include "db/db.h"
#include "db/rows.h"
#include "db/writer.h"
#include "installdirs.h"
#include "module/culprit.h"
#include "module/driver.h"
#include "module/mark.h"
#include "module/module.h"
#include "net/bodyroom.h"
#include "net/listen.h"
#include "net/tls.h"
#include "net/wait.h"
#include "net/worker.h"
#include "op/answer.h"
#include "op/readpool.h"
#include "op/slow.h"
#include "op/waiting.h"
#include "site/site.h"
#include "site/sites.h"
#include "site/suspension.h"
#include "site/upgrade.h"
#include "work/jobs.h"
#include "work/node.h"
#include "work/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#define SLOW_QUEUE_MAX 1024
#define READ_QUEUE_MAX 1024 /* dear reads that wait for a reader thread */

static struct {
	const char *config, *data, *listen;
	bool foreground, check;
} options;

static struct {
	struct conf *conf;
	struct event_base *base;
	struct event *signals;
	int signal_fd;
	struct worker **workers;
	unsigned worker_count;
	bool booted, stopping, failed;
	struct {
		pthread_t thread; /* opens and changes sites */
		int bell; /* eventfd: the thread is done */
		struct event *done;
		bool runs, again; /* again: another SIGHUP came meanwhile */
	} reload;
} daemon_;

static const char usage[] =
    "Usage: stetd [--config FILE] [--listen ADDR:PORT]\n"
    "       stetd --data DIR [--listen ADDR:PORT]\n"
    "\n"
    "Serve content over HTTP: the sites of a configuration file, or, without one,\n"
    "one site whose database, media and temporary files are in DIR.\n"
    "\n"
    "  -c, --config FILE        the configuration [" CONF_PATH "]\n"
    "  -d, --data DIR           serve one site from DIR, without a configuration file\n"
    "  -l, --listen ADDR:PORT   listen here, whatever the file says; port 0 takes a free one\n"
    "  -f, --foreground         log to standard error, even if the file names a log\n"
    "      --check              read the configuration, say what is wrong with it, and exit\n"
    "  -h, --help               this text\n"
    "  -V, --version            the version\n"
    "\n"
    "SIGTERM and SIGINT end it after the requests at hand; SIGHUP reads the configuration,\n"
    "the modules and the log files anew. See stetd(8) and stet.conf(5).\n";

/* ---- options ---- */

/* Returns an exit status, or -1 to go on. */
static int
read_options(int argc, char **argv)
{
	static const struct option known[] = {
		{ "config", required_argument, NULL, 'c' },
		{ "data", required_argument, NULL, 'd' },
		{ "listen", required_argument, NULL, 'l' },
		{ "foreground", no_argument, NULL, 'f' },
		{ "check", no_argument, NULL, 'k' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "c:d:l:fhV", known, NULL)) != -1) {
		switch (option) {
		case 'c':
			options.config = optarg;
			break;
		case 'd':
			options.data = optarg;
			break;
		case 'l':
			options.listen = optarg;
			break;
		case 'f':
			options.foreground = true;
			break;
		case 'k':
			options.check = true;
			break;
		case 'h':
			(void)fputs(usage, stdout);
			return EXIT_SUCCESS;
		case 'V':
			(void)puts("stetd " PACKAGE_VERSION);
			return EXIT_SUCCESS;
		default:
			(void)fputs("Try \"stetd --help\".\n", stderr);
			return 2;
		}
	}
	if (optind < argc) {
		(void)fprintf(stderr, "stetd: unexpected argument \"%s\"\n", argv[optind]);
		return 2;
	}
	return -1;
}

/* Reads the configuration that the options name. Returns NULL with *why, to be freed. */
static struct conf *
load_conf(char **why)
{
	struct buf text = { 0 };
	struct conf *conf;

	*why = NULL;
	if (options.data != NULL && options.config != NULL)
		buf_str(&text, "--data and --config exclude each other: a file names its own data "
			       "directories");
	else if (options.data != NULL && *options.data == '\0')
		buf_str(&text, "--data: a directory is wanted");
	else if (options.listen != NULL && !confcheck_address.good(options.listen))
		buf_printf(
		    &text, "--listen: \"%s\" is not %s", options.listen, confcheck_address.want);
	else if (options.data == NULL && options.config == NULL && access(CONF_PATH, F_OK) == -1)
		buf_str(&text, "there is no " CONF_PATH ": name a directory with --data, or a file "
			       "with --config");
	if (text.len > 0) {
		*why = text.data;
		return NULL;
	}
	if (options.data != NULL)
		return conf_embedded(options.data, options.listen);
	confdriver_set(driver_find);
	conf = conf_read(options.config != NULL ? options.config : CONF_PATH, why);
	if (conf != NULL && options.listen != NULL)
		conf_listen(conf, options.listen);
	return conf;
}

/* ---- the process ---- */

static bool
open_logs(const struct conf *conf)
{
	const char *path = options.foreground ? NULL : conf->log_file;

	if (log_open(path, conf->log_level) == -1) {
		log_line(STET_ERROR, "cannot open the log \"%s\": %s", path, strerror(errno));
		return false;
	}
	if (log_access_open(conf->access_log, conf->access_log_json) == -1) {
		log_line(STET_ERROR, "cannot open the access log \"%s\": %s", conf->access_log,
		    strerror(errno));
		return false;
	}
	rows_log_slow(conf->slow_statement);
	return true;
}

/* ---- signals ---- */

static void
stop(int number)
{
	log_line(STET_INFO, "%s: stopping", strsignal(number));
	notify("STOPPING=1");
	stuck_drain(clock_monotonic() + daemon_.conf->drain_timeout);
	daemon_.stopping = true;
	(void)event_base_loopbreak(daemon_.base);
}

static void
tell_changes(const struct conf *conf)
{
	char *now = confkey_changed(conf_keys, daemon_.conf, conf, false);
	char *later = confkey_changed(conf_keys, daemon_.conf, conf, true);

	if (now != NULL)
		log_line(STET_INFO, "changed: %s", now);
	if (later != NULL)
		log_line(STET_WARN, "takes effect when stetd is started again: %s", later);
	free(now);
	free(later);
}

/* On a thread of its own: migrations take long, and this one must accept connections. */
static void *
apply_sites(void *arg)
{
	sites_apply(arg, true);
	stet_assert(eventfd_write(daemon_.reload.bell, 1) == 0);
	return NULL;
}

/* A site that is being migrated occupies a writer thread; others need a second one. */
static int
writers(const struct conf *conf)
{
	return conf->site_count > 1 ? 2 : 1;
}

static void
begin_sites(void)
{
	notify_begin_work();
	daemon_.reload.runs = true;
	thread_start(&daemon_.reload.thread, "stet-sites", apply_sites, daemon_.conf);
}

static void
join_sites(void)
{
	if (!daemon_.reload.runs)
		return;
	stet_assert(pthread_join(daemon_.reload.thread, NULL) == 0);
	daemon_.reload.runs = false;
	notify_end_work();
}

/* SIGHUP: applies what can change without a restart. An invalid configuration changes nothing. */
static void
reload(void)
{
	char *why;
	struct conf *conf;

	notify_reloading();
	if ((conf = load_conf(&why)) == NULL) {
		log_reopen();
		log_line(STET_ERROR, "the configuration stays as it was: %s", why);
		free(why);
		notify("READY=1");
		return;
	}
	tell_changes(conf); /* before the log changes, where an administrator would look */
	(void)open_logs(conf);
	(void)tls_configure(conf);
	if (listen_open(daemon_.base, conf) == -1)
		log_line(STET_ERROR, "not all addresses are served");
	(void)admin_listen(conf->metrics_listen);
	conf_port(conf, listen_port(false), listen_port(true));
	suspension_hold_back(conf);
	modules_scan(conf->module_path, conf->plugin_path);
	for (unsigned i = 0; i < daemon_.worker_count; i++)
		worker_configure(daemon_.workers[i], conf);
	writer_grow(writers(conf));
	bodyroom_limit(conf->max_body_memory);
	unsent_limits(conf->max_answer_memory, conf->max_answer_memory_per_address);
	waiting_limit((unsigned)conf->max_waiting);
	stuck_configure(conf->stuck_after);
	conf_free(daemon_.conf);
	daemon_.conf = conf;
	begin_sites(); /* compiles them, too */
}

static void
reload_again(void)
{
	if (!daemon_.reload.again)
		return;
	daemon_.reload.again = false;
	reload();
}

static void
on_applied(evutil_socket_t fd, short what, void *arg)
{
	eventfd_t count;

	(void)what;
	(void)arg;
	(void)eventfd_read(fd, &count);
	join_sites();
	if (!daemon_.booted) {
		(void)event_base_loopbreak(daemon_.base);
		return;
	}
	log_line(STET_INFO, "configuration and modules are read again");
	notify("READY=1");
	reload_again();
}

static void
on_signal(evutil_socket_t fd, short what, void *arg)
{
	struct signalfd_siginfo said;

	(void)what;
	(void)arg;
	while (read(fd, &said, sizeof(said)) == (ssize_t)sizeof(said)) {
		if (said.ssi_signo != SIGHUP)
			stop((int)said.ssi_signo);
		else if (daemon_.reload.runs)
			daemon_.reload.again = true;
		else
			reload();
	}
}

/* Signals are read as events. They are blocked until catch_signals; threads inherit the mask. */
static void
hold_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	stet_assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
	daemon_.signal_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	stet_assert(daemon_.signal_fd != -1);
}

static void
catch_signals(void)
{
	daemon_.signals =
	    event_new(daemon_.base, daemon_.signal_fd, EV_READ | EV_PERSIST, on_signal, NULL);
	stet_assert(daemon_.signals != NULL);
	stet_assert(event_add(daemon_.signals, NULL) == 0);
	daemon_.reload.bell = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	stet_assert(daemon_.reload.bell != -1);
	daemon_.reload.done =
	    event_new(daemon_.base, daemon_.reload.bell, EV_READ | EV_PERSIST, on_applied, NULL);
	stet_assert(daemon_.reload.done != NULL && event_add(daemon_.reload.done, NULL) == 0);
}

/* ---- start and shutdown ---- */

/* Opens the sites at the start. Meanwhile the main thread only handles signals. A site that the
 * command line names (--data) is all that this daemon is for: if it cannot be opened, the daemon
 * ends. The sites of a configuration may be repaired later, and SIGHUP opens them then. */
static void
open_sites(void)
{
	begin_sites();
	(void)event_base_dispatch(daemon_.base);
	if (daemon_.stopping)
		upgrade_stop();
	join_sites();
	daemon_.booted = true;
	if (options.data != NULL && !daemon_.stopping && sites_failed()) {
		log_line(STET_ERROR, "cannot start without the site");
		daemon_.failed = daemon_.stopping = true;
	}
}

static void
serve(void)
{
	admin_state(ADMIN_SERVING);
	listen_start(daemon_.workers, daemon_.worker_count);
	notify_watch(daemon_.base, daemon_.workers, daemon_.worker_count);
	notify("READY=1");
	reload_again();
	(void)event_base_dispatch(daemon_.base);
}

static void
start_workers(void)
{
	const long cores = sysconf(_SC_NPROCESSORS_ONLN), asked = (long)daemon_.conf->workers;
	const unsigned count = (unsigned)(asked > 0 ? asked : cores > 0 ? cores : 1);

	bodyroom_limit(daemon_.conf->max_body_memory);
	unsent_limits(daemon_.conf->max_answer_memory, daemon_.conf->max_answer_memory_per_address);
	waiting_limit((unsigned)daemon_.conf->max_waiting);
	daemon_.worker_count = count;
	readpool_start(count, READ_QUEUE_MAX);
	answers_shared_by(count);
	daemon_.workers = xcalloc(count, sizeof(struct worker *));
	for (unsigned i = 0; i < count; i++)
		daemon_.workers[i] = worker_new((int)i, daemon_.conf);
}

/* This process has committed something. */
static void
committed(struct site *site)
{
	wait_committed(site);
	watch_ring(site);
}

/* The name of this daemon among those of its sites. */
static void
name_daemon(const struct conf *conf)
{
	char host[256] = "localhost", *made;

	(void)gethostname(host, sizeof(host) - 1);
	made = words_format(
	    "%s:%u", host, listen_port(false) != 0 ? listen_port(false) : listen_port(true));
	node_name(conf->daemon_name != NULL ? conf->daemon_name : made);
	free(made);
}

/* Loads certificates while we can still read keys that belong to root. A bad certificate of one
 * site does not stop the others. */
static bool
tls_good(const struct conf *conf)
{
	(void)tls_configure(conf);
	if (conf->tls_listen[0] == NULL || tls_ready())
		return true;
	log_line(STET_ERROR, "tls: no certificate can be loaded");
	return false;
}

static bool
boot(void)
{
	struct conf *conf = daemon_.conf;

	(void)umask(027);
	if (!open_logs(conf))
		return false;
	log_line(STET_INFO, "stetd %s", PACKAGE_VERSION);
	process_limits(conf->max_connections);
	event_set_mem_functions(xmalloc, xrealloc, free);
	daemon_.base = event_base_new();
	stet_assert(daemon_.base != NULL);
	scrape_begin();
	/* Bind first: an address in use is found before anything changes, and clients that
	 * connect while sites are opened wait instead of being refused. */
	if (!tls_good(conf) || listen_open(daemon_.base, conf) == -1 ||
	    !admin_listen(conf->metrics_listen) || !process_pid_file(conf->pid_file) ||
	    !process_user(conf->user))
		return false;
	conf_port(conf, listen_port(false), listen_port(true));
	db_global_init();
	if (sodium_init() == -1) {
		log_line(STET_ERROR, "libsodium does not start");
		return false;
	}
	suspension_begin_daemon(conf);
	suspension_hold_back(conf);
	modules_scan(conf->module_path, conf->plugin_path);
	if (modules_count() == 0) {
		log_line(STET_ERROR,
		    "there are no modules in %s: is stet installed? STET_MODULE_PATH names "
		    "another directory (of a build tree: modules/.libs)",
		    conf->module_path);
		return false;
	}
	catch_signals();
	stuck_start(conf->stuck_after);
	name_daemon(conf);
	watch_listen(wait_committed);
	open_sites();
	writer_listen(committed);
	writer_start(writers(daemon_.conf));
	slow_start(conf->slow_threads, SLOW_QUEUE_MAX);
	start_workers();
	jobs_start();
	keeper_start();
	return true;
}

/* Stops accepting, lets calls finish, then ends the threads on which they ran, in an order in which
 * no thread waits for one that has ended. */
static void
shut_down(void)
{
	int64_t deadline = clock_monotonic() + daemon_.conf->drain_timeout;

	upgrade_stop();
	admin_state(ADMIN_DRAINING);
	listen_close();
	jobs_drain();
	for (unsigned i = 0; i < daemon_.worker_count; i++)
		worker_drain(daemon_.workers[i], deadline);
	for (unsigned i = 0; i < daemon_.worker_count; i++)
		worker_join(daemon_.workers[i]);
	join_sites();
	keeper_stop();
	jobs_stop();
	readpool_stop();
	slow_stop();
	writer_stop();
	sites_settle(deadline);
	admin_stop();
	for (unsigned i = 0; i < daemon_.worker_count; i++)
		worker_free(daemon_.workers[i]);
	notify_end();
	free(daemon_.workers);
	sites_close();
	mark_end();
	tls_close();
	event_free(daemon_.signals);
	close(daemon_.signal_fd);
	event_free(daemon_.reload.done);
	close(daemon_.reload.bell);
	event_base_free(daemon_.base);
	if (daemon_.conf->pid_file != NULL)
		(void)unlink(daemon_.conf->pid_file);
	stuck_stop();
	log_line(STET_INFO, "stopped");
}

int
main(int argc, char **argv)
{
	int status = read_options(argc, argv);
	char *why;

	if (status != -1)
		return status;
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN); /* exceeding a file size limit is handled as a full disk */
	daemon_.conf = load_conf(&why);
	if (daemon_.conf == NULL) {
		(void)fprintf(stderr, "stetd: %s\n", why);
		free(why);
		return options.check ? EXIT_FAILURE : 2;
	}
	if (options.check) {
		if (!tls_configure(daemon_.conf))
			return EXIT_FAILURE;
		tls_close();
		(void)printf("The configuration is good: %zu site%s.\n", daemon_.conf->site_count,
		    daemon_.conf->site_count == 1 ? "" : "s");
		conf_free(daemon_.conf);
		return EXIT_SUCCESS;
	}
	heap_keep();
	hold_signals();
	crash_handle(&culprit_witness);
	if (!boot())
		return EXIT_FAILURE;
	if (!daemon_.stopping)
		serve();
	shut_down();
	conf_free(daemon_.conf);
	log_close();
	return daemon_.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
