// next.config.mjs - static files in out/, a directory for each page. It does not look for newer versions of itself: a
// build asks nobody but stet.
/** @type {import("next").NextConfig} */
export default {
	// While developing, an address that does not exist would be an error.
	output: process.env.NODE_ENV === "production" ? "export" : undefined,
	trailingSlash: true,
	images: { unoptimized: true }, // stet makes their sizes
	devIndicators: false,
	experimental: { agentUpgrade: false, globalNotFound: true },
};
