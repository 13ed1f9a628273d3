# The OpenAPI document: public validators, a TypeScript client made of it, and answers compared with it.
NPM_SUITES += openapi
EXTRA_DIST += \
	t/openapi/README \
	t/openapi/client.ts \
	t/openapi/conforms.mjs \
	t/openapi/main.mjs \
	t/openapi/package-lock.json \
	t/openapi/package.json \
	t/openapi/session.mjs \
	t/openapi/tsconfig.json
