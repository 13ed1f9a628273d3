/* layout.h - converts layouts of page builders to block markup. */
#ifndef IMPORT_LAYOUT_H
#define IMPORT_LAYOUT_H

#include <jansson.h>
#include <stet/call.h>

struct layout {
	const char *builder; /* its name */
	const char *markup; /* owned by the call */
	const json_t *idle; /* {name: count}: modules that show nothing; owned by the call */
	const json_t *unknown; /* {name: count}: shortcodes that stay text; owned by the call */
};

/* Reads a text with shortcodes of Divi or WPBakery. Returns false if it has none, or too many. */
bool layout_codes(struct stet_call *, const char *text, struct layout *);
/* Reads a layout of Elementor. Returns false if the text is none. */
bool layout_elementor(struct stet_call *, const char *text, struct layout *);

#endif
