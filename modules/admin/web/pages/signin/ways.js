// ways.js - the ways to sign in: passkey (button and autofill), link by mail, provider, recovery code.
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment, ApiError } from "../../lib/api.js";
import { doorStatus } from "../../lib/door.js";
import { canPasskeys, ceremonyWord, signInByAutofill, signInByPasskey } from "../../lib/passkey.js";
import { addWords, hasWord } from "../../lib/words.js";
import { Button, Icon, Problem, say } from "../../ui/index.js";
import en from "./en.json";

export const t = addWords("signin", en);

/** Converts a sign-in failure to an error that Problem can show. @param {any} error */
export const inWords = (error) => {
	const word = ceremonyWord(error);
	return word ? new ApiError(0, { code: "CEREMONY", message: t(word) }) : error;
};

/** @param {string | undefined} word of the URL, from the server */
const arrival = (word) =>
	word ? new ApiError(0, { code: "ARRIVAL", message: t(hasWord("signin", word) ? word : "failed") }) : null;

/**
 * @param {{onDone: () => any, next: string, error?: string, hasRecovery?: boolean}} props onDone: the person is signed in;
 *   next: where a provider sends them back to; error: a word that the server put into the URL
 */
export function Ways({ onDone, next, error, hasRecovery = true }) {
	const problem = useSignal(/** @type {any} */ (arrival(error)));
	const status = useSignal(/** @type {any} */ (null)),
		providers = useSignal(/** @type {any[]} */ ([]));
	const email = useSignal(""),
		code = useSignal(""),
		isSent = useSignal(false);
	const autofill = useRef(/** @type {AbortController | null} */ (null));

	const fail = (fault) => (problem.value = inWords(fault));
	const offer = async () => {
		const abort = new AbortController();

		autofill.current?.abort();
		autofill.current = abort;
		try {
			if (await signInByAutofill(abort.signal)) await onDone();
		} catch (fault) {
			fail(fault);
		}
	};
	useEffect(() => {
		doorStatus().then((s) => (status.value = s), fail);
		// Without the module oidc the request fails, and there are no providers.
		api.get("/auth/oauth", { quiet: true }).then(
			(all) => (providers.value = all.items),
			() => {},
		);
		void offer();
		return () => autofill.current?.abort();
	}, []);

	const byPasskey = async () => {
		problem.value = null;
		autofill.current?.abort();
		try {
			await signInByPasskey();
		} catch (fault) {
			fail(fault);
			void offer();
			return;
		}
		await onDone();
	};
	const byMail = async (event) => {
		event.preventDefault();
		problem.value = null;
		try {
			await api.post("/auth/magic-link/send", { email: email.value }, { quiet: true });
			isSent.value = true;
			say(t("sent"));
		} catch (fault) {
			fail(fault);
		}
	};
	const byCode = async (event) => {
		event.preventDefault();
		problem.value = null;
		try {
			await api.post(
				"/auth/recovery-codes/use",
				{ email: email.value, code: code.value },
				{ quiet: true },
			);
		} catch (fault) {
			fail(fault);
			return;
		}
		await onDone();
	};
	const hasMail = status.value?.mail === true;

	return html`<${Problem} error=${problem.value} />
		${
			canPasskeys()
				? html`<${Button} kind="go wide tall" onClick=${byPasskey}
				data-way="passkey"><${Icon} name="key" />${t("withPasskey")}<//>`
				: status.value !== null &&
					html`<p class="help">${t(status.value.signIn ? "noPasskeys" : "insecure")}</p>`
		}
		${providers.value.map(
			(one) => html`<a key=${one.id} class="b wide"
			href=${`/_cms/api/auth/oauth/${segment(one.id)}?next=${encodeURIComponent(next)}`}>
			${t("provider", { name: one.label })}</a>`,
		)}
		<p class="or"><span>${t("or")}</span></p>
		${
			hasMail &&
			html`<form class="stack-3" onSubmit=${byMail} data-way="mail">
			<div class="stack"><label for="way-mail">${t("address")}</label>
				<input class="in" id="way-mail" name="email" type="email" required
					autocomplete="username webauthn" value=${email.value}
					onInput=${(e) => (email.value = e.currentTarget.value)} /></div>
			${
				isSent.value
					? html`<p class="note">${t("sent")}</p>`
					: html`<button class="b wide">${t("byMail")}</button>`
			}
		</form>`
		}
		${
			hasRecovery &&
			html`<details
				open=${status.value !== null && !hasMail && !canPasskeys()}><summary>${t("lost")}
				</summary>
			<form class="stack-3" onSubmit=${byCode} data-way="code">
				<div class="stack"><label for="way-recover">${t("address")}</label>
					<input class="in" id="way-recover" name="email" type="email" required
						autocomplete=${hasMail ? "username" : "username webauthn"}
						value=${email.value}
						onInput=${(e) => (email.value = e.currentTarget.value)} /></div>
				<div class="stack"><label for="way-code">${t("code")}</label>
					<input class="in mono" id="way-code" name="code" required autocomplete="off"
						spellcheck=${false} value=${code.value}
						onInput=${(e) => (code.value = e.currentTarget.value)} /></div>
				<button class="b wide">${t("withCode")}</button>
				<p class="help">${t("noCode")}</p>
			</form></details>`
		}`;
}
