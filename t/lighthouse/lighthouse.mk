# The pages of the starter and of the admin, scored by Lighthouse (LIGHTHOUSE_RUNS, LIGHTHOUSE_PAGE).
NPM_SUITES += lighthouse
lighthouse: web starter
EXTRA_DIST += \
	t/lighthouse/README \
	t/lighthouse/auditor.mjs \
	t/lighthouse/main.mjs \
	t/lighthouse/package-lock.json \
	t/lighthouse/scores.mjs \
	t/lighthouse/package.json
