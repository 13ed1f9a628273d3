/* words.c - every text of this module's pages, ready for translation: {name} is a value, {b:name}
 * one in bold. */
#include "oauth.h"

const struct stet_word oauth_words[] = {
	/* scopes */
	{ "content:read", "Read content, also what is not published" },
	{ "content:write", "Create, change, publish and delete content" },
	{ "media:read", "See images and other files" },
	{ "media:write", "Upload, change and delete images and other files" },
	{ "schema:read", "See how content is organised: collections and fields" },
	{ "schema:write", "Change how content is organised: collections and fields" },
	{ "taxonomies:manage", "Change categories, tags and other taxonomies" },
	{ "menus:manage", "Change menus" },
	{ "settings:read", "See the settings of the site" },
	{ "settings:manage", "Change the settings of the site" },
	{ "admin", "Do everything that you may do, users and plugins included" },
	{ "mcp:tools", "Use the tools of all plugins" },
	{ "plugin_tools", "Use the tools of the plugin {plugin}" },

	/* all pages */
	{ "signed_in", "You are signed in as {b:who}." },
	{ "allow", "Allow" },
	{ "refuse", "Refuse" },

	/* consent */
	{ "consent_title", "Allow access?" },
	{ "here", "A program on this computer" },
	{ "claim", "calls itself “{name}” and asks to act for you at {site}." },
	{ "loopback",
	    "The answer goes to this computer, where any program may be asking. Go on only if you "
	    "have just started one that needs this." },
	{ "answer_to", "The answer goes to {b:host}." },
	{ "may_until", "It may, until you withdraw it:" },
	{ "withdraw_any_time", "You can withdraw this at any time:" },
	{ "apps_link", "programs with access" },
	{ "tools_only", "Its access is limited to the tool server of this site." },
	{ "not_now", "Not now" },
	{ "bad_request", "Invalid authorization request" },
	{ "foreign_title", "That did not come from this page" },
	{ "foreign", "Go back to the program and begin anew." },

	/* devices */
	{ "device_title", "Connect a device" },
	{ "device_ask", "Type the code that your device or program shows." },
	{ "device_code", "Code" },
	{ "device_next", "Continue" },
	{ "device_warning",
	    "Go on only if you have just started this yourself, and the same code is on the screen "
	    "in front of you. If somebody sent you the code or this link, refuse: they would get "
	    "into your account." },
	{ "device_document", "It calls itself “{name}”." },
	{ "device_claim", "A program that calls itself “{name}”. Nobody has checked this name." },
	{ "device_asked", "Code {b:code}, asked for at {time} from the address {address}." },
	{ "device_near", "of this computer" },
	{ "device_wants", "It wants to act for you on this site, and may:" },
	{ "device_approved", "The device is connected. You can close this page." },
	{ "device_denied", "The device was refused. You can close this page." },
	{ "device_stale", "This page was not sent by your browser, or is too old. Begin again." },
	{ "device_nothing", "Your account has none of the rights that the device asks for." },
	{ "device_none_left", "Leave at least one permission, or refuse." },
	{ "device_decided", "Somebody has decided this meanwhile." },
	{ "device_unknown", "No device waits with this code. Look at it again." },
	{ "device_expired", "This code has expired. Begin again on the device." },
	{ "device_limited", "Too many wrong codes. Try again in 15 minutes." },

	/* programs with access */
	{ "apps_title", "Programs with access" },
	{ "apps_local", "A program on a computer" },
	{ "apps_grant", "calls itself “{name}”; allowed {since}, last used {used}" },
	{ "apps_withdraw", "Withdraw" },
	{ "apps_withdraw_of", "Withdraw the access of {name}" },
	{ "apps_none", "No program acts for you." },
	{ "account_link", "Your account" },
	{ 0 },
};
