// frame.js - a plugin's page or field widget in its frame.
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../lib/html.js";
import { go } from "../lib/router.js";
import { tell, Waiting } from "../ui/index.js";
import { t } from "./words.js";
import { Session } from "./session.js";

const FIRST = { page: 320, widget: 48 }; // px, until the frame sends its height

/**
 * @param {object} props
 * @param {"page" | "widget"} props.kind
 * @param {import("./session.js").From} props.from
 * @param {string} props.label
 * @param {string} [props.id]
 * @param {any} props.start the first message to the frame
 * @param {(why: import("./session.js").Why, hadFocus: boolean) => void} props.onStop the frame must be removed
 * @param {(title: string) => void} [props.onTitle]
 * @param {any} [props.value]
 * @param {(value: any) => void} [props.onValue]
 * @param {string} [props.problem]
 */
export function Frame({ kind, from, label, id, start, onStop, onTitle, value, onValue, problem = "" }) {
	const ref = useRef(/** @type {HTMLIFrameElement | null} */ (null)),
		session = useRef(/** @type {Session | null} */ (null));
	const height = useSignal(FIRST[kind]),
		isThere = useSignal(false);

	useEffect(() => {
		session.current = new Session(ref.current, {
			kind,
			from,
			start: { kind, plugin: from.plugin, name: from.name, ...start, value },
			acts: {
				ready: () => (isThere.value = true),
				stop: (why) => onStop(why, document.activeElement === ref.current),
				height: (to) => (height.value = to),
				value: onValue,
				title: onTitle,
				toast: (text) => tell(t("says", { plugin: from.plugin, text })),
				navigate: (place) => void go(place),
			},
		});
		return () => session.current.close();
	}, []);
	useEffect(() => session.current.tellValue(value), [value]);
	useEffect(() => session.current.tellProblem(problem), [problem, isThere.value]);
	return html`${!isThere.value && html`<${Waiting} />`}
		<iframe ref=${ref} id=${id} class="plugin-frame" title=${label} data-plugin=${from.plugin}
			aria-busy=${isThere.value ? undefined : "true"}
		sandbox="allow-scripts allow-forms" allow="" referrerpolicy="no-referrer"
		style=${{ blockSize: `${height.value}px` }}></iframe>`;
}
