// build.mjs - makes dist/ of src/: one module, at most 8,192 bytes with gzip.
import { buildModules } from "./module.mjs";

await buildModules("render", 8192, { packed: true });
