# The tool server: conformance suites, clients of its field, Inspector.
NPM_SUITES += mcp-conformance
mcp-conformance: t/mcp/fixtures/fixtures.la
EXTRA_DIST += \
	t/mcp/README \
	t/mcp/command.mjs \
	t/mcp/corpus.mjs \
	t/mcp/daemon.mjs \
	t/mcp/elicit.mjs \
	t/mcp/inspector.mjs \
	t/mcp/list.mjs \
	t/mcp/main.mjs \
	t/mcp/not-applicable.yml \
	t/mcp/package-lock.json \
	t/mcp/package.json \
	t/mcp/port.mjs \
	t/mcp/proxy.mjs \
	t/mcp/report.mjs \
	t/mcp/session.mjs \
	t/mcp/suites.mjs \
	t/mcp/week.json \
	t/mcp/week.mjs
