/*
 * matrix.h - the outcome of every op for every role and anonymous callers. Ops on items are tried
 * on own and others' items: published, drafts and in the trash. The matrix is made by calling each
 * op.
 */
#ifndef T_MODULE_MATRIX_H
#define T_MODULE_MATRIX_H

#include "routes.h"
#include <stdio.h>

/* Owner and state of the item; ops that act on no item have only ANY. */
enum column { ANY = 0, OWN = 0, OTHERS = ITEM_STATES, COLUMNS = 2 * ITEM_STATES };

struct right {
	const struct op *op;
	int columns; /* COLUMNS, or 1 */
	bool revision; /* items are identified by a revision */
	/*
	 * For each column and person: the person's index in people, as a digit, if the call
	 * succeeded; - if it was refused; ? if the response says that there is no such item; a dot
	 * if the case does not exist (anonymous callers own nothing).
	 */
	char cell[COLUMNS][PEOPLE];
};
#define RIGHTS_MAX 1024
extern struct right matrix[RIGHTS_MAX];
extern size_t matrix_count;

/* Makes the matrix, on a site of routes_begin. */
void matrix_make(void);
/* Writes a line for each op, sorted by name. */
void matrix_write(FILE *to);
/* Calls an op with its required members, on an item if that is not NULL. */
struct outcome *matrix_call(const struct right *, const struct harness_user *, const struct item *);
/* Returns true if the call of this person succeeded. */
bool passed(const struct right *, int column, int person);

/* Returns true for a status of 500 or more that the op may not return here (there is no mail
 * server). */
bool matrix_faulty(const struct outcome *);

#endif
