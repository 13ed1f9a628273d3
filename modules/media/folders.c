/*
 * folders.c - the tool media_folders: one tool for the four ops of folders, which the argument
 * `action` names. It runs the op, so rights, checks and records are those of the op.
 */
#include "media.h"
#include <string.h>

static const struct {
	const char *action, *op;
	const char *takes[3]; /* arguments of the op */
} actions[] = {
	{ "list", "media_folder_list", { "q", "limit", "cursor" } },
	{ "create", "media_folder_create", { "name" } },
	{ "rename", "media_folder_update", { "id", "name" } },
	{ "delete", "media_folder_delete", { "id" } },
};
#define ACTIONS (sizeof(actions) / sizeof(actions[0]))

const struct stet_member folders_in[] = {
	{ "action", STET_STRING, STET_CHOICES("list", "create", "rename", "delete"),
	    .about = "delete leaves the items, in the Main library", .fallback = "\"list\"" },
	{ "id", STET_STRING, .about = "Of the folder to rename or delete", STET_RANGE(1, ID_MAX) },
	{ "name", STET_STRING, STET_RANGE(1, 1000) },
	{ "q", STET_STRING, .about = "list: part of the name", STET_RANGE(1, 200) },
	{ "limit", STET_INTEGER, STET_BOUNDED, STET_RANGE(1, 100) },
	{ "cursor", STET_STRING, STET_RANGE(0, 2048) },
	{ 0 },
};

static size_t
action_of(struct stet_call *call)
{
	const char *action = stet_arg(call, "action");
	size_t i = 0;

	while (i + 1 < ACTIONS && strcmp(actions[i].action, action) != 0)
		i++;
	return i;
}

enum stet_lane
folders_lane(struct stet_call *call)
{
	return action_of(call) == 0 ? STET_READ : STET_WRITE;
}

/* Copies the arguments that the op takes, and refuses the others by name. */
static json_t *
arguments_of(struct stet_call *call, size_t i)
{
	json_t *args = stet_json_own(call, json_object());

	for (const struct stet_member *m = &folders_in[1]; m->name != NULL; m++) {
		bool takes = false;

		if (!stet_has(call, m->name))
			continue;
		for (size_t k = 0; k < 3 && actions[i].takes[k] != NULL; k++)
			takes |= strcmp(actions[i].takes[k], m->name) == 0;
		if (!takes)
			stet_issue(call, m->name, "is not for %s", actions[i].action);
		else if (m->type == STET_INTEGER)
			(void)json_object_set_new(
			    args, m->name, json_integer(stet_arg_int(call, m->name)));
		else
			(void)json_object_set_new(
			    args, m->name, json_string(stet_arg(call, m->name)));
	}
	return args;
}

enum stet_status
media_folders(struct stet_call *call)
{
	size_t i = action_of(call), len;
	const json_t *args = arguments_of(call, i);
	const char *text;

	STET_TRY(stet_issues(call));
	STET_TRY(stet_invoke(call, actions[i].op, args, &text, &len));
	stet_put_raw(stet_reply(call), NULL, text, len);
	return STET_OK;
}
