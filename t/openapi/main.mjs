// main.mjs - the API of a site as its OpenAPI document says it: validators, a client made of it, a session.
// STET_BUILD names the build tree; `npm` has copied this directory into it and installed the packages.
import { Validator } from "@seriousme/openapi-schema-validator";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import openapiTS, { astToString } from "openapi-typescript";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { startDaemon } from "../mcp/daemon.mjs";
import { newReport } from "../mcp/report.mjs";
import { Conformance } from "./conforms.mjs";
import { rejections, runSession, Session } from "./session.mjs";

const report = newReport();
const work = fs.mkdtempSync(path.join(os.tmpdir(), "stet-openapi-"));
const daemon = await startDaemon({ build: process.env.STET_BUILD, work, origin: "http://127.0.0.1" });
const url = `http://127.0.0.1:${daemon.port}/_cms/api`;
const admin = daemon.token("admin");

async function document(token) {
	const answer = await fetch(`${url}/openapi.json`, {
		headers: token ? { Authorization: `Bearer ${token}` } : {},
	});

	assert.equal(answer.status, 200);
	return answer.text();
}

async function validate(name, text) {
	await report.test(`${name} is a valid OpenAPI 3.1 document`, async () => {
		const result = await new Validator().validate(JSON.parse(text));
		assert.ok(result.valid, JSON.stringify(result.errors)?.slice(0, 2000));
	});
	await report.test(`${name} has no fault by the recommended rules`, async () => {
		const config = await createConfig({ extends: ["recommended"] });
		const problems = await lintFromString({ source: text, absoluteRef: "/openapi.json", config });
		// The contract has both /media/file/:key and /media/:id/upload: the literal segment takes precedence
		// over the parameter.
		const excused = (p) =>
			p.ruleId === "no-ambiguous-paths" &&
			p.message.includes("`/media/file/{key}` and `/media/{id}/");
		assert.deepEqual(
			problems
				.filter((p) => !excused(p))
				.map((p) => `${p.ruleId}: ${p.message} ${p.location[0]?.pointer}`),
			[],
		);
	});
}

// Compiles the client whose types are made from the document.
async function compile(text) {
	fs.writeFileSync("api.ts", astToString(await openapiTS(JSON.parse(text))));
	fs.writeFileSync("site.ts", await daemon.types());
	// Does not block this process, which has to notice connections that the daemon closes meanwhile.
	await promisify(execFile)(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"]).catch(
		(error) => assert.fail(error.stdout || error.message),
	);
}

try {
	const empty = new Conformance(JSON.parse(await document(admin)), "/_cms/api");
	const session = new Session(url, admin, empty);
	await report.test("a day at the site is answered as documented", () => runSession(session));

	// The same with a collection in the document.
	const text = await document(admin);
	const known = new Conformance(JSON.parse(text), "/_cms/api");
	await validate("what an administrator sees", text);
	await validate("what nobody in particular sees", await document());
	await validate("what a reader sees", await document(daemon.token("content:read")));
	await report.test("it is the same when it is asked for again", async () =>
		assert.equal(await document(admin), text),
	);

	session.conformance = known;
	await report.test("who is not signed in is refused as documented", () => rejections(session, known.document));
	await report.test("items are what their collection says", async () => {
		const { items } = await session.get("/content/recipes?limit=50");
		assert.ok(items.length > 0);
	});
	await report.test("a client made of it compiles, with every strictness", () => compile(text));
	await report.test("and works with the daemon", async () => {
		const { drive } = await import("./made/client.js");
		await drive({ url, token: admin, fetch: known.fetch });
	});
	for (const c of [empty, known])
		report.note(
			`${c.answers} answers of ${c.operations.size} operations, failures: ${[...c.codes].sort().join(" ")}`,
		);
} catch (error) {
	report.fail("the tests run to their end", error.stack);
} finally {
	await report.test("the daemon ends when it is told to, and not before", async () => {
		const { how, said } = await daemon.stop();
		assert.equal(how, 0, said.slice(-4000));
	});
	fs.rmSync(work, { recursive: true, force: true });
}
report.end();
