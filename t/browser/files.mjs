// files.mjs - files of the media library that would run scripts if a browser showed them: it never does.
import assert from "node:assert/strict";
import { openStranger } from "./foreign.mjs";

// The script in each file would leave a mark in the site's storage and in the page that embeds the file.
const script = 'try{localStorage.setItem("ran","1")}catch(e){};try{parent.ran=1;top.ran=1}catch(e){};window.ran=1;';
const files = [
	{
		name: "picture.svg",
		type: "image/svg+xml",
		text: `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload='${script}'><script>${script}</script></svg>`,
	},
	{
		name: "page.html",
		type: "text/html",
		text: `<!doctype html><html><body><script>${script}</script></body></html>`,
	},
	{
		name: "page.xml",
		type: "text/xml",
		text: `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><script>${script}</script></body></html>`,
	},
	{
		name: "paper.pdf",
		type: "application/pdf",
		text:
			"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>endobj\n" +
			"2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
	},
	// no known kind of file, so the declared type is accepted
	{ name: "film.mp4", type: "video/mp4", text: `0;${script}` },
];

// Sends a request from this page, as the user who is signed in there.
const ask = (page, method, where, body) =>
	page.evaluate(
		async (method, where, body) => {
			const headers = { "X-CMS-Request": "1" };
			let send;
			if (body?.text === undefined) {
				headers["Content-Type"] = "application/json";
				send = JSON.stringify(body);
			} else {
				send = new FormData();
				send.append("fieldId", body.fieldId);
				send.append("file", new Blob([body.text], { type: body.type }), body.name);
			}
			const answer = await fetch(`/_cms/api${where}`, { method, headers, body: send });
			const json = await answer.json();
			if (!answer.ok) throw new Error(JSON.stringify(json));
			return json.data;
		},
		method,
		where,
		body,
	);

export async function runFiles({ report, ann, bob }) {
	const stranger = await openStranger();
	const urls = [];

	try {
		await report.test("an administrator lets a field have SVG, HTML, XML and PDF", async () => {
			await ann.open("/_cms/account");
			await ask(ann.page, "POST", "/schema/collections", { slug: "papers", label: "Papers" });
			const { item } = await ask(ann.page, "POST", "/schema/collections/papers/fields", {
				slug: "paper",
				label: "Paper",
				type: "file",
				validation: { allowedMimeTypes: files.map((file) => file.type) },
			});
			for (const file of files)
				urls.push(
					(await ask(ann.page, "POST", "/media", { ...file, fieldId: item.id })).item.url,
				);
			assert.equal(new Set(urls).size, files.length);
		});
		await report.test("opened, they are downloads, or are shown inert", async () => {
			const session = await bob.page.createCDPSession();
			await session.send("Browser.setDownloadBehavior", {
				behavior: "deny",
				browserContextId: bob.context.id,
			});
			for (const [i, url] of urls.entries()) {
				const opened = await bob
					.open(url)
					.then(() => "shown")
					.catch((error) => String(error));
				if (files[i].type === "video/mp4") assert.equal(opened, "shown");
				else assert.match(opened, /ERR_ABORTED/, files[i].name);
			}
			await session.detach();
		});
		await report.test("in a page of this or another site they run nothing", async () => {
			for (const where of ["/_cms/signin", stranger.origin]) {
				await bob.open(where);
				const ran = await bob.page.evaluate(
					async (urls) => {
						const over = [];
						const put = (name, set) => {
							const element = document.createElement(name);
							over.push(
								new Promise((resolve) => {
									element.onload = element.onerror = resolve;
									// an element whose URL becomes a download fires no event
									setTimeout(resolve, 1000);
								}),
							);
							set(element);
							document.body.append(element);
						};
						for (const url of urls) {
							put("iframe", (e) => (e.src = url));
							put("object", (e) => (e.data = url));
							put("embed", (e) => (e.src = url));
							put("img", (e) => (e.src = url));
							put("script", (e) => (e.src = url));
							put("link", (e) =>
								Object.assign(e, { rel: "stylesheet", href: url }),
							);
						}
						await Promise.all(over);
						return window.ran;
					},
					urls.map((url) => bob.origin + url),
				);
				assert.equal(ran, undefined, where);
				bob.faults.length = 0; // the console has an error for each refusal of the browser
			}
		});
		await report.test("nothing of them has run with the origin of the site", async () => {
			await bob.open("/_cms/signin");
			assert.equal(await bob.page.evaluate(() => localStorage.getItem("ran")), null);
		});
	} finally {
		stranger.close();
	}
}
