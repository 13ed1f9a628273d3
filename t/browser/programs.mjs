// programs.mjs - programs and devices that users let in, on pages without script and by the keyboard.
import assert from "node:assert/strict";
import crypto from "node:crypto";
import http from "node:http";

// Opens a server at the redirect URI, where a program waits for the response of the authorization endpoint.
function openCallback() {
	const door = { asked: [] };
	const server = http.createServer((request, response) => {
		if (request.url.startsWith("/cb"))
			door.asked.push(new URL(request.url, "http://127.0.0.1").searchParams);
		response.writeHead(200, { "Content-Type": "text/html" });
		response.end("<!doctype html><html lang=en><title>Tool</title><main>Back at the tool</main>");
	});

	return new Promise((resolve) =>
		server.listen(0, "127.0.0.1", () => {
			door.uri = `http://127.0.0.1:${server.address().port}/cb`;
			door.close = () => {
				server.closeAllConnections();
				server.close();
			};
			resolve(door);
		}),
	);
}

const form = (url, fields) =>
	fetch(url, { method: "POST", body: new URLSearchParams(fields) }).then((answer) => answer.json());

export async function runPrograms({ report, ann }) {
	const api = `${ann.origin}/_cms/api`;
	const callback = await openCallback();
	const verifier = crypto.randomBytes(32).toString("base64url");
	let client;

	const authorize = () => {
		const url = new URL(`${ann.origin}/_cms/oauth/authorize`);
		for (const [name, value] of Object.entries({
			response_type: "code",
			client_id: client.client_id,
			redirect_uri: callback.uri,
			code_challenge: crypto.createHash("sha256").update(verifier).digest("base64url"),
			code_challenge_method: "S256",
			scope: "content:read content:write",
			state: "xyz",
		}))
			url.searchParams.set(name, value);
		return ann.open(url.href);
	};
	const back = () =>
		ann.until("the program hears of it", () => callback.asked.length > 0).then(() => callback.asked.pop());
	const redeem = (code) =>
		form(`${api}/oauth/token`, {
			grant_type: "authorization_code",
			client_id: client.client_id,
			redirect_uri: callback.uri,
			code_verifier: verifier,
			code,
		});
	const device = (action) =>
		report.test(
			`without script a device is ${action === "approve" ? "let in" : "refused"}, by its code`,
			async () => {
				const asked = await form(`${api}/oauth/device/code`, {
					client_id: "lamp",
					scope: "content:read",
				});
				await ann.open("/_cms/oauth/device");
				await ann.looks();
				await ann.tabTo("#user_code");
				await ann.page.keyboard.type(asked.user_code.toLowerCase());
				await ann.page.keyboard.press("Enter");
				await ann.until("the device is named", async () => /lamp/.test(await ann.text("main")));
				await ann.looks();
				await ann.tabTo(`button[value="${action}"]`);
				await ann.page.keyboard.press("Enter");
				await ann.until(
					"it is told",
					async () => (await ann.count(`button[value="${action}"]`)) === 0,
				);
				await ann.looks();
				const got = await form(`${api}/oauth/token`, {
					grant_type: "urn:ietf:params:oauth:grant-type:device_code",
					client_id: "lamp",
					device_code: asked.device_code,
				});
				assert.equal(
					action === "approve" ? typeof got.access_token : got.error,
					action === "approve" ? "string" : "access_denied",
				);
			},
		);

	try {
		const registered = await fetch(`${api}/oauth/register`, {
			method: "POST",
			headers: { "Content-Type": "application/json" },
			body: JSON.stringify({ redirect_uris: [callback.uri], client_name: "Tool <b>of</b> mine" }),
		});
		client = await registered.json();
		await ann.useScripts(false);

		await report.test("without script a user refuses a program", async () => {
			await authorize();
			assert.match(await ann.text("main"), /Tool <b>of<\/b> mine/);
			await ann.looks();
			await ann.press('button[value="deny"]');
			const answer = await back();
			assert.deepEqual(
				[answer.get("error"), answer.get("state"), answer.get("iss")],
				["access_denied", "xyz", `${ann.origin}/_cms`],
			);
		});
		await report.test(
			"without script a user lets a program in, with less than it asks for, by the keyboard",
			async () => {
				await authorize();
				await ann.tabTo('input[value="content:write"]');
				await ann.page.keyboard.press("Space");
				await ann.tabTo('button[value="approve"]');
				await ann.page.keyboard.press("Enter");
				const answer = await back();
				assert.equal(answer.get("state"), "xyz");
				assert.equal((await redeem(answer.get("code"))).scope, "content:read");
			},
		);
		await device("deny");
		await device("approve");
		await report.test("without script access is withdrawn, and ends at once", async () => {
			await authorize();
			await ann.press('button[value="approve"]');
			const { access_token: token } = await redeem((await back()).get("code"));
			const status = async () =>
				(
					await fetch(`${api}/content/nothing`, {
						headers: { Authorization: `Bearer ${token}` },
					})
				).status;
			assert.equal(await status(), 404);
			await ann.open("/_cms/account/apps");
			await ann.looks();
			for (let left = await ann.count('form input[name="id"]'); left > 0; left--) {
				await ann.press('form button[type="submit"]');
				await ann.has('form input[name="id"]', left - 1);
			}
			assert.equal(await status(), 401);
			await ann.looks();
		});
		await ann.useScripts(true);
	} finally {
		callback.close();
	}
}
