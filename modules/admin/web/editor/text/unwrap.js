// unwrap.js - addresses that lead through the redirect of another site.
import { isSafeHref } from "./safe.js";

/**
 * Redirects of search engines and mail programs: host, path, and the parameters that may have the address.
 * @type {[RegExp, RegExp, string[]][]}
 */
const redirects = [
	[/^(www\.)?google\.[a-z.]+$/, /^\/url$/, ["q", "url"]],
	[/^(www\.|html\.)?duckduckgo\.com$/, /^\/l\/?$/, ["uddg"]],
	[/\.safelinks\.protection\.outlook\.com$/, /^\//, ["url"]],
	[/^(l|lm)\.(facebook|instagram)\.com$/, /^\//, ["u"]],
	[/^slack-redir\.net$/, /^\/link$/, ["url"]],
];

/** The address that a redirect of another site leads to; else the same address. @param {string} href */
export function unwrapped(href) {
	if (!/^https?:/i.test(href) || !URL.canParse(href)) return href;
	const { hostname, pathname, searchParams } = new URL(href);
	const names = redirects.find(([host, path]) => host.test(hostname) && path.test(pathname))?.[2] ?? [];
	const to = names.map((name) => searchParams.get(name)).find((one) => /^https?:\/\//i.test(one ?? ""));

	return isSafeHref(to) ? to : href;
}
