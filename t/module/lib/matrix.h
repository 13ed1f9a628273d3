/*
 * matrix.h - what every op answers everybody: nobody and each role, and of ops on items, on own and
 * others' items that are published, drafts and in the trash. Made by calling it.
 */
#ifndef T_MODULE_MATRIX_H
#define T_MODULE_MATRIX_H

#include "routes.h"
#include <stdio.h>

/* Whose item in which state; ops on no item have ANY alone. */
enum column { ANY = 0, OWN = 0, OTHERS = ITEM_STATES, COLUMNS = 2 * ITEM_STATES };

struct right {
	const struct op *op;
	int columns; /* COLUMNS, or 1 */
	bool revision; /* its items are named by one of their revisions */
	/*
	 * By column and person: the person's index in people as a digit, when the call passed; -
	 * when it was refused; ? when there was no such item, as far as this person is told; a dot
	 * when there is no such case (nobody owns anything).
	 */
	char cell[COLUMNS][PEOPLE];
};
#define RIGHTS_MAX 1024
extern struct right matrix[RIGHTS_MAX];
extern size_t matrix_count;

/* Make it, on a site of routes_begin. */
void matrix_make(void);
/* A line for each op, by name. */
void matrix_write(FILE *to);
/* Call an op with the members that it requires, on an item if it is not NULL. */
struct outcome *matrix_call(const struct right *, const struct harness_user *, const struct item *);
/* Did a person get past it? */
bool passed(const struct right *, int column, int person);

/* An answer of 500 or more that no op may give here: the site has no mail server. */
bool matrix_faulty(const struct outcome *);

#endif
