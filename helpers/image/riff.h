/* riff.h - WebP files as chunks (RFC 9649). */
#ifndef HELPERS_IMAGE_RIFF_H
#define HELPERS_IMAGE_RIFF_H

#include <stddef.h>

/* Removes Exif and XMP from a WebP file in memory. Returns the new length, which is not larger; the
 * old one if the bytes are no WebP file. */
size_t riff_strip(unsigned char *bytes, size_t len);

#endif
