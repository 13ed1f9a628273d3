/* files3.h - files of modules as objects of a bucket: PREFIX/MODULE/KEY. */
#ifndef CORE_FILES_FILES3_H
#define CORE_FILES_FILES3_H

#include "files/filedriver.h"

extern const struct file_driver files3_driver; /* "s3" */

#endif
