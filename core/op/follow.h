/*
 * follow.h - modules and settings that other processes have changed. A call may be answered only by
 * modules that are enabled in the state of the database that it shows, and with their settings.
 */
#ifndef CORE_OP_FOLLOW_H
#define CORE_OP_FOLLOW_H

#include "call/call.h"

/* Before a call is routed, for sites whose database others use: begins to read. If the state says
 * that modules or settings were changed elsewhere, waits until the site is compiled for that, and
 * the call goes on with the result: then it has no op, and has to be routed again. Other sites are
 * left alone. */
enum stet_status follow_begin(struct stet_call *);

#endif
