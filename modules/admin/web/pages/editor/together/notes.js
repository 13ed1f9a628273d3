// notes.js - the notes of an item: threads, replies, resolving; and the form for a new one.
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { api, segment } from "../../../lib/api.js";
import { html } from "../../../lib/html.js";
import { manifest, may } from "../../../lib/site.js";
import { Button, Problem, Tick, Time, ask, say } from "../../../ui/index.js";
import { mayEdit } from "../actions.js";
import { slugOf } from "../item.js";
import { Colleagues } from "./people.js";
import { quoteOf, togetherOf } from "./state.js";
import { t } from "./words.js";

const BODY_MAX = 5000;

/** A text field with a finder of people to mention, for new notes, replies and changes. */
function Writing({ item, id, label, value = "", mentioned = [], yes, onSend, onCancel, children }) {
	const { drafts } = togetherOf(item);
	const text = useSignal(drafts.get(id) ?? value),
		mentions = useSignal(mentioned.map((one) => ({ id: one.id, handle: slugOf(one.name) }))),
		isMentioning = useSignal(false),
		area = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
	const mention = (one) => {
		write(`${text.peek()}${/(^|\s)$/.test(text.peek()) ? "" : " "}@${one.handle} `);
		mentions.value = [...mentions.peek(), one];
		isMentioning.value = false;
		area.current?.focus();
	};
	const write = (now) => {
		text.value = now;
		if (now === "" || now === value) drafts.delete(id);
		else drafts.set(id, now);
	};
	const cancel = () => {
		drafts.delete(id);
		onCancel();
	};
	const find = () => {
		isMentioning.value = true;
		requestAnimationFrame(() => document.getElementById(`${id}-who`)?.focus());
	};
	const send = async () => {
		const used = mentions.peek().filter((one) => text.peek().includes(`@${one.handle}`));

		await onSend({ body: text.peek(), mentions: used.map((one) => one.id) });
		write("");
		mentions.value = [];
	};

	useEffect(() => {
		if (onCancel) area.current?.focus();
	}, []);
	return html`<form class="writing" onSubmit=${(e) => e.preventDefault()}>
		<label class="sr" for=${id}>${label}</label>
		<textarea class="in" id=${id} rows="3" maxlength=${BODY_MAX} dir="auto" ref=${area} placeholder=${label}
			value=${text.value} onInput=${(e) => write(e.currentTarget.value)} />
		${
			isMentioning.value &&
			html`<${Colleagues} item=${item} id=${`${id}-who`} label=${t("mention")} onChoose=${mention} />`
		}
		${children}
		<div class="bs"><${Button} kind="small" onClick=${send} data-send
			why=${text.value.trim() === "" ? t("writeFirst") : undefined}>${yes}<//>
		${
			!isMentioning.value &&
			html`<${Button} kind="small bare" onClick=${find} data-mention>${t("mention")}<//>`
		}
		${onCancel && html`<${Button} kind="small bare" onClick=${cancel}>${t("cancel")}<//>`}</div>
	</form>`;
}

/** One note: who, when, what, and what the person may do with it. */
function Note({ item, note, onChanged, children }) {
	const isEdited = useSignal(false),
		isMine = note.authorId === manifest.value.user.id;
	const path = `${item.path}/notes/${segment(note.id)}`;
	const change = async (body) => {
		await api.put(path, body);
		isEdited.value = false;
		await onChanged(t("isSaved"));
	};
	const remove = async () => {
		if (!(await ask({ title: t("deleteTitle"), text: t("deleteText"), yes: t("delete"), isFinal: true })))
			return;
		await api.delete(path);
		await onChanged(t("deleted"));
	};

	return html`<p class="sub"><strong><bdi>${note.authorName}</bdi></strong> · <${Time} at=${note.createdAt} />
		${note.editedAt && ` · ${t("edited")}`}</p>
		${
			isEdited.value
				? html`<${Writing} item=${item} id=${`edit-${note.id}`} label=${t("edit")} value=${note.body}
					mentioned=${note.mentions}
					yes=${t("save")} onSend=${change} onCancel=${() => (isEdited.value = false)} />`
				: html`<p class="said" dir="auto">${note.body}</p>`
		}
		<div class="bs">${children}
			${
				isMine &&
				html`<${Button} kind="small bare" onClick=${() => (isEdited.value = true)}>${t("edit")}<//>`
			}
			${
				(isMine || may("reviews:moderate")) &&
				html`<${Button} kind="small bare out" onClick=${remove}>${t("delete")}<//>`
			}</div>`;
}

/** Says what a thread is about: a paragraph, a field, or nothing. */
function About({ item, thread }) {
	if (!thread.field) return null;
	const field = item.collection.fields.find((one) => one.slug === thread.field),
		quote = thread.block ? quoteOf(item, thread) : "";

	return html`<p class="quote" dir="auto">${
		thread.block && !quote ? t("blockGone") : quote || (field?.label ?? thread.field)
	}</p>`;
}

function Thread({ item, thread, onChanged }) {
	const isAnswered = useSignal(togetherOf(item).drafts.has(`answer-${thread.id}`));
	const path = `${item.path}/notes`;
	const turn = async (resolved) => {
		await api.put(`${path}/${segment(thread.id)}`, { resolved });
		await onChanged(t(resolved ? "isResolved" : "isOpenAgain"));
	};
	const answer = async (body) => {
		await api.post(path, { ...body, threadId: thread.id });
		isAnswered.value = false;
		await onChanged(t("isAdded"));
	};

	return html`<li class="thread" id=${`note-${thread.id}`} tabindex="-1">
		<${About} item=${item} thread=${thread} />
		<${Note} item=${item} note=${thread} onChanged=${onChanged}>
			<${Button} kind="small bare" onClick=${() => (isAnswered.value = true)}
				aria-label=${t("answerTo", { name: thread.authorName })}>${t("answer")}<//>
			<${Button} kind="small bare" onClick=${() => turn(!thread.resolvedAt)}
				data-resolve>${t(thread.resolvedAt ? "reopen" : "resolve")}<//><//>
		${thread.resolvedAt && html`<p class="help">${t("resolved", { name: thread.resolvedBy })}</p>`}
		${
			thread.replies.length > 0 &&
			html`<ul role="list" class="replies">${thread.replies.map(
				(one) => html`<li class="reply" key=${one.id}>
				<${Note} item=${item} note=${one} onChanged=${onChanged} /></li>`,
			)}</ul>`
		}
		${
			isAnswered.value &&
			html`<${Writing} item=${item} id=${`answer-${thread.id}`} label=${t("answer")} yes=${t("answer")}
				onSend=${answer} onCancel=${() => (isAnswered.value = false)} />`
		}
	</li>`;
}

function NewNote({ item, onChanged }) {
	const { place } = togetherOf(item),
		isAtBlock = useSignal(false),
		here = place.value;
	const send = async (body) => {
		const at = isAtBlock.peek() && place.peek();

		// The server knows only blocks that are saved.
		if (at && mayEdit(item)) await item.flush();
		await api.post(`${item.path}/notes`, { ...body, ...(at ? { field: at.field, block: at.block } : {}) });
		isAtBlock.value = false;
		await onChanged(t("isAdded"));
	};

	return html`<${Writing} item=${item} id="new-note" label=${t("newNote")} yes=${t("add")} onSend=${send}>
		${
			here &&
			!here.text.startsWith("/") && // the menu of blocks is open
			html`<${Tick} isOn=${isAtBlock.value} onChange=${(on) => (isAtBlock.value = on)}
				data-at-block>${t("aboutBlock", { text: here.text.slice(0, 40) || "…" })}<//>`
		}<//>`;
}

/** @param {{item: any}} props */
export function Notes({ item }) {
	const state = togetherOf(item),
		isAll = useSignal(false),
		threads = state.threads.value;
	const open = (threads ?? []).filter((one) => !one.resolvedAt),
		// What somebody is answering stays while a colleague resolves it.
		shown = (threads ?? []).filter(
			(one) => isAll.value || !one.resolvedAt || state.drafts.has(`answer-${one.id}`),
		);
	/** Reads the notes again, says what was done, and puts the focus on the thread, or on the part without it. */
	const changed = async (said, id) => {
		await state.loadNotes();
		say(said);
		requestAnimationFrame(() => {
			const at = document.getElementById(`note-${id}`) ?? document.querySelector("#notes > summary");

			/** @type {HTMLElement | null} */ (at)?.focus();
		});
	};

	return html`<details open=${true} id="notes"><summary>${t("notes")}${
		open.length > 0 && html` <span class="value">${open.length}</span>`
	}</summary><div class="in-panel">
		${state.error.value && html`<${Problem} error=${state.error.value} onRetry=${() => state.load()} />`}
		${threads?.length === 0 && html`<p class="help">${t("noneYet")}</p>`}
		${
			shown.length > 0 &&
			html`<ul role="list" class="threads">${shown.map(
				(one) =>
					html`<${Thread} key=${one.id} item=${item} thread=${one}
						onChanged=${(said) => changed(said, one.id)} />`,
			)}</ul>`
		}
		${
			(threads?.length ?? 0) > open.length &&
			html`<${Tick} isOn=${isAll.value} onChange=${(on) => (isAll.value = on)}>${t("all")}<//>`
		}
		${may("reviews:write") && html`<${NewNote} item=${item} onChanged=${changed} />`}
	</div></details>`;
}
