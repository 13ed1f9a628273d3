/*
 * culprit.h - what the crash handler (base/crash.h) asks about modules: which plugin the thread
 * runs, and which plugin an object file is. Its record goes to the file of marks (mark.h).
 */
#ifndef CORE_MODULE_CULPRIT_H
#define CORE_MODULE_CULPRIT_H

#include "base/crash.h"

extern const struct crash_witness culprit_witness;

#endif
