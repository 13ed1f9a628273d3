// start.mjs - node start.mjs dev|build runs Next, which sends no telemetry: not either when it ends before it has read its
// configuration.
process.env.NEXT_TELEMETRY_DISABLED = "1";
await import("next/dist/bin/next");
