// link - the page that sign-in mails link to. Only its button uses up the link, so that mail scanners do not.
import { useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api } from "../../lib/api.js";
import { safeNext, takeToken } from "../../lib/door.js";
import { href } from "../../lib/router.js";
import { addWords } from "../../lib/words.js";
import { Button, Problem } from "../../ui/index.js";
import { Slip } from "../../shell/door.js";
import en from "./en.json";

const t = addWords("link", en);

export default function Link({ query }) {
	const kept = useRef(/** @type {string | null} */ (null)),
		problem = useSignal(/** @type {any} */ (null));
	const token = (kept.current ??= takeToken());

	const use = async () => {
		problem.value = null;
		try {
			await api.post("/auth/magic-link/verify", { token }, { quiet: true });
		} catch (error) {
			problem.value = error;
			return;
		}
		location.replace(safeNext(query.next));
	};
	return html`<${Slip} title=${t("title")}>
		<${Problem} error=${problem.value} />
		${
			token === ""
				? html`<p class="note wrong" role="alert">${t("missing")}</p>`
				: html`<p class="lead">${t("once")}</p>
				<${Button} kind="go wide tall" onClick=${use} data-use>${t("use")}<//>`
		}
		${
			(token === "" || problem.value) &&
			html`<p class="help"><a href=${href("/signin")}>${t("another")}</a></p>`
		}
	<//>`;
}
