# Files in a bucket, with another's store and another's signatures.
NPM_SUITES += s3
EXTRA_DIST += \
	t/s3/README \
	t/s3/checker.mjs \
	t/s3/main.mjs \
	t/s3/package-lock.json \
	t/s3/package.json
