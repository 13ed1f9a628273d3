/* module.h - one module of a layout: its words, pictures and links, by the names of its settings.
 */
#ifndef IMPORT_LAYOUT_MODULE_H
#define IMPORT_LAYOUT_MODULE_H

#include "layout/write.h"

struct module {
	const char *name;
	const json_t *settings; /* {name: text, or a value of Elementor} */
	/* Writes what is inside; NULL: nothing. */
	void (*inside)(struct writing *, const void *arg);
	const void *arg;
	/* The inside is the label of a button or link, as HTML; "": it is not. */
	const char *label;
};
void module_put(struct writing *, const struct module *);
/* Returns the address to which a section or column leads as a whole; "": none. */
const char *module_address(struct writing *, const json_t *settings);
/* Counts the background picture of a section or module, which is left out. */
void module_background(struct writing *, const json_t *settings);

#endif
