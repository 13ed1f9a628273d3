/* own.c - jobs and sealed columns of the core itself. */
#include "site/own.h"
#include "files/storecheck.h"
#include "mail/mail.h"
#include "module/module.h"

static bool
has_files(const struct loaded *module)
{
	return module->m.files.count > 0;
}

static bool
has_mails(const struct loaded *module)
{
	return module->m.mails.count > 0;
}

const struct host_job own_jobs[] = {
	{ &storecheck_job, has_files },
	{ &mail_job, has_mails },
	{ 0 },
};
const struct stet_table own_sealed = { &mail_sealed, 1, sizeof(mail_sealed) };
