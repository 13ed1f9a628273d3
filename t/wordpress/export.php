<?php
/* export.php - the site as WordPress itself exports it, on standard output. */
$_SERVER['HTTP_HOST'] = parse_url( $argv[2], PHP_URL_HOST ) . ':' . parse_url( $argv[2], PHP_URL_PORT );
require $argv[1] . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/export.php';
wp_set_current_user( 1 );
export_wp();
