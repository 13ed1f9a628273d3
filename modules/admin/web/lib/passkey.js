// passkey.js - WebAuthn ceremonies between the browser and the API, which encodes bytes as base64url.
import { api } from "./api.js";

/** @param {string} text */
const decode = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
/** @param {ArrayBuffer} buffer */
const encode = (buffer) =>
	btoa(Array.from(new Uint8Array(buffer), (b) => String.fromCharCode(b)).join(""))
		.replace(/\+/g, "-")
		.replace(/\//g, "_")
		.replace(/=/g, "");

export const canPasskeys = () => isSecureContext && "PublicKeyCredential" in window;

/** @param {any} credential @param {string[]} names */
function asJson(credential, names) {
	/** @type {Record<string, any>} */
	const response = {};

	for (const name of names) if (credential.response[name]) response[name] = encode(credential.response[name]);
	if (credential.response.getTransports) response.transports = credential.response.getTransports();
	return {
		id: credential.id,
		rawId: encode(credential.rawId),
		type: credential.type,
		response,
		clientExtensionResults: {},
	};
}

/** Creates a passkey. @param {any} options from the API */
export async function createPasskey(options) {
	const publicKey = {
		...options,
		challenge: decode(options.challenge),
		user: { ...options.user, id: decode(options.user.id) },
		excludeCredentials: (options.excludeCredentials ?? []).map((one) => ({ ...one, id: decode(one.id) })),
	};
	return asJson(await navigator.credentials.create({ publicKey }), ["clientDataJSON", "attestationObject"]);
}

/** @param {AbortSignal} [signal] @param {boolean} [isAutofill] */
async function signInOnce(signal, isAutofill) {
	const { options } = await api.post("/auth/passkey/options", {}, { quiet: true });
	const credential = await navigator.credentials.get(
		/** @type {any} */ ({
			publicKey: { ...options, challenge: decode(options.challenge) },
			...(isAutofill ? { mediation: "conditional" } : {}),
			signal,
		}),
	);
	await api.post(
		"/auth/passkey/verify",
		{ credential: asJson(credential, ["clientDataJSON", "authenticatorData", "signature", "userHandle"]) },
		{ quiet: true },
	);
}

/** Signs in with a passkey that the person chooses. */
export const signInByPasskey = () => signInOnce();

const RENEW_AFTER = 240000; // ms: a challenge lives five minutes

/**
 * Offers passkeys in the autofill of a field with autocomplete="webauthn", until `signal` aborts. Resolves with true
 * when the person has signed in with one; with false if the browser does not support this or it was aborted.
 * @param {AbortSignal} signal
 */
export async function signInByAutofill(signal) {
	if (!canPasskeys() || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return false;
	while (!signal.aborted) {
		const renewal = new AbortController();
		const timer = setTimeout(() => renewal.abort(), RENEW_AFTER);
		const stop = () => renewal.abort();

		signal.addEventListener("abort", stop);
		try {
			await signInOnce(renewal.signal, true);
			return true;
		} catch (error) {
			if (!renewal.signal.aborted) {
				if (error.name === "NotAllowedError" || error.name === "AbortError") return false;
				throw error;
			}
		} finally {
			clearTimeout(timer);
			signal.removeEventListener("abort", stop);
		}
	}
	return false;
}

/** The name of the text (group "signin") that explains a failed ceremony; null for other errors. @param {any} error */
export function ceremonyWord(error) {
	if (error?.name === "NotAllowedError" || error?.name === "AbortError") return "cancelled";
	if (error?.name === "InvalidStateError") return "exists";
	return error?.name === "SecurityError" || error?.name === "NotSupportedError" ? "noPasskeys" : null;
}
