/* confs3.h - the keys of stet.conf about the bucket that keeps files of modules. */
#ifndef CORE_CONFS3_H
#define CORE_CONFS3_H

#include "conf/conf.h"
#include "conf/confcheck.h"

/* By enum conf_s3_style; NULL at the end. */
extern const char *const confs3_styles[];

extern const struct conf_check confs3_endpoint, confs3_bucket, confs3_region, confs3_prefix,
    confs3_style;

/* Returns what several of these keys show to be wrong, to be freed; NULL: nothing. */
char *confs3_check(const struct conf_site *);

#endif
