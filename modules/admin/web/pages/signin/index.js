// signin - the sign-in page. ?next= is the page to open afterwards, ?error= names an earlier failure.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { doorStatus, safeNext } from "../../lib/door.js";
import { Slip } from "../../shell/door.js";
import { Ways, t } from "./ways.js";

export default function SignIn({ query }) {
	const next = safeNext(query.next),
		status = useSignal(/** @type {any} */ (null));

	useEffect(
		() =>
			void doorStatus().then(
				(s) => (status.value = s),
				() => {},
			),
		[],
	);
	return html`<${Slip} isBig title=${status.value?.title ? html`<bdi>${status.value.title}</bdi>` : t("title")}>
		${status.value?.needsSetup && html`<p class="note heed">${t("setup")}</p>`}
		<${Ways} next=${next} error=${query.error} onDone=${() => location.assign(next)} />
	<//>`;
}
