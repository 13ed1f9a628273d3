/* keys.h - the keys of stet.conf about the bucket that stores a site's files. */
#ifndef MODULES_FILES_S3_KEYS_H
#define MODULES_FILES_S3_KEYS_H

#include "s3ask.h"

#define KEYS_COUNT 8
extern const struct stet_conf_key keys_conf[KEYS_COUNT];

/* Returns the site's bucket. Its texts live as long as *conf. */
struct s3_bucket keys_bucket(const struct stet_conf *);
/* As in struct stet_file_driver. */
const char *keys_check(const struct stet_conf *, bool used);

#endif
