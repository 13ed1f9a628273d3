// invite - the page that an invitation links to: asks for a name and a passkey, which a site without mail requires.
import { useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api } from "../../lib/api.js";
import { takeToken } from "../../lib/door.js";
import { useLoad } from "../../lib/load.js";
import { canPasskeys, createPasskey } from "../../lib/passkey.js";
import { BASE } from "../../lib/router.js";
import { addWords, word } from "../../lib/words.js";
import { Button, Icon, Loaded, Problem } from "../../ui/index.js";
import { Slip } from "../../shell/door.js";
import { inWords } from "../signin/ways.js";
import en from "./en.json";

const t = addWords("invite", en);

function Accept({ token, invitation }) {
	const name = useSignal(""),
		problem = useSignal(/** @type {any} */ (null));

	const accept = async (withPasskey) => {
		const who = { token, name: name.value.trim() || undefined };

		problem.value = null;
		try {
			if (withPasskey) {
				const { options } = await api.post("/auth/invite/register-options", who, {
					quiet: true,
				});
				await api.post(
					"/auth/invite/complete",
					{ ...who, credential: await createPasskey(options) },
					{ quiet: true },
				);
			} else await api.post("/auth/invite/complete", who, { quiet: true });
		} catch (error) {
			problem.value = inWords(error);
			return;
		}
		location.replace(BASE);
	};
	const role = word("shell", `role${invitation.role}`),
		site = invitation.siteTitle;

	return html`<p class="lead">${site ? t("invitedTo", { site, role }) : t("invited", { role })}
		${" "}${t("for", { email: invitation.email })}</p>
		<${Problem} error=${problem.value} />
		<form class="stack-3" onSubmit=${(e) => {
			e.preventDefault();
			return accept(canPasskeys());
		}}>
			<div class="stack"><label for="name">${t("name")}</label>
				<input class="in" id="name" name="name" autocomplete="name" maxlength="100"
					value=${name.value} onInput=${(e) => (name.value = e.currentTarget.value)} />
					</div>
			${
				(canPasskeys() || invitation.passkeyRequired) &&
				html`<p class="help">${t("passkey")}</p>
					<${Button} kind="go wide tall" onClick=${() => accept(true)}
						data-accept><${Icon} name="key" />${t("acceptPasskey")}<//>`
			}
			${
				!invitation.passkeyRequired &&
				html`<${Button} kind=${canPasskeys() ? "wide" : "go wide tall"}
					onClick=${() => accept(false)}>${canPasskeys() ? t("later") : t("accept")}<//>`
			}
		</form>`;
}

export default function Invite() {
	const kept = useRef(/** @type {string | null} */ (null));
	const token = (kept.current ??= takeToken());
	const invitation = useLoad(
		(signal) =>
			token === ""
				? Promise.resolve({})
				: api.get("/auth/invite/accept", { query: { token }, signal, quiet: true }),
		[token],
	);

	return html`<${Slip} title=${t("title")}>
		${
			token === ""
				? html`<p class="note wrong" role="alert">${t("missing")}</p>`
				: html`<${Loaded}
				from=${invitation}>${(data) => html`<${Accept} token=${token} invitation=${data} />`}
				<//>`
		}
	<//>`;
}
