/* media-usage.h - what the files of the module media-usage share. */
#ifndef MEDIA_USAGE_H
#define MEDIA_USAGE_H

#include <stet/module.h>

/* ---- extract.c: the media items that values refer to ---- */

/* The two versions of an item's values, whose references are told apart: those of its row, and
 * those of its draft. */
enum variant { COLUMNS, DRAFT_OVERLAY };

struct ref {
	const char *media; /* id of the media item, which may not exist */
	enum variant variant;
	const char *field, *path, *type;
};
struct refs {
	struct stet_call *call;
	struct ref *list;
	size_t count, room;
	enum variant variant; /* of the values that come next */
};

/* Returns true if values of the field can refer to media items. */
bool field_refers(const struct stet_field *);
/* Adds the references in a value of such a field; value may be NULL. */
void extract(struct refs *, const struct stet_field *, const json_t *value);
/* The same for the text that a column of the row holds; text may be NULL. */
void extract_text(struct refs *, const struct stet_field *, const char *text, size_t len);

/* ---- entry.c: what an item uses, in the index ---- */

/* An item as the index should have it. */
struct entry {
	bool there;
	bool active; /* not in the trash: its uses count */
	bool broken; /* its draft is not there */
	int sources; /* how many versions of its values there are */
	struct uses *uses;
};
/* Reads the item. `without` is a field that is being deleted, or NULL. */
enum stet_status entry_read(struct stet_call *, const struct stet_collection *, const char *id,
    const char *without, struct entry *);
/* Makes the index equal to the item. *removed, unless NULL, is the number of uses that were in it
 * wrongly. */
enum stet_status entry_write(struct stet_call *, struct stet_tx *, const struct stet_collection *,
    const char *id, const struct entry *, int64_t *removed);
/* Compares the index with the item: *why is NULL, or says what differs. */
enum stet_status entry_compare(struct stet_call *, const struct stet_collection *, const char *id,
    const struct entry *, const char **why);

stet_entry_changed_fn usage_entry;

#endif
