/*
 * listed.c - lists of tools as JSON, each written once for all who see the same. What a list
 * holds depends on the generation of the site (modules, plugins), on role and scopes of the caller,
 * on the plugins whose tools are on, and on whether it is the compact one: that is its key.
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

const char *
listed_key(struct stet_call *call, bool compact, const char *const *plugins)
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

bool
listed_put(struct stet_call *call, struct stet_json *out, const char *key)
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

/* A place for this key: its own, a free one, or that of the list which was not used for longest. */
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

void
listed_keep(struct stet_call *call, const char *key, const char *text, size_t len)
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
