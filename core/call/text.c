/*
 * text.c - matches regular expressions (PCRE2) with a bound on time. Patterns and texts come from
 * users, and a bad pair could otherwise run for hours.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "base/arena.h"
#include "base/fold.h"
#include "base/log.h"
#include <pcre2.h>
#include <pthread.h>
#include <stdlib.h>
#include <stet/call.h>
#include <string.h>

#define PATTERN_MAX 2048 /* bytes */
#define PATTERN_CACHE 32 /* compiled patterns per thread */
#define MATCH_STEPS 4000000 /* about 10 ms for any pattern and text */

struct pattern {
	char *text;
	pcre2_code *code;
	uint64_t used;
};

struct pattern_cache {
	struct pattern slot[PATTERN_CACHE];
	uint64_t uses;
	pcre2_match_context *match;
	pcre2_compile_context *compile;
	pcre2_match_data *data;
	char why[256];
};

static pthread_key_t pattern_key;
static pthread_once_t pattern_once = PTHREAD_ONCE_INIT;

static void
pattern_drop(struct pattern *p)
{
	free(p->text);
	pcre2_code_free(p->code);
	*p = (struct pattern){ 0 };
}

static void
pattern_cache_free(void *arg)
{
	struct pattern_cache *cache = arg;

	for (size_t i = 0; i < PATTERN_CACHE; i++)
		pattern_drop(&cache->slot[i]);
	pcre2_match_context_free(cache->match);
	pcre2_compile_context_free(cache->compile);
	pcre2_match_data_free(cache->data);
	free(cache);
}

static void
pattern_key_make(void)
{
	stet_assert(pthread_key_create(&pattern_key, pattern_cache_free) == 0);
}

/* The match limit of PCRE2 starts anew at each position of the text, and does not count inside a
 * loop over one character class. So a callout counts steps: one for each item tried and one for
 * each byte moved. */
struct steps {
	uint64_t done;
	size_t at;
};

static int
count_steps(pcre2_callout_block *block, void *arg)
{
	struct steps *steps = arg;
	size_t at = block->current_position;

	steps->done += 1 + (at > steps->at ? at - steps->at : steps->at - at);
	steps->at = at;
	return steps->done > MATCH_STEPS ? PCRE2_ERROR_MATCHLIMIT : 0;
}

static struct pattern_cache *
pattern_cache(void)
{
	struct pattern_cache *cache;

	pthread_once(&pattern_once, pattern_key_make);
	cache = pthread_getspecific(pattern_key);
	if (cache != NULL)
		return cache;
	cache = xcalloc(1, sizeof *cache);
	cache->compile = pcre2_compile_context_create(NULL);
	cache->match = pcre2_match_context_create(NULL);
	cache->data = pcre2_match_data_create(1, NULL);
	stet_assert(cache->compile != NULL && cache->match != NULL && cache->data != NULL);
	pcre2_set_parens_nest_limit(cache->compile, 50);
	pcre2_set_heap_limit(cache->match, 4096); /* KiB */
	stet_assert(pthread_setspecific(pattern_key, cache) == 0);
	return cache;
}

/* Returns NULL if the pattern does not compile; cache->why then says why and where. */
static pcre2_code *
pattern_compile(struct pattern_cache *cache, const char *text)
{
	int code;
	size_t at;
	PCRE2_UCHAR message[160];
	pcre2_code *made;

	if (strlen(text) > PATTERN_MAX) {
		snprintf(cache->why, sizeof cache->why, "longer than %d bytes", PATTERN_MAX);
		return NULL;
	}
	made = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED,
	    PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY | PCRE2_ALT_BSUX |
		PCRE2_AUTO_CALLOUT,
	    &code, &at, cache->compile);
	if (made == NULL) {
		if (pcre2_get_error_message(code, message, sizeof message) < 0)
			message[0] = '\0';
		snprintf(cache->why, sizeof cache->why, "%s at byte %zu", (char *)message, at);
	}
	return made;
}

static pcre2_code *
pattern_find(struct pattern_cache *cache, const char *text)
{
	struct pattern *oldest = &cache->slot[0];
	pcre2_code *code;

	for (size_t i = 0; i < PATTERN_CACHE; i++) {
		struct pattern *p = &cache->slot[i];
		if (p->text != NULL && strcmp(p->text, text) == 0) {
			p->used = ++cache->uses;
			return p->code;
		}
		if (p->used < oldest->used)
			oldest = p;
	}
	code = pattern_compile(cache, text);
	if (code == NULL)
		return NULL;
	pattern_drop(oldest);
	*oldest = (struct pattern){ xstrdup(text), code, ++cache->uses };
	return code;
}

enum stet_status
stet_match(
    struct stet_call *call, const char *pattern, const char *text, bool *found, const char **why)
{
	struct pattern_cache *cache = pattern_cache();
	pcre2_code *code = pattern_find(cache, pattern);
	struct steps steps = { 0, 0 };
	int n;

	*found = false;
	if (code == NULL) {
		if (why != NULL)
			*why = stet_strdup(call, cache->why);
		return STET_VALIDATION_ERROR;
	}
	pcre2_set_callout(cache->match, count_steps, &steps);
	n = pcre2_match(code, (PCRE2_SPTR)text, strlen(text), 0, 0, cache->data, cache->match);
	*found = n >= 0;
	return STET_OK;
}

char *
stet_fold(struct stet_call *call, const char *text, size_t len)
{
	struct fold f = { 0 };
	char *out;

	fold_text(&f, text, len);
	out = stet_strndup(call, f.text, f.len);
	fold_free(&f);
	return out;
}
