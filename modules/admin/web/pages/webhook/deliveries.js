// deliveries.js - the delivery log of a target: requests, responses, and sending again.
import { useEffect, useRef } from "preact/hooks";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { href, place, setQuery } from "../../lib/router.js";
import { wordsOf } from "../../lib/words.js";
import { Button, Dialog, Empty, Loaded, Table, Time, tell, tellProblem } from "../../ui/index.js";
import { eventWord } from "../webhooks/form.js";
import { DeliveryMark } from "../webhooks/state.js";

const t = wordsOf("webhook"),
	tw = wordsOf("webhooks");
const STATES = ["", "pending", "delivered", "dead", "dropped"];
const SOON = 1500; // ms until a repeated delivery has probably been answered

/** Indents the text if it is JSON. @param {string} text */
function pretty(text) {
	try {
		return JSON.stringify(JSON.parse(text), null, "\t");
	} catch {
		return text;
	}
}

const result = (one) => (one.status ? t("status", { status: one.status, ms: one.duration ?? 0 }) : (one.error ?? "–"));

function One({ path, id, onClose, onReplay, onDrop }) {
	const delivery = useLoad((signal) => api.get(`${path}/deliveries/${segment(id)}`, { signal }), [id]),
		one = delivery.data.value?.item;

	return html`<${Dialog} title=${one ? eventWord(one.event) : t("delivery")} onClose=${onClose}
		class="wide-dialog"
		actions=${html`<${Button} onClick=${onClose}>${t("close")}<//>
			${
				one?.state === "pending" &&
				html`<${Button} onClick=${() => onDrop(id)} data-drop-one>${tw("drop")}<//>`
			}
				${
					one &&
					one.event !== "ping" &&
					html`<${Button} kind="go" onClick=${() => onReplay(id)}
						data-again>${t("again")}<//>`
				}`}>
		<${Loaded} from=${delivery}>${({ item }) => html`<p><${DeliveryMark} one=${item} /></p>
			<dl class="facts">
			<div><dt>${t("result")}</dt>
			<dd><bdi>${result(item)}</bdi>${item.status && item.error && html` · <bdi>${item.error}</bdi>`}
			</dd></div><div><dt>${t("attempts")}</dt><dd>${t("number", { n: item.attempts })}</dd></div>
			<div><dt>${t("tried")}</dt><dd><${Time} at=${item.triedAt} /></dd></div>
			${
				item.nextAttemptAt &&
				html`<div><dt>${t("nextAttempt")}</dt><dd><${Time} at=${item.nextAttemptAt} /></dd>
					</div>`
			}<div><dt>${t("id")}</dt><dd><code>${item.id}</code></dd></div></dl>
			<h3>${t("body")}</h3><pre class="answer" tabindex="0">${pretty(item.body)}</pre>
			${
				item.response &&
				html`<h3>${t("response")}</h3>
					<pre class="answer" tabindex="0" data-response>${item.response}</pre>`
			}`}<//>
	<//>`;
}

/**
 * @param {{path: string, state?: string, cursor?: string, delivery?: string, changes: number, onChange: () => any}}
 * props
 */
export function Deliveries({ path, state = "", cursor, delivery, changes, onChange }) {
	const log = useLoad(
		(signal) => api.get(`${path}/deliveries`, { query: { state, cursor }, signal }),
		[path, state, cursor, changes],
	);
	const timer = useRef(/** @type {any} */ (null)),
		at = (query) => href(place.value.path, { ...place.value.query, ...query });

	useEffect(() => () => clearTimeout(timer.current), []);
	const replay = async (id) => {
		try {
			const { replayed } = await api.post(`${path}/replay`, id ? { deliveryId: id } : {});

			tell(t("replayed", { n: replayed }));
			await onChange();
			clearTimeout(timer.current);
			timer.current = setTimeout(onChange, SOON);
		} catch (error) {
			tellProblem(error);
		}
	};
	const drop = async (id) => {
		try {
			const { dropped } = await api.post(`${path}/drop`, { deliveryId: id });

			tell(tw("dropped", { n: dropped }));
			await setQuery({ delivery: undefined });
		} catch (error) {
			tellProblem(error);
		}
		await onChange();
	};
	const again = async (id) => {
		await setQuery({ delivery: undefined });
		await replay(id);
	};
	const columns = [
		{
			name: "state",
			label: tw("state"),
			class: "c-state",
			cell: (one) => html`<${DeliveryMark}
			one=${one} />`,
		},
		{
			name: "event",
			label: t("event"),
			isHead: true,
			class: "c-plain",
			cell: (one) => html`<a
			href=${at({ delivery: one.id })} data-delivery>${eventWord(one.event)}</a>
			<span class="sub">${result(one)}<span class="only-narrow"> · <${Time} at=${one.createdAt} />
			</span></span>`,
		},
		{
			name: "attempts",
			label: t("attempts"),
			class: "c-by num",
			cell: (one) => t("number", { n: one.attempts }),
		},
		{
			name: "up",
			label: t("happened"),
			class: "c-up meta",
			cell: (one) => html`<${Time}
			at=${one.createdAt} />`,
		},
		{
			name: "do",
			label: t("again"),
			isHidden: true,
			class: "c-do",
			cell: (one) =>
				one.event !== "ping" &&
				html`<${Button}
			kind="small" onClick=${() => replay(one.id)}
			aria-label=${t("againOf", { event: eventWord(one.event) })} data-replay>${t("again")}<//>`,
		},
	];

	return html`<section
		aria-labelledby="log-h">
		<div class="head"><h2 id="log-h">${t("log")}</h2>
		<${Button} kind="small" onClick=${onChange}>${t("reload")}<//>
		<${Button} kind="small" onClick=${() => replay("")} data-replay-all>${t("againAll")}<//></div>
		<div class="sheet list">
		<nav class="tabs"
			aria-label=${tw("state")}>
			<ul role="list">
			${STATES.map(
				(one) => html`<li
				key=${one}><a
				href=${at({ state: one || undefined, cursor: undefined, delivery: undefined })}
				aria-current=${one === state ? "page" : undefined}>${t(one ? `only_${one}` : "all")}</a>
				</li>`,
			)}</ul></nav>
			<${Loaded} from=${log}
				empty=${(data) => data.items.length === 0 && html`<${Empty} title=${t("none")} />`}>
				${(data) => html`
				<${Table} caption=${t("log")} rows=${data.items} id=${(one) => one.id}
					columns=${columns} isBusy=${log.state.value === "loading"} />
				${
					(data.nextCursor || cursor) &&
					html`<nav class="pager" aria-label=${t("log")}><span></span><div class="bs">
					${
						cursor &&
						html`<button type="button" class="b small"
						onClick=${() => setQuery({ cursor: undefined })}>${t("first")}
						</button>`
					}
					${
						data.nextCursor &&
						html`<button type="button" class="b small"
							onClick=${() => setQuery({ cursor: data.nextCursor })}>
							${t("next")}</button>`
					}</div></nav>`
				}`}<//></div>
		${
			delivery &&
			html`<${One} key=${delivery} path=${path} id=${delivery}
			onClose=${() => setQuery({ delivery: undefined })} onReplay=${again} onDrop=${drop} />`
		}
	</section>`;
}
