/* signin.h - what the files of the signin module share. */
#ifndef SIGNIN_H
#define SIGNIN_H

#include <pthread.h>
#include <sodium.h>
#include <stet/module.h>
#include <stet/signin.h>
#include <stet/usage.h>
#include <stet/words.h>

#define SECRET_BYTES 32 /* bytes of every token of this module */
#define SECRET_LEN 43 /* SECRET_BYTES in base64url without padding */
#define HASH_BYTES crypto_hash_sha256_BYTES

#define ROLE_ADMIN 50

/* The page where people sign in. */
#define PAGE_SIGNIN "/_cms/signin"

/* ---- signin.c ---- */

struct signin_state {
	struct stet_usage *seen; /* when sessions were last used */
	_Atomic int64_t swept; /* when expired rows are looked for again */
	struct events *events; /* failed sign-ins that the audit log has yet to record */
	_Atomic int64_t
	    full_until; /* the mail queue was full: the job waits until then (asked.c) */
	bool told; /* the setup link was logged since the start; used only by its job */
};

/* Copies a text from outside (NULL: ""). Bytes that are not printable ASCII become "?". */
void copy_printable(char *to, size_t size, const char *from);

/* ---- event.c: events for the audit log ---- */

struct events *events_new(void);
void events_free(struct events *);
/* Records a failed sign-in, in any lane. `method`: as for sessions. `name`: the account that was
 * tried, as the client wrote it, or NULL. */
void event_failed(struct stet_call *, const char *method, const char *name);
/* Reports a sign-in to the audit log; called by session_start. */
STET_MUST enum stet_status event_signed_in(struct stet_call *, struct stet_tx *,
    const char *user_id, const char *method, const char *address);

#define EVENT_JOB "signin_failures"
int64_t event_due(struct stet_call *);
stet_handler event_run;

/* ---- transport.c: settings, and whether what signs in can be read on its way ---- */

/* A setting of this module, in functions of its service, too. NULL: none. Borrowed. */
const json_t *transport_setting(struct stet_call *, const char *name);
/* Returns true if cookies need the attribute Secure: the base URL is https. */
bool transport_is_secure(struct stet_call *);
/* Returns false if the site's base URL is http and not loopback, since cookies and links could be
 * read on the way. With the setting httpInLan, addresses of the local network may have them. */
bool transport_is_safe(struct stet_call *);
/* Fails with FORBIDDEN unless transport_is_safe. */
STET_MUST enum stet_status transport_check(struct stet_call *);
/* Returns true if the text begins with the name or address of this machine: "localhost:8080/…". */
bool transport_is_loopback(const char *host);

/* ---- cookie.c: the session cookie, and the source of a request ---- */

/* The value of the session cookie, of SECRET_LEN characters. NULL if the request has no such
 * cookie, several, or one of another form. */
const char *cookie_read(struct stet_call *);
void cookie_set(struct stet_call *, const char *token, int64_t seconds);
void cookie_clear(struct stet_call *);
/* See check_source of struct stet_signin_1. Every op that signs users in without a session calls
 * it. */
STET_MUST enum stet_status cookie_check_source(struct stet_call *);
/* SHA-256 of a token's text of SECRET_LEN characters. */
void secret_hash(const char *token, unsigned char hash[HASH_BYTES]);
/* Makes a new token: 32 random bytes in base64url, NUL-terminated. */
void secret_make(char token[SECRET_LEN + 1]);

/* ---- session.c: sessions ---- */

#define METHOD_PASSKEY "passkey"
#define METHOD_LINK "link" /* by a link from a mail */
#define METHOD_RECOVERY "recovery" /* a link of `stet user recover`, or a recovery code */
#define METHOD_INVITE "invite"
#define METHOD_SETUP "setup"

/*
 * A sign-in in progress. session_begin is called in the request's own call, session_start in the
 * write lane (an op of the write lane, or a function that stet_write_lane runs), session_finish
 * in the request's own call again, after session_start has succeeded.
 */
struct stet_signin *session_begin(struct stet_call *);
/* Starts the session. credential_id: the passkey that was used, whose deletion ends the session;
 * NULL: none. Fails with NOT_FOUND, ACCOUNT_DISABLED, or FORBIDDEN (transport_check). */
STET_MUST enum stet_status session_start(struct stet_call *, struct stet_tx *, struct stet_signin *,
    const char *user_id, const char *method, const char *credential_id);
/* session_start without a passkey, for the service. */
STET_MUST enum stet_status session_start_other(struct stet_call *, struct stet_tx *,
    struct stet_signin *, const char *user_id, const char *method);
/* Sets the session cookie and that of known.c. */
void session_finish(struct stet_call *, const struct stet_signin *);
/* Sets only the session cookie, for the service: the cookie of known.c has a MAC of this module. */
void session_finish_other(struct stet_call *, const struct stet_signin *);
/* Writes {success: true, user: {id, email, name, role}} as the reply; for signin_out. */
STET_MUST enum stet_status session_reply(struct stet_call *, const struct stet_signin *);
extern const struct stet_member signin_out[];
/* End sessions: all of a user, or those that were started with a passkey. */
STET_MUST enum stet_status session_end_user(
    struct stet_call *, struct stet_tx *, const char *user_id);
STET_MUST enum stet_status session_end_credential(
    struct stet_call *, struct stet_tx *, const char *credential_id);
/* The hook request_authenticate. */
STET_MUST enum stet_status session_authenticate(struct stet_call *);

#define SEEN_JOB "session_seen"
int64_t session_seen_due(struct stet_call *);
stet_handler session_seen_write;

/* ---- account.c: the sessions of the user who is signed in ---- */

extern const struct stet_member done_out[], session_list_out[], session_by_id[];
stet_handler session_logout, session_list, session_end, session_end_others;

/* ---- link.c: one-time links ---- */

#define LINK_MAGIC "magic"
#define LINK_INVITE "invite"
#define LINK_HANDED "handed" /* an invitation whose link the inviter passes on */
#define LINK_RECOVER "recover"
#define LINK_USED \
	"used" /* stays until its expiry, so that a repeated mail cannot make it valid again */
#define LINK_MINUTE INT64_C(60000) /* milliseconds */
#define LINK_DAY INT64_C(86400000)
#define MINUTES_OF_LINKS "linkMinutes" /* settings */
#define DAYS_OF_INVITES "inviteDays"
#define LINKS_BESIDE_PASSKEYS "linksBesidePasskeys"
#define HTTP_IN_LAN "httpInLan"

struct link {
	const char *id; /* given to link_make, or NULL; set by link_find and link_take */
	const char *kind;
	const char *user_id; /* the user whom it signs in; NULL: none yet */
	const char *email; /* address of the invited person, in lower case; or NULL */
	int role; /* role of the invited person; or 0 */
	const char *inviter; /* user id; NULL: a command, or a principal that is no user */
	int64_t lifetime; /* milliseconds; for link_make */
	const char *created_at, *expires_at; /* set by link_find and link_take */
};
/* Stores a link with this token (from secret_make, or derived from a mail's id); the database gets
 * only its hash. If the token exists already and was not used, only the expiry is renewed: so all
 * attempts to send a mail can use the same token. */
STET_MUST enum stet_status link_make(
    struct stet_call *, struct stet_tx *, const struct link *, const char *token);
/* Gives an unexpired link of this kind another token. *found: there is such a link. */
STET_MUST enum stet_status link_set_token(struct stet_call *, struct stet_tx *, const char *kind,
    const char *id, const char *token, bool *found);
/* Finds a link without using it; `kind` NULL: a link of any kind. Fails with INVALID_TOKEN (404) or
 * TOKEN_EXPIRED (410). */
STET_MUST enum stet_status link_find(
    struct stet_call *, const char *kind, const char *token, struct link *out);
/* Finds a link and marks it as used. Of several calls at the same time only one succeeds. For the
 * write lane. */
STET_MUST enum stet_status link_take(
    struct stet_call *, struct stet_tx *, const char *kind, const char *token, struct link *out);
/* Deletes the links of this kind for a user or an address (the other is NULL). */
STET_MUST enum stet_status link_drop(
    struct stet_call *, struct stet_tx *, const char *kind, const char *user_id, const char *email);

/* ---- sweep.c: deletes expired sessions and links ---- */

int64_t sweep_due(struct stet_call *);
stet_handler sweep_run;

/* ---- magic.c: signing in with a link ---- */

extern const struct stet_member magic_in[], magic_use_in[], magic_use_out[];
stet_handler magic_verify, magic_use;

/* ---- look.c: checks of `stet doctor` ---- */

STET_MUST enum stet_status look_origin(struct stet_call *);

/* ---- known.c: browsers that have signed in to an account ---- */

/* Gives the browser a cookie that shows that it has signed in to the account of this address. */
void known_set(struct stet_call *, const char *email);
/* Sets *browser to a key for this browser if it has signed in to the account of this address (in
 * lower case) before. NULL: it has no valid cookie for the address. */
STET_MUST enum stet_status known_browser(
    struct stet_call *, const char *email, const char **browser);

/* ---- asked.c: requests for links by mail ---- */

#define ASK_JOB "signin_asked"
#define ASK_MIGRATION                                                                      \
	"CREATE TABLE signin_ask ("                                                        \
	" id TEXT NOT NULL PRIMARY KEY,"                                                   \
	" email TEXT NOT NULL," /* in lower case; of a user or of nobody */                \
	" minutes INTEGER NOT NULL," /* lifetime of the link */                            \
	" beside_passkeys INTEGER NOT NULL," /* 0: no link for a user who has a passkey */ \
	" expires_at TEXT NOT NULL)"
/* Fails with RATE_LIMITED if there are too many requests of this client, or of unknown browsers for
 * this address. */
STET_MUST enum stet_status ask_limit(struct stet_call *, const char *to);
/* Stores the request for a link to this address (mail_address), in the write lane. */
STET_MUST enum stet_status ask_store(struct stet_call *, const char *to);
int64_t ask_due(struct stet_call *);
stet_handler ask_run;

/* ---- mails.c: the mails, and asking for a link ---- */

struct stet_mail_request;
struct stet_mail_text;

#define MAIL_MAGIC "magic_link"
#define MAIL_INVITE "invite"
#define PAGE_INVITE "/_cms/invite"

/* mailwords.c: the texts of the mails, by language. */
extern const struct stet_words mail_languages[];
/* Write the texts of the mails; called when a mail is sent. */
enum stet_status mail_magic(
    struct stet_call *, const struct stet_mail_request *, struct stet_mail_text *);
enum stet_status mail_invite(
    struct stet_call *, const struct stet_mail_request *, struct stet_mail_text *);
/* Returns the address in lower case. Fails with VALIDATION_ERROR if the text is not a mail
 * address. */
STET_MUST enum stet_status mail_address(struct stet_call *, const char *text, const char **out);
/* Writes the reply of an op that asks for a mail; invite_url NULL: none. */
STET_MUST enum stet_status mail_reply(
    struct stet_call *, const char *message, const char *invite_url);

extern const struct stet_member send_in[], send_out[];
stet_handler magic_send;

/* ---- invite.c: invitations ---- */

extern const struct stet_member invite_in[], invite_out[], invite_list_out[], invite_by_id[];
extern const struct stet_member invite_accept_in[], invite_accept_out[], invite_options_in[],
    invite_options_out[], invite_complete_in[];
/* Fails with INVALID_TOKEN if the inviter no longer has the right to make this invitation. */
STET_MUST enum stet_status invite_judge(struct stet_call *, const struct link *);
/* Deletes this user's invitations for which they no longer have the right. */
STET_MUST enum stet_status invite_withdraw_of(
    struct stet_call *, struct stet_tx *, const char *inviter);
stet_handler invite_make, invite_list, invite_withdraw, invite_accept, invite_options,
    invite_complete;

/* ---- codes.c: recovery codes ---- */

extern const struct stet_member codes_out[], codes_count_out[], codes_use_in[];
stet_handler codes_make, codes_count, codes_use;
/* The number of codes that a user has left. */
STET_MUST enum stet_status codes_left(struct stet_call *, const char *user_id, int64_t *out);

/* ---- setup.c: a site that has no administrator yet ---- */

/* Sets *out if there is an administrator. In this case the setup routes refuse. */
STET_MUST enum stet_status setup_complete(struct stet_call *, bool *out);
/* For every setup route. Checks the source of the request, limits tries, and compares the token.
 * Fails with FORBIDDEN for a wrong token, and with `code` if there is an administrator. A route
 * that makes an administrator must call setup_complete again in its transaction. */
STET_MUST enum stet_status setup_check(struct stet_call *, const char *token, const char *code);

extern const struct stet_member setup_link_out[], setup_status_out[], setup_site_in[],
    setup_site_out[];
stet_handler setup_link, setup_status, setup_site;

/* founder.c: the first administrator */
extern const struct stet_member founder_options_in[], founder_options_out[], founder_in[];
stet_handler founder_options, founder_add;

#define TELL_JOB "setup_link"
int64_t setup_tell_due(struct stet_call *);
stet_handler setup_tell;

/* ---- recover.c: a link for a user who cannot sign in otherwise ---- */

extern const struct stet_member recover_in[], recover_out[];
stet_handler recover_make;

#endif
