// comments.ts - the comments of an item: their list, and the form for a new one, which browser.ts sends.
import { escape } from "@stet/render";
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

function listHtml(comments: Comment[], isOpen: boolean, locale: string): string {
	const one = ({ id, parentId, authorName, body, createdAt, replies }: Comment): string =>
		`<li id="comment-${escape(id)}"><p class="meta"><b>${escape(authorName)}</b> · ` +
		`<time datetime="${escape(createdAt)}">${escape(day(createdAt, locale))}</time></p>` +
		`<p class="comment">${escape(body)}</p>` +
		(isOpen && parentId === null
			? `<button type="button" class="link" data-reply="${escape(id)}" data-name="${escape(authorName)}" hidden>Answer</button>`
			: "") +
		`${listHtml(replies, isOpen, locale)}</li>`;

	return comments.length === 0 ? "" : `<ol>${comments.map(one).join("")}</ol>`;
}

// Programs that write comments fill in website_url, which people do not see.
const formHtml = (action: string): string =>
	`<form data-comments method="post" action="${escape(action)}" hidden><h3>Write a comment</h3>` +
	'<p class="reply-to" hidden></p><input type="hidden" name="parentId">' +
	'<label>Your name<input name="authorName" maxlength="100" autocomplete="name" required></label>' +
	'<label>Your email, which is not shown<input type="email" name="authorEmail" autocomplete="email" required></label>' +
	'<label class="whole">Comment<textarea name="body" rows="5" maxlength="5000" required></textarea></label>' +
	'<p class="trap" aria-hidden="true"><label>Website<input name="website_url" tabindex="-1" autocomplete="off"></label></p>' +
	'<p><button>Send</button></p><p role="status"></p></form>' +
	"<noscript><p>A comment is sent by a script, which this browser does not run.</p></noscript>";

/** The comments of an entry, and the form that startComments() of browser.ts shows. "": there are none, and will be none. */
export function commentsHtml(comments: Comments | null, locale: string): string {
	if (comments === null || (!comments.open && comments.count === 0)) return "";
	const title =
		comments.count === 0 ? "Comments" : comments.count === 1 ? "1 comment" : `${comments.count} comments`;

	return (
		`<section class="comments" aria-labelledby="comments"><h2 id="comments">${title}</h2>` +
		listHtml(comments.threads, comments.open, locale) +
		(comments.open ? formHtml(comments.action) : "<p>Comments are closed.</p>") +
		"</section>"
	);
}
