/* files3.h - files of modules as objects of a bucket: PREFIX/MODULE/KEY. */
#ifndef CORE_WORK_FILES3_H
#define CORE_WORK_FILES3_H

#include "work/filedriver.h"

extern const struct file_driver files3_driver; /* "s3" */

#endif
