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
	{ "by_mail", "Or by a link in a mail" },
	{ "address", "Mail address" },
	{ "send_link", "Send me a link" },
	{ "lost", "Lost your passkey? Use a recovery code" },
	{ "recovery_code", "Recovery code" },
	{ "with_code", "Sign in with the code" },
	{ "no_code", "No code either? Ask somebody who runs this site for a new link." },

	/* errors of sign-in */
	{ "missing_token", "The link is not whole. Open it again, as it was sent to you." },
	{ "invalid_link", "This link was used already, or is not of this site." },
	{ "link_expired", "This link has expired. Ask for a new one." },
	{ "account_disabled", "This account is disabled. Ask somebody who runs this site." },
	{ "user_not_found", "This account does not exist any more." },
	{ "provider_denied", "The other site did not sign you in." },
	{ "provider_failed", "The other site does not answer as it should. Try again later." },
	{ "provider_state", "That took too long, or began in another browser. Try again." },
	{ "not_allowed",
	    "No account here belongs to yours at the other site. Sign in another way and link it." },
	{ "link_required", "Sign in another way first, and link your account at the other site." },
	{ "linked_elsewhere", "That account is linked to another user here." },
	{ "failed", "Signing in did not work. Try again." },

	/* a link of a mail */
	{ "link_title", "Sign in with this link" },
	{ "link_once", "The link works once. Nothing is used until you press the button." },

	/* setting up */
	{ "setup_title", "Set up this site" },
	{ "setup_done_title", "This site is set up" },
	{ "setup_done", "It has an administrator already." },
	{ "setting_up", "Setting up a site" },
	{ "site_name", "Name of the site" },
	{ "your_name", "Your name" },
	{ "your_address", "Your mail address" },
	{ "setup_about",
	    "You become the administrator. A passkey on this device, phone or key takes the place of "
	    "a password." },
	{ "setup_go", "Make a passkey and begin" },

	/* an invitation */
	{ "invite_title", "Accept your invitation" },
	{ "accepting", "Accepting an invitation" },
	{ "accept", "Accept" },

	/* the account */
	{ "account_title", "Your account" },
	{ "changing", "Changing your account" },
	{ "sign_out", "Sign out" },
	{ "apps", "Programs with access" },
	{ "passkeys", "Passkeys" },
	{ "passkey_name", "Name of a new passkey" },
	{ "passkey_hint", "Phone, laptop, key" },
	{ "passkey_add", "Add a passkey" },
	{ "codes", "Recovery codes" },
	{ "codes_new", "Make new codes" },
	{ "sessions", "Where you are signed in" },
	{ "sign_out_others", "Sign out everywhere else" },
	{ "tokens", "API tokens" },
	{ "token_name", "What a new token is for" },
	{ "token_expires", "Last day (empty: without an end)" },
	{ "token_make", "Make a token" },
	{ "it_may", "It may" },

	/* scopes of a token */
	{ "content:read", "Read content" },
	{ "content:write", "Write content" },
	{ "media:read", "Read media" },
	{ "media:write", "Add and change media" },
	{ "schema:read", "Read the schema" },
	{ "schema:write", "Change the schema" },
	{ "taxonomies:manage", "Change taxonomies" },
	{ "menus:manage", "Change menus" },
	{ "settings:read", "Read settings" },
	{ "settings:manage", "Change settings" },
	{ "mcp:tools", "Use tools of plugins" },
	{ "admin", "Everything, users and tokens too" },
	{ 0 },
};

const struct stet_word script_words[] = {
	{ "addFirst", "This page could not reach the site. Try again." },
	{ "noPasskeys",
	    "This browser cannot use passkeys here. They need https, or http://localhost." },
	{ "cancelled", "The passkey was not used. Try again when you are ready." },
	{ "exists", "This device has a passkey of yours already." },
	{ "noLink", "The link is not whole. Open it again, as it was sent to you." },
	{ "reauth", "For this you must have signed in within the last ten minutes." },
	{ "again", "Sign in again" },
	{ "sent",
	    "If there is an account with this address, a link is on its way. Look into your mail." },
	{ "done", "Done." },
	{ "unnamed", "Passkey without a name" },
	{ "added", "Added" },
	{ "used", "last used" },
	{ "never", "never used" },
	{ "newName", "New name" },
	{ "rename", "Rename" },
	{ "remove", "Delete" },
	{ "sureRemove", "Delete this passkey? What signed in with it is signed out." },
	{ "here", "this browser" },
	{ "seen", "last seen" },
	{ "end", "Sign out" },
	{ "revoke", "Revoke" },
	{ "sureRevoke", "Revoke this token? Programs that use it lose access at once." },
	{ "left", "codes left" },
	{ "sureCodes", "Make new codes? Earlier ones stop working." },
	{ "shownOnce", "Keep these somewhere safe. They are not shown again:" },
	{ "copyToken", "Copy the token now. It is not shown again:" },
	{ "until", "until" },
	{ "forever", "without an end" },
	{ "signInWith", "Sign in with" },
	{ "invited", "You are invited as" },
	{ "mailed", "The invitation is for" },
	{ 0 },
};
