/*
 * prompts.c - prompts: ops whose answer is a message that a person sends to an assistant
 * (stet/prompt.h). This module has some; they are rows of the table `prompts`.
 */
#include "mcp.h"
#include <string.h>

/* ---- prompts of this module ---- */

const struct stet_member prompt_article_in[] = {
	{ "topic", STET_STRING, STET_REQUIRED, .about = "What the article is about",
	    STET_RANGE(1, 2000) },
	{ "collection", STET_STRING,
	    .about = "Slug of the collection; the assistant asks without it", STET_RANGE(0, 63) },
	{ 0 },
};
const struct stet_member prompt_none_in[] = { { 0 } };
const struct stet_member prompt_out[] = {
	{ "text", STET_STRING, STET_REQUIRED, .about = "The message" },
	{ 0 },
};

/* {name} is an argument; what is in [] is left out without the argument in it. */
static const struct prompt {
	const char *name, *text;
} prompts[] = {
	{ "new_article",
	    "Write a new article about: {topic}\n\n"
	    "1. Read the resource stet://guide, the house rules of this site, and stet://schema.\n"
	    "2. [Use the collection {collection}. ]Search for what the site already has on the "
	    "subject, and read one or two recent items to match their tone.\n"
	    "3. Create the item as a draft, with title, summary, terms that exist, and SEO fields if "
	    "the collection has them. Link to related items. Do not publish it.\n"
	    "4. Tell me its title and id, and what you were unsure of." },
	{ "weekly_review",
	    "Review this week's work on this site.\n\n"
	    "1. Read the resource stet://guide, the house rules of this site.\n"
	    "2. List drafts that have waited for more than a week, items that are scheduled, and those "
	    "published in the last seven days.\n"
	    "3. Of the published ones look for missing alt texts, summaries and SEO descriptions, and "
	    "for broken references.\n"
	    "4. List comments that wait for approval, and media that nothing uses.\n"
	    "5. Give me one short list of what to do, the most urgent first. Change nothing." },
	{ "alt_texts",
	    "Write alt texts for images that have none.\n\n"
	    "1. Read the resource stet://guide, the house rules of this site.\n"
	    "2. List images of the media library, and look at those without an alt text (media_get "
	    "with image: true).\n"
	    "3. Write one sentence for each: what it shows, not that it is an image. Leave decorative "
	    "ones out, and ask me where you cannot tell.\n"
	    "4. Show me the list before you save it with media_update." },
};

/* Appends the text from `at` to `end` with its arguments filled in. */
static const char *
filled(struct stet_call *call, const char *done, const char *at, const char *end)
{
	while (at < end) {
		const char *open = memchr(at, '{', (size_t)(end - at));
		const char *close = open != NULL ? memchr(open, '}', (size_t)(end - open)) : NULL;

		if (close == NULL)
			return stet_printf(call, "%s%.*s", done, (int)(end - at), at);
		done = stet_printf(call, "%s%.*s%s", done, (int)(open - at), at,
		    stet_arg(call, stet_strndup(call, open + 1, (size_t)(close - open) - 1)));
		at = close + 1;
	}
	return done;
}

/* The argument in a part in []; "" if it has none. */
static bool
is_given(struct stet_call *call, const char *open, const char *close)
{
	const char *from = memchr(open, '{', (size_t)(close - open));
	const char *to = from != NULL ? memchr(from, '}', (size_t)(close - from)) : NULL;
	const char *value;

	if (to == NULL)
		return true;
	value = stet_arg(call, stet_strndup(call, from + 1, (size_t)(to - from) - 1));
	return value != NULL && *value != '\0';
}

enum stet_status
prompt_run(struct stet_call *call)
{
	const char *name = stet_op_name(call), *text = "", *done = "", *open, *close;
	struct stet_json *out = stet_reply(call);

	for (size_t i = 0; i < sizeof(prompts) / sizeof(prompts[0]); i++)
		if (strcmp(prompts[i].name, name) == 0)
			text = prompts[i].text;
	while ((open = strchr(text, '[')) != NULL && (close = strchr(open, ']')) != NULL) {
		done = filled(call, done, text, open);
		if (is_given(call, open, close))
			done = filled(call, done, open + 1, close);
		text = close + 1;
	}
	done = filled(call, done, text, text + strlen(text));
	stet_object(out, NULL);
	stet_put_str(out, "text", done);
	stet_close(out);
	return STET_OK;
}

/* ---- all prompts ---- */

static void
put_arguments(struct stet_json *out, const struct stet_member *in)
{
	stet_array(out, "arguments");
	for (; in != NULL && in->name != NULL; in++) {
		stet_object(out, NULL);
		stet_put_str(out, "name", in->name);
		if (in->about != NULL)
			stet_put_str(out, "description", in->about);
		stet_put_bool(out, "required", (in->flags & STET_REQUIRED) != 0);
		stet_close(out);
	}
	stet_close(out);
}

static void
put_prompt(struct stet_json *out, const struct stet_op_info *op)
{
	stet_object(out, NULL);
	tool_put_name(out, op);
	put_arguments(out, op->op->in);
	stet_close(out);
}

enum stet_status
prompts_list(struct stet_call *call, struct exchange *x, const struct message *m)
{
	const struct stet_op_info *const *all;
	size_t count = stet_ops(call, &all);
	const char *const *plugins;
	struct stet_json *out;

	if (list_refused(call, x, m))
		return STET_OK;
	STET_TRY(surface_plugins(call, &plugins));
	out = reply_open(call, x, m->id);
	reply_result(out, x);
	stet_array(out, "prompts");
	for (size_t i = 0; i < count; i++)
		if (prompt_is(all[i]) && surface_holds(plugins, all[i]) && tool_open(call, all[i]))
			put_prompt(out, all[i]);
	stet_close(out);
	reply_cached(out, x);
	stet_close(out);
	reply_close(out);
	return STET_OK;
}

/* Finds a prompt that the caller may have. NULL: there is none. */
static enum stet_status
find(struct stet_call *call, const struct message *m, const struct stet_op_info **out)
{
	const char *name = json_string_value(json_object_get(m->params, "name"));
	const struct stet_op_info *op = name != NULL ? tool_op(call, name) : NULL;
	bool shown = false;

	*out = NULL;
	if (op == NULL || !prompt_is(op) || !tool_open(call, op))
		return STET_OK;
	STET_TRY(surface_shows(call, op, &shown));
	*out = shown ? op : NULL;
	return STET_OK;
}

enum stet_status
prompts_get(struct stet_call *call, struct exchange *x, const struct message *m)
{
	const json_t *args = json_object_get(m->params, "arguments");
	const struct stet_op_info *op;
	struct stet_json *out;
	json_t *answer;

	STET_TRY(find(call, m, &op));
	if (op == NULL || (args != NULL && !json_is_object(args))) {
		reply_error(call, x, m->id, RPC_INVALID_PARAMS,
		    op == NULL ? "Unknown prompt" : "Invalid params: arguments must be an object",
		    NULL);
		return STET_OK;
	}
	x->prompt = true;
	args = meant_arguments(call, op, args);
	STET_TRY(stet_invoke_json(
	    call, op->name, args != NULL ? json_deep_copy(args) : json_object(), &answer));
	x->prompt = false;
	out = reply_open(call, x, m->id);
	reply_result(out, x);
	stet_put_str(out, "description", op->op->about);
	stet_array(out, "messages");
	stet_object(out, NULL);
	stet_put_str(out, "role", "user");
	stet_object(out, "content");
	stet_put_str(out, "type", "text");
	stet_put_json(out, "text", json_object_get(answer, "text"));
	stet_close(out);
	stet_close(out);
	stet_close(out);
	stet_close(out);
	reply_close(out);
	return STET_OK;
}
