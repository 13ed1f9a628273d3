// elicit.mjs - questions in the middle of a call, which the official SDK's client of 2026-07-28 hands to its user: what
// a request for an approval is to say, and whether so much is to be deleted.
import * as two from "@modelcontextprotocol/client";
import assert from "node:assert/strict";

const COLLECTION = "asked";

// A client whose user gives this answer; `asked` gets the questions. Without an answer, it cannot ask.
async function open(url, token, answer) {
	const asked = [];
	const client = new two.Client(
		{ name: "stet-mcp-test", version: "1.0" },
		{
			versionNegotiation: { mode: { pin: "2026-07-28" } },
			capabilities: answer ? { elicitation: { form: {} } } : {},
		},
	);

	if (answer)
		client.setRequestHandler("elicitation/create", ({ params }) => {
			asked.push(params);
			return answer;
		});
	await client.connect(
		new two.StreamableHTTPClientTransport(new URL(url), {
			requestInit: { headers: { Authorization: `Bearer ${token}` } },
		}),
	);
	return {
		asked,
		close: () => client.close(),
		call: (name, args) => client.callTool({ name, arguments: args }),
	};
}

const accept = (content) => ({ action: "accept", content });

export async function runElicitation({ url, report, token }) {
	const admin = await open(url, token("admin"));
	const make = async () => {
		await admin.call("schema_create_collection", { slug: COLLECTION, label: "Asked" });
		await admin.call("schema_create_field", {
			collection: COLLECTION,
			slug: "title",
			label: "Title",
			type: "string",
		});
		const { structuredContent } = await admin.call("content_create", {
			collection: COLLECTION,
			data: { title: "A" },
		});
		return { collection: COLLECTION, id: structuredContent.item.id, _rev: structuredContent._rev };
	};
	const where = await report.test("elicitation: a site", make);

	await report.test("elicitation: an approval is asked for, with what the user says", async () => {
		const drafts = await open(url, token("content:read,content:draft"), accept({ why: "It is ready" }));
		const result = await drafts.call("content_publish", where);

		assert.equal(drafts.asked.length, 1);
		assert.match(drafts.asked[0].message, /content_publish/);
		assert.equal(result._meta.code, "APPROVAL_WAITING", result.content[0].text);
		await drafts.close();
	});
	await report.test("elicitation: a user who declines has asked for nothing", async () => {
		const drafts = await open(url, token("content:read,content:draft"), { action: "decline" });
		const result = await drafts.call("content_unpublish", where);

		assert.equal(drafts.asked.length, 1);
		assert.equal(result._meta.code, "PUBLISH_NEEDS_APPROVAL");
		await drafts.close();
	});
	await report.test("elicitation: a client that cannot ask gets the error", async () => {
		const drafts = await open(url, token("content:read,content:draft"));
		const result = await drafts.call("content_unpublish", where);

		assert.equal(result._meta.code, "PUBLISH_NEEDS_APPROVAL");
		await drafts.close();
	});
	await report.test("elicitation: a large deletion is confirmed", async () => {
		const scopes = "admin,limit:deletions:1",
			args = { slug: COLLECTION, force: true };
		const not = await open(url, token(scopes), accept({ confirm: false })),
			is = await open(url, token(scopes), accept({ confirm: true }));

		assert.equal((await not.call("schema_delete_collection", args))._meta.code, "CONFLICT");
		const result = await is.call("schema_delete_collection", args);
		assert.ok(!result.isError, result.content[0].text);
		assert.match(is.asked[0].message, /1 deletions a day/);
		await not.close();
		await is.close();
	});
	await admin.close();
}
