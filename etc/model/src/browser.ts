// browser.ts - what pages do in a browser: search, previews, comments, players of films. It asks stetd itself, which has
// to allow the origin of the pages (cors-origins in stet.conf).
import { createClient, type Draft, followDraft, StetError } from "@stet/client";
import { escape, imageHtml, toHtml } from "@stet/render";
import { filled } from "./addresses.js";
import { isText } from "./fields.js";
import { type BrowserPhrases, browserPhrasesOf, counted, put } from "./phrases.js";

export interface Found {
	title: string;
	path: string;
}
export interface Sent {
	/** stored: it waits for a moderator; shown: everybody may read it. */
	state: "shown" | "stored" | "refused";
	/** For the writer. */
	message: string;
	/** The field that was not as it should be. */
	field?: string;
}
export interface NewComment {
	authorName: string;
	authorEmail: string;
	body: string;
	parentId?: string;
	/** The field that people do not see, and programs fill in. */
	website_url?: string;
}

/** Items that have the words, with their paths. @param patterns Site.patterns @param locale of the items; all if absent */
export async function search(
	url: string,
	patterns: Record<string, string | null>,
	words: string,
	locale?: string,
): Promise<Found[]> {
	const { items } = await createClient({ url }).search(words, { locale });

	return items.flatMap((one) => {
		const pattern = patterns[`${one.collection} ${one.locale}`] ?? patterns[one.collection] ?? "{none}";
		const path = filled(pattern, { ...one, type: one.collection });
		return path === null ? [] : [{ title: one.title ?? one.slug ?? one.id, path: encodeURI(path) }];
	});
}

/** How many there are: "3 results". */
export function resultsText(count: number): string {
	const t = phrases();

	return counted(count, t.oneResult, t.someResults, t);
}
/** What is said where there is no search, and where a preview link is not valid. */
export const noSearchText = (): string => phrases().noSearch;
export const noPreviewText = (): string => phrases().noPreview;

/** What a preview shows. */
export interface Shown {
	title: string;
	locale: string;
	/** The field that has the title, for data-field. */
	field: string;
	/** With data-field and data-key, by which a click leads the editor there. */
	html: string;
}

function shown(url: string, item: Omit<Draft, "collection">, top = 2): Shown {
	const options = { url: createClient({ url }).mediaUrl, top, keys: true };
	const all = Object.entries(item.data);
	const isLine = (name: string) => typeof item.data[name] === "string";
	const field = ["title", "name", ...Object.keys(item.data)].find(isLine) ?? "";

	return {
		title: String(item.data[field] ?? item.slug ?? item.id),
		locale: item.locale,
		field,
		html: all
			.map(([name, value]) => {
				const inside = isText(value)
					? toHtml(value, options)
					: (value as { id?: unknown } | null)?.id !== undefined
						? imageHtml(value as Parameters<typeof imageHtml>[0], options)
						: "";
				return inside && `<div data-field="${name}">${inside}</div>`;
			})
			.join(""),
	};
}

const CALLS_MAX = 20; // items of a release that are shown whole: the server reads no more at once

/** What a release changes, with its items as they will be. */
async function release(url: string, token: string): Promise<Shown> {
	const client = createClient({ url }),
		t = phrases();
	const isGone = (one: { does: string }): boolean => /^(unpublish|delete)$/.test(one.does);
	const { name, changes } = await client.previewRelease(token);
	const read = changes.filter((one) => one.item && !isGone(one)).slice(0, CALLS_MAX);
	const { results } = await client.previewRelease(
		token,
		read.map(({ collection, item: id }) => ({ op: "content_read", arguments: { collection, id } })),
	);
	const words: Record<string, string> = { publish: t.added, create: t.added, update: t.changed };

	return {
		title: name,
		locale: "",
		field: "",
		html: changes
			.map((one) => {
				const title = escape(one.title ?? one.name ?? t.settings);
				const answer = results[read.indexOf(one)];
				const now = answer?.ok ? shown(url, answer.data.item, 3) : null;
				const word = isGone(one) ? t.removed : words[one.does];
				return (
					`<section><h2>${isGone(one) ? `<del>${title}</del>` : now ? escape(now.title) : title}</h2>` +
					`${word ? `<p class="meta">${word}</p>` : ""}` +
					`<div lang="${escape(now?.locale ?? "")}">${now?.html ?? ""}</div></section>`
				);
			})
			.join(""),
	};
}

/**
 * What a preview link shows: the newest values of an item, or what a release changes.
 * @param query what the address has after "?"
 */
export async function preview(url: string, query: string): Promise<Shown> {
	const asked = new URLSearchParams(query);
	const token = asked.get("_preview") ?? "",
		id = asked.get("id");

	if (id === null) return release(url, token);
	return shown(url, (await createClient({ url }).preview(asked.get("collection") ?? "", id, token)).item);
}

/** Shows what is typed in the editor, if the page is in the frame beside it. Returns a function that ends it. */
export const follow = (url: string, show: (now: Shown) => void): (() => void) =>
	followDraft(url, (item) => show(shown(url, item)));

const FIELDS = ["authorName", "authorEmail", "body", "parentId"] as const;
const CODES = ["COMMENTS_DISABLED", "COMMENTS_CLOSED", "COMMENT_REJECTED", "NOT_FOUND", "VALIDATION_ERROR"] as const;
/** The texts in the language of the page. */
const phrases = (): BrowserPhrases =>
	browserPhrasesOf(typeof document === "undefined" ? "en" : document.documentElement.lang);

/** Why a comment was refused, in words for its writer. */
function refusalOf(error: unknown): Sent {
	const state = "refused",
		t = phrases();

	if (!(error instanceof StetError) || error.status === 0) return { state, message: t.unsent };
	if (error.status === 429) return { state, message: t.tooMany };
	const field = FIELDS.find((name) => error.issues.some((one) => one.path === name));
	if (field !== undefined) return { state, message: t[field], field };
	const code = CODES.find((one) => one === error.code);
	return { state, message: code ? t[code] : t.unsent };
}

/** Sends a comment. It is never rejected: what happened is in the answer. @param action Comments.action */
export async function sendComment(action: string, comment: NewComment): Promise<Sent> {
	const { origin, pathname } = new URL(action);
	const [collection, contentId] = pathname.split("/").slice(-2).map(decodeURIComponent);

	try {
		const { status } = await createClient({ url: origin }).call<{ status: string }>(
			"POST /comments/:collection/:contentId",
			{ collection, contentId, ...comment },
		);
		if (status === "approved") return { state: "shown", message: phrases().shown };
		return { state: "stored", message: phrases().stored };
	} catch (error) {
		return refusalOf(error);
	}
}

// ---- the elements of pages ----

/** A page with form[role=search][data-patterns][data-locale], [role=status] and #found, for the words in "?q=". */
export async function startSearch(url: string): Promise<void> {
	const form = document.querySelector<HTMLFormElement>("main [role=search]"),
		input = form?.querySelector("input"),
		status = document.querySelector("main [role=status]"),
		list = document.querySelector("#found");
	if (!form || !input || !status || !list) return;

	input.value = new URLSearchParams(location.search).get("q") ?? "";
	if (!input.value.trim()) return;
	try {
		const { patterns = "{}", locale } = form.dataset,
			found = await search(url, JSON.parse(patterns), input.value, locale);
		list.replaceChildren(
			...found.map(({ title, path }) => {
				const link = document.createElement("a"),
					row = document.createElement("li");
				link.href = path;
				link.textContent = title;
				row.append(link);
				return row;
			}),
		);
		status.textContent = resultsText(found.length);
	} catch {
		status.textContent = phrases().noSearch;
	}
}

/** A page with an article[aria-busy], which has an h1 and #body. */
export async function startPreview(url: string): Promise<void> {
	const article = document.querySelector("article[aria-busy]"),
		heading = article?.querySelector("h1"),
		body = article?.querySelector("#body");
	if (!article || !heading || !body) return;

	let isTyped = false; // what the editor sends is newer than what is stored
	const show = ({ title, locale, field, html }: Shown) => {
		if (locale) article.setAttribute("lang", locale);
		heading.textContent = title;
		heading.dataset.field = field;
		body.innerHTML = html;
	};

	follow(url, (now) => {
		isTyped = true;
		show(now);
	});
	try {
		const stored = await preview(url, location.search);
		if (!isTyped) show(stored);
	} catch {
		if (!isTyped) heading.textContent = phrases().noPreview;
	}
	article.removeAttribute("aria-busy");
}

async function send(form: HTMLFormElement): Promise<void> {
	const status = form.querySelector("[role=status]"),
		button = form.querySelector("button");
	const values = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));

	form.setAttribute("aria-busy", "true");
	if (button) button.disabled = true;
	for (const one of form.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
	const { state, message, field } = await sendComment(form.action, values as unknown as NewComment);
	if (status) {
		status.textContent = message;
		status.classList.toggle("refused", state === "refused");
	}
	if (state === "refused") {
		const wrong = form.querySelector<HTMLElement>(`[name="${field ?? ""}"]`);
		wrong?.setAttribute("aria-invalid", "true");
		wrong?.focus();
	} else for (const one of form.querySelectorAll("label, button, h3, .reply-to, .trap")) one.remove();
	if (button) button.disabled = false;
	form.removeAttribute("aria-busy");
}

/**
 * The form[data-comments] of a page: it is hidden until this has run, since without it nothing can be sent. Buttons with
 * data-reply, the id of a comment, and data-name, its author, make the form answer that one.
 */
export function startComments(): void {
	const form = document.querySelector<HTMLFormElement>("form[data-comments]");
	if (!form) return;
	const parent = form.querySelector<HTMLInputElement>("[name=parentId]"),
		to = form.querySelector<HTMLElement>(".reply-to");

	form.hidden = false;
	form.addEventListener("submit", (event) => {
		event.preventDefault();
		void send(form);
	});
	for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-reply]")) {
		button.hidden = false;
		button.addEventListener("click", () => {
			if (!parent || !to) return;
			parent.value = button.dataset.reply ?? "";
			to.textContent = put(phrases().answerTo, { name: button.dataset.name ?? "" });
			to.hidden = false;
			form.querySelector("textarea")?.focus();
		});
	}
}

/** A click on a film of another site puts its player there; before, nobody is asked. */
export function startPlayers(): void {
	document.addEventListener("click", (event) => {
		const link = (event.target as Element).closest?.<HTMLAnchorElement>("a[data-player]");
		if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
		event.preventDefault();
		const frame = document.createElement("iframe");
		frame.src = link.dataset.player as string;
		frame.title = link.textContent ?? "";
		frame.allow = "fullscreen; picture-in-picture";
		link.replaceWith(frame);
	});
}
