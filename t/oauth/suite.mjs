// suite.mjs - the scenarios of the public conformance suite for authorization servers. The suite prints an address that
// a person has to visit, and waits for the result at a port of its own. Here a simulated person visits it.
import { spawn } from "node:child_process";
import net from "node:net";
import path from "node:path";

// All scenarios of 0.2.0-alpha.12 for authorization servers. Both apply, so none is excused.
const SCENARIOS = ["authorization-server-metadata-endpoint", "authorization-code-grant"];
const REVISIONS = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
const SECONDS = 60;

// Returns a free port, since the suite needs a number. The port is below 32768: the kernel does not give such ports to
// programs that ask for any port, so it stays free until the suite uses it.
async function freePort() {
	for (;;) {
		const port = 20000 + Math.floor(Math.random() * 12000);
		const server = net.createServer();
		const free = await new Promise((resolve) => {
			server.on("error", () => resolve(false));
			server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
		});

		if (free) return port;
	}
}

function run({ here, work, person, origin }, words) {
	const child = spawn(
		process.execPath,
		[
			path.join(here, "node_modules/@modelcontextprotocol/conformance/dist/index.js"),
			"authorization",
			...words,
		],
		{ cwd: work, stdio: ["ignore", "pipe", "pipe"], timeout: SECONDS * 1000, killSignal: "SIGKILL" },
	);
	let said = "",
		visited = null;

	const hear = (bytes) => {
		said += bytes;
		const url = new RegExp(`^${origin}/_cms/oauth/authorize\\?\\S+(?=\\n)`, "m").exec(said)?.[0];
		if (url && said.includes("Callback server started") && visited === null)
			visited = person
				.decide(url)
				.then((back) => fetch(back))
				.catch((error) => {
					said += `\n${error.stack}`;
					child.kill("SIGKILL");
				});
	};
	child.stdout.on("data", hear);
	child.stderr.on("data", hear);
	return new Promise((resolve, reject) => {
		child.on("error", reject);
		child.on("close", (status) => resolve({ status, said: said.replace(/\x1b\[\d+m/g, "") }));
	});
}

async function register({ origin, daemon }, redirectUri) {
	const answer = await fetch(`${origin}/_cms/api/admin/oauth-clients`, {
		method: "POST",
		headers: {
			Authorization: `Bearer ${daemon.token("admin")}`,
			"Content-Type": "application/json",
			"X-CMS-Request": "1",
		},
		body: JSON.stringify({ id: "conformance", name: "Conformance", redirectUris: [redirectUri] }),
	});

	if (answer.status !== 201) throw new Error(`the client of the suite: ${answer.status} ${await answer.text()}`);
}

export async function runSuite(context) {
	const { report, origin } = context;

	await register(context, "http://127.0.0.1/callback"); // any port is allowed (RFC 8252, 7.3)
	for (const revision of REVISIONS) {
		const { status, said } = await run(context, [
			...["--url", `${origin}/_cms`, "--resource", `${origin}/_cms/api/mcp`],
			...[
				"--client-id",
				"conformance",
				"--port",
				String(await freePort()),
				"--spec-version",
				revision,
			],
		]);
		const results = [...said.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed(.*)$/gm)];
		const bad = [];

		for (const [, scenario, passed, failed, more] of results) {
			const name = `conformance, ${revision}: ${scenario}`;

			if (failed === "0" && passed !== "0" && more === "") report.pass(name);
			else bad.push(report.fail(name, `${passed} passed, ${failed} failed${more}`));
		}
		for (const scenario of SCENARIOS.filter((known) => !results.some((result) => result[1] === known)))
			bad.push(report.fail(`conformance, ${revision}: ${scenario} is run`));
		if (status !== 0 && bad.length === 0)
			bad.push(report.fail(`conformance, ${revision}: the suite ends well`, status));
		if (bad.length > 0) report.note(said);
	}
}
