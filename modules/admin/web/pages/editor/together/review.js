// review.js - the request for review of an item: asking, approving, asking for changes; in the bar and in the panel.
import { useSignal } from "@preact/signals";
import { api } from "../../../lib/api.js";
import { html } from "../../../lib/html.js";
import { Button, Dialog, Field, Mark, Problem, Time, tell, tellProblem } from "../../../ui/index.js";
import { mayEdit, mayPublish, saved } from "../actions.js";
import { Colleagues } from "./people.js";
import { togetherOf } from "./state.js";
import { t } from "./words.js";

const MARKS = { open: "due", approved: "live", returned: "changed", withdrawn: "gone", published: "live" };
const MESSAGE_MAX = 2000;

function Message({ help, value, isRequired, problem }) {
	return html`<${Field} label=${t("message")} help=${help} problem=${problem}>${(props) => html`
		<textarea class="in" rows="4" maxlength=${MESSAGE_MAX} dir="auto" required=${isRequired} ...${props}
			value=${value.value} onInput=${(e) => (value.value = e.currentTarget.value)} />`}<//>`;
}

/** Runs one action on the request, and reads what it has become. */
async function act(item, name, body, said) {
	const state = togetherOf(item);

	try {
		state.review.value = await api.post(`${item.path}/review${name}`, body);
		tell(said);
	} catch (error) {
		await state.loadReview().catch(() => {});
		throw error;
	}
}

const Failed = ({ problem }) => problem.value !== null && html`<${Problem} error=${problem.value} />`;

function AskDialog({ item, onClose }) {
	const message = useSignal(""),
		reviewers = useSignal(/** @type {any[]} */ ([])),
		problem = useSignal(/** @type {any} */ (null));
	const send = async () => {
		if (mayEdit(item) && !(await saved(item))) return onClose();
		const body = {
			...(message.peek().trim() ? { message: message.peek() } : {}),
			reviewers: reviewers.peek().map((one) => one.id),
		};

		try {
			await act(item, "", body, t("askedNow"));
			onClose();
		} catch (error) {
			problem.value = error;
		}
	};

	return html`<${Dialog} title=${t("ask")} onClose=${onClose} onSubmit=${send}
		actions=${html`<${Button} kind="go" type="submit" data-yes>${t("send")}<//>`}>
		<${Failed} problem=${problem} /><p class="lead">${t("askHelp")}</p>
		<div class="fields"><${Message} help=${t("messageHelp")} value=${message} />
		<${Field} label=${t("reviewers")} help=${t("reviewersHelp")} isGroup=${true}>${() => html`<div class="chips">
			${reviewers.value.map(
				(one) => html`<span class="tag" key=${one.id}><bdi>${one.name}</bdi>
				<button type="button" aria-label=${t("remove", { name: one.name })}
				onClick=${() => (reviewers.value = reviewers.value.filter((o) => o !== one))}>
				<span aria-hidden="true">×</span></button></span>`,
			)}
			<${Colleagues} item=${item} id="reviewers" label=${t("reviewers")}
				filter=${(one) => one.mayReview && !reviewers.peek().some((o) => o.id === one.id)}
				onChoose=${(one) => (reviewers.value = [...reviewers.peek(), one])} /></div>`}<//></div>
	<//>`;
}

function ReturnDialog({ item, onClose }) {
	const message = useSignal(""),
		problem = useSignal(/** @type {any} */ (null)),
		name = togetherOf(item).review.value?.review?.askedByName ?? "";
	const send = async () => {
		try {
			await act(item, "/return", { message: message.peek() }, t("returnedNow", { name }));
			onClose();
		} catch (error) {
			problem.value = error;
		}
	};

	return html`<${Dialog} title=${t("return")} onClose=${onClose} onSubmit=${send}
		actions=${html`<${Button} kind="go" type="submit" data-yes>${t("send")}<//>`}>
		<${Failed} problem=${problem} /><div class="fields"><${Message} help=${t("returnHelp")} value=${message} isRequired=${true} /></div>
	<//>`;
}

/** Runs an action of a button, and tells why it failed. */
const tried = (run) => run().catch(tellProblem);

/** Approves the version that the person sees: fails if somebody has saved another one since. */
async function approve(item) {
	if (mayEdit(item) && !(await saved(item))) return;
	const { version } = item.meta.peek();

	await tried(() => act(item, "/approve", { version }, t("approvedNow")));
}

/**
 * The buttons that the person may use. In the bar, people who may publish see only those that decide.
 * @param {{item: any, isInBar?: boolean}} props
 */
export function ReviewButtons({ item, isInBar = false }) {
	const dialog = useSignal(/** @type {"ask" | "return" | null} */ (null)),
		may = togetherOf(item).review.value?.may,
		close = () => (dialog.value = null);

	if (!may) return null;
	const asks = may.ask && (!isInBar || !mayPublish(item));

	return html`${
		asks &&
		html`<${Button} kind=${isInBar ? "small go" : "small"} onClick=${() => (dialog.value = "ask")}
			data-ask>${t("ask")}<//>`
	}
		${may.decide && html`<${Button} kind="small" onClick=${() => approve(item)} data-approve>${t("approve")}<//>`}
		${
			may.decide &&
			html`<${Button} kind="small" onClick=${() => (dialog.value = "return")} data-return>${t("return")}<//>`
		}
		${
			may.withdraw &&
			!isInBar &&
			html`<${Button} kind="small bare" onClick=${() => tried(() => act(item, "/withdraw", {}, t("withdrawn")))}
				data-withdraw>${t("withdraw")}<//>`
		}
		${dialog.value === "ask" && html`<${AskDialog} item=${item} onClose=${close} />`}
		${dialog.value === "return" && html`<${ReturnDialog} item=${item} onClose=${close} />`}`;
}

const labelOf = (one) =>
	({
		open: () => t("asked", { name: one.askedByName }),
		approved: () => t("approved"),
		returned: () => t("returned", { name: one.decidedByName ?? t("somebody") }),
		withdrawn: () => t("withdrawn"),
		published: () => t("published"),
	})[one.state]();

/** @param {{item: any}} props */
export function Review({ item }) {
	const { value } = togetherOf(item).review,
		one = value?.review;

	if (!value || (!one && !value.may.ask)) return null;
	// Own saves are known here before the request is read again; those of others come with it.
	const isChanged =
		one?.state === "approved" &&
		Math.max(item.meta.value.version ?? 0, value.version) !== one.decidedVersion;

	return html`<details open=${one?.state !== "published"} id="review"><summary>${t("review")}</summary>
		<div class="in-panel" data-state=${one?.state}>
		${
			one &&
			html`<p><${Mark} kind=${MARKS[one.state]}>${labelOf(one)}<//> <span class="help"><${Time}
				at=${one.decidedAt ?? one.createdAt} /></span></p>
			${isChanged && html`<p class="note" data-changed>${t("changedSince")}</p>`}
			${
				one.state === "open" &&
				one.reviewers.length > 0 &&
				html`<p class="help">${t("named", { names: one.reviewers.map((o) => o.name).join(", ") })}</p>`
			}
			${
				(one.answer ?? one.message) &&
				html`<p class="said" dir="auto">${one.answer ?? one.message}</p>`
			}`
		}
		<div class="bs"><${ReviewButtons} item=${item} /></div></div></details>`;
}
