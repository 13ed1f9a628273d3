/*
 * listed.c - tools/list. A cache of lists of tools as JSON, shared by all callers that see the same
 * list. The cache key: the generation of the site (modules, plugins), role and scopes of the
 * caller, the plugins whose tools are on, and whether the list is the compact one.
 */
#include "mcp.h"
#include <stdlib.h>
#include <string.h>

enum stet_status
listed_open(struct stet_call *call, void *arg)
{
	struct mcp_state *state = arg;

	(void)call;
	pthread_mutex_init(&state->lock, NULL);
	return STET_OK;
}

static void
drop(struct listed *l)
{
	free(l->key);
	free(l->text);
	*l = (struct listed){ 0 };
}

void
listed_close(void *arg)
{
	struct mcp_state *state = arg;

	for (size_t i = 0; i < LISTS; i++)
		drop(&state->list[i]);
	pthread_mutex_destroy(&state->lock);
}

static const char *
key_of(struct stet_call *call, bool compact, const char *const *plugins)
{
	const struct stet_principal *who = stet_principal(call);
	const char *key;

	key = stet_printf(call, "%llu %d %s\n", (unsigned long long)stet_generation(call),
	    who != NULL ? who->role : -1, who == NULL || who->scopes == NULL ? "*" : who->scopes);
	if (compact)
		return stet_printf(call, "%s:", key);
	for (; *plugins != NULL; plugins++)
		key = stet_printf(call, "%s %s", key, *plugins);
	return key;
}

/* Writes the member "tools" if the cache has the list of this key. Returns false if not. */
static bool
put_kept(struct stet_call *call, struct stet_json *out, const char *key)
{
	struct mcp_state *state = stet_state(call);
	bool found = false;

	pthread_mutex_lock(&state->lock);
	for (size_t i = 0; i < LISTS && !found; i++) {
		struct listed *l = &state->list[i];

		found = l->key != NULL && strcmp(l->key, key) == 0;
		if (found) {
			l->used = ++state->uses;
			stet_put_raw(out, "tools", l->text, l->len);
		}
	}
	pthread_mutex_unlock(&state->lock);
	return found;
}

/* Returns a slot for this key: its own, a free one, or the least recently used one. */
static struct listed *
place(struct mcp_state *state, const char *key)
{
	struct listed *oldest = &state->list[0];

	for (size_t i = 0; i < LISTS; i++) {
		struct listed *l = &state->list[i];

		if (l->key != NULL && strcmp(l->key, key) == 0)
			return l;
		if (l->used < oldest->used)
			oldest = l;
	}
	return oldest;
}

static void
keep(struct stet_call *call, const char *key, const char *text, size_t len)
{
	struct mcp_state *state = stet_state(call);
	struct listed made = { strdup(key), malloc(len + 1), len, 0 }, *l;

	stet_metric_add(call, "tool_lists_total", 1);
	if (made.key == NULL || made.text == NULL) {
		drop(&made);
		return;
	}
	memcpy(made.text, text, len);
	pthread_mutex_lock(&state->lock);
	l = place(state, key);
	drop(l);
	made.used = ++state->uses;
	*l = made;
	pthread_mutex_unlock(&state->lock);
}

/* ---- the response ---- */

static void
put_tools(struct stet_call *call, struct stet_json *out, const struct stet_op_info *const *open,
    size_t count)
{
	stet_array(out, NULL);
	for (size_t i = 0; i < count; i++)
		tool_put(call, out, open[i], false);
	stet_close(out);
}

/* Writes the list of all tools, or the compact one, and adds it to the cache. */
static void
put_all(struct stet_call *call, struct stet_json *out, bool compact, const char *const *plugins)
{
	const char *key = key_of(call, compact, plugins), *text;
	const struct stet_op_info *const *open;
	struct stet_json *list;
	size_t count, len;

	if (put_kept(call, out, key))
		return;
	count = 0;
	if (compact)
		count = compact_tools(call, &open);
	else
		open = tools_open_of(call, plugins, &count);
	list = stet_json_new(call);
	put_tools(call, list, open, count);
	text = stet_json_text(list, &len);
	keep(call, key, text, len);
	stet_put_raw(out, "tools", text, len);
}

enum stet_status
tools_list(struct stet_call *call, struct exchange *x, const struct message *m)
{
	const char *const *plugins = NULL;
	struct stet_json *out;

	if (list_refused(call, x, m))
		return STET_OK;
	if (!x->compact)
		STET_TRY(surface_plugins(call, &plugins));
	out = reply_open(call, x, m->id);
	reply_result(out, x);
	put_all(call, out, x->compact, plugins);
	reply_cached(out, x);
	stet_close(out);
	reply_close(out);
	return STET_OK;
}
