// commands.mjs - examples of the manual that are commands, configuration, or requests in a shell.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";

const SITE = "https://example.org"; // the site's URL in the manual

// Lines of a shell as the manual prints them, without the prompts.
const typed = (text) => text.replace(/^\$ /gm, "");

// The examples of stet-mcp(7). Each configuration of a client has an address and a header with a token: the server has
// to answer them.
export async function runMcp({ run, sh, ask, url, token }) {
	const page = "stet-mcp.7";
	const initialize = { jsonrpc: "2.0", id: 1, method: "initialize" };
	const answers = async (address, header, secret) => {
		const [, name, value] = /^(\w+): ?(.*)$/.exec(header);
		const answer = await fetch(address.replace(SITE, url), {
			method: "POST",
			headers: {
				[name]: value.replace(/\$\{?[\w:-]+\}?|cms_pat_\.\.\./, secret),
				"Content-Type": "application/json",
				Accept: "application/json, text/event-stream",
			},
			body: JSON.stringify({
				...initialize,
				params: {
					protocolVersion: "2025-06-18",
					capabilities: {},
					clientInfo: { name: "manual", version: "1" },
				},
			}),
		});

		assert.equal(answer.status, 200);
		assert.match(await answer.text(), /"serverInfo"/);
	};

	await run(page, "stet user add", (text) => assert.match(sh(text), /cms_pat_[\w-]+/));
	await run(page, "stet token add", async (text) => {
		// Only of the collections that there are.
		const secret = /cms_pat_[\w-]+/.exec(sh(text.replace("collection:news", "collection:posts")))[0];

		await answers(`${SITE}/_cms/api/mcp`, "Authorization: Bearer $STET_TOKEN", secret);
	});
	await run(page, "curl -X PUT", (text) => {
		const said = sh(text.replace(SITE, url).replace("PLUGIN", "hello"), { ADMIN_TOKEN: token });

		assert.deepEqual([JSON.parse(said).success, JSON.parse(said).data.item?.enabled ?? true], [true, true]);
	});
	await run(page, "claude mcp add", (text) =>
		answers(/https:\S+/.exec(text)[0], /--header "([^"]*)"/.exec(text)[1], token),
	);
	await run(page, '{ "mcpServers": { "stet": {', async (text) => {
		const { command, args, env = {}, url: address, headers } = JSON.parse(text).mcpServers.stet;

		if (!command) {
			await answers(address, `Authorization: ${headers.Authorization}`, token);
			return;
		}
		assert.deepEqual([command, args[0], args[1]], ["npx", "-y", "mcp-remote"]);
		const header = args[args.indexOf("--header") + 1].replace("${AUTHORIZATION}", env.AUTHORIZATION);
		await answers(args[2], header, token);
	});
	await run(page, '{ "inputs"', async (text) => {
		const { inputs, servers } = JSON.parse(text);

		assert.equal(servers.stet.type, "http");
		assert.ok(servers.stet.headers.Authorization.includes(`\${input:${inputs[0].id}}`));
		await answers(servers.stet.url, `Authorization: ${servers.stet.headers.Authorization}`, token);
	});
	await run("stet-api.7", "Authorization:", (text) => answers(`${SITE}/_cms/api/mcp`, text, token));
	assert.equal((await ask("GET", "/_cms/api/auth/me")).status, 200);
}

// What administrators type, and requests with curl. The drill comes before the site has a file: files are not in the
// database that it restores.
export async function runCommands({ run, sh, env, daemon, work, url, token, good, bin, source }) {
	const api = "stet-api.7";

	await run("stet-litestream.7", "litestream restore", (text) => {
		const [restore, ...lines] = text.replaceAll("/srv/drill", `${work}/drill`).split("\n");

		assert.match(restore, /^litestream restore -o \S+\/stet\.db s3:/);
		fs.mkdirSync(`${work}/drill`, { mode: 0o700 });
		sh(`sqlite3 '${work}/data/stet.db' "VACUUM INTO '${work}/drill/stet.db'"`);
		assert.match(sh(lines.join("\n").replace("/safe/place", `${work}/data`)), /"first"|"hello"/);
	});
	fs.writeFileSync(`${work}/articles.jsonl`, '{"data": {"title": "One"}}\n{"data": {"title": "Two"}}\n');
	await run("stetd.8", "$ stet --data ./site init", async (text) => {
		const lines = typed(text).split("\n");
		const last = lines.pop().split(" ");

		assert.match(sh(lines.join("\n")), /cms_pat_[\w-]+/);
		const child = spawn(`${bin}/${last[0]}`, [...last.slice(1), "--listen", "127.0.0.1:0"], {
			cwd: work,
			env: { ...process.env, ...env },
			stdio: ["ignore", "ignore", "pipe"],
		});
		let said = "";

		await new Promise((resolve, reject) => {
			child.on("close", () => reject(new Error(said)));
			child.stderr.on("data", (bytes) => {
				said += bytes;
				if (said.includes("listening on http")) resolve();
			});
		});
		child.removeAllListeners("close");
		await new Promise((resolve) => child.on("close", resolve) && child.kill());
	});
	await run("stet.1", "$ stet --data ./site import jsonl", (text) => {
		const key = /stet-public-[\w-]+/.exec(sh("stet backup --new-key ./secret"))[0];
		const said = sh(
			typed(text)
				.replace("stet-public-...", key)
				.replace("/etc/stet/stet.conf", `${work}/stet.conf`)
				.replace("word-count", "hello"),
		);

		assert.match(said, /One[\s\S]*Two|Two[\s\S]*One/);
		assert.ok(fs.statSync(`${work}/main.backup`).size > 1000);
	});
	await run("stet.conf.5", "stet call plugin_settings_put", (text) => {
		sh(text);
		assert.match(sh("stet call plugin_settings_get id=signin"), /"httpInLan": *true/);
	});
	await run("README.md", "sudo -u stet stet user add", (text) =>
		assert.match(sh(text.replaceAll("ann@example.org", "eve@example.org")), /cms_pat_[\w-]+/),
	);
	await run("README.md", "sudo -u stet stet backup", (text) => {
		const [backup, verify, restore] = text.replaceAll("/var/backups", work).split("\n");

		sh(`${backup}\n${verify}`);
		assert.match(restore, /stop the daemon first/);
		// Into another directory: the daemon goes on.
		sh(restore.replace(/sudo -u stet stet/, `stet --data '${work}/restored'`).replace(/--force.*/, ""));
		assert.match(sh(`stet --data '${work}/restored' verify`), /\S/);
	});
	await run(api, "curl -H", (text) => {
		const dot =
			"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

		fs.writeFileSync(`${work}/a.png`, Buffer.from(dot, "base64"));
		const { data } = JSON.parse(sh(text.replace(SITE, url), { TOKEN: token }));

		assert.deepEqual([data.item.filename, data.item.alt], ["a.png", "A dot"]);
	});
	await run(api, '{"op": "content_publish"', async (text) => {
		const item = await good("POST", "/_cms/api/content/posts", {
			data: { title: "Let it stand" },
			slug: "let-it-stand",
		});
		const secret = daemon.stet(
			...["token", "add", "ann@example.org", "--name", "drafts", "--scope"],
			"content:read,content:draft",
		);
		const bearer = /cms_pat_[\w-]+/.exec(secret)[0];
		const asked = await good("POST", "/_cms/api/approvals", text.replace("REV", item._rev), bearer);

		assert.equal(asked.approval.state, "open");
	});
	await run(api, "POST /_cms/api/releases/preview", async (text) => {
		const { release } = await good("POST", "/_cms/api/releases", { name: "Autumn" });
		const link = await good("POST", `/_cms/api/releases/${release.id}/preview-links`, {});
		const secret = /[?&]token=([^&"]+)/.exec(JSON.stringify(link))?.[1] ?? link.token;
		const [, method, to, body] = /^(\w+) (\S+)\n([\s\S]*)$/.exec(text);

		await good("POST", "/_cms/api/menus", { name: "main", label: "Main" });
		const answer = await good(method, to, body.replace("TOKEN", decodeURIComponent(secret)));

		assert.equal(answer.name, "Autumn");
	});
	await run("stetd.8", "groups:", async (text) => {
		const metrics = fs.readFileSync(`${source}/core/daemon/scrape.c`, "utf8");

		for (const [name] of text.matchAll(/stet_\w+/g)) assert.ok(metrics.includes(`"${name}"`), name);
	});
}

// Configuration: the daemon's own check takes it.
export async function runConfiguration({ run, sh, work, source }) {
	const number = { now: 0 };
	const check = (text) => {
		const file = `${work}/check${number.now++}.conf`;

		fs.writeFileSync(file, text);
		return sh(`stetd --config '${file}' --check`);
	};
	const secret = (name, text) => {
		fs.writeFileSync(`${work}/${name}`, text, { mode: 0o600 });
		return `${work}/${name}`;
	};

	await run("stet-proxy.7", "example.org {", (text) => {
		const words = (all) =>
			all
				.replace(/^\s*#.*$/gm, "")
				.replace(/^\s*tls .*$/gm, "")
				.split(/\s+/)
				.filter(Boolean);

		assert.deepEqual(words(text), words(fs.readFileSync(`${source}/etc/proxies/Caddyfile`, "utf8")));
	});
	await run("stet-proxy.7", "trusted-proxies", check);
	await run("stet.conf.5", "trusted-proxies", (text) => check(text.replace("/srv/archive", `${work}/archive`)));
	await run("stet.conf.5", "listen = {}", (text) => {
		sh(
			"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=example.org " +
				"-keyout privkey.pem -out fullchain.pem && chmod 600 privkey.pem",
		);
		check(text.replaceAll("/etc/stet/tls", work));
	});
	await run("stet-daemons.7", 'site "main"', (text) =>
		check(
			text
				.replace("/etc/stet/db.password", secret("db.password", "secret\n"))
				.replace("/etc/stet/main.key", `${work}/data/key`)
				.replace("/srv/stet/files", work),
		),
	);
	await run("stet-postgresql.7", "database =", (text) =>
		check(`site "main" {\n    files-directory = "${work}"\n${text}\n}\n`),
	);
	await run("README.md", 'files = "s3"', (text) =>
		check(
			`site "main" {\n    base-url = "https://example.org"\n${text.replace("/etc/stet/s3-key", secret("s3-key", "id\nsecret\n"))}\n}\n`,
		),
	);
	await run("README.md", '{"CORSRules"', (text) => {
		const [rule] = JSON.parse(text).CORSRules;

		assert.deepEqual([rule.AllowedMethods, rule.AllowedHeaders], [["PUT"], ["content-type"]]);
	});
}
