/*
 * reviews - working on items together: notes on an item or on a block of its text, and requests for
 * review. Nothing of it is public.
 */
#include "approval.h"

static const struct stet_migration migrations[] = {
	{ 1, "notes and requests for review",
	    "CREATE TABLE note ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " collection TEXT NOT NULL," /* slug of the collection */
	    " entry_id TEXT NOT NULL,"
	    " thread_id TEXT," /* the note that begins the thread; NULL: this one does */
	    " field TEXT,"
	    " block TEXT," /* _key of a block of the field */
	    " author_id TEXT," /* NULL: a command */
	    " author_name TEXT NOT NULL,"
	    " body TEXT NOT NULL," /* plain text */
	    " mentions TEXT NOT NULL," /* JSON: [{id, name}] */
	    " version INTEGER NOT NULL," /* of the item */
	    " revision_id TEXT,"
	    " resolved_at TEXT,"
	    " resolved_by TEXT," /* name of the user */
	    " created_at TEXT NOT NULL,"
	    " edited_at TEXT);"
	    "CREATE INDEX note_entry ON note (collection, entry_id, created_at, id)"
	    " WHERE thread_id IS NULL;"
	    "CREATE INDEX note_reply ON note (thread_id, created_at, id);"
	    "CREATE INDEX note_of ON note (collection, entry_id);"
	    "CREATE TABLE review ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " collection TEXT NOT NULL,"
	    " entry_id TEXT NOT NULL,"
	    " state TEXT NOT NULL CHECK (state IN"
	    " ('open', 'approved', 'returned', 'withdrawn', 'published')),"
	    " is_current INTEGER NOT NULL," /* 1: the item's latest request */
	    " asker_id TEXT,"
	    " asker_name TEXT NOT NULL,"
	    " message TEXT,"
	    " reviewers TEXT NOT NULL," /* JSON: [{id, name}] */
	    " version INTEGER NOT NULL," /* of the item when it was asked */
	    " decided_by_id TEXT,"
	    " decided_by_name TEXT,"
	    " answer TEXT,"
	    " decided_at TEXT,"
	    " decided_version INTEGER,"
	    " created_at TEXT NOT NULL);"
	    "CREATE UNIQUE INDEX review_current ON review (collection, entry_id)"
	    " WHERE is_current = 1;"
	    "CREATE INDEX review_entry ON review (collection, entry_id, id);"
	    "CREATE INDEX review_state ON review (state, created_at, id, is_current)"
	    " WHERE is_current = 1;"
	    "CREATE INDEX review_asker ON review (asker_id, state, created_at, id, is_current)"
	    " WHERE is_current = 1;"
	    /* Users who have said whether they want mails. */
	    "CREATE TABLE review_person ("
	    " user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,"
	    " mail INTEGER NOT NULL);",
	    NULL, STET_ADDITIVE },
	{ 2, "who was told of a note",
	    /* JSON: ids of users who got a mail about it; NULL: those of `mentions`. */
	    "ALTER TABLE note ADD COLUMN told TEXT", NULL, STET_ADDITIVE },
	{ 3, "requests for approval",
	    "CREATE TABLE approval ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " state TEXT NOT NULL," /* APPROVAL_... */
	    " op TEXT NOT NULL,"
	    " arguments TEXT NOT NULL," /* JSON */
	    " collection TEXT," /* slug; NULL: the call is not about one item */
	    " entry_id TEXT,"
	    " version INTEGER NOT NULL," /* of the item when it was asked; 0: there is none */
	    " grant_id TEXT," /* the token or grant that has asked */
	    " client TEXT," /* what the program calls itself */
	    " asker_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,"
	    " asker_name TEXT NOT NULL,"
	    " message TEXT,"
	    " created_at TEXT NOT NULL,"
	    " ends_at TEXT NOT NULL,"
	    " decided_by_id TEXT,"
	    " decided_by_name TEXT,"
	    " answer TEXT,"
	    " decided_at TEXT);"
	    "CREATE INDEX approval_state ON approval (state, created_at, id);"
	    "CREATE INDEX approval_asker ON approval (asker_id, state, created_at, id);"
	    "CREATE INDEX approval_entry ON approval (collection, entry_id)"
	    " WHERE state = 'open';"
	    "CREATE INDEX approval_ends ON approval (ends_at) WHERE state = 'open';"
	    "CREATE INDEX approval_created ON approval (created_at);",
	    NULL, STET_ADDITIVE },
};

/* ---- transfer files ---- */

static const struct stet_member note_row[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "collection", STET_STRING, STET_REQUIRED },
	{ "entryId", STET_STRING, STET_REQUIRED },
	{ "threadId", STET_STRING },
	{ "field", STET_STRING },
	{ "block", STET_STRING },
	{ "authorId", STET_STRING },
	{ "authorName", STET_STRING, STET_REQUIRED },
	{ "body", STET_STRING, STET_REQUIRED },
	{ "mentions", STET_ANY, STET_REQUIRED },
	{ "version", STET_INTEGER, STET_REQUIRED },
	{ "revisionId", STET_STRING },
	{ "resolvedAt", STET_STRING },
	{ "resolvedBy", STET_STRING },
	{ "createdAt", STET_STRING, STET_REQUIRED },
	{ "editedAt", STET_STRING },
	{ 0 },
};
static const struct stet_member review_row[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "collection", STET_STRING, STET_REQUIRED },
	{ "entryId", STET_STRING, STET_REQUIRED },
	{ "state", STET_STRING, STET_REQUIRED, .choices = review_states },
	{ "isCurrent", STET_INTEGER, STET_REQUIRED },
	{ "askerId", STET_STRING },
	{ "askerName", STET_STRING, STET_REQUIRED },
	{ "message", STET_STRING },
	{ "reviewers", STET_ANY, STET_REQUIRED },
	{ "version", STET_INTEGER, STET_REQUIRED },
	{ "decidedById", STET_STRING },
	{ "decidedByName", STET_STRING },
	{ "answer", STET_STRING },
	{ "decidedAt", STET_STRING },
	{ "decidedVersion", STET_INTEGER },
	{ "createdAt", STET_STRING, STET_REQUIRED },
	{ 0 },
};
static const struct stet_transfer transfers[] = {
	{ .kind = "item-notes",
	    .table = "note",
	    .row = note_row,
	    .key = "id",
	    .many = true,
	    .name = "t.collection || '/' || t.entry_id",
	    .order = "t.created_at, t.id",
	    .changed = moved_check,
	    .arg = &moved_note },
	{ .kind = "item-reviews",
	    .table = "review",
	    .row = review_row,
	    .key = "id",
	    .many = true,
	    .name = "t.collection || '/' || t.entry_id",
	    .order = "t.id",
	    .changed = moved_check,
	    .arg = &moved_review },
};

/* ---- ops ---- */

/* clang-format off */
#define READS .lane = STET_READ, .scope = "content:read", .fault = "REVIEW_READ_ERROR"
#define WRITES .lane = STET_WRITE, .scope = "content:write", .fault = "REVIEW_WRITE_ERROR"
#define OF_ITEM "/content/:collection/:id"
/* A program sees only its own requests, and asks with its own rights. */
#define APPROVES STET_MORE_DRAFTS | STET_MORE_COLLECTIONS
/* clang-format on */
static const struct stet_op ops[] = {
	{ "note_list", "List Notes", .about = "Threads of editors' notes on an item.",
	    .route = "GET " OF_ITEM "/notes", .flags = STET_TOOL, READS, .cached = true,
	    .permission = "reviews:read", .in = notes_in, .out = notes_out, .run = notes_list,
	    .find = "remarks feedback discussion colleague editorial comments" },
	{ "note_create", "Write Note",
	    .about = "A note on an item or on a block of its text, or a reply to one.",
	    .route = "POST " OF_ITEM "/notes", .flags = STET_CREATED, WRITES,
	    .permission = "reviews:write", .in = note_create_in, .out = thread_shape,
	    .run = note_create, .body_max = 65536, .more = STET_MORE_DRAFTS },
	{ "note_write", "Write Note",
	    .about = "Begin a thread on an item, answer one, resolve it; @handle mentions.",
	    .flags = STET_TOOL | STET_ADDITIVE, WRITES, .permission = "reviews:write",
	    .in = note_write_in, .out = thread_shape, .run = note_write, .more = STET_MORE_DRAFTS,
	    .find = "leave remark feedback mention colleague editorial comment reply" },
	{ "note_update", "Change Note",
	    .about = "Change the text of one's own note; resolve a thread or open it again.",
	    .route = "PUT " OF_ITEM "/notes/:noteId", .flags = STET_IDEMPOTENT, WRITES,
	    .permission = "reviews:write", .in = note_update_in, .out = thread_shape,
	    .run = note_update, .body_max = 65536, .more = STET_MORE_DRAFTS },
	{ "note_delete", "Delete Note",
	    .about = "Delete one's own note; editors delete any, and threads with their replies.",
	    .route = "DELETE " OF_ITEM "/notes/:noteId", .flags = STET_DESTRUCTIVE, WRITES,
	    .permission = "reviews:write", .in = note_by_id, .out = note_deleted_out,
	    .run = note_delete, .more = STET_MORE_DRAFTS },
	{ "note_people", "Find Colleagues",
	    .about = "Users who may read an item, to mention them or to ask them for a review.",
	    .route = "GET " OF_ITEM "/people", READS, .permission = "reviews:read", .in = people_in,
	    .out = people_out, .run = people_list },

	/* In the read lane, since nothing is stored. */
	{ "presence_enter", "Have Item Open",
	    .about = "Say that the caller has an item open, every ten seconds, and where; answers "
		     "who else has.",
	    .route = "POST " OF_ITEM "/presence", READS, .permission = "reviews:read",
	    .in = presence_in, .out = presence_out, .run = presence_enter, .body_max = 4096 },
	{ "presence_leave", "Leave Item", .about = "Say that a tab of the caller is closed.",
	    .route = "DELETE " OF_ITEM "/presence", READS, .permission = "reviews:read",
	    .in = presence_leave_in, .out = presence_out, .run = presence_leave },

	{ "review_get", "Get Request for Review",
	    .about = "The latest request for review of an item, and what the caller may do.",
	    .route = "GET " OF_ITEM "/review", READS, .permission = "reviews:read", .in = review_in,
	    .out = review_out, .run = review_get },
	{ "review_ask", "Ask for Review",
	    .about = "Ask for a review of an item; one request at a time.",
	    .route = "POST " OF_ITEM "/review", .flags = STET_CREATED | STET_BODY_OPTIONAL, WRITES,
	    .permission = "reviews:ask", .in = review_ask_in, .out = review_out, .run = review_ask,
	    .body_max = 65536, .more = STET_MORE_DRAFTS },
	{ "review_approve", "Approve", .about = "Approve an item. That does not publish it.",
	    .route = "POST " OF_ITEM "/review/approve", .flags = STET_BODY_OPTIONAL, WRITES,
	    .permission = DECIDES, .in = review_approve_in, .out = review_out,
	    .run = review_approve, .body_max = 65536 },
	{ "review_return", "Ask for Changes",
	    .about = "Return an item to who asked, and say what is to be changed.",
	    .route = "POST " OF_ITEM "/review/return", WRITES, .permission = DECIDES,
	    .in = review_return_in, .out = review_out, .run = review_return, .body_max = 65536 },
	{ "review_withdraw", "Withdraw Request for Review",
	    .about = "Withdraw one's own request, or as an editor any.",
	    .route = "POST " OF_ITEM "/review/withdraw", .flags = STET_BODY_OPTIONAL, WRITES,
	    .permission = "reviews:ask", .in = review_withdraw_in, .out = review_out,
	    .run = review_withdraw, .more = STET_MORE_DRAFTS },
	{ "review_decide", "Decide Review",
	    .about = "Ask for a review of an item, approve it, or return it. Publishes nothing.",
	    .flags = STET_TOOL | STET_ADDITIVE, WRITES, .permission = "reviews:ask",
	    .in = review_tool_in, .out = review_out, .run = review_tool, .more = STET_MORE_DRAFTS,
	    .find = "ask request approval approve editor sign off check" },
	{ "review_list", "List Reviews", .about = "Requests for review.", .route = "GET /reviews",
	    .flags = STET_TOOL, READS, .permission = "reviews:read", .in = requests_in,
	    .out = requests_out, .run = requests_list,
	    .find = "waiting approval requests to approve" },
	{ "approval_ask", "Ask for Approval",
	    .about = "Ask somebody who may for an operation that was refused with "
		     "PUBLISH_NEEDS_APPROVAL. Nothing is done until it is allowed.",
	    .route = "POST /approvals", .flags = STET_CREATED_OR_FOUND, WRITES,
	    .permission = "reviews:ask", .in = approval_ask_in, .out = approval_out,
	    .run = approval_ask, .body_max = 1048576, .more = APPROVES },
	{ "approval_list", "List Requests for Approval",
	    .about = "A program sees its own, a person those that the person may decide on.",
	    .route = "GET /approvals", READS, .permission = "reviews:ask", .in = approvals_in,
	    .out = approvals_out, .run = approval_list, .more = APPROVES },
	{ "approval_get", "Get Request for Approval",
	    .about = "What was asked for, and whether it was allowed.",
	    .route = "GET /approvals/:id", READS, .permission = "reviews:ask",
	    .in = approval_by_id, .out = approval_out, .run = approval_get, .more = APPROVES },
	{ "approval_allow", "Allow Request",
	    .about = "Do what a program has asked for, with the caller's rights. For people.",
	    .route = "POST /approvals/:id/allow", .flags = STET_BODY_OPTIONAL, WRITES,
	    .permission = "reviews:ask", .in = approval_decide_in, .out = approval_allowed_out,
	    .run = approval_allow, .body_max = 65536 },
	{ "approval_refuse", "Refuse Request", .about = "Refuse what a program has asked for.",
	    .route = "POST /approvals/:id/refuse", .flags = STET_BODY_OPTIONAL, WRITES,
	    .permission = "reviews:ask", .in = approval_decide_in, .out = approval_out,
	    .run = approval_refuse, .body_max = 65536 },
	{ "approval_withdraw", "Withdraw Request for Approval",
	    .about = "Withdraw one's own request.", .route = "POST /approvals/:id/withdraw",
	    .flags = STET_BODY_OPTIONAL, WRITES, .permission = "reviews:ask",
	    .in = approval_by_id, .out = approval_out, .run = approval_withdraw,
	    .more = APPROVES },
	{ "review_counts", "Count Requests for Review",
	    .about = "How many requests wait for me, came back to me, or are approved.",
	    .route = "GET /reviews/counts", READS, .permission = "reviews:read", .out = counts_out,
	    .run = requests_count },
	{ "review_person", "Get Preferences of Mails",
	    .about = "Whether I get mails about notes and reviews.", .route = "GET /reviews/me",
	    READS, .permission = "reviews:read", .out = person_out, .run = person_get },
	{ "review_person_put", "Set Preferences of Mails",
	    .about = "Turn mails about notes and reviews on or off.", .route = "PUT /reviews/me",
	    .flags = STET_IDEMPOTENT, WRITES, .permission = "reviews:read", .in = person_in,
	    .out = person_out, .run = person_put },
};

static const struct stet_hook hooks[] = {
	STET_ON(entry_changed, 0, follow_entry),
	STET_ON(entry_before_purge, 0, follow_purge),
	STET_ON(schema_changing, 0, follow_schema),
};
static const struct stet_service_def services[] = { STET_SERVICE(STET_REVIEWS_1, reviews_service) };
static const struct stet_job jobs[] = { { "approvals", approvals_due, approvals_sweep } };
static const char *const needs[] = { "auth", "schema", "content", NULL };

static const struct stet_permission permissions[] = {
	{ "reviews:read", ROLE_INSIDE }, { "reviews:write", ROLE_INSIDE },
	{ "reviews:moderate", 40 }, { "reviews:ask", ROLE_INSIDE },
	{ DECIDES, 40 }, /* as content:publish_any */
};

static const struct stet_status_def statuses[] = {
	{ "NOTES_FULL", 409, "There are too many notes" },
	{ "APPROVAL_NOT_NEEDED", 409, "No approval is needed" },
	{ "APPROVAL_NOT_OPEN", 409, "The request for approval is not open" },
	{ "APPROVALS_FULL", 409, "There are too many requests for approval" },
	{ "REVIEW_OPEN", 409, "Somebody has asked for a review already" },
	{ "REVIEW_NOT_OPEN", 409, "No request for review is open" },
	{ "REVIEW_READ_ERROR", 500, "Failed to read notes or reviews" },
	{ "REVIEW_WRITE_ERROR", 500, "Failed to store a note or review" },
};

STET_MODULE(reviews) = {
	STET_MODULE_HEAD(reviews),
	.version = "1.0",
	.summary = "Notes on items, requests for review, requests for approval",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
	.hooks = STET_TABLE(hooks),
	.migrations = STET_TABLE(migrations),
	.transfers = STET_TABLE(transfers),
	.services = STET_TABLE(services),
	.jobs = STET_TABLE(jobs),
	.state_size = sizeof(struct reviews_state),
	.mails = STET_TABLE(mails),
	.statuses = STET_TABLE(statuses),
};
