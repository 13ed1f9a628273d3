// build.mjs - makes dist/ of src/: one module, at most 10,000 bytes.
import { buildModules } from "./module.mjs";

await buildModules("client", 10_000, {
	lineLimit: 160, // Node shows the line in which an error was thrown
});
