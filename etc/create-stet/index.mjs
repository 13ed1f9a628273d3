#!/usr/bin/env node
// create-stet - begins a site that shows the content of stet: copies a starter, and writes where the content is.
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = path.dirname(fileURLToPath(import.meta.url));
const starters = fs.readdirSync(path.join(here, "starters")).sort();
const USAGE = `usage: create-stet [DIR] [--url URL] [--token TOKEN] [--starter ${starters.join("|")}] [--yes]

Begins a site in DIR that shows the content of stet. Asks for what is not given.

  --url URL        where stetd serves the content (http://127.0.0.1:8080)
  --token TOKEN    a token that reads published content: stet token add --delivery --name site
  --starter NAME   what to begin with (${starters[0]})
  --yes            do not ask
`;

class Refusal extends Error {}

function wordsOf(argv) {
	try {
		return parseArgs({
			args: argv,
			allowPositionals: true,
			options: {
				url: { type: "string" },
				token: { type: "string" },
				starter: { type: "string" },
				yes: { type: "boolean", short: "y" },
				help: { type: "boolean", short: "h" },
			},
		});
	} catch (error) {
		throw new Refusal(`${error.message}\n\n${USAGE}`);
	}
}

// What is not given is asked, if somebody is there.
async function ask(given) {
	const answers = { ...given };

	if (given.yes || !process.stdin.isTTY) return answers;
	const terminal = readline.createInterface({ input: process.stdin, output: process.stdout });

	try {
		answers.dir ??= await terminal.question("Directory of the site (my-site): ");
		answers.url ??= await terminal.question("Where is stet? (http://127.0.0.1:8080): ");
		answers.token ??= await terminal.question("A token that reads it (none: what is public): ");
	} finally {
		terminal.close();
	}
	return answers;
}

function originOf(text) {
	let url;

	// Without a scheme: on this machine or at a number http, elsewhere https.
	const scheme = /^(localhost|[\d.]+|\[[\da-f:]+\])(:|\/|$)/i.test(text) ? "http" : "https";
	try {
		url = new URL(/^https?:\/\//.test(text) ? text : `${scheme}://${text}`);
	} catch {
		throw new Refusal(`${text} is no address`);
	}
	return url.origin;
}

function targetOf(dir) {
	const target = path.resolve(dir);

	if (fs.existsSync(target) && (!fs.statSync(target).isDirectory() || fs.readdirSync(target).length > 0))
		throw new Refusal(`${target} is there already, and not empty`);
	return target;
}

// The packages of stet come with this one: a project is complete without them being anywhere else.
function addPackages(target) {
	const file = path.join(target, "package.json");
	const description = JSON.parse(fs.readFileSync(file, "utf8"));

	description.name = path
		.basename(target)
		.toLowerCase()
		.replace(/[^a-z0-9._-]+/g, "-")
		.replace(/^[._-]+/, "");
	if (description.name === "") description.name = "site";
	fs.cpSync(path.join(here, "packages"), path.join(target, "packages"), { recursive: true });
	description.dependencies ??= {};
	for (const name of fs.readdirSync(path.join(target, "packages")))
		description.dependencies[`@stet/${name.replace(/^stet-(.*?)-\d.*$/, "$1")}`] = `file:packages/${name}`;
	fs.writeFileSync(file, `${JSON.stringify(description, null, "\t")}\n`);
}

function write(target, starter, url, token) {
	fs.cpSync(path.join(here, "starters", starter), target, { recursive: true });
	if (fs.existsSync(path.join(target, "npmrc")))
		fs.renameSync(path.join(target, "npmrc"), path.join(target, ".npmrc"));
	addPackages(target);
	fs.writeFileSync(path.join(target, ".env"), `STET_URL=${url}\nSTET_TOKEN=${token}\nPUBLIC_STET_URL=${url}\n`, {
		mode: 0o600,
	});
	fs.writeFileSync(
		path.join(target, ".gitignore"),
		".env\n.astro/\n.next/\ndist/\nnext-env.d.ts\nnode_modules/\nout/\n",
	);
}

// Says whether the content can be read. The site is made in either case: stet may be started later.
async function look(url, token) {
	const headers = token === "" ? {} : { Authorization: `Bearer ${token}` };

	try {
		const answer = await fetch(`${url}/_cms/api/openapi.json`, {
			headers,
			signal: AbortSignal.timeout(10_000),
		});
		const body = await answer.json();

		if (answer.ok && body.openapi) return `stet answers at ${url}`;
		return `${url} answers ${answer.status} ${body.error?.message ?? ""}: is this stet, and the token right?`;
	} catch (error) {
		return `${url} does not answer (${error.cause?.code ?? error.name}): start stet before you build the site`;
	}
}

async function main() {
	const { values, positionals } = wordsOf(process.argv.slice(2));

	if (values.help) {
		process.stdout.write(USAGE);
		return;
	}
	if (positionals.length > 1) throw new Refusal(`one directory, please\n\n${USAGE}`);
	const starter = values.starter ?? starters[0];
	if (!starters.includes(starter)) throw new Refusal(`there is no starter ${starter}: ${starters.join(", ")}`);
	if (positionals.length > 0) targetOf(positionals[0]); // before anything is asked
	const answers = await ask({ ...values, dir: positionals[0] });
	const target = targetOf(answers.dir || "my-site");
	const url = originOf(answers.url || "http://127.0.0.1:8080");
	const token = (answers.token ?? "").trim();

	if (!/^[\w.-]*$/.test(token)) throw new Refusal("a token has letters, digits and _ alone");
	const own = `http://localhost:${starter === "next" ? 3000 : 4321}`;

	// Astro 6 and later need Node 22.12; the starter has Astro 5, which also runs with Node 20.
	const [major, minor] = process.versions.node.split(".").map(Number);
	const isNew = major > 22 || (major === 22 && minor >= 12);

	write(target, starter, url, token);
	console.log(`\n${await look(url, token)}\n`);
	const near = path.relative(process.cwd(), target) || ".";
	console.log(`The site is in ${target}. Next:

  cd ${near.startsWith("..") ? target : near}
  npm install
  npm run dev      shows it at ${own}
  npm run build    writes it into ${starter === "next" ? "out" : "dist"}/, as files for any web server

Search, comments and previews ask stet from the browser, so stet.conf has to allow the address of the site:

  cors-origins = { "${own}" }

${starter === "astro" && isNew ? "With the Node that is here, npm install astro@7 brings the newest Astro.\n" : ""}README.md says more: how to open the search, what to change, and how to build for the web (SITE_URL in .env).`);
}

main().catch((error) => {
	console.error(error instanceof Refusal ? `create-stet: ${error.message}` : error);
	process.exitCode = 1;
});
