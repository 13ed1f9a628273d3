/* pgrows.h - all rows of tables, by COPY. See db_carrier. */
#ifndef PGROWS_H
#define PGROWS_H

#include "db/carry.h"

bool pgrows_count(struct carry_end *, const struct carry_table *, uint64_t *rows);
bool pgrows_read(struct carry_end *, const struct carry_table *);
bool pgrows_next(struct carry_end *, struct stet_val *, bool *more);
bool pgrows_write(struct carry_end *, const struct carry_table *);
bool pgrows_put(struct carry_end *, const struct stet_val *);
bool pgrows_wrote(struct carry_end *);

#endif
