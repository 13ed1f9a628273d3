/*
 * folding.h - folded texts (base/fold.h) in SQL:
 *
 *	stet_has(text, folded)	is 1 if the text, folded, has the other in it, which is folded
 *already; 0 if not; NULL of NULL
 *
 * and the tokenizer stet_fold of FTS5. It folds what another tokenizer splits, whose name and
 * arguments follow: tokenize = "stet_fold porter unicode61". Tokens tell where they stand in the
 * text as it was.
 */
#ifndef CORE_FOLDING_H
#define CORE_FOLDING_H

#include <sqlite3.h>

/* Adds both to a connection. Returns a code of SQLite; without FTS5 there is no tokenizer. */
int folding_install(sqlite3 *);

#endif
