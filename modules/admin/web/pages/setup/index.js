// setup - the page that the setup link opens: names the site and creates its first administrator, with a passkey.
import { useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api } from "../../lib/api.js";
import { doorStatus, takeToken } from "../../lib/door.js";
import { useLoad } from "../../lib/load.js";
import { canPasskeys, createPasskey } from "../../lib/passkey.js";
import { BASE, href } from "../../lib/router.js";
import { addWords } from "../../lib/words.js";
import { Button, Icon, Loaded, Problem } from "../../ui/index.js";
import { Slip } from "../../shell/door.js";
import { inWords } from "../signin/ways.js";
import en from "./en.json";

const t = addWords("setup", en);

function Form({ token, title, signIn }) {
	const form = useRef(/** @type {HTMLFormElement | null} */ (null)),
		problem = useSignal(/** @type {any} */ (null));
	const value = useSignal({ title: title ?? "", name: "", email: "" });

	const begin = async () => {
		const { title: site, name, email } = value.value;

		if (!form.current.reportValidity()) return;
		problem.value = null;
		try {
			const who = { token, name, email };
			await api.post("/setup", { token, title: site, includeContent: false }, { quiet: true });
			const { options } = await api.post("/setup/admin", who, { quiet: true });
			await api.post(
				"/setup/admin/verify",
				{ ...who, credential: await createPasskey(options) },
				{ quiet: true },
			);
		} catch (error) {
			problem.value = inWords(error);
			return;
		}
		location.replace(BASE);
	};
	const input = (name, label, more, help) => {
		const wrong = problem.value?.issueAt?.(name);

		return html`<div class="stack"><label for=${name}>${label}</label>
			<input class="in" id=${name} name=${name} required value=${value.value[name]}
				onInput=${(e) => (value.value = { ...value.value, [name]: e.currentTarget.value })}
				aria-invalid=${wrong ? "true" : undefined}
				aria-describedby=${wrong ? `${name}-p` : help ? `${name}-h` : undefined} ...${more} />
			${wrong && html`<p class="problem" id=${`${name}-p`}>${wrong}</p>`}
			${help && html`<p class="help" id=${`${name}-h`}>${help}</p>`}</div>`;
	};
	const lacks = canPasskeys() ? undefined : t(signIn ? "noPasskeys" : "insecure");

	return html`<${Problem} error=${problem.value} shown=${["title", "name", "email"]} />
		<form class="stack-3" ref=${form} onSubmit=${(e) => {
			e.preventDefault();
			return begin();
		}}>
			${input("title", t("site"), { maxlength: 200 })}
			${input("name", t("name"), { autocomplete: "name", maxlength: 100 })}
			${input("email", t("email"), { type: "email", autocomplete: "email" }, t("emailHelp"))}
			<p class="help">${t("about")}</p>
			<${Button} kind="go wide tall" onClick=${begin}
				why=${lacks}
				data-begin><${Icon} name="key" />${t("go")}<//>
			${lacks && html`<p class="help">${lacks}</p>`}
		</form><p class="help">${t("once")}</p>`;
}

export default function Setup() {
	const kept = useRef(/** @type {string | null} */ (null));
	const token = (kept.current ??= takeToken());
	const status = useLoad(doorStatus, []);

	return html`<${Loaded} from=${status}>${(data) =>
		!data.needsSetup
			? html`<${Slip}
			title=${t("doneTitle")}><p class="lead">${t("done")}</p>
			<a class="b wide" href=${href("/signin")}>${t("signin")}</a><//>`
			: html`<${Slip}
			title=${t("title")}>
			${
				token === ""
					? html`<p class="note wrong" role="alert">${t("missing")}</p>`
					: html`<${Form} token=${token} title=${data.title} signIn=${data.signIn} />`
			}<//>`}<//>`;
}
