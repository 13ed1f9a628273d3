// Comments.tsx - the comments of an item, as they were when the site was built, and the form for another one.
import { type Comment, type Comments as All, day } from "@stet/model";
import { Answer, Conversation } from "./Conversation";

interface Props {
	comments: All;
	locale: string;
}

export function Comments({ comments: { count, open, threads, action }, locale }: Props) {
	const list = (comments: Comment[], isInside = false) => (
		<ol className="comments">
			{comments.map((one) => (
				<li key={one.id} id={`comment-${one.id}`}>
					<p className="meta">
						<strong>{one.authorName}</strong> ·{" "}
						<time dateTime={one.createdAt}>{day(one.createdAt, locale)}</time>
					</p>
					<p className="words">{one.body}</p>
					{open && !isInside && <Answer to={{ id: one.id, name: one.authorName }} />}
					{one.replies.length > 0 && list(one.replies, true)}
				</li>
			))}
		</ol>
	);

	return (
		<section className="beside" aria-labelledby="comments">
			<h2 id="comments">
				{count === 0 ? "Comments" : count === 1 ? "1 comment" : `${count} comments`}
			</h2>
			<Conversation action={open ? action : ""}>{count > 0 && list(threads)}</Conversation>
		</section>
	);
}
