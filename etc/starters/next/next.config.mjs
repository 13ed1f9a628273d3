// next.config.mjs - static files in out/, a directory for each page. Next asks nobody but stet: it sends no telemetry, and
// does not look for newer versions of itself.
process.env.NEXT_TELEMETRY_DISABLED = "1";

/** @type {import("next").NextConfig} */
export default {
	output: "export",
	trailingSlash: true,
	images: { unoptimized: true }, // stet makes their sizes
	devIndicators: false,
	experimental: { agentUpgrade: false, globalNotFound: true },
};
