/*
 * conftext.h - brings stet.conf into a plain form before libconfuse reads it.
 *
 * The scanner of libconfuse has global state, and keeps it if a file ends inside a comment or a
 * string: the next file is then misread, or the process exits. So this scanner reads the file
 * first. It writes each word and string as a quoted string of harmless characters, each mark as it
 * is, and the line ends, so that line numbers in errors stay right. Whatever the file holds,
 * libconfuse's scanner ends in the state in which it began.
 */
#ifndef CORE_CONFTEXT_H
#define CORE_CONFTEXT_H

#include "base/buf.h"
#include <stdbool.h>

/* Appends `text` in plain form to `out`. If the text is malformed, returns false and appends
 * "name:line: " and the reason to `wrong`; otherwise `wrong` stays empty. */
bool conftext_plain(const char *text, const char *name, struct buf *out, struct buf *wrong);

#endif
