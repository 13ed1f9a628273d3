/*
 * confkey.h - the table of keys of stet.conf: name, type, check and default of each. Whatever is
 * done with every key (read, check, copy, compare, free) goes through the table, so a new key is a
 * new row and a new field.
 */
#ifndef CORE_CONFKEY_H
#define CORE_CONFKEY_H

#include "conf/confcheck.h"

/* The type of the field that a key is stored in. */
enum conf_kind {
	CONF_TITLE, /* char *: the title of the section */
	CONF_TEXT, /* char * */
	CONF_LIST, /* char **, NULL-terminated */
	CONF_INT, /* int */
	CONF_COUNT, /* uint64_t */
	CONF_SWITCH, /* bool */
	CONF_CHOICE, /* int: index into the choices */
	CONF_SPAN, /* int64_t: milliseconds */
	CONF_SIZE, /* uint64_t: bytes */
	CONF_MINUTE, /* struct conf_minute */
	CONF_RATES, /* struct conf_rate[CONF_CLASSES] */
};

struct conf_key {
	const char *name;
	enum conf_kind kind;
	size_t offset; /* in struct conf or struct conf_site */
	const struct conf_check
	    *check; /* applied to each word; NULL for INT, COUNT, SWITCH and TITLE */
	/* The default, written as in the file; one word for a list. For rates: all limits,
	 * separated by commas; the file overrides them one by one. */
	const char *fallback;
	int64_t number; /* the default of INT and COUNT; for a SPAN without fallback the value that
			   means "not set" */
	int64_t least, most; /* INT and COUNT */
	const char *const *choices; /* words allowed; NULL at the end */
	const char *environment; /* environment variable that overrides the file; NULL: none */
	bool some; /* the list must not be empty */
	bool restart; /* a change takes effect at the next start only */
};

/* The rows of the file and of a site section. Each table ends with a row without a name. */
extern const struct conf_key conf_keys[], conf_site_keys[];

/* Sets a key's field in a zeroed struct, from words that have passed the check or from a number
 * (SWITCH: 0 or 1). */
void confkey_set(const struct conf_key *, void *conf, const char *const *words, size_t count);
void confkey_set_number(const struct conf_key *, void *conf, int64_t number);
/* Returns the text of a TITLE or TEXT, and NULL for other kinds. */
const char *confkey_text(const struct conf_key *, const void *conf);
/* Returns the number that the field holds, and 0 for kinds that hold none. */
int64_t confkey_number(const struct conf_key *, const void *conf);
/* Copies a field into another struct, which owns the copy. */
void confkey_copy(const struct conf_key *, void *to, const void *from);
/* Moves a field into another struct, which owns it from then on. */
void confkey_move(const struct conf_key *, void *to, const void *from);
bool confkey_same(const struct conf_key *, const void *a, const void *b);
void confkey_free(const struct conf_key *, void *conf);
/* Returns the names of the keys that differ, with ", " between them: those that need a restart,
 * or the others. NULL: none. The caller frees it. */
char *confkey_changed(const struct conf_key *keys, const void *a, const void *b, bool restart);

#endif
