/*
 * common.h - what processes that use the same database have in common beside its rows
 * (db_common). Where a database has one user, there is nothing of this.
 */
#ifndef CORE_DB_COMMON_H
#define CORE_DB_COMMON_H

#include "db/driver.h"

struct site;
struct stet_call;
struct stet_tx;

/* What a state shows. Returns false if its database has one user. */
bool common_of(const struct site *, const struct stamp *, struct db_common *);
/* What the read transaction of the call shows, which begins if need be. Returns false also if the
 * database cannot be read; the call has an error then. */
bool common_seen(struct stet_call *, struct db_common *);
/* A write transaction has just begun. Returns UNAVAILABLE if another process has closed the site,
 * or if modules or settings have changed since the site was compiled: then *other is what the
 * database says of them, otherwise -1. NULL: the latter does not matter. */
enum stet_status common_check(struct db *, struct site *, int64_t *other);

/* In a write transaction: closes the site for others for so many milliseconds, or opens it (0). */
enum stet_status common_shut(struct stet_call *, struct stet_tx *, int64_t ms);
/* In a write transaction that changes modules or settings: others will compile the site again. */
enum stet_status common_renew(struct stet_call *, struct stet_tx *);

#endif
