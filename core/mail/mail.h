/* mail.h - mails of modules (stet_mail): the core's own part. */
#ifndef CORE_MAIL_MAIL_H
#define CORE_MAIL_MAIL_H

#include "call/call.h"
#include <stet/mail.h>
#include <stet/vault.h>

/* Sends the mails of the call's owner, one in each run; for modules with a table `mails`. */
extern const struct stet_job mail_job;
/* The column with the sealed values of queued mails. */
extern const struct stet_sealed_column mail_sealed;

#endif
