/* qr.h - a text as a QR code on a terminal. */
#ifndef CORE_COMMAND_QR_H
#define CORE_COMMAND_QR_H

#include <stdbool.h>
#include <stdio.h>

/* Prints the code, with colours of its own on a terminal. Returns false, and prints nothing, if the
 * text is too long for a code. */
bool qr_print(FILE *, const char *text);

#endif
