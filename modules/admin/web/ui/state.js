// state.js - placeholders for data: it is loading, there is none, or loading failed.
//
//	<${Loaded} from=${tokens} empty=${(data) => data.length === 0 && html`<${Empty} title="No tokens" />`}>
//		${(data) => html`<ul>...</ul>`}
//	<//>
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../lib/html.js";
import { wordsOf } from "../lib/words.js";
import { Problem } from "./problem.js";

const t = wordsOf("shared");
const PATIENCE = 150; // ms before a wait is shown

/** The walking dots. @param {{text?: string}} props */
export function Waiting({ text }) {
	const isShown = useSignal(false);

	useEffect(() => {
		const timer = setTimeout(() => (isShown.value = true), PATIENCE);
		return () => clearTimeout(timer);
	}, []);
	return isShown.value
		? html`<p class="waits" role="status"><span class="wait"></span> ${text ?? t("loading")}
		</p>`
		: html`<p class="waits" aria-hidden="true"></p>`;
}

/** @param {{title: string, children?: any}} props children: what to do about it */
export const Empty = ({ title, children }) => html`<div class="state"><p class="big">${title}</p>${children}</div>`;

/**
 * @param {{from: any, empty?: (data: any) => any, heading?: any, children: (data: any) => any}} props from: of useLoad;
 *   heading: of a page whose own heading needs the data: it stands there until they have come
 */
export function Loaded({ from, empty, heading, children }) {
	const data = from.data.value;

	if (from.state.value === "failed")
		return html`${heading && html`<div class="head"><h1>${heading}</h1></div>`}
			<${Problem} error=${from.error.value} onRetry=${from.reload} />`;
	if (data === null) return html`${heading && html`<h1 class="sr">${heading}</h1>`}<${Waiting} />`;
	return empty?.(data) || children(data);
}
