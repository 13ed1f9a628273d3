/*
 * account.h - the account of an import: how much of each kind was read from the source, how much of
 * it is stored here, and how much was left by choice. The rest is lost, which is told.
 *
 * An account is JSON, {what: {name: [read, stored, left]}}. "What" is one of the kinds below; the
 * name is that of the source: a type of posts, a custom field, a taxonomy.
 */
#ifndef IMPORT_ACCOUNT_H
#define IMPORT_ACCOUNT_H

#include <jansson.h>
#include <stet/call.h>
#include <stet/module.h>
#include <stet/portabletext.h>

#define ACCOUNT_ITEMS "items" /* by type of posts */
#define ACCOUNT_VALUES "values" /* of fields, by their name in the source */
#define ACCOUNT_REFERENCES "references" /* to items and files, by field; of menus */
#define ACCOUNT_TERMS "assignments" /* of terms to items, by taxonomy */
#define ACCOUNT_COMMENTS "comments"
#define ACCOUNT_AUTHORS "authors" /* of items */
/* In texts; the content has the name "", others that of their field. */
#define ACCOUNT_CHARACTERS "characters" /* without blanks */
#define ACCOUNT_LINKS "links"
#define ACCOUNT_PICTURES "pictures"
#define ACCOUNT_PLAYERS "players"
#define ACCOUNT_MENUS "menuItems" /* by menu */
#define ACCOUNT_MEDIA "media" /* files of attachments; not in dry runs that would copy them */
/* Counted in the database after the run, and held against what was read: "items posts", ... */
#define ACCOUNT_COUNTED "counted"

/* Members of each object of `account` in the answers. */
extern const struct stet_member account_shape[];

/* Adds to an account; a name of "" is for kinds that have none. All zeros add nothing. A name
 * beyond the first thousand of its kind counts as "...". */
void account_add(json_t *account, const char *what, const char *name, int64_t read, int64_t stored,
    int64_t left);
/* What was counted in the database. here: at most as many count as are neither left nor told. */
struct account_counted {
	int64_t read, here;
	int64_t left; /* by choice */
	int64_t told; /* lost, which other rows say already: it is no further loss */
};
void account_count(json_t *account, const char *name, const struct account_counted *);
/* What texts were to show when they were stored, and what of that the database has: adds it to what
 * was counted. given NULL: nothing more. The second function reads the sums. */
void account_texts(
    json_t *account, const struct stet_html_counts *given, const struct stet_html_counts *held);
void account_texts_of(
    const json_t *account, struct stet_html_counts *given, struct stet_html_counts *held);
/* Adds a whole account. */
void account_join(json_t *account, const json_t *other);
/* Writes the member `account`, an array of account_shape, in the order of the kinds above. */
void account_put(struct stet_json *, const json_t *account);
/* Returns such an array, a new reference. */
json_t *account_list(const json_t *account);
/* Returns how much of a kind is stored. */
int64_t account_stored(const json_t *account, const char *what);
/* Returns the number of things that were read, and neither stored nor left by choice; each once. */
int64_t account_lost(const json_t *account);

#endif
