/*
 * qr.c - a text as a QR code on a terminal: a cell of the terminal is twice as high as wide, so it
 * shows two modules of the code, one above the other. Bright modules are the ones that are drawn.
 */
#include "command/qr.h"
#include <qrencode.h>
#include <string.h>
#include <unistd.h>

#define MARGIN 4 /* modules that stay bright around the code */
#define COLOURS "\033[40;97m" /* black, and bright white */
#define NO_COLOURS "\033[0m"

static bool
is_bright(const QRcode *code, int x, int y)
{
	if (x < 0 || y < 0 || x >= code->width || y >= code->width)
		return y < code->width + MARGIN;
	return (code->data[y * code->width + x] & 1) == 0;
}

bool
qr_print(FILE *f, const char *text)
{
	static const char *const cells[] = { " ", "\xe2\x96\x84", "\xe2\x96\x80", "\xe2\x96\x88" };
	QRcode *code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L);
	bool coloured = isatty(fileno(f)) == 1;

	if (code == NULL)
		return false;
	for (int y = -MARGIN; y < code->width + MARGIN; y += 2) {
		fputs(coloured ? COLOURS : "", f);
		for (int x = -MARGIN; x < code->width + MARGIN; x++)
			fputs(cells[is_bright(code, x, y) * 2 + is_bright(code, x, y + 1)], f);
		fputs(coloured ? NO_COLOURS "\n" : "\n", f);
	}
	QRcode_free(code);
	return true;
}
