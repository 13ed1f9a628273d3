// module.mjs - makes dist/ of src/ in a package of npm: minified modules by esbuild, their types by tsc. pack-npm puts it
// into the package's room, where build.mjs uses it.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import zlib from "node:zlib";

/**
 * @param name of the package, for messages
 * @param most bytes that the modules may have, fails if they are more; `packed`: with gzip
 * @param more options of esbuild
 */
export async function buildModules(name, most, { modules = ["index"], packed = false, ...more } = {}) {
	fs.rmSync("dist", { recursive: true, force: true });
	await build({
		entryPoints: modules.map((one) => `src/${one}.ts`),
		outdir: "dist",
		bundle: true,
		minify: true,
		format: "esm",
		platform: "neutral",
		target: "es2022",
		legalComments: "none",
		...more,
	});
	const tsc = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"], {
		stdio: "inherit",
	});
	if (tsc.status !== 0) process.exit(1);

	let plain = 0,
		gzip = 0;
	for (const file of fs.readdirSync("dist").filter((one) => one.endsWith(".js"))) {
		const module = fs.readFileSync(`dist/${file}`);
		plain += module.length;
		gzip += zlib.gzipSync(module, { level: 9 }).length;
	}
	const size = `${plain} bytes minified, ${gzip} with gzip`;
	if ((packed ? gzip : plain) > most) {
		console.error(`${name}: ${size}: more than ${most}`);
		process.exit(1);
	}
	console.log(`${name}: ${size}`);
}
