# The authorization server, with other people's clients and a provider of OpenID Connect.
NPM_SUITES += oauth
EXTRA_DIST += \
	t/oauth/README \
	t/oauth/client.mjs \
	t/oauth/documents.mjs \
	t/oauth/house.mjs \
	t/oauth/main.mjs \
	t/oauth/package-lock.json \
	t/oauth/package.json \
	t/oauth/person.mjs \
	t/oauth/rules.mjs \
	t/oauth/sdk.mjs \
	t/oauth/signin.mjs \
	t/oauth/suite.mjs
