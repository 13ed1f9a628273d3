# The pages for people, in Chromium.
NPM_SUITES += browser
EXTRA_DIST += \
	t/browser/README \
	t/browser/account.mjs \
	t/browser/files.mjs \
	t/browser/foreign.mjs \
	t/browser/main.mjs \
	t/browser/package-lock.json \
	t/browser/package.json \
	t/browser/people.mjs \
	t/browser/pictures.mjs \
	t/browser/programs.mjs
