/* rendition.h - smaller copies of stored images: functions of the service images/1. */
#ifndef MEDIA_IMAGE_RENDITION_H
#define MEDIA_IMAGE_RENDITION_H

#include <stet/image.h>

enum stet_status rendition_open(struct stet_call *, const char *key, const struct stet_rendition *,
    size_t size, int *fd, const char **tag);
enum stet_status rendition_kept(
    struct stet_call *, const char *key, bool drop, struct stet_renditions *, size_t size);

#endif
