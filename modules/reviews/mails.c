/*
 * mails.c - mails about mentions, requests for review and decisions. They are written when they are
 * sent, and not sent to users who may not read drafts any more or do not want them.
 *
 * A mail is beside the point of the op that asks for it: if the site has no mail server, too many
 * mails are waiting, or the user has sent too many to this person, the op goes on without.
 */
#include "reviews.h"
#include <stet/settings.h>
#include <string.h>

#define ADMIN "/_cms/admin"
#define TEXT_MAX 1000 /* bytes of a note or message in a mail */
#define TITLE_MAX 100 /* bytes of an item's title in a subject */
#define WHO_MAX 50 /* bytes of a name there */
#define WAIT_MAX 100 /* waiting mails of one kind: others have room */
#define SENDS 5 /* mails of one user to another, in ... */
#define SENDS_SECONDS 600
#define REVIEWERS_TOLD "20" /* users who get a mail about a request that names nobody */

/* ---- asking for a mail ---- */

/* Returns the beginning of a text, cut between characters. */
static const char *
cut(struct stet_call *call, const char *text, size_t most)
{
	size_t len = stet_utf8_cut(text, most);

	return text[len] == '\0' ? text : stet_printf(call, "%.*s…", (int)len, text);
}

/* Returns a text for one line: blanks for control characters. */
static const char *
line(struct stet_call *call, const char *text, size_t most)
{
	char *out = stet_strdup(call, text);

	for (unsigned char *p = (unsigned char *)out; *p != '\0'; p++)
		if (*p < 0x20 || *p == 0x7f || (*p == 0xc2 && p[1] < 0xa0)) {
			if (*p == 0xc2)
				*p++ = ' ';
			*p = ' ';
		}
	return cut(call, out, most);
}

/* Reads the address of a user who gets mails; NULL: the user does not. Reads the language of the
 * user's profile, too, unless `language` is NULL. */
static enum stet_status
address_of(struct stet_call *call, const char *user, const char **out, const char **language)
{
	struct stet_rows rows;

	*out = NULL;
	STET_TRY(stet_query(call, &rows,
	    "SELECT u.email, u.language FROM users AS u LEFT JOIN review_person AS p ON p.user_id = u.id"
	    " WHERE u.id = ?1 AND u.disabled = 0 AND u.role >= ?2 AND coalesce(p.mail, 1) = 1",
	    STET_ARGS(user, ROLE_INSIDE)));
	if (stet_row(&rows)) {
		*out = stet_col_dup(&rows, 0);
		if (language != NULL)
			*language = stet_col_dup(&rows, 1);
	}
	return stet_rows_end(&rows);
}

static bool
is_beside(enum stet_status status)
{
	return status == STET_RATE_LIMITED || status == STET_EMAIL_NOT_CONFIGURED ||
	       status == STET_VALIDATION_ERROR || status == STET_KEY_UNAVAILABLE;
}

/* Returns true if the caller may send the user another mail now. */
static bool
may_send(struct stet_call *call, const char *user)
{
	struct writer w = writer_of(call);

	if (w.id == NULL ||
	    stet_limit_wait(call, "review-mail", stet_printf(call, "%s %s", w.id, user), 1, SENDS,
		SENDS_SECONDS) == 0)
		return true;
	stet_log(call, STET_WARN, "no mail about an item: user %s has sent %d to user %s", w.id,
	    SENDS, user);
	return false;
}

enum stet_status
mails_send(struct stet_call *call, struct stet_tx *tx, const char *name, const char *user,
    const struct subject *s, const char *who, const char *text)
{
	struct stet_mail mail = { .name = name, .most = WAIT_MAX };
	enum stet_status status;

	if (!stet_mail_configured(call))
		return STET_OK;
	STET_TRY(address_of(call, user, &mail.to, NULL));
	if (mail.to == NULL || !may_send(call, user))
		return STET_OK;
	mail.values = stet_json_own(
	    call, json_pack("{ss ss ss ss ss ss}", "user", user, "collection",
		      s->collection != NULL ? s->collection->slug : "", "id",
		      s->id != NULL ? s->id : "", "title", s->title != NULL ? s->title : "", "who",
		      who, "text", cut(call, text, TEXT_MAX)));
	status = stet_mail(call, tx, &mail);
	if (!is_beside(status))
		return status;
	stet_log(call, STET_WARN, "no mail about an item: %s", stet_error_text(call));
	stet_error_clear(call);
	return STET_OK;
}

/* Requests mails to users who may decide, except to `asker`; NULL: to all. */
static enum stet_status
send_all(struct stet_call *call, struct stet_tx *tx, const char *name, const struct subject *s,
    const char *asker, const char *who, const char *text)
{
	const char **ids = NULL;
	struct stet_rows rows;
	size_t count = 0;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id, role FROM users WHERE disabled = 0 AND role >= ?1"
	    " ORDER BY role DESC, created_at DESC, id DESC LIMIT " REVIEWERS_TOLD,
	    STET_ARGS(ROLE_INSIDE)));
	ids = stet_alloc(call, 20 * sizeof(*ids));
	while (stet_row(&rows))
		if (stet_role_may(call, (int)stet_col_int(&rows, 1), DECIDES))
			ids[count++] = stet_col_dup(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	for (size_t i = 0; i < count; i++)
		if (asker == NULL || strcmp(ids[i], asker) != 0)
			STET_TRY(mails_send(call, tx, name, ids[i], s, who, text));
	return STET_OK;
}

enum stet_status
mails_approval(struct stet_call *call, struct stet_tx *tx, const struct subject *s,
    const char *what, const char *who, const char *text)
{
	struct subject about = *s;

	if (!stet_mail_configured(call))
		return STET_OK;
	about.title = s->title != NULL ? stet_printf(call, "%s, %s", what, s->title)
				       : stet_strdup(call, what);
	return send_all(call, tx, MAIL_APPROVAL, &about, NULL, who, text);
}

enum stet_status
mails_reviewers(
    struct stet_call *call, struct stet_tx *tx, const struct subject *s, const struct review *r)
{
	const char *message = r->message != NULL ? r->message : "";

	if (!stet_mail_configured(call))
		return STET_OK;
	if (json_array_size(r->reviewers) == 0)
		return send_all(call, tx, MAIL_REVIEW, s, r->asker, r->asker_name, message);
	for (size_t i = 0; i < json_array_size(r->reviewers); i++) {
		const char *id =
		    json_string_value(json_object_get(json_array_get(r->reviewers, i), "id"));

		if (r->asker == NULL || strcmp(id, r->asker) != 0)
			STET_TRY(mails_send(call, tx, MAIL_REVIEW, id, s, r->asker_name, message));
	}
	return STET_OK;
}

/* ---- the text ---- */

static const char *
value(const struct stet_mail_request *request, const char *name)
{
	const char *text = json_string_value(json_object_get(request->values, name));

	return text != NULL ? text : "";
}

/* Writes a mail: what the user did (a name in mail_languages), with the title of the item, then the
 * note or message, and a link to the editor. */
static enum stet_status
make(struct stet_call *call, const struct stet_mail_request *request, const char *did,
    const char *page, struct stet_mail_text *out)
{
	const char *title = line(call, value(request, "title"), TITLE_MAX),
		   *text = value(request, "text");
	const char *address, *language = NULL, *off;
	const struct stet_word *words;

	STET_TRY(address_of(call, value(request, "user"), &address, &language));
	out->drop = address == NULL || strcmp(address, request->to) != 0;
	if (out->drop)
		return STET_OK;
	words = stet_words_in(call, mail_languages, language)->words;
	if (*title == '\0')
		title =
		    stet_printf(call, "%s %s", value(request, "collection"), value(request, "id"));
	did = stet_word_fill(
	    call, words, did, "who", line(call, value(request, "who"), WHO_MAX), NULL);
	off = stet_printf(call, "%s" ADMIN "/reviews", stet_base_url(call));
	out->subject = stet_word_fill(call, words, "subject", "did", did, "title", title, NULL);
	out->text = stet_printf(call, "%s\n%s%s%s\n%s" ADMIN "%s\n\n%s\n",
	    stet_word_fill(call, words, "about", "did", did, "title", title, NULL),
	    *text != '\0' ? "\n" : "", text, *text != '\0' ? "\n" : "", stet_base_url(call), page,
	    stet_word_fill(call, words, "off", "link", off, NULL));
	return STET_OK;
}

/* Returns the path of the item in the admin pages. */
static const char *
editor_of(struct stet_call *call, const struct stet_mail_request *request)
{
	return stet_printf(
	    call, "/collections/%s/%s", value(request, "collection"), value(request, "id"));
}

static enum stet_status
make_mention(
    struct stet_call *call, const struct stet_mail_request *request, struct stet_mail_text *out)
{
	return make(call, request, "mention", editor_of(call, request), out);
}

static enum stet_status
make_review(
    struct stet_call *call, const struct stet_mail_request *request, struct stet_mail_text *out)
{
	return make(call, request, "review", editor_of(call, request), out);
}

static enum stet_status
make_approved(
    struct stet_call *call, const struct stet_mail_request *request, struct stet_mail_text *out)
{
	return make(call, request, "approved", editor_of(call, request), out);
}

static enum stet_status
make_returned(
    struct stet_call *call, const struct stet_mail_request *request, struct stet_mail_text *out)
{
	return make(call, request, "returned", editor_of(call, request), out);
}

static enum stet_status
make_published(
    struct stet_call *call, const struct stet_mail_request *request, struct stet_mail_text *out)
{
	return make(call, request, "published", editor_of(call, request), out);
}

static enum stet_status
make_approval(
    struct stet_call *call, const struct stet_mail_request *request, struct stet_mail_text *out)
{
	return make(call, request, "approval", "/approvals", out);
}

const struct stet_mail_def mails[MAILS] = {
	{ MAIL_MENTION, make_mention },
	{ MAIL_REVIEW, make_review },
	{ MAIL_APPROVAL, make_approval },
	{ "approved", make_approved },
	{ "returned", make_returned },
	{ "published", make_published },
};
