/* pgcopy.h - all rows of tables, by COPY. See db_carrier. */
#ifndef PGCOPY_H
#define PGCOPY_H

#include "db/carry.h"

bool pgcopy_count(struct carry_end *, const struct carry_table *, uint64_t *rows);
bool pgcopy_read(struct carry_end *, const struct carry_table *);
bool pgcopy_next(struct carry_end *, struct stet_val *, bool *more);
bool pgcopy_write(struct carry_end *, const struct carry_table *);
bool pgcopy_put(struct carry_end *, const struct stet_val *);
bool pgcopy_wrote(struct carry_end *);

#endif
