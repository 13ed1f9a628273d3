"use client";
// Conversation.tsx - comments with a form below them, which the browser sends to stet. The daemon has to allow this origin
// (cors-origins in stet.conf). A comment that waits for a moderator, and one that is published at once, are on the page
// after the next build.
import type { Sent } from "@stet/model/browser";
import { createContext, type FormEvent, type ReactNode, useContext, useRef, useState } from "react";

interface Target {
	id: string;
	name: string;
}

const Answering = createContext<(to: Target) => void>(() => undefined);

/** The button that answers a comment. */
export function Answer({ to }: { to: Target }) {
	const answer = useContext(Answering);

	return (
		<button type="button" className="plain" aria-label={`Answer ${to.name}`} onClick={() => answer(to)}>
			Answer
		</button>
	);
}

/** @param action where comments are sent; "": none are taken any more */
export function Conversation({ action, children }: { action: string; children: ReactNode }) {
	const [to, setTo] = useState<Target>();
	const [sent, setSent] = useState<Sent>();
	const [isBusy, setBusy] = useState(false);
	const words = useRef<HTMLTextAreaElement>(null);
	const isWrong = (field: string) => sent?.field === field || undefined;

	function answer(one: Target): void {
		setTo(one);
		words.current?.focus();
	}

	async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
		event.preventDefault();
		const form = event.currentTarget;
		const all = new FormData(form);
		const value = (name: string): string => String(all.get(name) ?? "");

		setBusy(true);
		const { sendComment } = await import("@stet/model/browser");
		const happened = await sendComment(action, {
			authorName: value("authorName"),
			authorEmail: value("authorEmail"),
			body: value("body"),
			website_url: value("website_url"),
			...(to && { parentId: to.id }),
		});
		setBusy(false);
		setSent(happened);
		if (happened.state === "refused") return;
		form.reset();
		setTo(undefined);
	}

	return (
		<Answering value={answer}>
			{children}
			{action === "" ? (
				<p className="meta">Comments are closed.</p>
			) : (
				<form
					className="comment-form"
					onSubmit={send}
					aria-busy={isBusy}
					aria-label="Write a comment"
				>
					<h3>{to ? `An answer to ${to.name}` : "Write a comment"}</h3>
					{to && (
						<button
							type="button"
							className="plain"
							onClick={() => setTo(undefined)}
						>
							To everybody instead
						</button>
					)}
					<label>
						Name
						<input
							name="authorName"
							autoComplete="name"
							required
							aria-invalid={isWrong("authorName")}
						/>
					</label>
					<label>
						Email, which is not shown
						<input
							type="email"
							name="authorEmail"
							autoComplete="email"
							required
							aria-invalid={isWrong("authorEmail")}
						/>
					</label>
					<label>
						Comment
						<textarea
							name="body"
							rows={5}
							required
							ref={words}
							aria-invalid={isWrong("body")}
						/>
					</label>
					<input
						name="website_url"
						tabIndex={-1}
						autoComplete="off"
						aria-hidden="true"
						hidden
					/>
					<button type="submit" disabled={isBusy}>
						Send
					</button>
					<p role="status">{sent?.message}</p>
				</form>
			)}
		</Answering>
	);
}
