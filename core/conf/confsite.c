/* confsite.c - functions on a site section that has been read: sets its URL, copies and frees
 * it. */
#include "base/arena.h"
#include "base/buf.h"
#include "conf/conf.h"
#include "conf/confcheck.h"
#include "conf/confdriver.h"
#include "conf/confkey.h"
#include <stdlib.h>
#include <string.h>

bool
conf_default_url(struct conf_site *site, const char *url)
{
	if (!site->url_derived || !confcheck_url.good(url))
		return false;
	free(site->base_url);
	site->base_url = xstrdup(url);
	return true;
}

void
conf_port(struct conf *conf, unsigned plain, unsigned tls)
{
	for (size_t i = 0; i < conf->site_count; i++) {
		char **url = &conf->sites[i].base_url;
		size_t len = strlen(*url);
		struct buf real = { 0 };

		if (len < 2 || strcmp(*url + len - 2, ":0") != 0)
			continue;
		buf_printf(&real, "%.*s:%u", (int)(len - 2), *url,
		    strncmp(*url, "https:", 6) == 0 ? tls : plain);
		free(*url);
		*url = real.data;
	}
}

void
conf_free(struct conf *conf)
{
	if (conf == NULL)
		return;
	for (size_t i = 0; i < conf->site_count; i++)
		conf_site_drop(&conf->sites[i]);
	free(conf->sites);
	for (const struct conf_key *k = conf_keys; k->name != NULL; k++)
		confkey_free(k, conf);
	free(conf);
}

struct conf_site
conf_site_dup(const struct conf_site *site)
{
	struct conf_site copy = { 0 };

	for (const struct conf_key *k = conf_site_keys; k->name != NULL; k++)
		confkey_copy(k, &copy, site);
	confdriver_copy(&copy, site);
	if (copy.base_url == NULL)
		copy.base_url = xstrdup("");
	return copy;
}

void
conf_site_drop(struct conf_site *site)
{
	for (const struct conf_key *k = conf_site_keys; k->name != NULL; k++)
		confkey_free(k, site);
	confdriver_free(site);
}
