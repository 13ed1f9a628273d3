/* filedir.h - files of modules in the data directory: DATA/files/MODULE/xx/KEY. */
#ifndef CORE_FILES_FILEDIR_H
#define CORE_FILES_FILEDIR_H

#include "files/filedriver.h"

extern const struct stet_file_driver filedir_driver; /* "directory" */

#endif
