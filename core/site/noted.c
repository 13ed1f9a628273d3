/*
 * noted.c - carries notes of the data directory (suspension.h) into the database. Each note becomes
 * an op of the module "plugins", called by the system, so that it is checked, stored and audited as
 * if an administrator had called it.
 */
#include "site/noted.h"
#include "base/arena.h"
#include "base/log.h"
#include "call/call.h"
#include "db/rows.h"
#include "db/writer.h"
#include "op/args.h"
#include "op/dispatch.h"
#include "op/part.h"
#include "site/suspension.h"
#include <stdlib.h>
#include <string.h>

struct note {
	char *module;
	bool suspended; /* false: a request to disable the module */
	enum suspension_scope scope;
	const char *data; /* the directory that holds the note */
};

static void
note_done(struct stet_call *call)
{
	struct note *note = op_part(call)->io;
	enum stet_status status = call->error.status;

	if (status != STET_OK)
		log_line(STET_WARN, "site %s: the %s of the module %s is not stored yet: %s",
		    site_name(call->site), note->suspended ? "suspension" : "disabling",
		    note->module,
		    call->error.text != NULL ? call->error.text : stet_status_name(status));
	else if (note->suspended)
		suspension_told(note->data, note->scope, note->module);
	else
		log_line(STET_INFO, "site %s: the module %s is disabled, as was asked for",
		    site_name(call->site), note->module);
	rows_end_call(call);
	call_free(call);
	free(note->module);
	free(note);
}

static void
store(struct site *site, const struct note *row)
{
	struct stet_call *call = call_new();
	struct op_part *part = op_part(call);
	/* The call may run later, on the writer. */
	const json_t *args = stet_json_own(call, json_pack("{s:s}", "id", row->module));

	call_enter(call, site);
	stet_principal_set(call,
	    &(struct stet_principal){
		.id = "", .role = 50, .via = row->suspended ? STET_VIA_SYSTEM : STET_VIA_COMMAND });
	call->op = generation_op(call->gen, row->suspended ? "plugin_suspended" : "plugin_disable");
	part->io = xmalloc(sizeof(*row));
	*(struct note *)part->io = *row;
	((struct note *)part->io)->module = xstrdup(row->module);
	part->done = note_done;
	if (call->op == NULL || args_json(call, args) != STET_OK)
		note_done(call);
	else if (writer_pooled())
		dispatch_call(call);
	else {
		(void)dispatch_run(call);
		note_done(call);
	}
}

/* ---- reading ---- */

struct reading {
	struct site *site;
	struct note *note;
	size_t count;
	struct note next; /* fields common to the notes being read */
};

static void
add(struct reading *r, const char *module)
{
	r->note = xrealloc(r->note, (r->count + 1) * sizeof(*r->note));
	r->note[r->count] = r->next;
	r->note[r->count++].module = xstrdup(module);
}

static void
add_request(const char *module, void *arg)
{
	add(arg, module);
}

static void
add_suspension(const char *module, const struct suspension *s, void *arg)
{
	if (!s->told)
		add(arg, module);
}

/* Storing a note removes its file, so all notes are read first. */
void
noted_take(struct site *site)
{
	struct reading r = { .site = site, .next = { .data = site->conf.data } };
	const char *home = suspension_home();

	disable_request_each(site->conf.data, add_request, &r);
	r.next.suspended = true;
	r.next.scope = SUSPENSION_SITE;
	suspension_each(site->conf.data, SUSPENSION_SITE, add_suspension, &r);
	r.next.scope = SUSPENSION_DAEMON;
	if (home != NULL && strcmp(home, site->conf.data) == 0)
		suspension_each(home, SUSPENSION_DAEMON, add_suspension, &r);
	for (size_t i = 0; i < r.count; i++) {
		store(site, &r.note[i]);
		free(r.note[i].module);
	}
	free(r.note);
}
