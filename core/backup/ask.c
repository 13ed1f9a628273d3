/* ask.c - functions with which modules query and request backups (<stet/backup.h>). */
#include "backup/keeper.h"
#include "backup/kept.h"
#include "backup/told.h"
#include "base/clock.h"
#include "call/call.h"
#include <stdlib.h>
#include <stet/backup.h>

static json_t *
time_of(int64_t ms)
{
	char text[CLOCK_TEXT_SIZE];

	clock_text(ms, text);
	return json_string(text);
}

/* Returns the results of backups of one kind, from a part of the status. The file may have been
 * edited, so members of other types are left out. */
static json_t *
outcome(const json_t *status)
{
	static const struct {
		const char *from, *name;
		json_type type;
		bool time;
	} members[] = {
		{ "tried", "triedAt", JSON_INTEGER, true },
		{ "made", "madeAt", JSON_INTEGER, true },
		{ "file", "path", JSON_STRING, false },
		{ "bytes", "bytes", JSON_INTEGER, false },
		{ "ms", "ms", JSON_INTEGER, false },
		{ "error", "error", JSON_STRING, false },
		{ "failures", "failures", JSON_INTEGER, false },
	};
	json_t *o = json_object();

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		json_t *value = json_object_get(status, members[i].from);

		if (value == NULL || json_typeof(value) != members[i].type)
			continue;
		json_object_set_new(o, members[i].name,
		    members[i].time ? time_of(json_integer_value(value)) : json_incref(value));
	}
	return o;
}

static void
put_schedule(json_t *all, const struct conf_site *conf, const struct keeper_state *state)
{
	int64_t made = json_integer_value(json_object_get(state->status, "made"));
	int64_t period = keeper_period(conf);

	if (period > 0) {
		int minute = conf->backup_at.of_day;

		json_object_set_new(all, "schedule",
		    conf->backup_at.set
			? json_pack(
			      "{s:o}", "at", json_sprintf("%02d:%02d", minute / 60, minute % 60))
			: json_pack("{s:I}", "everyMs", (json_int_t)conf->backup_every));
		json_object_set_new(all, "nextAt", time_of(state->due));
	}
	json_object_set_new(all, "isOverdue",
	    json_boolean(period > 0 && made > 0 && clock_now() - made > 2 * period));
}

static void
put_state(json_t *all, const struct keeper_state *state)
{
	const char *text = state->waiting ? "waiting" : "idle";

	json_object_set_new(all, "state", json_string(state->running ? "running" : text));
	if (state->running)
		json_object_set_new(all, "progress",
		    json_pack("{s:s, s:I, s:I}", "step", state->progress.step, "done",
			(json_int_t)state->progress.done, "all", (json_int_t)state->progress.all));
	json_object_set_new(all, "scheduled", outcome(state->status));
	json_object_set_new(all, "requested", outcome(json_object_get(state->status, "asked")));
}

static void
put_archives(json_t *all, const struct conf_site *conf)
{
	json_t *archives = json_array();
	size_t count;
	char *why;
	struct kept *list = kept_list(conf, &count, &why);
	uint64_t bytes = 0;

	for (size_t i = 0; i < count; i++) {
		bytes += list[i].bytes;
		if (i < STET_BACKUPS_MAX)
			json_array_append_new(
			    archives, json_pack("{s:s, s:o, s:I, s:b}", "name", list[i].name,
					  "createdAt", time_of(list[i].at), "bytes",
					  (json_int_t)list[i].bytes, "isRequested", list[i].asked));
	}
	json_object_set_new(all, "archives", archives);
	json_object_set_new(all, "archiveCount", json_integer((json_int_t)count));
	json_object_set_new(all, "archiveBytes", json_integer((json_int_t)bytes));
	if (why != NULL)
		json_object_set_new(all, "problem", json_string(why));
	kept_free(list, count);
	free(why);
}

json_t *
stet_backups(struct stet_call *call)
{
	struct site *site = call->gen->site;
	struct conf_site conf = site_conf(site);
	json_t *all = stet_json_own(call, json_object());
	char *directory = kept_directory(&conf);
	struct keeper_state state;

	keeper_look(site, &state);
	if (told_read(call, state.status) != STET_OK) {
		json_decref(state.status);
		free(directory);
		return NULL;
	}
	state.due = keeper_due(&conf, state.status, clock_now());
	put_state(all, &state);
	put_schedule(all, &conf, &state);
	put_archives(all, &conf);
	json_object_set_new(all, "directory", json_string(directory));
	if (conf.backup_keep != NULL)
		json_object_set_new(all, "keep", json_string(conf.backup_keep));
	json_object_set_new(all, "isSealed", json_boolean(conf.backup_key != NULL));
	json_decref(state.status);
	free(directory);
	return all;
}

static enum stet_status
ask(struct stet_call *call, bool really)
{
	switch (keeper_ask(call->gen->site, really)) {
	case KEEPER_BUSY:
		return stet_fail(
		    call, STET_CONFLICT, NULL, "A backup of this site is being made already");
	case KEEPER_ABSENT:
		return stet_fail(call, STET_CONFLICT, NULL,
		    "Only the running daemon makes backups: call \"stet backup\" instead");
	default:
		return STET_OK;
	}
}

enum stet_status
stet_backup_askable(struct stet_call *call)
{
	return ask(call, false);
}

enum stet_status
stet_backup_ask(struct stet_call *call)
{
	return ask(call, true);
}
