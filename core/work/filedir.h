/* filedir.h - files of modules in the data directory: DATA/files/MODULE/xx/KEY. */
#ifndef CORE_WORK_FILEDIR_H
#define CORE_WORK_FILEDIR_H

#include "work/filedriver.h"

extern const struct file_driver filedir_driver; /* "directory" */

#endif
