// site-programs.mjs - the pages for other programs: webhooks, and assistants that act for people.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import http from "node:http";
import { HOSTILE } from "./site.mjs";

const HOME = "/_cms/admin";

/* ---- webhooks ---- */

// A webhook receiver: it answers with `status`, and keeps the requests.
async function openReceiver() {
	const receiver = { status: 200, got: [] };
	const server = http.createServer(async (request, response) => {
		let body = "";
		for await (const bytes of request) body += bytes;
		receiver.got.push({ headers: request.headers, body });
		response.writeHead(receiver.status).end(receiver.status < 300 ? "thank you" : "no room <b>");
	});

	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	receiver.url = `http://127.0.0.1:${server.address().port}/hook`;
	receiver.close = () => {
		server.closeAllConnections();
		server.close();
	};
	return receiver;
}

export async function runWebhooks({ report, ann, api, told }) {
	const { page } = ann,
		WEBHOOKS = `${HOME}/webhooks`,
		receiver = await openReceiver();
	const targets = async () => (await api("GET", "/admin/webhooks")).items;
	let id, secret;

	await report.test("webhooks: none yet; an address that may not be asked is refused at its field", async () => {
		await ann.open(WEBHOOKS);
		await ann.reads(".state", /No webhooks yet/);
		await ann.press("[data-make]");
		await page.locator('dialog[open] [name="url"]').fill("ftp://127.0.0.1/hook");
		await page.locator('dialog[open] button[type="submit"]').click();
		await ann.has('dialog[open] [name="url"][aria-invalid="true"]', 1);
		await ann.looks();
		assert.equal((await targets()).length, 0);
	});
	await report.test("webhooks: one is made, and its secret shown once", async () => {
		await page.locator('dialog[open] [name="url"]').fill(receiver.url);
		await page.locator('dialog[open] [name="description"]').fill(`The shop ${HOSTILE}`.slice(0, 100));
		await page.locator('dialog[open] [value="content.publish"]').click();
		await page.locator('dialog[open] [value="collection.*"]').click();
		// Scrolls the element above the fixed foot of the dialog.
		await page.$eval('dialog[open] [name="collection"][value="papers"]', (one) =>
			one.scrollIntoView({ block: "center" }),
		);
		await page.locator('dialog[open] [name="collection"][value="papers"]').click();
		await page.locator('dialog[open] button[type="submit"]').click();
		await ann.has("[data-secret]", 1);
		secret = await ann.text("[data-secret]");
		await ann.has("tbody tr", 1);
		await ann.looks();
		const [one] = await targets();
		id = one.id;
		assert.deepEqual(
			[one.events, one.collections, one.enabled],
			[["content.publish", "collection.*"], ["papers"], true],
		);
		await ann.open(WEBHOOKS);
		await ann.has("tbody tr", 1);
		await ann.has("[data-secret]", 0);
	});
	await report.test("webhooks: a test is sent, signed with that secret, and its answer told", async () => {
		await page.locator("tbody a").click();
		await ann.reads("h1", /127\.0\.0\.1/);
		await ann.press("[data-test]");
		await told(/answered 200/);
		const [{ headers, body }] = receiver.got;
		assert.equal(headers["x-stet-event"], "ping");
		assert.equal(
			headers["x-stet-signature"],
			`sha256=${createHmac("sha256", secret).update(`${headers["x-stet-timestamp"]}.${body}`).digest("hex")}`,
		);
		await ann.has("tbody .mark.live", 1);
		await ann.looks();
	});
	await report.test("webhooks: what fails says why, and what was sent is sent again", async () => {
		receiver.status = 500;
		await ann.press("[data-test]");
		await told(/500/);
		await ann.has("tbody .mark.bad", 1);
		receiver.status = 200;
		const { items } = await api("GET", "/content/papers?status=draft&limit=1");
		await api("POST", `/content/papers/${items[0].id}/publish`, {});
		await ann.until("it is delivered", async () =>
			(await api("GET", `/admin/webhooks/${id}/deliveries?state=delivered`)).items.some(
				(one) => one.event === "content.publish",
			),
		);
		await ann.open(`${WEBHOOKS}/${id}`);
		await ann.has("tbody tr", 3);
		const before = receiver.got.length;
		await page.locator("[data-delivery]").click();
		await ann.reads("dialog[open] .answer", /content\.publish/);
		await ann.reads("[data-response]", /thank you/);
		await ann.looks();
		await ann.press("[data-again]");
		await told(/1 delivery is sent again/);
		await ann.until("it came again", () => receiver.got.length > before);
		assert.equal(receiver.got.at(-1).headers["x-stet-event"], "content.publish");
		await page.locator('.tabs a[href*="dead"]').click();
		await ann.has("tbody tr", 1);
		await ann.reads("tbody", /500/);
	});
	await report.test(
		"webhooks: what waits for a receiver that fails is shown, tried now, and dropped",
		async () => {
			const { items } = await api("GET", "/content/papers?status=published&limit=1"),
				paper = `/content/papers/${items[0].id}`;
			receiver.status = 500;
			await api("POST", `${paper}/unpublish`, {});
			await api("POST", `${paper}/publish`, {});
			await ann.until("it has failed", async () => (await targets())[0].lastError === "answered 500");
			await ann.open(WEBHOOKS);
			await ann.has("[data-queue] tbody tr", 1);
			await ann.reads("[data-queue] tbody", /answered 500/);
			await ann.looks();
			const before = receiver.got.length;
			await ann.press("[data-retry]");
			await told(/Retrying 1 delivery now/);
			await ann.until("it was tried", () => receiver.got.length > before);
			await ann.press("[data-drop]");
			await ann.press("[data-yes]");
			await told(/1 delivery discarded/);
			await ann.has("[data-queue]", 0);
			assert.equal((await targets())[0].waiting, 0);
			receiver.status = 200;
			await ann.open(`${WEBHOOKS}/${id}?state=dropped`);
			await ann.has("tbody tr", 1);
			await ann.looks();
		},
	);
	await report.test("webhooks: one is changed, and gets a new secret", async () => {
		await ann.press("[data-change]");
		await page.waitForSelector('dialog[open] [name="enabled"]');
		await page.$eval('dialog[open] [name="enabled"]', (one) => one.scrollIntoView({ block: "center" }));
		await page.locator('dialog[open] [name="enabled"]').click();
		await page.locator('dialog[open] [value="comment.*"]').click();
		await page.locator('dialog[open] button[type="submit"]').click();
		await told(/Webhook saved/);
		const [one] = await targets();
		assert.deepEqual([one.enabled, one.events], [false, ["content.publish", "collection.*", "comment.*"]]);
		await page.locator(".head button[aria-haspopup]").click();
		await page.locator('[role="menuitem"]').click();
		await ann.press("[data-yes]");
		await ann.has("[data-secret]", 1);
		assert.notEqual(await ann.text("[data-secret]"), secret);
	});
	await report.test("webhooks: one is deleted after a question", async () => {
		await page.locator(".head button[aria-haspopup]").click();
		await page.locator('[role="menuitem"].out').click();
		await ann.press("[data-yes]");
		await ann.arrives(WEBHOOKS);
		await told(/deleted/);
		assert.equal((await targets()).length, 0);
	});
	// From here on the receiver is gone, and an event waits for it.
	receiver.close();
	await api("POST", "/admin/webhooks", {
		url: receiver.url,
		description: "The shop's stock",
		events: ["content.*", "comment.create"],
	});
	const {
		items: [paper],
	} = await api("GET", "/content/papers?status=published&limit=1");
	await api("POST", `/content/papers/${paper.id}/unpublish`, {});
	await api("POST", `/content/papers/${paper.id}/publish`, {});
}

/* ---- connected assistants ---- */

export async function runAssistants({ report, ann, api, told }) {
	const { page } = ann,
		ASSISTANTS = `${HOME}/assistants`;
	const ask = async (where, form) => {
		const answer = await fetch(`${ann.origin}/_cms/api/oauth/${where}`, {
			method: "POST",
			body: new URLSearchParams(form),
		});
		assert.equal(answer.status, 200, await answer.clone().text());
		return answer.json();
	};
	// Authorizes a program by the device flow. Returns its access token.
	const connect = async (name, scope) => {
		const device = await ask("device/code", { client_id: name, scope });
		await api("POST", "/oauth/device/authorize", { user_code: device.user_code });
		return (
			await ask("device/token", {
				grant_type: "urn:ietf:params:oauth:grant-type:device_code",
				device_code: device.device_code,
				client_id: name,
			})
		).access_token;
	};
	const works = async (token) =>
		(
			await fetch(`${ann.origin}/_cms/api/content/papers?limit=1`, {
				headers: { Authorization: `Bearer ${token}` },
			})
		).status;
	let token;

	await report.test("assistants: none yet, and where they connect", async () => {
		await ann.open(ASSISTANTS);
		await ann.reads("[data-grants] .state", /No apps are connected/);
		await ann.reads(".notices .secret", /\/_cms\/api\/mcp$/);
		await ann.looks();
	});
	await report.test("assistants: a program that was let in is listed with what it may, in words", async () => {
		token = await connect("Clippings", "content:read media:write");
		assert.equal(await works(token), 200);
		await ann.open(ASSISTANTS);
		await ann.reads("[data-grants] tbody", /Clippings.*Read content.*Add and edit media/s);
		await ann.has("[data-clients] tbody tr", 1);
		await ann.looks();
	});
	await report.test("assistants: a person limits what it may do", async () => {
		await ann.reads("[data-limited]", /Changes an hour: 1000/);
		await ann.press("[data-limits]");
		await page.locator('dialog[open] [name="writesPerHour"]').fill("7");
		await ann.looks();
		await page.locator('dialog[open] button[type="submit"]').click();
		await told(/Limits of “Clippings” saved/);
		await ann.reads("[data-limited]", /Changes an hour: 7/);
		assert.equal((await api("GET", "/auth/grants")).items[0].limits.writesPerHour, 7);
	});
	await report.test("assistants: house rules are written for all of them", async () => {
		await page.locator('[name="guide"]').fill("Sentence case in titles.");
		await ann.press("[data-save-guide]");
		await told(/House rules saved/);
		assert.equal((await api("GET", "/guide")).text, "Sentence case in titles.");
		await ann.open(ASSISTANTS);
		assert.equal(await page.$eval('[name="guide"]', (one) => one.value), "Sentence case in titles.");
		await ann.looks();
	});
	await report.test("assistants: its access is withdrawn after a question, at once", async () => {
		await ann.press("[data-withdraw]");
		await ann.reads("dialog[open]", /Revoke access of “Clippings”\?/);
		await ann.press("[data-yes]");
		await told(/no longer has access/);
		await ann.reads("[data-grants] .state", /No apps are connected/);
		assert.equal((await api("GET", "/auth/grants")).items.length, 0);
		assert.equal(await works(token), 401);
	});
	await report.test("assistants: an administrator removes a program with all its access", async () => {
		token = await connect("Clippings", "content:read");
		await ann.open(ASSISTANTS);
		await ann.press("[data-remove]");
		await ann.press("[data-yes]");
		await told(/“Clippings” removed/);
		await ann.reads("[data-clients] .state", /No apps yet/);
		assert.equal(await works(token), 401);
	});
	await connect("Clippings", "content:read content:write media:read");
}
