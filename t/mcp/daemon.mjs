// daemon.mjs - the daemon of the build tree on a site of its own, with all bundled modules and the tools
// that conformance suites call (fixtures.c).
import { execFile, execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

const ADMIN = "ann@example.org";

// stetd writes the address at which it listens, and its log, to standard error.
function start(program, words, env) {
	const child = spawn(program, words, { env, stdio: ["ignore", "ignore", "pipe"] });
	const daemon = { said: "" };

	daemon.ended = new Promise((resolve) => child.on("close", (status, signal) => resolve(signal ?? status)));
	daemon.kill = (signal) => child.kill(signal);
	daemon.port = new Promise((resolve, reject) => {
		daemon.ended.then((how) => reject(new Error(`stetd ended: ${how}\n${daemon.said}`)));
		child.on("error", reject);
		child.stderr.on("data", (bytes) => {
			daemon.said += bytes;
			const at = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(daemon.said);
			if (at) resolve(Number(at[1]));
		});
	});
	return daemon;
}

// `origin` is the URL at which clients reach the daemon. `more` are further lines of stet.conf for the site.
// `environment` is for the daemon and its commands. The site has an administrator, unless the test sets the site up.
export async function startDaemon({ build, work, origin, more = "", environment = {}, isNew = false }) {
	const conf = path.join(work, "stet.conf");
	const env = {
		...process.env,
		LD_LIBRARY_PATH: `${build}/.libs`, // set as libtool's scripts would; the scripts themselves are slow
		STET_MODULE_PATH: `${build}/modules/.libs:${build}/t/mcp/fixtures/.libs`,
		STET_HELPER_PATH: `${build}/helpers/image`,
		STET_ADMIN_PATH: `${build}/no-pages`, // without the admin pages, the plain pages are served
		STET_CHECK_REPLIES: "1", // a reply that differs from the declared output of its op is a fault
		...environment,
	};
	const stet = (...words) =>
		execFileSync(`${build}/.libs/stet`, ["--config", conf, ...words], { env, encoding: "utf8" }).trim();

	fs.writeFileSync(
		conf,
		// Clients in this process may be silent for a long time while another part of it computes.
		`listen = { "127.0.0.1:0" }\nbody-timeout = "60s"\nidle-timeout = "10m"\nplugin-path = "${work}/none"\nsite "main" {\n` +
			`    hosts = { "${new URL(origin).hostname}" }\n    base-url = "${origin}"\n    data = "${work}/data"\n${more}}\n`,
	);
	fs.mkdirSync(`${work}/data`, { mode: 0o700 });
	stet("init");
	if (!isNew) stet("user", "add", ADMIN, "--name", "Ann", "--role", "admin");

	const daemon = start(`${build}/.libs/stetd`, ["--config", conf, "--foreground"], env);

	const port = await daemon.port;

	return {
		port,
		url: `http://${new URL(origin).hostname}:${port}`, // where it answers for its site without a proxy
		token: (scope) => stet("token", "add", ADMIN, "--name", scope, "--scope", scope),
		types: () => stet("types"),
		// Returns a link that signs in the administrator, or another user, once.
		link: (email = ADMIN) => /https?:\S+/.exec(stet("user", "recover", email))[0],
		stet,
		// Like `stet`, for commands that send requests to a server in this process.
		stetBeside: async (...words) =>
			(
				await promisify(execFile)(`${build}/.libs/stet`, ["--config", conf, ...words], { env })
			).stdout.trim(),
		said: () => daemon.said, // the daemon's log so far
		// Changes stet.conf and waits until the daemon has reloaded it; `key` is the key that changes.
		async change(from, to, key) {
			const at = daemon.said.length,
				until = Date.now() + 60000;
			fs.writeFileSync(conf, fs.readFileSync(conf, "utf8").replace(from, to));
			daemon.kill("SIGHUP");
			while (!daemon.said.slice(at).includes(`changed: ${key}`)) {
				if (Date.now() > until)
					throw new Error(`${key} was not taken:\n${daemon.said.slice(at)}`);
				await new Promise((resolve) => setTimeout(resolve, 10));
			}
		},
		// Stops the daemon; resolves with its exit status and its log.
		async stop() {
			daemon.kill();
			return { how: await daemon.ended, said: daemon.said };
		},
	};
}
