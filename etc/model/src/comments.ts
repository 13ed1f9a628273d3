// comments.ts - the comments of an item: their list, and the form for a new one, which browser.ts sends.
import { escape } from "@stet/render";
import { counted, type Phrases, phrasesOf } from "./phrases.js";
import type { Reader } from "./read.js";
import type { Comment, Comments, Entry } from "./types.js";
import { day } from "./words.js";

export async function commentsOf(reader: Reader, { collection, item }: Entry, url: string): Promise<Comments | null> {
	const found = collection.commentsEnabled ? await reader.comments(item) : null;

	if (found === null) return null;
	return {
		...found,
		count: found.threads.reduce((sum, one) => sum + 1 + one.replies.length, 0),
		action: `${url}/_cms/api/comments/${encodeURIComponent(item.type)}/${encodeURIComponent(item.id)}`,
	};
}

function listHtml(comments: Comment[], isOpen: boolean, locale: string, { answer }: Phrases): string {
	const one = ({ id, parentId, authorName, body, createdAt, replies }: Comment): string =>
		`<li id="comment-${escape(id)}"><p class="meta"><b>${escape(authorName)}</b> · ` +
		`<time datetime="${escape(createdAt)}">${escape(day(createdAt, locale))}</time></p>` +
		`<p class="comment">${escape(body)}</p>` +
		(isOpen && parentId === null
			? `<button type="button" class="link" data-reply="${escape(id)}" data-name="${escape(authorName)}" hidden>${answer}</button>`
			: "") +
		`${list(replies)}</li>`;
	const list = (some: Comment[]): string => (some.length === 0 ? "" : `<ol>${some.map(one).join("")}</ol>`);

	return list(comments);
}

// Programs that write comments fill in website_url, which people do not see.
const formHtml = (action: string, heading: string, t: Phrases): string =>
	`<form data-comments method="post" action="${escape(action)}" lang="${t.lang}" hidden>${heading}` +
	'<p class="reply-to" hidden></p><input type="hidden" name="parentId">' +
	`<label>${t.name}<input name="authorName" maxlength="100" autocomplete="name" required></label>` +
	`<label>${t.email}<input type="email" name="authorEmail" autocomplete="email" required></label>` +
	`<label class="whole">${t.comment}<textarea name="body" rows="5" maxlength="5000" required></textarea></label>` +
	`<p class="trap" aria-hidden="true"><label>${t.website}<input name="website_url" tabindex="-1" autocomplete="off"></label></p>` +
	`<p><button>${t.send}</button></p><p role="status"></p></form>` +
	`<noscript><p>${t.noScript}</p></noscript>`;

/** The comments of an entry, and the form that startComments() of browser.ts shows. "": there are none, and will be none. */
export function commentsHtml(comments: Comments | null, locale: string): string {
	if (comments === null || (!comments.open && comments.count === 0)) return "";
	const t = phrasesOf(locale);
	const title = comments.count === 0 ? t.write : counted(comments.count, t.oneComment, t.someComments, t);

	return (
		`<section class="comments" aria-labelledby="comments"><h2 id="comments">${title}</h2>` +
		listHtml(comments.threads, comments.open, locale, t) +
		(comments.open
			? formHtml(comments.action, comments.count === 0 ? "" : `<h3>${t.write}</h3>`, t)
			: `<p>${t.closed}</p>`) +
		"</section>"
	);
}
