/* pictures.h - images that tests upload. */
#ifndef T_MODULE_LIB_PICTURES_H
#define T_MODULE_LIB_PICTURES_H

#include <stddef.h>

/* An image: one half is red (220, 20, 30), the other is blue (20, 40, 200). */
struct picture {
	const char *name, *type;
	int width, height; /* as displayed: the JPEG has an EXIF orientation */
	const char *base64;
};
/* A PNG, a GIF, a WebP and a JPEG; a row without a name ends them. */
extern const struct picture pictures[];

#endif
