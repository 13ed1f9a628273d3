// foreign.mjs - what pages of other sites can do with a person who is signed in: nothing.
import assert from "node:assert/strict";
import http from "node:http";

// A page on another port of localhost: the browser sends it the cookies of the site, and lets it use the site's
// passkeys.
export function openStranger() {
	const server = http.createServer((request, response) => {
		response.writeHead(200, { "Content-Type": "text/html" });
		response.end("<!doctype html><html lang=en><title>Stranger</title><main>Hello</main>");
	});

	return new Promise((resolve) =>
		server.listen(0, "127.0.0.1", () =>
			resolve({
				origin: `http://localhost:${server.address().port}`,
				close() {
					server.closeAllConnections();
					server.close();
				},
			}),
		),
	);
}

export async function runForeign({ report, bob }) {
	const stranger = await openStranger();
	const api = `${bob.origin}/_cms/api`;

	try {
		await report.test("a page of another site reads and changes nothing with a user's cookie", async () => {
			await bob.open(stranger.origin);
			const tried = await bob.page.evaluate(async (base) => {
				const fails = (answer) => answer.then(() => false).catch(() => true);
				const headers = { "X-CMS-Request": "1" };
				return [
					await fails(fetch(`${base}/auth/sessions`, { credentials: "include" })),
					await fails(
						fetch(`${base}/auth/logout`, {
							method: "POST",
							credentials: "include",
							headers,
						}),
					),
					// the request is sent and refused; the page cannot read the response
					(
						await fetch(`${base}/auth/logout`, {
							method: "POST",
							credentials: "include",
							mode: "no-cors",
						})
					).type,
				];
			}, api);
			assert.deepEqual(tried, [true, true, "opaque"]);
			await bob.open("/_cms/account");
			await bob.has("#sessions li", 1);
		});
		await report.test("a passkey that was asked for by another origin signs nobody in", async () => {
			const post = (where, body) =>
				fetch(`${api}${where}`, {
					method: "POST",
					headers: { "Content-Type": "application/json", "X-CMS-Request": "1" },
					body: JSON.stringify(body),
				});
			const { data } = await (await post("/auth/passkey/options", {})).json();
			await bob.open(stranger.origin);
			const credential = await bob.page.evaluate(async (options) => {
				const bytes = (text) =>
					Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) =>
						c.charCodeAt(0),
					);
				const text = (buffer) =>
					btoa(String.fromCharCode(...new Uint8Array(buffer)))
						.replace(/\+/g, "-")
						.replace(/\//g, "_")
						.replace(/=/g, "");
				const got = await navigator.credentials.get({
					publicKey: { ...options, challenge: bytes(options.challenge) },
				});
				const response = {};
				for (const name of ["clientDataJSON", "authenticatorData", "signature", "userHandle"])
					response[name] = text(got.response[name]);
				return {
					id: got.id,
					rawId: text(got.rawId),
					type: got.type,
					response,
					clientExtensionResults: {},
				};
			}, data.options);
			const answer = await post("/auth/passkey/verify", { credential });
			assert.equal((await answer.json()).error?.code, "UNAUTHORIZED");
			assert.equal(answer.headers.get("set-cookie"), null);
			await bob.open("/_cms/signin"); // only the origin is wrong: the passkey itself is valid
			await bob.press("#passkey");
			await bob.arrives("/_cms/account");
		});
		await report.test("no page shows ours in a frame", async () => {
			await bob.open(stranger.origin);
			const shown = await bob.page.evaluate(
				(url) =>
					new Promise((resolve) => {
						const frame = document.createElement("iframe");
						frame.onload = () =>
							resolve(frame.contentDocument === null ? "hidden" : "shown");
						frame.src = url;
						document.body.append(frame);
					}),
				`${bob.origin}/_cms/signin`,
			);
			assert.equal(shown, "hidden");
			const inside = bob.page.frames().filter((frame) => frame !== bob.page.mainFrame());
			for (const frame of inside) assert.equal(await frame.$("#passkey").catch(() => null), null);
			bob.faults.length = 0; // the console has an error for the refusal
		});
	} finally {
		stranger.close();
	}
}
