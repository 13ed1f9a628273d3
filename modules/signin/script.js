/*
 * script.js - the pages of sign-in: passkeys (WebAuthn), and requests to the API in the name of the
 * page's user. Text from the site is only ever set as text, so it cannot become markup.
 */
(function () {
	"use strict";

	var main = document.querySelector("main");
	var words = JSON.parse(main.dataset.words); /* every text that this script shows */
	var api = "/_cms/api";
	var page = main.dataset.page;
	var next = main.dataset.next || "/_cms/account";
	var token = "";
	var waiting = null; /* the ceremony that autofill has begun */

	function by(id) {
		return document.getElementById(id);
	}

	function tell(id, text) {
		["wrong", "said"].forEach(function (one) {
			by(one).textContent = one === id ? text : "";
		});
		if (text && id === "wrong") by(id).focus();
	}

	/* A text with its {names} replaced by values. */
	function fillIn(text, values) {
		return text.replace(/\{(\w+)\}/g, function (all, name) {
			return name in values ? values[name] : all;
		});
	}

	function explain(error) {
		var link;

		/* The session is over, with the passkey that made it perhaps. */
		if (error.code === "UNAUTHORIZED" && page === "account")
			return location.assign("/_cms/signin?next=" + encodeURIComponent(location.pathname));
		if (error.code === "REAUTH_REQUIRED") {
			tell("wrong", words.reauth + " ");
			link = document.createElement("a");
			link.href = "/_cms/signin?next=" + encodeURIComponent(location.pathname);
			link.textContent = words.again;
			by("wrong").append(link);
			return;
		}
		if (error.name === "NotAllowedError" || error.name === "AbortError") tell("wrong", words.cancelled);
		else if (error.name === "InvalidStateError") tell("wrong", words.exists);
		else tell("wrong", words[error.code] || error.message || words.addFirst);
	}

	async function ask(method, path, body) {
		var answer, got, error;

		try {
			answer = await fetch(api + path, {
				method: method,
				credentials: "same-origin",
				cache: "no-store",
				headers:
					body === undefined
						? { "X-CMS-Request": "1" }
						: { "X-CMS-Request": "1", "Content-Type": "application/json" },
				body: body === undefined ? undefined : JSON.stringify(body),
			});
			got = await answer.json();
		} catch (fault) {
			throw new Error(words.addFirst);
		}
		if (answer.ok) return got.data;
		error = new Error(got.error ? got.error.message : words.addFirst);
		error.code = got.error ? got.error.code : "";
		throw error;
	}

	/* Runs what a button or form does: its buttons wait meanwhile, and what goes wrong is told. */
	async function run(element, work) {
		var buttons = element.matches("button") ? [element] : element.querySelectorAll("button");

		buttons.forEach(function (b) {
			b.disabled = true;
		});
		tell("said", "");
		try {
			await work();
		} catch (error) {
			explain(error);
		}
		buttons.forEach(function (b) {
			b.disabled = false;
		});
	}

	function onSubmit(id, work) {
		var form = by(id);

		if (form)
			form.addEventListener("submit", function (event) {
				event.preventDefault();
				run(form, function () {
					return work(form.elements);
				});
			});
	}

	function onClick(element, work) {
		if (element)
			element.addEventListener("click", function () {
				run(element, work);
			});
	}

	/* ---- WebAuthn ---- */

	function decode(text) {
		var raw = atob(text.replace(/-/g, "+").replace(/_/g, "/"));

		return Uint8Array.from(raw, function (c) {
			return c.charCodeAt(0);
		});
	}

	function encode(buffer) {
		var raw = Array.from(new Uint8Array(buffer), function (b) {
			return String.fromCharCode(b);
		});

		return btoa(raw.join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
	}

	function json(credential, names) {
		var response = {};

		names.forEach(function (name) {
			if (credential.response[name]) response[name] = encode(credential.response[name]);
		});
		if (credential.response.getTransports) response.transports = credential.response.getTransports();
		return {
			id: credential.id,
			rawId: encode(credential.rawId),
			type: credential.type,
			response: response,
			clientExtensionResults: {},
		};
	}

	function canPasskeys() {
		return window.isSecureContext && window.PublicKeyCredential !== undefined;
	}

	async function create(options) {
		if (!canPasskeys()) throw new Error(words.noPasskeys);
		options.challenge = decode(options.challenge);
		options.user.id = decode(options.user.id);
		(options.excludeCredentials || []).forEach(function (one) {
			one.id = decode(one.id);
		});
		return json(await navigator.credentials.create({ publicKey: options }), [
			"clientDataJSON",
			"attestationObject",
		]);
	}

	async function signIn(autofill) {
		var got, request, credential;

		if (!canPasskeys()) throw new Error(words.noPasskeys);
		if (waiting) waiting.abort();
		waiting = null;
		got = await ask("POST", "/auth/passkey/options", {});
		got.options.challenge = decode(got.options.challenge);
		request = { publicKey: got.options };
		if (autofill) {
			waiting = new AbortController();
			request.mediation = "conditional";
			request.signal = waiting.signal;
		}
		credential = await navigator.credentials.get(request);
		await ask("POST", "/auth/passkey/verify", {
			credential: json(credential, [
				"clientDataJSON",
				"authenticatorData",
				"signature",
				"userHandle",
			]),
		});
		location.assign(next);
	}

	/* ---- the token of a link: in the fragment, which browsers send to nobody ---- */

	function readToken() {
		token = location.hash.slice(1);
		if (token === "") tell("wrong", words.noLink);
	}

	/* The link was used: the page with it leaves the history. */
	function leave() {
		location.replace(next);
	}

	/* ---- rows of the account ---- */

	/* In the language of the page, as the browser's region writes it. */
	function day(text) {
		var lang = document.documentElement.lang;
		var own = navigator.languages.find(function (one) {
			return one.split("-")[0] === lang;
		});

		return new Date(text).toLocaleString(own || lang);
	}

	function button(text, work, kind) {
		var b = document.createElement("button");

		b.type = "button";
		b.textContent = text;
		b.className = kind || "";
		onClick(b, work);
		return b;
	}

	function row(name, about, buttons) {
		var li = document.createElement("li");
		var strong = document.createElement("strong");
		var span = document.createElement("span");

		strong.textContent = name;
		span.textContent = about;
		span.className = "quiet";
		buttons.forEach(function (b) {
			b.setAttribute("aria-label", b.textContent + ": " + name);
		});
		li.append(strong, span, ...buttons);
		return li;
	}

	async function fill(id, path, make) {
		by(id).replaceChildren(...(await ask("GET", path)).items.map(make));
	}

	function passkeys() {
		return fill("passkeys", "/auth/passkey", function (one) {
			var name = one.name || words.unnamed;

			return row(
				name,
				words.added +
					" " +
					day(one.createdAt) +
					", " +
					(one.lastUsedAt ? words.used + " " + day(one.lastUsedAt) : words.never),
				[
					button(words.rename, async function () {
						var to = window.prompt(words.newName, one.name || "");

						if (to) {
							await ask("PATCH", "/auth/passkey/" + one.id, { name: to });
							await passkeys();
							tell("said", words.done);
						}
					}),
					button(
						words.remove,
						async function () {
							if (!window.confirm(words.sureRemove)) return;
							await ask("DELETE", "/auth/passkey/" + one.id);
							await passkeys();
							tell("said", words.done);
						},
						"end",
					),
				],
			);
		});
	}

	function sessions() {
		return fill("sessions", "/auth/sessions", function (one) {
			return row(
				(one.agent || one.method) + (one.current ? " (" + words.here + ")" : ""),
				one.address + ", " + words.seen + " " + day(one.lastSeenAt),
				[
					button(
						words.end,
						async function () {
							await ask("DELETE", "/auth/sessions/" + one.id);
							if (one.current) return location.assign("/_cms/signin");
							await sessions();
							tell("said", words.done);
						},
						"end",
					),
				],
			);
		});
	}

	function tokens() {
		return fill("tokens", "/admin/api-tokens", function (one) {
			return row(
				one.name,
				one.prefix +
					"… " +
					one.scopes.join(", ") +
					", " +
					(one.expiresAt ? words.until + " " + day(one.expiresAt) : words.forever),
				[
					button(
						words.revoke,
						async function () {
							if (!window.confirm(words.sureRevoke)) return;
							await ask("DELETE", "/admin/api-tokens/" + one.id);
							await tokens();
							tell("said", words.done);
						},
						"end",
					),
				],
			);
		});
	}

	async function codes() {
		by("left").textContent = fillIn(words.left, {
			n: (await ask("GET", "/auth/recovery-codes")).remaining,
		});
	}

	function showOnce(id, text, lines) {
		var p = document.createElement("p");

		p.textContent = text;
		by(id).replaceChildren(
			p,
			...lines.map(function (line) {
				var div = document.createElement("div");

				div.className = "codes";
				div.textContent = line;
				return div;
			}),
		);
		by(id).focus();
	}

	/* ---- the pages ---- */

	async function providers() {
		var found;

		try {
			found = await ask("GET", "/auth/oauth");
		} catch (none) {
			return; /* the module oidc is off */
		}
		by("providers").replaceChildren(
			...found.items.map(function (one) {
				var a = document.createElement("a");

				a.className = "button";
				a.href =
					api +
					"/auth/oauth/" +
					encodeURIComponent(one.id) +
					"?next=" +
					encodeURIComponent(next);
				a.textContent = fillIn(words.signInWith, { name: one.label });
				return a;
			}),
		);
	}

	async function autofill() {
		if (
			!canPasskeys() ||
			!PublicKeyCredential.isConditionalMediationAvailable ||
			!(await PublicKeyCredential.isConditionalMediationAvailable())
		)
			return;
		try {
			await signIn(true);
		} catch (error) {
			if (error.name !== "AbortError" && error.name !== "NotAllowedError") explain(error);
		}
	}

	var pages = {
		signin: function () {
			onClick(by("passkey"), function () {
				return signIn(false);
			});
			onSubmit("mail", async function (form) {
				await ask("POST", "/auth/magic-link/send", { email: form.email.value });
				tell("said", words.sent);
			});
			onSubmit("recovery", async function (form) {
				await ask("POST", "/auth/recovery-codes/use", {
					email: form.email.value,
					code: form.code.value,
				});
				location.assign(next);
			});
			providers();
			autofill();
		},
		link: function () {
			readToken();
			onClick(by("use"), async function () {
				await ask("POST", "/auth/magic-link/verify", { token: token });
				leave();
			});
		},
		setup: function () {
			readToken();
			onSubmit("setup", async function (form) {
				var who = { token: token, email: form.email.value, name: form.name.value };
				var begun;

				await ask("POST", "/setup", {
					token: token,
					title: form.title.value,
					includeContent: false,
				});
				begun = await ask("POST", "/setup/admin", who);
				who.credential = await create(begun.options);
				await ask("POST", "/setup/admin/verify", who);
				leave();
			});
		},
		invite: function () {
			var needed = false;

			readToken();
			ask("GET", "/auth/invite/accept?token=" + encodeURIComponent(token))
				.then(function (got) {
					needed = got.passkeyRequired;
					by("invited").textContent = fillIn(words.invited, {
						role: words["role" + got.role] || got.roleName,
						email: got.email,
					});
				})
				.catch(explain);
			onSubmit("invite", async function (form) {
				var who = { token: token, name: form.name.value || undefined };

				/* A site that sends no mail lets nobody in again without a passkey. */
				if (canPasskeys() || needed)
					who.credential = await create(
						(await ask("POST", "/auth/invite/register-options", who)).options,
					);
				await ask("POST", "/auth/invite/complete", who);
				leave();
			});
		},
		account: function () {
			onSubmit("add", async function (form) {
				var begun = await ask("POST", "/auth/passkey/register/options", {});

				await ask("POST", "/auth/passkey/register/verify", {
					credential: await create(begun.options),
					name: form.name.value || null,
				});
				await passkeys();
				form.name.value = "";
				tell("said", words.done);
			});
			onClick(by("codes"), async function () {
				if (!window.confirm(words.sureCodes)) return;
				showOnce(
					"new-codes",
					words.shownOnce,
					(await ask("POST", "/auth/recovery-codes", {})).codes,
				);
				await codes();
			});
			onClick(by("others"), async function () {
				await ask("DELETE", "/auth/sessions");
				await sessions();
				tell("said", words.done);
			});
			onClick(by("out"), async function () {
				await ask("POST", "/auth/logout", {});
				location.assign("/_cms/signin");
			});
			onSubmit("token", async function (form) {
				var made = await ask("POST", "/admin/api-tokens", {
					name: form.name.value,
					scopes: Array.from(
						document.querySelectorAll("#token [name=scope]:checked"),
						function (box) {
							return box.value;
						},
					),
					expiresAt: form.expires.value ? form.expires.value + "T23:59:59Z" : null,
				});

				showOnce("new-token", words.copyToken, [made.token]);
				await tokens();
			});
			Promise.all([passkeys(), sessions(), codes(), by("tokens") ? tokens() : null]).catch(explain);
		},
	};

	document.querySelectorAll(".script").forEach(function (part) {
		part.hidden = false;
	});
	if (pages[page]) pages[page]();
})();
