/* conf - a configuration file: read whole or refused in words. */
#include "conf/conf.h"
#include "base/log.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char path[64];
	struct conf *conf;
	char *why = NULL;
	FILE *f;

	if (*path == '\0')
		snprintf(path, sizeof(path), "/tmp/stet-fuzz-conf-%ld", (long)getpid());
	if ((f = fopen(path, "w")) == NULL)
		abort();
	fwrite(data, 1, size, f);
	fclose(f);
	conf = conf_read(path, &why);
	stet_assert((conf == NULL) == (why != NULL));
	for (size_t i = 0; conf != NULL && i < conf->site_count; i++)
		stet_assert(conf->sites[i].name != NULL && conf->sites[i].data != NULL &&
			    conf->sites[i].locales[0] != NULL);
	if (conf != NULL)
		conf_free(conf);
	free(why);
	unlink(path);
	return 0;
}
