/* confirm.h - what the texts of an item show, as they were to be stored and as the database has
 * them. */
#ifndef IMPORT_CONFIRM_H
#define IMPORT_CONFIRM_H

#include "item/members.h"

/* Counts what the texts of an entry show that is about to be written; data: values of fields. To be
 * called before each attempt to write it. */
STET_MUST enum stet_status confirm_expect(
    struct stet_call *, const struct run *, struct import_item *, const json_t *data);
/*
 * Reads the texts of written items from the database, a collection at a time, and counts them. If
 * an item has less than it was to have, its account and a notice say so; so does its outcome, if
 * that is stored already. Entries that were not created or updated are passed over, except those
 * that an interrupted run has written: these are looked up by their number.
 *
 * tx NULL: they are committed. A dry run reads them before its rollback, in its transaction.
 */
STET_MUST enum stet_status confirm_items(struct stet_call *, struct stet_tx *, const struct run *,
    struct import_item *const *, size_t count);
/* Compares what a section was to show with what it shows: adds both to the account, and a notice
 * if it is less. */
void confirm_part(
    struct stet_call *, json_t *account, json_t *notices, const json_t *given, const json_t *held);

#endif
