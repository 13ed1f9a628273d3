/* words.c - every text of this module's pages, ready for translation. The page passes the texts of
 * script.js to it. */
#include "page.h"

const struct stet_word signin_words[] = {
	{ "no_script",
	    "{what} needs JavaScript, which is off in this browser. Turn it on for this site and "
	    "load the page again." },

	/* signing in */
	{ "signin_title", "Sign in" },
	{ "signing_in", "Signing in" },
	{ "with_passkey", "Sign in with a passkey" },
	{ "by_mail", "Or by a link in an email" },
	{ "address", "Email address" },
	{ "send_link", "Email me a link" },
	{ "lost", "Lost your passkey? Use a recovery code" },
	{ "recovery_code", "Recovery code" },
	{ "with_code", "Sign in with a recovery code" },
	{ "no_code",
	    "No recovery code? Ask an administrator of this site for a new link (stet user recover)." },

	/* errors of sign-in */
	{ "missing_token", "The link is incomplete. Open it again from your email." },
	{ "invalid_link", "This link has already been used, or belongs to another site." },
	{ "link_expired", "This link has expired. Ask for a new one." },
	{ "account_disabled", "This account is disabled. Contact an administrator of this site." },
	{ "user_not_found", "This account no longer exists." },
	{ "provider_denied", "The other site did not sign you in." },
	{ "provider_failed", "The other site sent an unexpected answer. Try again later." },
	{ "provider_state", "That took too long, or was started in another browser. Try again." },
	{ "not_allowed",
	    "No user here is connected to that account. Sign in another way and connect it." },
	{ "link_required", "Sign in another way first, then connect your external account." },
	{ "linked_elsewhere", "That account is connected to another user." },
	{ "failed", "Signing in failed. Try again." },

	/* a link of a mail */
	{ "link_title", "Sign in with this link" },
	{ "link_once", "This link works once, when you press the button." },

	/* setting up */
	{ "setup_title", "Set up your site" },
	{ "setup_done_title", "This site is already set up" },
	{ "setup_done", "An administrator already exists." },
	{ "setting_up", "Setting up a site" },
	{ "site_name", "Site name" },
	{ "your_name", "Your name" },
	{ "your_address", "Your email address" },
	{ "setup_about",
	    "You will be the administrator. A passkey on this device, your phone or a security key "
	    "replaces a password." },
	{ "setup_go", "Create passkey and start" },

	/* an invitation */
	{ "invite_title", "Accept your invitation" },
	{ "accepting", "Accepting an invitation" },
	{ "accept", "Accept" },

	/* the account */
	{ "account_title", "Your account" },
	{ "changing", "Changing your account" },
	{ "sign_out", "Sign out" },
	{ "apps", "Connected apps" },
	{ "passkeys", "Passkeys" },
	{ "passkey_name", "Name of a new passkey" },
	{ "passkey_hint", "For example: Phone, laptop, security key" },
	{ "passkey_add", "Add a passkey" },
	{ "codes", "Recovery codes" },
	{ "codes_new", "Create new codes" },
	{ "sessions", "Active sessions" },
	{ "sign_out_others", "Sign out everywhere else" },
	{ "tokens", "API tokens" },
	{ "token_name", "Name of a new token" },
	{ "token_expires", "Expires (empty: never)" },
	{ "token_make", "Create token" },
	{ "it_may", "Permissions" },

	/* scopes of a token */
	{ "content:read", "Read content" },
	{ "content:write", "Write content" },
	{ "media:read", "Read media" },
	{ "media:write", "Add and edit media" },
	{ "schema:read", "Read the schema" },
	{ "schema:write", "Change the schema" },
	{ "taxonomies:manage", "Manage taxonomies" },
	{ "menus:manage", "Manage menus" },
	{ "settings:read", "Read settings" },
	{ "settings:manage", "Change settings" },
	{ "mcp:tools", "Use plugin tools" },
	{ "admin", "Everything, including users and tokens" },
	{ 0 },
};

const struct stet_word script_words[] = {
	{ "addFirst", "This page could not reach the site. Try again." },
	{ "noPasskeys",
	    "This browser cannot use passkeys here. They need https, or http://localhost." },
	{ "cancelled", "The passkey was not used. Try again." },
	{ "exists", "This device already has a passkey of yours." },
	{ "noLink", "The link is incomplete. Open it again from your email." },
	{ "reauth", "For security, sign in again to do this." },
	{ "again", "Sign in again" },
	{ "sent", "If this address has an account, a link is on its way. Check your email." },
	{ "done", "Done." },
	{ "unnamed", "Unnamed passkey" },
	{ "added", "Added" },
	{ "used", "last used" },
	{ "never", "never used" },
	{ "newName", "New name" },
	{ "rename", "Rename" },
	{ "remove", "Delete" },
	{ "sureRemove", "Delete this passkey? Sessions that were started with it are signed out." },
	{ "here", "this browser" },
	{ "seen", "last active" },
	{ "end", "Sign out" },
	{ "revoke", "Revoke" },
	{ "sureRevoke", "Revoke this token? Programs that use it lose access at once." },
	{ "left", "unused codes left" },
	{ "sureCodes", "Create new codes? Your existing codes stop working." },
	{ "shownOnce", "Keep these codes in a safe place. They are not shown again:" },
	{ "copyToken", "Copy the token now. It is not shown again:" },
	{ "until", "until" },
	{ "forever", "never expires" },
	{ "signInWith", "Sign in with" },
	{ "invited", "You have been invited as" },
	{ "mailed", "This invitation is for" },
	{ 0 },
};
