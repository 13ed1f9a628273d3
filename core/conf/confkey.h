/*
 * confkey.h - the keys of stet.conf: what each is called, what it holds, and what holds without it.
 * All that is done with every key goes by these tables: read, check, copy, compare, free.
 */
#ifndef CORE_CONFKEY_H
#define CORE_CONFKEY_H

#include "conf/confcheck.h"

/* What a key's field is. */
enum conf_kind {
	CONF_TITLE, /* char *: the section's, which no line says */
	CONF_TEXT, /* char * */
	CONF_LIST, /* char **, NULL-terminated */
	CONF_INT, /* int */
	CONF_COUNT, /* uint64_t */
	CONF_SWITCH, /* bool */
	CONF_CHOICE, /* int: which of the choices */
	CONF_SPAN, /* int64_t: milliseconds */
	CONF_SIZE, /* uint64_t: bytes */
	CONF_MINUTE, /* struct conf_minute */
	CONF_RATES, /* struct conf_rate[CONF_CLASSES] */
};

struct conf_key {
	const char *name;
	enum conf_kind kind;
	size_t offset; /* in struct conf or struct conf_site */
	const struct conf_check *check; /* of each word; NULL: INT, COUNT, SWITCH and TITLE */
	/* What holds when the file says nothing, as it would stand there: one word of a list; of
	 * rates all, with commas, and each holds until the file says another. */
	const char *fallback;
	int64_t number; /* the same of INT and COUNT; of a SPAN without fallback what none is */
	int64_t least, most; /* INT and COUNT */
	const char *const *choices; /* NULL at the end */
	const char *environment; /* the variable that wins over the file */
	bool some; /* a list that must not be empty */
	bool restart; /* takes effect at the next start only */
};

/* Both end with a row without name. */
extern const struct conf_key conf_keys[], conf_site_keys[];

/* Set a key's field of a zeroed struct: words that were found good, or a number (SWITCH: 0, 1). */
void confkey_set(const struct conf_key *, void *conf, const char *const *words, size_t count);
void confkey_set_number(const struct conf_key *, void *conf, int64_t number);
/* From one struct into another, which owns its copy. */
void confkey_copy(const struct conf_key *, void *to, const void *from);
/* From one struct into another, to which it belongs now. */
void confkey_move(const struct conf_key *, void *to, const void *from);
bool confkey_same(const struct conf_key *, const void *a, const void *b);
void confkey_free(const struct conf_key *, void *conf);
/* The names of the keys that differ, ", " between them, of those that take a restart or of the
 * others; NULL: none does. Free it. */
char *confkey_changed(const struct conf_key *keys, const void *a, const void *b, bool restart);

#endif
