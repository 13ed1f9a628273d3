/*
 * fold.h - texts as searches compare them: without regard to case, accents and the spelling of the
 * same letter. The public functions are stet_fold and stet_fold_char (<stet/call.h>), which says
 * what folding does.
 */
#ifndef CORE_FOLD_H
#define CORE_FOLD_H

#include <stdbool.h>
#include <stddef.h>

/* A character, or a mark, that takes other bytes in the folded text than in the original. All
 * other characters take as many bytes as before. */
struct fold_piece {
	size_t folded, folded_len;
	size_t from, from_len; /* in the original */
};
/* Zero-initialised is empty, and can be used again and again. */
struct fold {
	char *text; /* not NUL-terminated */
	size_t len, room;
	/* Only for fold_mapped. */
	struct fold_piece *piece;
	size_t pieces, piece_room;
};

/* Folds a text. Bytes that are not UTF-8 become blanks. */
void fold_text(struct fold *, const char *text, size_t len);
/* The same, and keeps the pieces, for fold_range. */
void fold_mapped(struct fold *, const char *text, size_t len);
/* Changes a range of the folded text, which is not empty, to that of the original: whole
 * characters, with the marks that follow. */
void fold_range(const struct fold *, size_t *begin, size_t *end);
/* Returns true if all bytes are ASCII, which folding changes to lower case and nothing else. */
bool fold_is_ascii(const char *text, size_t len);
void fold_free(struct fold *);

#endif
