/* oauth.h - what the files of the oauth module share. */
#ifndef OAUTH_H
#define OAUTH_H

#include <sodium.h>
#include <stet/form.h>
#include <stet/html.h>
#include <stet/module.h>
#include <stet/oauth.h>
#include <stet/usage.h>

#define API_PATH "/_cms/api"
#define MCP_PATH API_PATH "/mcp"
#define ISSUER_PATH "/_cms"
#define AUTHORIZE_PATH "/_cms/oauth/authorize"
#define DEVICE_PAGE_PATH "/_cms/oauth/device"
#define APPS_PATH "/_cms/account/apps"
#define SIGNIN_PATH "/_cms/signin"
#define STYLE_PATH "/_cms/signin/style.css"

#define ACCESS_PREFIX "cms_oat_"
#define REFRESH_PREFIX "cms_ort_"
#define PREFIX_LEN (sizeof(ACCESS_PREFIX) - 1)
#define SECRET_BYTES 32 /* bytes of every token and code */
#define SECRET_LEN 43 /* SECRET_BYTES in base64url without padding */
#define TOKEN_LEN (PREFIX_LEN + SECRET_LEN)
#define HASH_BYTES crypto_hash_sha256_BYTES

#define MINUTE INT64_C(60000) /* milliseconds */
#define DAY INT64_C(86400000)

/* ---- oauth.c ---- */

#define ACCESS_MINUTES "accessTokenMinutes" /* settings */
#define REFRESH_DAYS "refreshTokenDays"
#define CODE_MINUTES "authorizationCodeMinutes"
#define DEVICE_MINUTES "deviceCodeMinutes"
#define LIMIT_CALLS "grantCallsPerMinute" /* limits of grants that have none of their own */
#define LIMIT_WRITES "grantWritesPerHour"
#define LIMIT_ITEMS "grantBatchItems"
#define LIMIT_DELETIONS "grantDeletionsPerDay"
#define LIMIT_MOST 1000000 /* of any limit */

struct oauth_state {
	struct stet_usage *used; /* when grants were last used */
	_Atomic int64_t swept; /* when expired rows are looked for again */
	/* When unused clients and old device codes are looked for again. */
	_Atomic int64_t clients_swept;
	struct documents *documents; /* clients.h */
};

/* ---- reply.c: responses in the format of RFC 6749, and the parameters of requests ---- */

/*
 * Protocol errors. A function that checks a request calls oauth_refuse, which records the error
 * with the call and returns STET_DECLINED; its callers pass that on like any status. The handler
 * ends with oauth_reply, which writes the response for the recorded error and returns STET_OK.
 * Because of STET_OK the transaction is committed: a code stays used when its exchange fails.
 */
enum stet_status oauth_refuse(struct stet_call *, const char *error, const char *fmt, ...)
    STET_FMT(3, 4);
/* The recorded error; *description lives as long as the call. NULL: there is none. */
const char *oauth_error(struct stet_call *, const char **description);
/* The HTTP status of an error: 401 for invalid_client, 503 for temporarily_unavailable, else 400.
 */
int oauth_http(const char *error);
/* Turns STET_DECLINED into {error, error_description} with its HTTP status, and passes on any other
 * status. */
STET_MUST enum stet_status oauth_reply(struct stet_call *, enum stet_status);
/* Writes the protocol's form of the call's error (stet_error_status). For the member `refuse` of
 * ops that speak this protocol: their clients do not know our envelope. */
void oauth_refused(struct stet_call *);
/* Sends the JSON text without the envelope, with Cache-Control: no-store. */
STET_MUST enum stet_status oauth_send(struct stet_call *, int http, struct stet_json *);

/* Sends an object with these members twice: at the top level, as the RFCs have them, and in the
 * `data` of our envelope. So clients of either kind can read it (decision 33a). */
STET_MUST enum stet_status oauth_send_twice(
    struct stet_call *, void (*put)(struct stet_json *, const void *), const void *arg);

/* The parameters of a request. A known parameter occurs at most once. Unknown ones may be in the
 * list; they are ignored. */
struct oauth_params {
	const struct stet_form_field *const *field;
	size_t count;
};
/* Reads the body of an op with STET_RAW: a form, or a JSON object of strings. Refuses unreadable
 * bodies and repeated parameters (invalid_request), and clients that authenticate
 * (invalid_client). */
STET_MUST enum stet_status params_body(struct stet_call *, struct oauth_params *);
/* Reads the parameters of the query, with the same errors as params_body. */
STET_MUST enum stet_status params_query(struct stet_call *, struct oauth_params *);
/* The value of a parameter. NULL: absent or empty, which RFC 6749 3.1 treats alike. */
const char *params_get(const struct oauth_params *, const char *name);
/* Refuses (invalid_request) a request without this parameter. */
STET_MUST enum stet_status params_need(
    struct stet_call *, const struct oauth_params *, const char *name, const char **value);
/* A value for a query: percent-encoded. */
const char *uri_encode(struct stet_call *, const char *);

/* ---- scope.c ---- */

#define ROLE_MAX 50
#define SCOPES_LEN 2000 /* bytes of a list of scopes that we read */
/* Scopes for a client that asks for none. */
#define SCOPES_DEFAULT "content:read content:write media:read media:write schema:read"

extern const char *const scopes_supported[]; /* NULL-terminated */
/* Returns those of the scopes in `asked` (space separated; NULL: SCOPES_DEFAULT) that exist, that
 * the client may have (`client`; NULL: any) and that this role can use. Each occurs once, in the
 * order asked. "" if none is left. */
const char *scopes_clamp(struct stet_call *, const char *asked, const char *client, int role);
/* Returns true if every scope of `part` is in `whole` (both space separated). */
bool scopes_within(struct stet_call *, const char *part, const char *whole);
/* Calls fn for each scope of a list. */
void scopes_each(struct stet_call *, const char *scopes,
    void (*fn)(struct stet_call *, const char *scope, void *), void *arg);
/* Appends a description of a scope for users. The scope must exist. */
void scope_put(struct stet_call *, struct stet_html *, const char *scope);

/* ---- client.c ---- */

#define CLIENT_STATIC "static" /* an administrator has entered it */
#define CLIENT_REGISTERED "registered" /* it has registered itself (RFC 7591) */
#define CLIENT_DOCUMENT "document" /* its id is the URL of its metadata */
#define CLIENT_ID_MAX 2000 /* bytes */

struct oauth_client {
	const char *id, *kind;
	const char *name; /* the client's own name */
	const json_t *redirect_uris; /* array of strings */
	const char *scopes; /* the most it may have, space separated; NULL: not limited */
	const char *metadata; /* JSON text of what it said of itself; NULL: nothing */
};
/* Finds a client by its id, in the table. Refuses (invalid_client) an unknown one. */
STET_MUST enum stet_status client_find(struct stet_call *, const char *id, struct oauth_client *);
/* Inserts the client, or updates its row. */
STET_MUST enum stet_status client_store(
    struct stet_call *, struct stet_tx *, const struct oauth_client *);
/* Returns true if this URI may be a redirect URI: https, or http on this computer, with neither
 * fragment nor user. Sets *why to what is wrong with it, or NULL. */
bool redirect_allowed(const char *uri, const char **why);
/* Returns true if the client has registered this redirect URI. If it is a loopback address, the
 * port may differ (RFC 8252 7.3). */
bool redirect_matches(const struct oauth_client *, const char *uri);
/* The host of a URI, with its port if it has one; "" if it has none. */
const char *uri_host(struct stet_call *, const char *uri);
bool uri_is_loopback(const char *uri); /* http to this computer */

/* ---- grant.c: what a user has granted to a client, and the tokens for it ---- */

struct oauth_grant {
	const char *id, *user_id, *client_id;
	const char *scopes; /* as the user chose them, space separated */
	const char *resource; /* the URL of the tool server; NULL: the whole API */
	const char *collections; /* slugs, space separated; NULL: all */
	const char *ends_at; /* when it ends, used or not; NULL: when it is withdrawn or unused */
	const char *limits; /* its own limits, as words (limits.c); NULL: those of the settings */
	const char *address; /* address of the client; NULL: that of the call */
	/* Set by grant_load: */
	const char *client_scopes; /* NULL: not limited */
	const char *email;
	int role;
	bool disabled; /* the user */
};
/* Refuses (invalid_target) a `resource` that is neither NULL nor the tool server. Sets *out to the
 * tool server's URL as we spell it, or NULL. */
STET_MUST enum stet_status resource_check(
    struct stet_call *, const char *resource, const char **out);
/* Stores a consent. Deletes the user's least recently used grants if there are too many. */
STET_MUST enum stet_status grant_make(
    struct stet_call *, struct stet_tx *, const struct oauth_grant *, const char **id);
/* Loads a grant. Refuses (invalid_grant) a withdrawn grant and one whose user is disabled. */
STET_MUST enum stet_status grant_load(struct stet_call *, const char *id, struct oauth_grant *);
/* Calls the hook account_event: for a consent (what: "oauth_consent"), for tokens ("oauth_token")
 * and for their end. */
STET_MUST enum stet_status grant_tell(
    struct stet_call *, struct stet_tx *, const struct oauth_grant *, const char *what);
/* Withdraws a grant, with all its codes and tokens. */
STET_MUST enum stet_status grant_end(struct stet_call *, struct stet_tx *, const char *id);

struct oauth_issued {
	const char *access, *refresh; /* the tokens */
	const char *scopes; /* scopes of the access token */
	int64_t seconds; /* its lifetime */
};
/* Makes the first tokens of a grant that grant_load has filled in. Refuses (invalid_scope) if the
 * user's role no longer supports any of its scopes. */
STET_MUST enum stet_status grant_issue(
    struct stet_call *, struct stet_tx *, const struct oauth_grant *, struct oauth_issued *);
/* Makes another access token of the grant, for at most these scopes. Sets all of *out but
 * `refresh`. */
STET_MUST enum stet_status access_issue(struct stet_call *, struct stet_tx *,
    const struct oauth_grant *, const char *scopes, struct oauth_issued *out);
/* The time at which a refresh token issued now expires, unless its grant ends before. */
const char *refresh_end(struct stet_call *);
#define FAMILY_BYTES 16 /* the first bytes of a refresh token, equal in all of one grant */
/* Writes access_token, token_type, expires_in, refresh_token and scope into the open object. */
void issued_put(struct stet_json *, const struct oauth_issued *);
/* The text of a secret of SECRET_BYTES, after a prefix of PREFIX_LEN bytes or "". */
const char *secret_text(struct stet_call *, const char *prefix, const unsigned char *secret);
/* The text of a new random secret. */
const char *secret_new(struct stet_call *, const char *prefix);
/* SHA-256 of a text. */
void secret_hash(const char *text, unsigned char hash[HASH_BYTES]);

/* ---- bearer.c ---- */

#define MCP_OP "mcp_post" /* the op of the tool server */
#define USED_JOB "oauth_used"
STET_MUST enum stet_status bearer_authenticate(struct stet_call *);
int64_t used_due(struct stet_call *);
stet_handler used_write;

/* ---- token.c ---- */

/* Returns true if the verifier's S256 is this challenge (RFC 7636). */
bool pkce_proves(const char *verifier, const char *challenge);
stet_handler oauth_token, oauth_token_refresh, oauth_token_revoke;

/* ---- authorize.c: requests for authorization ---- */

/* A request for authorization whose client and redirect URI are proved. */
struct authorize {
	struct oauth_client client;
	const char *redirect_uri, *state, *challenge, *resource;
	const char *scopes; /* the scopes asked for that the client may have */
};
stet_handler authorize_show, authorize_decide;

/* ---- words.c ---- */

extern const struct stet_word oauth_words[], oauth_words_de[], oauth_words_es[], oauth_words_fr[];

/* ---- language.c ---- */

/* The texts of pages in the language of the person or of the browser, and its name ("de"). */
const struct stet_word *page_words(struct stet_call *);
const char *page_language(struct stet_call *);

/* ---- page.c: what pages have in common ---- */

/* Begins a page; `title` is the name of its title in oauth_words. page_close ends and sends it. */
struct stet_html *page_open(struct stet_call *, const char *title);
STET_MUST enum stet_status page_close(
    struct stet_call *, struct stet_html *, int http, const char *policy);
/* Sends a page that has only a title and this text. */
STET_MUST enum stet_status page_problem(
    struct stet_call *, int http, const char *title, const char *text);
/* A token for a form of our own. It is valid only in the session of this call, and only for this
 * subject. Fails with KEY_UNAVAILABLE. */
STET_MUST enum stet_status page_token(struct stet_call *, const char *subject, const char **token);
/* Sets *ours if the form's field "token" is that of this session and subject. */
STET_MUST enum stet_status page_is_ours(
    struct stet_call *, const struct oauth_params *form, const char *subject, bool *ours);
/* The same check; fails with CSRF_REJECTED if the token is wrong. */
STET_MUST enum stet_status page_check(
    struct stet_call *, const struct oauth_params *form, const char *subject);
/* The user who is signed in with a session; NULL: nobody. Access tokens do not count: a token must
 * not be able to create further tokens. */
const struct stet_principal *page_user(struct stet_call *);
/* Sends a browser without a session to the sign-in page, and back here afterwards. */
STET_MUST enum stet_status page_sign_in(struct stet_call *, int http, const char *here);

/* ---- narrow.c: what a user takes away from what a program asks for ---- */

/* Writes the fields of a form with which a user narrows these scopes. */
STET_MUST enum stet_status narrow_put(struct stet_call *, struct stet_html *, const char *scopes);
/* Narrows the scopes of the grant, and sets its collections and its end, as the form says. */
STET_MUST enum stet_status narrow_take(
    struct stet_call *, const struct oauth_params *form, struct oauth_grant *);
/* Returns the scopes of a principal: with collection:<slug> for each collection (NULL: all). */
const char *narrow_scopes(struct stet_call *, const char *scopes, const char *collections);

/* ---- limits.c: how much a program may do ---- */

/* `column` is the column `limits` of a grant. */

/* Returns the scopes with limit:<what>:<number> for each limit that applies. */
const char *limits_scopes(struct stet_call *, const char *scopes, const char *column);
/* Writes the member `limits`: the numbers that apply. */
void limits_json(struct stet_call *, struct stet_json *, const char *column);
/* Writes the limits that apply as items of a list. */
void limits_list(struct stet_call *, struct stet_html *, const char *column);
/* Writes the fields of the consent page. */
void limits_put(struct stet_call *, struct stet_html *);
/* Sets the limits of the grant as the form says. Returns false if a field is no number. */
bool limits_take(struct stet_call *, const struct oauth_params *form, struct oauth_grant *);
extern const struct stet_member limits_in[], limits_out[], limits_set_out[];
stet_handler limits_set;

/* ---- consent.c ---- */

/* Sends the page on which the user agrees or refuses. */
STET_MUST enum stet_status consent_page(struct stet_call *, const struct authorize *);

/* ---- apps.c: the grants of the user ---- */

extern const struct stet_member grants_out[], grant_by_id[], grant_ended_out[];
stet_handler grants_list, grants_end, apps_show, apps_end;
extern const struct stet_oauth_1 apps_service;

/* ---- sweep.c ---- */

int64_t sweep_due(struct stet_call *);
stet_handler sweep_run;

/* ---- discovery.c ---- */

stet_handler resource_metadata, server_metadata;

#endif
