/* mail.h - `stet mail`: tests the mail server of a site, and lists queued mails. */
#ifndef CORE_COMMAND_MAIL_H
#define CORE_COMMAND_MAIL_H

#include "command/command.h"

/* For a site that need not be open. Returns an exit status. */
int mail_run(const struct conf_site *, const struct options *, int argc, char **argv);
extern const struct stet_member mail_in[];

#endif
