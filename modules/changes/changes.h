/* changes.h - what the files of the changes module share. */
#ifndef CHANGES_H
#define CHANGES_H

#include <stet/changes.h>
#include <stet/module.h>

/* note.c: writing the feed. */
stet_entry_changed_fn note_entry;
stet_schema_changing_fn note_schema;
extern const struct stet_changes_1 changes_service;

/* feed.c: reading the feed. */
extern const struct stet_member feed_in[], feed_out[];
enum stet_status feed_read(struct stet_call *);

/* The state of the module on a site. */
struct changes_state {
	_Atomic int64_t due; /* for keep.c: time of the next check for old rows; 0: now */
	_Atomic bool had; /* for note.c: the table change_had may have rows of this transaction */
};

/* keep.c: deleting old rows. */
int64_t keep_due(struct stet_call *);
enum stet_status keep_run(struct stet_call *);

#endif
