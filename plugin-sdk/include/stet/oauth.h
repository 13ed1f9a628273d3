/* oauth.h - the service of the oauth module: which program a grant is for. */
#ifndef STET_OAUTH_H
#define STET_OAUTH_H

#include <stet/call.h>

#define STET_OAUTH_1 "oauth/1"
struct stet_oauth_1 {
	/* Finds a grant by its id, which is the token_id of calls with its tokens. *name is what
	 * the client calls itself, owned by the call; NULL: there is no such grant, or it has
	 * ended. */
	enum stet_status (*client)(struct stet_call *, const char *grant, const char **name);
	/* New functions go here, and nowhere else. */
};

#endif
