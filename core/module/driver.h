/* driver.h - loads drivers for the reader of stet.conf. */
#ifndef CORE_MODULE_DRIVER_H
#define CORE_MODULE_DRIVER_H

#include "conf/confdriver.h"

/* The driver of this file, for confdriver_set. Main thread only. */
conf_driver_find driver_find;

#endif
