// hostile.mjs - a server that fails, is slow, or answers nonsense: retries and their bounds, time limits, names that
// would be other paths.
import { createClient, StetError } from "@stet/client";
import assert from "node:assert/strict";
import http from "node:http";

const rejected = (promise) =>
	promise.then(
		() => assert.fail("it was not refused"),
		(reason) => reason,
	);
const refusal = (code) => JSON.stringify({ success: false, error: { code, message: code } });

// Runs a server that calls `answer(request, response, n)` for each request, n counting from 1, and records the
// requests.
async function serve(answer, run) {
	const asked = [];
	const server = http.createServer((request, response) => {
		let body = "";
		request.on("data", (bytes) => (body += bytes));
		request.on("end", () => {
			asked.push({
				method: request.method,
				url: request.url,
				headers: request.headers,
				body,
				at: Date.now(),
			});
			answer(request, response, asked.length);
		});
	});

	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	try {
		await run(`http://127.0.0.1:${server.address().port}`, asked);
	} finally {
		server.closeAllConnections?.();
		await new Promise((resolve) => server.close(resolve));
	}
}

function reply(response, status, text, headers = {}) {
	response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(text);
}
const good = (response, data = { items: [] }, headers) =>
	reply(response, 200, JSON.stringify({ success: true, data }), headers);

async function retries(test) {
	await test("what fails twice is asked three times", () =>
		serve(
			(_, response, n) =>
				n < 3
					? reply(
							response,
							n === 1 ? 503 : 429,
							refusal(n === 1 ? "UNAVAILABLE" : "RATE_LIMITED"),
						)
					: good(response),
			async (url, asked) => {
				await createClient({ url }).list("posts");
				assert.equal(asked.length, 3);
			},
		));
	await test("a write that is sent again has its key and its body, another write has another key", () =>
		serve(
			(request, response, n) =>
				n < 3 ? request.socket.destroy() : good(response, { item: {}, _rev: "1" }),
			async (url, asked) => {
				const client = createClient({ url, token: "t" });
				await client.create("posts", { data: { title: "x" } });
				await client.update("posts", "x", { data: { title: "y" } });
				const [a, b, c, d] = asked.map((one) => one.headers["idempotency-key"]);
				assert.match(a, /^[\w-]{16,}$/);
				assert.deepEqual([b, c], [a, a]);
				assert.notEqual(d, a);
				assert.equal(new Set(asked.slice(0, 3).map((one) => one.body)).size, 1);
				assert.deepEqual(
					asked.map((one) => one.headers.authorization),
					Array(4).fill("Bearer t"),
				);
			},
		));
	await test("a failure that lasts is told, after as many tries as were allowed", () =>
		serve(
			(_, response) => reply(response, 503, refusal("UNAVAILABLE")),
			async (url, asked) => {
				const error = await rejected(createClient({ url, retries: 1 }).list("posts"));
				assert.deepEqual([error.status, error.code, asked.length], [503, "UNAVAILABLE", 2]);
				await rejected(createClient({ url, retries: 0 }).list("posts"));
				assert.equal(asked.length, 3);
			},
		));
	await test("Retry-After is heeded, and one of an hour is not waited for", () =>
		serve(
			(_, response, n) =>
				n === 1
					? reply(response, 429, refusal("RATE_LIMITED"), { "Retry-After": "1" })
					: n === 2
						? good(response)
						: reply(response, 429, refusal("RATE_LIMITED"), {
								"Retry-After":
									n === 3
										? "3600"
										: new Date(
												Date.now() + 3_600_000,
											).toUTCString(),
							}),
			async (url, asked) => {
				await createClient({ url }).list("posts");
				assert.ok(asked[1].at - asked[0].at >= 990, `${asked[1].at - asked[0].at} ms`);
				const error = await rejected(createClient({ url }).list("posts"));
				assert.deepEqual(
					[error.code, error.retryAfter, asked.length],
					["RATE_LIMITED", 3600, 3],
				);
				const dated = await rejected(createClient({ url }).list("posts"));
				assert.ok(
					dated.retryAfter > 3500 && dated.retryAfter <= 3600 && asked.length === 4,
					String(dated.retryAfter),
				);
			},
		));
	await test("a proxy without its server is asked again; a 502 of stet's own is not", () =>
		serve(
			(_, response, n) =>
				n < 3
					? reply(response, n === 1 ? 502 : 504, "<h1>Bad Gateway</h1>", {
							"Content-Type": "text/html",
						})
					: n === 3
						? good(response)
						: reply(response, 502, refusal("SOURCE_ERROR")),
			async (url, asked) => {
				await createClient({ url }).create("posts", { data: {} });
				assert.equal(asked.length, 3);
				assert.equal(new Set(asked.map((one) => one.headers["idempotency-key"])).size, 1);
				assert.equal(
					(await rejected(createClient({ url }).list("posts"))).code,
					"SOURCE_ERROR",
				);
				assert.equal(asked.length, 4);
			},
		));
	await test("what cannot pass is not asked again", () =>
		serve(
			(_, response, n) =>
				reply(
					response,
					[503, 500, 404][n - 1],
					refusal(["EMAIL_NOT_CONFIGURED", "INTERNAL_ERROR", "NOT_FOUND"][n - 1]),
				),
			async (url, asked) => {
				const client = createClient({ url });
				for (const code of ["EMAIL_NOT_CONFIGURED", "INTERNAL_ERROR", "NOT_FOUND"])
					assert.equal((await rejected(client.call("POST /x", {}))).code, code);
				assert.equal(asked.length, 3);
			},
		));
	await test("a write by its route is repeated after a lost connection only if it was given a key; an upload never is", () =>
		serve(
			(request) => request.socket.destroy(),
			async (url, asked) => {
				const client = createClient({ url });
				assert.equal((await rejected(client.call("POST /import/x", {}))).code, "NETWORK");
				assert.equal(asked.length, 1);
				await rejected(client.call("POST /import/x", {}, { idempotencyKey: "mine" }));
				assert.deepEqual(
					asked.slice(1).map((one) => one.headers["idempotency-key"]),
					["mine", "mine", "mine"],
				);
				const form = new FormData();
				form.append("file", new Blob(["x"]), "x.txt");
				await rejected(client.call("POST /media", form, { idempotencyKey: "mine" }));
				assert.equal(asked.length, 5);
				assert.equal(asked[4].headers["idempotency-key"], undefined);
				assert.match(asked[4].headers["content-type"], /^multipart\/form-data; boundary=/);
				assert.equal(asked[4].headers["x-cms-request"], "1");
			},
		));
}

async function limits(test) {
	await test("a server that never answers is given up", () =>
		serve(
			() => {},
			async (url, asked) => {
				const client = createClient({ url, timeout: 60, retries: 1 });
				const error = await rejected(client.get("posts", "x"));
				assert.ok(error instanceof StetError);
				assert.deepEqual([error.status, error.code, asked.length], [0, "TIMEOUT", 2]);
			},
		));
	await test("one that stops in the middle of its answer is, too", () =>
		serve(
			(_, response) =>
				response
					.writeHead(200, { "Content-Type": "application/json" })
					.write('{"success":true,'),
			async (url) => {
				assert.equal(
					(await rejected(createClient({ url, timeout: 60, retries: 0 }).list("posts")))
						.code,
					"TIMEOUT",
				);
			},
		));
	await test("a signal ends a call at once, and a wait before a retry; its reason is what the call rejects with", () =>
		serve(
			(_, response, n) =>
				n > 1 && reply(response, 503, refusal("UNAVAILABLE"), { "Retry-After": "20" }),
			async (url, asked) => {
				const client = createClient({ url }),
					reason = new Error("the visitor left");
				const stop = new AbortController();
				const first = rejected(client.list("posts", { signal: stop.signal }));
				stop.abort(reason);
				assert.equal(await first, reason);
				const began = Date.now();
				assert.equal(
					(await rejected(client.list("posts", { signal: AbortSignal.timeout(80) })))
						.name,
					"TimeoutError",
				);
				assert.ok(Date.now() - began < 5000);
				assert.equal(
					await rejected(client.list("posts", { signal: AbortSignal.abort(reason) })),
					reason,
				);
				assert.ok(asked.length <= 2);
			},
		));
	await test("a server that cannot be reached is an error of the network", async () => {
		const error = await rejected(createClient({ url: "http://127.0.0.1:1", retries: 1 }).list("posts"));
		assert.deepEqual([error.status, error.code], [0, "NETWORK"]);
		assert.ok(error.cause instanceof Error);
	});
	await test("a list that does not go on ends", () =>
		serve(
			(_, response) => good(response, { items: [{ id: "1" }], nextCursor: "same" }),
			async (url, asked) => {
				const seen = [];
				const error = await rejected(
					(async () => {
						for await (const one of createClient({ url }).all("posts"))
							seen.push(one);
					})(),
				);
				assert.deepEqual([error.code, seen.length, asked.length], ["NOT_UNDERSTOOD", 2, 2]);
			},
		));
	await test("a feed that does not wait is not asked in a tight loop", () =>
		serve(
			(_, response) => good(response, { items: [], cursor: "c", more: false }),
			async (url, asked) => {
				for await (const _ of createClient({ url }).changes({
					since: "c",
					signal: AbortSignal.timeout(300),
				}))
					assert.fail("there is none");
				assert.equal(asked.length, 1);
			},
		));
	await test("a feed that has begun outlasts a server that is gone for a while; one that has not does not", () =>
		serve(
			(request, response, n) =>
				n === 2 || n > 4
					? request.socket.destroy()
					: n === 4
						? reply(response, 403, refusal("FORBIDDEN"))
						: good(response, {
								items: [{ id: String(n) }],
								cursor: `c${n}`,
								more: false,
							}),
			async (url, asked) => {
				const client = createClient({ url, retries: 0 }),
					feed = client.changes({ since: "c0" });
				assert.equal((await feed.next()).value.id, "1");
				assert.equal((await feed.next()).value.id, "3");
				assert.equal((await rejected(feed.next())).code, "FORBIDDEN");
				assert.deepEqual(
					asked.map((one) => new URL(one.url, url).searchParams.get("since")),
					["c0", "c1", "c1", "c3"],
				);
				assert.equal((await rejected(client.changes({ since: "c0" }).next())).code, "NETWORK");
				assert.equal(asked.length, 5);
			},
		));
	await test("so many answers are kept, those that were used last", () =>
		serve(
			(request, response) =>
				request.headers["if-none-match"]
					? response.writeHead(304).end()
					: good(response, { item: {}, _rev: "1" }, { ETag: '"1"' }),
			async (url, asked) => {
				const client = createClient({
					url,
					cache: 2,
					token: () => (asked.length < 7 ? "a" : "b"),
				});
				for (const id of ["1", "2", "1", "3", "1", "2", "1"]) await client.get("posts", id);
				const held = asked.map((one) => one.headers["if-none-match"] !== undefined);
				assert.deepEqual(held, [false, false, true, false, true, false, true]);
				await client.get("posts", "1"); // requests the same item with another token
				assert.equal(asked[7].headers["if-none-match"], undefined);
			},
		));
}

async function nonsense(test) {
	await test("what is no answer of stet is NOT_UNDERSTOOD", () =>
		serve(
			(_, response, n) =>
				n === 1
					? reply(response, 200, "<html>Sign in to the guest network</html>", {
							"Content-Type": "text/html",
						})
					: n === 2
						? reply(response, 200, '{"success":true,"data":')
						: n === 3
							? reply(response, 404, "null")
							: n === 4
								? reply(response, 400, '{"error":"bad"}')
								: n === 5
									? reply(response, 200, "17")
									: reply(
											response,
											400,
											JSON.stringify({
												error: {
													code: "VALIDATION_ERROR",
													details: {
														issues: "none",
													},
												},
											}),
										),
			async (url) => {
				const client = createClient({ url });
				for (const status of [200, 200, 404, 400, 200]) {
					const error = await rejected(client.list("posts"));
					assert.ok(error instanceof StetError);
					assert.deepEqual(
						[error.status, error.code, error.issues],
						[status, "NOT_UNDERSTOOD", []],
					);
				}
				const error = await rejected(client.list("posts"));
				assert.deepEqual(
					[error.code, error.issues, error.message],
					["VALIDATION_ERROR", [], "VALIDATION_ERROR"],
				);
			},
		));
	await test("what is no issue is left out of issues, and an issue of the whole request has no path in the message", () =>
		serve(
			(_, response) =>
				reply(
					response,
					400,
					JSON.stringify({
						error: {
							code: "VALIDATION_ERROR",
							message: "No",
							details: {
								issues: [
									null,
									7,
									{ path: 1 },
									{ path: "", message: "is empty" },
									{},
								],
							},
						},
					}),
				),
			async (url) => {
				const error = await rejected(createClient({ url }).list("posts"));
				assert.deepEqual(
					[error.issues, error.message, error.summary],
					[[{ path: "", message: "is empty" }], "No: is empty", "No"],
				);
			},
		));
	await test("a name is one segment of the path, and a slug one word of a filter", () =>
		serve(
			(_, response) => good(response),
			async (url, asked) => {
				const client = createClient({ url: `${url}/sub/_cms/api/` });
				for (const id of ["", ".", "..", undefined, null])
					await assert.rejects(async () => client.get("posts", id), TypeError);
				await assert.rejects(async () => client.delete("..", "x"), TypeError);
				await assert.rejects(
					async () => client.call("GET /menus/:name", { name: ".." }),
					TypeError,
				);
				await assert.rejects(
					async () => client.list("posts", { terms: { topic: "news;tag:db" } }),
					TypeError,
				);
				await assert.rejects(
					async () => client.list("posts", { terms: { topic: ["news", ""] } }),
					TypeError,
				);
				await assert.rejects(
					async () =>
						client.list("posts", { include: { references: { "a),terms(b": 1 } } }),
					TypeError,
				);
				assert.equal(asked.length, 0);
				await client.get("posts", "a/b?c#d", { locale: "en&x=1" });
				assert.equal(
					asked[0].url,
					"/sub/_cms/api/content/posts/a%2Fb%3Fc%23d?locale=en%26x%3D1",
				);
				await client.list("posts", {
					terms: { topic: ["news", "!db"] },
					include: { terms: true, references: { author: 2, related: true } },
					fields: ["slug", "title"],
					bylines: ["a", "b"],
				});
				const query = new URL(asked[1].url, url).searchParams;
				assert.deepEqual(Object.fromEntries(query), {
					terms: "topic:news,!db",
					include: "terms,references(author:2,related)",
					fields: "slug,title",
					bylines: "a,b",
				});
			},
		));
	await test("a token that would be two headers is not sent", () =>
		serve(
			(_, response) => good(response),
			async (url, asked) => {
				await assert.rejects(
					createClient({ url, token: "a\r\nx: y" }).list("posts"),
					TypeError,
				);
				assert.equal(asked.length, 0);
				assert.throws(() => createClient({ url: "example.org" }), TypeError);
			},
		));
}

export async function testHostile(test) {
	for (const part of [retries, limits, nonsense]) await part(test);
}
