// wordpress.mjs - Debian's WordPress on loopback, with a database server of its own.
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import { freePort } from "../mcp/port.mjs";

const HOME = "/usr/share/wordpress";

export const missing = ["/usr/sbin/mariadbd", "/usr/bin/php", `${HOME}/wp-load.php`].find(
	(file) => !fs.existsSync(file),
);

async function until(what, ready) {
	const end = Date.now() + 60000;
	while (!(await ready())) {
		if (Date.now() > end) throw new Error(`${what} does not begin`);
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

const answers = (port) =>
	new Promise((resolve) => {
		const socket = net.connect(port, "127.0.0.1", () => resolve(socket.destroy() && true));
		socket.on("error", () => resolve(false));
	});

// Starts a database server that can only be reached by its socket.
async function startDatabase(work) {
	const data = `${work}/database`,
		socket = `${work}/db.sock`;
	const me = ["--no-defaults", ...(process.getuid() === 0 ? ["--user=root"] : [])];

	execFileSync(
		"mariadb-install-db",
		[...me, `--datadir=${data}`, "--auth-root-authentication-method=normal", "--skip-test-db"],
		{ stdio: "pipe" },
	);
	const server = spawn(
		"/usr/sbin/mariadbd",
		[
			...me,
			`--datadir=${data}`,
			`--socket=${socket}`,
			`--pid-file=${work}/db.pid`,
			"--skip-networking",
			"--innodb-flush-log-at-trx-commit=0",
		],
		{
			stdio: [
				"ignore",
				fs.openSync(`${work}/database.log`, "w"),
				fs.openSync(`${work}/database.log`, "a"),
			],
		},
	);
	await until("mariadbd", () => fs.existsSync(socket));
	execFileSync("mariadb", [
		"--no-defaults",
		`--socket=${socket}`,
		"--user=root",
		"--execute=CREATE DATABASE wordpress",
	]);
	return { socket, server };
}

function configure(www, socket, address) {
	fs.writeFileSync(
		`${www}/wp-config.php`,
		`<?php
define('DB_NAME', 'wordpress'); define('DB_USER', 'root'); define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:${socket}'); define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
foreach (array('AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT',
    'LOGGED_IN_SALT', 'NONCE_SALT') as $name) define($name, 'x' . $name);
define('WP_HOME', '${address}'); define('WP_SITEURL', '${address}');
define('WP_ENVIRONMENT_TYPE', 'local'); // application passwords without https
define('WP_HTTP_BLOCK_EXTERNAL', true); define('DISABLE_WP_CRON', true); define('AUTOMATIC_UPDATER_DISABLED', true);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`,
	);
}

// Starts WordPress, filled by fill.php, with our exporter from this directory. Among the results is `token`:
// "user:application password" in base64.
export async function startWordPress({ work, here, exporter }) {
	const www = `${work}/www`,
		port = await freePort(),
		address = `http://127.0.0.1:${port}`;
	const php = ["-d", "memory_limit=256M", "-d", "display_errors=stderr"];
	const database = await startDatabase(work);

	execFileSync("cp", ["-rL", HOME, www]);
	fs.rmSync(`${www}/wp-content/plugins`, { recursive: true, force: true });
	fs.mkdirSync(`${www}/wp-content/uploads`, { recursive: true });
	fs.cpSync(exporter, `${www}/wp-content/plugins/stet-exporter`, { recursive: true });
	configure(www, database.socket, address);
	const run = (script) =>
		execFileSync("php", [...php, `${here}/${script}`, www, address], {
			maxBuffer: 1 << 28,
			encoding: "utf8",
		});
	const password = run("fill.php").trim().split("\n").pop();
	const server = spawn("php", [...php, "-S", `127.0.0.1:${port}`, "-t", www], { stdio: "ignore" });
	await until("php", () => answers(port));
	return {
		address,
		token: Buffer.from(`ann:${password}`).toString("base64"),
		export: () => run("export.php"),
		stop() {
			server.kill();
			database.server.kill();
		},
	};
}
