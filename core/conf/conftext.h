/*
 * conftext.h - the text of stet.conf before libconfuse sees it. The scanner of libconfuse keeps its
 * state when a file ends inside a comment or a text: the next file is then misread, or the process
 * ends. So we scan the file ourselves, and hand on each word and text as a quoted string of plain
 * characters, each mark, and the ends of lines: whatever the file holds, that scanner ends in the
 * state in which it began.
 */
#ifndef CORE_CONFTEXT_H
#define CORE_CONFTEXT_H

#include "base/buf.h"
#include <stdbool.h>

/* Append `text` in that form to `out`. Returns false with "name:line: " and what is wrong appended
 * to `wrong`, which stays empty otherwise. */
bool conftext_plain(const char *text, const char *name, struct buf *out, struct buf *wrong);

#endif
