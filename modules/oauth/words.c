/* words.c - every text of this module's pages, ready for translation: {name} is a value, {b:name}
 * one in bold. */
#include "oauth.h"

const struct stet_word oauth_words[] = {
	/* scopes */
	{ "content:read", "Read content, including drafts" },
	{ "content:write", "Create, change, publish and delete content" },
	{ "content:draft", "Write drafts, and publish nothing" },
	{ "media:read", "See images and other files" },
	{ "media:write", "Upload, change and delete images and other files" },
	{ "schema:read", "See how content is organised: collections and fields" },
	{ "schema:write", "Change how content is organised: collections and fields" },
	{ "taxonomies:manage", "Manage categories, tags and other taxonomies" },
	{ "menus:manage", "Manage menus" },
	{ "settings:read", "See the settings of the site" },
	{ "settings:manage", "Change the settings of the site" },
	{ "admin", "Do everything that you can do, including users and plugins" },
	{ "mcp:tools", "Use the tools of all plugins" },
	{ "mcp:compact", "See a short list of tools, and find the others by words" },
	{ "plugin_tools", "Use the tools of the plugin {plugin}" },

	/* all pages */
	{ "brand", "stet" },
	{ "signed_in", "You are signed in as {b:who}." },
	{ "allow", "Allow" },
	{ "refuse", "Refuse" },

	/* consent */
	{ "consent_title", "Allow access?" },
	{ "here", "A program on this computer" },
	{ "claim", "calls itself “{name}” and asks to act for you at {site}." },
	{ "loopback",
	    "The answer goes to this computer, where any program may be asking. Continue only if you "
	    "have just started one that needs this." },
	{ "answer_to", "Access is given to {b:host}." },
	{ "may_until", "It will be able to:" },
	{ "access_legend", "How far" },
	{ "access_all", "All that is selected above" },
	{ "access_drafts", "Drafts only: it writes, and somebody else publishes" },
	{ "access_read", "Read only" },
	{ "collections_legend", "Only in some collections" },
	{ "collections_hint", "With none selected, in all" },
	{ "in_collections", "Only in these collections: {collections}" },
	{ "compact",
	    "Give it the short list of tools: it finds the others by words, and costs less" },
	{ "until", "Until" },
	{ "until_revoked", "you revoke it" },
	{ "until_day", "tomorrow, at this time" },
	{ "until_month", "in 30 days" },
	{ "ends_at", "Until {time}" },
	{ "withdraw_any_time", "You can revoke access at any time:" },
	{ "apps_link", "connected apps" },
	{ "tools_only", "Its access is limited to the tool server of this site." },
	{ "not_now", "Not now" },
	{ "bad_request", "Invalid authorization request" },
	{ "foreign_title", "This request did not come from this page" },
	{ "foreign", "Go back to the app and start again." },

	/* devices */
	{ "device_title", "Connect a device" },
	{ "device_ask", "Enter the code shown by your device or app." },
	{ "device_code", "Code" },
	{ "device_next", "Continue" },
	{ "device_warning",
	    "Continue only if you have just started this yourself and see the same code on the "
	    "screen in front of you. If somebody sent you the code or this link, refuse: they "
	    "would get access to your account." },
	{ "device_document", "It calls itself “{name}”." },
	{ "device_claim", "An app that calls itself “{name}”. This name is not verified." },
	{ "device_asked", "Code {b:code}, requested at {time} from the address {address}." },
	{ "device_near", "of this computer" },
	{ "device_wants", "It asks to act in your name on this site. It will be able to:" },
	{ "device_approved", "The device is connected. You can close this page." },
	{ "device_denied", "The device was refused. You can close this page." },
	{ "device_stale", "This page has expired. Start again." },
	{ "device_nothing", "Your account has none of the permissions that the device asks for." },
	{ "device_none_left", "Select at least one permission, or refuse." },
	{ "device_decided", "This has already been decided." },
	{ "device_unknown", "No device is waiting with this code. Check the code." },
	{ "device_expired", "This code has expired. Start again on the device." },
	{ "device_limited", "Too many wrong codes. Try again in 15 minutes." },

	/* programs with access */
	{ "apps_title", "Connected apps" },
	{ "apps_local", "An app on a computer" },
	{ "apps_grant", "calls itself “{name}”; allowed {since}, last used {used}" },
	{ "apps_withdraw", "Revoke" },
	{ "apps_withdraw_of", "Revoke access of {name}" },
	{ "apps_none", "No apps are connected." },
	{ "account_link", "Your account" },
	{ 0 },
};
