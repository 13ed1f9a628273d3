/*
 * signin.h - the service of the signin module: starts sessions. For modules that know by other
 * means who somebody is, such as an identity provider. The module may be disabled: then nobody
 * can sign in.
 *
 * A sign-in has three steps, since the user is often found on the slow lane while the session is
 * written on the write lane:
 *
 *	struct stet_signin *s = signin->begin(call);	(in the request's own call)
 *	signin->start(call, tx, s, user, "oidc");	(in the write lane)
 *	signin->finish(call, s);			(in the request's own call)
 */
#ifndef STET_SIGNIN_H
#define STET_SIGNIN_H

#include <stet/call.h>

/* A sign-in in progress, owned by the call that began it. */
struct stet_signin;

#define STET_SIGNIN_1 "signin/1"
struct stet_signin_1 {
	/* Reads what the session will show of its browser (agent, address), and the session that
	 * the request came with, which ends when the new one starts. */
	struct stet_signin *(*begin)(struct stet_call *);
	/* Starts a session of this user; `method` says how the user signed in ("oidc": a to z, at
	 * most 20) and is shown in the user's list of sessions. Fails with NOT_FOUND, with
	 * ACCOUNT_DISABLED, and with FORBIDDEN if the site is reached by http from other machines.
	 */
	enum stet_status (*start)(struct stet_call *, struct stet_tx *, struct stet_signin *,
	    const char *user_id, const char *method);
	/* Adds the session's cookie to the reply of this call. */
	void (*finish)(struct stet_call *, const struct stet_signin *);
	/* Fails with CSRF_REJECTED if a browser says that a page of another site sent this request,
	 * so that nobody is signed in to an account that an attacker chose. A request with the
	 * header X-CMS-Request: 1 passes: browsers ask before they send it to another site. */
	enum stet_status (*check_source)(struct stet_call *);
	/* New functions go here, and nowhere else. */
};

#endif
