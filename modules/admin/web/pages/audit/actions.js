// actions.js - what the log's operations and written members are called by people: "Article saved", "Title".
//
// The log has the names of operations, which programs use. Here each has a verb (a text verb_VERB with {what}) and a
// noun (what_NOUN), so that a translation needs a few dozen texts; a few have a text of their own (op_OP). Operations of
// plugins are shown by their names.
import { collection } from "../../lib/site.js";
import { hasWord, wordsOf } from "../../lib/words.js";

const t = wordsOf("audit");

/** Verb, noun, operations; also changes of items by jobs ("publish") and of accounts, as the log names them. */
const ACTIONS = [
	["saved", "view", "view_save"],
	["deleted", "view", "view_delete"],
	["signed", "log", "audit_sign"],
	["pruned", "log", "audit_prune"],
	["resumed", "log", "audit_resume"],
	["saved", "profile", "me_rename"],
	["created", "token", "token_create token_add"],
	["revoked", "token", "token_revoke token_revoke_any"],
	["created", "delivery", "delivery_token_create"],
	["revoked", "delivery", "delivery_token_revoke"],
	["started", "backup", "backups_start"],
	["created", "comment", "comment_create"],
	["moderated", "comment", "comment_moderate admin_comment_bulk admin_comment_status"],
	["deleted", "comment", "comment_delete admin_comment_delete"],
	["created", "item", "content_add content_create create"],
	["saved", "item", "content_put content_update content_patch update stage"],
	["replaced", "item", "content_replace"],
	["trashed", "item", "content_delete delete"],
	["published", "item", "content_publish_now content_publish publish"],
	["unpublished", "item", "unpublish content_withdraw content_unpublish"],
	["scheduled", "item", "content_schedule_at content_schedule"],
	["unscheduled", "item", "content_unschedule"],
	["discarded", "item", "content_discard content_discard_draft"],
	["duplicated", "item", "content_copy content_duplicate"],
	["restored", "item", "content_restore history_restore restore"],
	["deletedForever", "item", "content_permanent_delete purge"],
	["saved", "terms", "content_set_terms"],
	["created", "previewLink", "preview_link_add release_link"],
	["revoked", "previewLink", "preview_link_delete release_unlink"],
	["restored", "revision", "revision_restore"],
	["undone", "session2", "assistant_session_undo"],
	["created", "byline", "byline_create admin_byline_create"],
	["translated", "byline", "byline_translate admin_byline_translate"],
	["saved", "byline", "byline_update admin_byline_update"],
	["deleted", "byline", "byline_delete admin_byline_delete"],
	[
		"started",
		"import",
		"import_execute import_prepare import_media import_rewrite import_exporter_execute import_job_create",
	],
	["paused", "import", "import_job_pause"],
	["resumed", "import", "import_job_resume"],
	["canceled", "import", "import_job_cancel"],
	["deleted", "import", "import_job_delete"],
	["saved", "pluginTools", "plugin_mcp_put"],
	["saved", "houseRules", "guide_put"],
	["started", "mediaUses", "media_usage_activate"],
	["saved", "mediaUses", "media_usage_advance"],
	["repaired", "mediaUses", "media_usage_work_retry media_usage_deletion_retry media_usage_repair"],
	["uploaded", "media", "media_post media_upload media_create media_get_upload_url media_confirm_upload"],
	["saved", "media", "media_update"],
	["deleted", "media", "media_delete media_bulk_delete"],
	["moved", "media", "media_bulk_move"],
	["cleared", "renditions", "media_renditions_clear"],
	["created", "folder", "media_folder_create"],
	["renamed", "folder", "media_folder_update"],
	["deleted", "folder", "media_folder_delete"],
	["created", "menu", "menu_create menu_add"],
	["translated", "menu", "menu_translate"],
	["saved", "menu", "menu_update menu_put menu_set_items menu_reorder"],
	["deleted", "menu", "menu_delete"],
	["added", "menuItem", "menu_item_create"],
	["saved", "menuItem", "menu_item_update"],
	["deleted", "menuItem", "menu_item_delete"],
	["added", "program", "oauth_client_create"],
	["saved", "program", "oauth_client_update"],
	["deleted", "program", "oauth_client_delete"],
	["revoked", "access", "grant_end oauth_apps_end"],
	["limited", "access", "grant_limit"],
	["added", "provider", "provider_create"],
	["saved", "provider", "provider_update"],
	["deleted", "provider", "provider_delete"],
	["added", "account", "account_link"],
	["deleted", "account", "account_remove"],
	["enabled", "plugin", "plugin_enable"],
	["disabled", "plugin", "plugin_disable"],
	["suspended", "plugin", "plugin_suspended"],
	["saved", "pluginSettings", "plugin_settings_put"],
	["deleted", "oldSlug", "redirect_delete"],
	["created", "release", "release_add"],
	["saved", "release", "release_put release_save"],
	["deleted", "release", "release_delete"],
	["checked", "release", "release_check"],
	["published", "release", "release_publish"],
	["scheduled", "release", "release_schedule"],
	["unscheduled", "release", "release_unschedule"],
	["undone", "release", "release_undo"],
	["added", "note", "note_create note_write"],
	["saved", "note", "note_update"],
	["deleted", "note", "note_delete"],
	["created", "review", "review_ask"],
	["approved", "review", "review_approve"],
	["returned", "review", "review_return"],
	["revoked", "review", "review_withdraw"],
	["decided", "review", "review_decide"],
	["created", "approval", "approval_ask"],
	["approved", "approval", "approval_allow"],
	["refused", "approval", "approval_refuse"],
	["revoked", "approval", "approval_withdraw"],
	["saved", "mailChoice", "review_person_put"],
	["created", "collection", "collection_create schema_create_collection"],
	["saved", "collection", "collection_update schema_update_collection"],
	["deleted", "collection", "collection_delete schema_delete_collection"],
	["changed", "collections", "collection_reorder"],
	["added", "field", "field_create schema_create_field"],
	["saved", "field", "field_update schema_update_field"],
	["deleted", "field", "schema_delete_field"],
	["changed", "fields", "field_reorder"],
	["created", "block", "block_type_create"],
	["saved", "block", "block_type_update"],
	["deleted", "block", "block_type_delete"],
	["enabled", "search", "search_enable"],
	["rebuilt", "searchIndex", "search_rebuild"],
	["changed", "search", "search_public"],
	["created", "section", "section_create section_add"],
	["saved", "section", "section_update"],
	["deleted", "section", "section_delete"],
	["saved", "settings", "settings_update settings_write"],
	["created", "invitation", "invite_create"],
	["revoked", "invitation", "invite_withdraw"],
	["accepted", "invitation", "invite_complete"],
	["ended", "session", "session_end"],
	["ended", "sessions", "session_end_others"],
	["created", "codes", "recovery_codes_make"],
	["setUp", "site", "setup_site"],
	["added", "firstAdmin", "setup_admin_verify"],
	["added", "passkey", "passkey_register"],
	["renamed", "passkey", "passkey_rename"],
	["deleted", "passkey", "passkey_delete"],
	["created", "recoveryLink", "user_recover"],
	["created", "taxonomy", "taxonomy_create"],
	["saved", "taxonomy", "taxonomy_update"],
	["deleted", "taxonomy", "taxonomy_delete"],
	["created", "term", "term_create taxonomy_create_term"],
	["saved", "term", "taxonomy_update_term"],
	["deleted", "term", "taxonomy_delete_term"],
	["translated", "term", "term_translate"],
	["changed", "termOrder", "term_reorder"],
	["saved", "user", "admin_user_update"],
	["letIn", "user", "admin_user_enable user_enable"],
	["lockedOut", "user", "admin_user_disable user_disable"],
	["added", "user", "user_add"],
	["changed", "role", "user_set_role"],
	["renamed", "user", "user_rename"],
	["created", "webhook", "webhook_create"],
	["saved", "webhook", "webhook_update"],
	["deleted", "webhook", "webhook_delete"],
	["changed", "secret", "webhook_rotate"],
	["tested", "webhook", "webhook_test"],
	["repeated", "deliveries", "webhook_replay"],
	["discarded", "deliveries", "webhook_drop"],
	["created", "area", "widget_area_create"],
	["saved", "area", "widget_area_put"],
	["deleted", "area", "widget_area_delete"],
	["added", "widget", "widget_create"],
	["saved", "widget", "widget_update"],
	["deleted", "widget", "widget_delete"],
	["changed", "widgets", "widget_reorder"],
];
const ALONE = [
	"sign_in",
	"sign_in_failed",
	"logout",
	"oauth_consent",
	"oauth_deny",
	"oauth_token",
	"oauth_refresh",
	"oauth_revoke",
	"oauth_stolen",
	"oauth_device_failed",
	"plugin_tool_invoke",
];

/** @type {Map<string, string[]>} */
const known = new Map(
	ACTIONS.flatMap(([verb, noun, ops]) =>
		ops.split(" ").map((op) => /** @type {[string, string[]]} */ ([op, [verb, noun]])),
	),
);

/** "plugin_thing_done" as a label: "Plugin thing done". @param {string} op */
const spelled = (op) => op.replace(/_/g, " ").replace(/^./, (c) => c.toUpperCase());

/**
 * An operation in words: "Item saved". @param {string} op
 * @param {{names?: Record<string, any>}} [one] its record: an item is called as its collection says, "Article saved"
 */
export function actionOf(op, one) {
	const [verb, noun] = known.get(op) ?? [],
		own = noun === "item" ? collection(one?.names?.collection) : null;

	if (ALONE.includes(op)) return t(`op_${op}`);
	return verb ? t(`verb_${verb}`, { what: own?.labelSingular ?? t(`what_${noun}`) }) : spelled(op);
}

/**
 * Choices of a filter, by their words: all known operations and these. Some have the same words, for pages and for
 * programs; their names tell them apart. @param {string[]} more
 */
export function choices(more) {
	const all = [...new Set([...known.keys(), ...ALONE, ...more])].map((op) => ({ op, label: actionOf(op) }));
	const isShared = ({ op, label }) => all.some((one) => one.label === label && one.op !== op);

	return all
		.map((one) => ({ op: one.op, label: isShared(one) ? `${one.label} (${one.op})` : one.label }))
		.sort((a, b) => a.label.localeCompare(b.label));
}

/** Members that say how a request is made, not what it writes. */
const HOW = ["_rev", "skipRevision", "skipRevisions", "dryRun", "confirm"];

/**
 * What was written, in words: the labels of fields. @param {string[]} [names] "data.title", "slug"
 * @param {{slug: string, label: string}[]} [fields] of the collection
 */
export const written = (names, fields) =>
	(names ?? [])
		.filter((name) => !HOW.includes(name))
		.map((name) => {
			const slug = name.startsWith("data.") ? name.slice("data.".length) : null;

			if (slug) return fields?.find((one) => one.slug === slug)?.label ?? slug;
			return hasWord("audit", `changed_${name}`) ? t(`changed_${name}`) : name;
		})
		.join(", ");

const NAMES = { collection: "what_collection", field: "what_field", taxonomy: "what_taxonomy", slug: "changed_slug" };

/** The name of an argument that says what was written. @param {string} name */
export const nameWord = (name) => (NAMES[name] ? t(NAMES[name]) : null);
