<?php
/*
 * fill.php - a WordPress that is new gets an administrator and content of each kind; prints an application password of
 * theirs. fill.php DIRECTORY ADDRESS: the directory of WordPress, and where it is served.
 */
define( 'WP_INSTALLING', true );
$_SERVER['HTTP_HOST'] = parse_url( $argv[2], PHP_URL_HOST ) . ':' . parse_url( $argv[2], PHP_URL_PORT );
require $argv[1] . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';
require_once ABSPATH . 'wp-admin/includes/nav-menu.php';

function must( $value ) {
	if ( is_wp_error( $value ) || ! $value ) {
		fwrite( STDERR, is_wp_error( $value ) ? $value->get_error_message() . "\n" : "it failed\n" );
		exit( 1 );
	}
	return $value;
}

add_filter( 'pre_wp_mail', '__return_true' ); /* no mail */
wp_install( 'Old & true', 'ann', 'ann@old.example', true, '', 'secret' );
update_option( 'blogdescription', 'Since 1990' );
wp_set_current_user( 1 );
kses_remove_filters();
foreach ( get_posts( array( 'post_type' => 'any', 'post_status' => 'any', 'numberposts' => -1 ) ) as $old ) {
	wp_delete_post( $old->ID, true );
}
$bob = must( wp_insert_user( array( 'user_login' => 'bob', 'user_pass' => 'x', 'user_email' => 'bob@old.example', 'display_name' => 'Bob "B" Müller', 'role' => 'author' ) ) );

$news   = must( wp_insert_term( 'News & more', 'category', array( 'slug' => 'news', 'description' => 'All <b>news</b>' ) ) )['term_id'];
$local  = must( wp_insert_term( 'Local', 'category', array( 'slug' => 'local', 'parent' => $news ) ) )['term_id'];
must( wp_insert_term( 'Unused', 'category' ) );
must( wp_insert_term( 'Ünïcode tag', 'post_tag', array( 'slug' => 'unicode' ) ) );

/* A picture: an item of the library, whose file nobody asks for. */
$picture = must( wp_insert_attachment( array( 'post_title' => 'A picture', 'post_mime_type' => 'image/png', 'post_status' => 'inherit', 'post_excerpt' => 'Its caption' ), wp_upload_dir()['path'] . '/picture.png' ) );
update_post_meta( $picture, '_wp_attachment_image_alt', 'What "it" shows' );

$block = must( wp_insert_post( array( 'post_type' => 'wp_block', 'post_status' => 'publish', 'post_title' => 'Footer', 'post_name' => 'footer', 'post_content' => '<!-- wp:paragraph --><p>Feet</p><!-- /wp:paragraph -->' ) ) );

$markup = <<<'HTML'
<!-- wp:heading {"level":3} -->
<h3>Head &amp; shoulders</h3>
<!-- /wp:heading -->

<!-- wp:paragraph -->
<p>Text with <strong>bold</strong>, <a href="https://elsewhere.example/?a=1&amp;b=2">a link</a> and “quotes”.</p>
<!-- /wp:paragraph -->

<!-- wp:list -->
<ul><!-- wp:list-item --><li>One<!-- wp:list --><ul><!-- wp:list-item --><li>Below</li><!-- /wp:list-item --></ul><!-- /wp:list --></li><!-- /wp:list-item --></ul>
<!-- /wp:list -->

<!-- wp:quote -->
<blockquote class="wp-block-quote"><p>Said.</p><cite>Who</cite></blockquote>
<!-- /wp:quote -->

<!-- wp:code -->
<pre class="wp-block-code"><code>if (a &lt; b) return "x";</code></pre>
<!-- /wp:code -->

<!-- wp:table -->
<figure class="wp-block-table"><table><thead><tr><th>H</th></tr></thead><tbody><tr><td>C</td></tr></tbody></table></figure>
<!-- /wp:table -->
HTML;
$statuses = array( 'publish', 'draft', 'pending', 'private', 'future' );
for ( $i = 1; $i <= 120; $i++ ) {
	$status = $i <= 5 ? $statuses[ $i - 1 ] : 'publish';
	$id     = must(
		wp_insert_post(
			wp_slash(
				array(
					'post_title'   => "Post $i: <em>Q&A</em> \\ 'n' \"more\"",
					'post_name'    => "post-$i",
					'post_status'  => $status,
					'post_author'  => $i % 2 ? 1 : $bob,
					'post_date'    => 'future' === $status ? '2099-01-01 00:00:00' : sprintf( '2020-01-%02d 10:%02d:00', 1 + $i % 28, $i % 60 ),
					'post_content' => str_replace( 'Said.', "Said $i.", $markup ),
					'post_excerpt' => $i % 3 ? '' : "Excerpt of $i & so on",
					'tags_input'   => $i % 4 ? array() : array( 'Ünïcode tag' ),
				)
			)
		)
	);
	wp_set_post_terms( $id, array( $i % 2 ? $news : $local ), 'category' );
	update_post_meta( $id, 'rating', $i % 5 );
	update_post_meta( $id, 'note', "Line 1\nLine 2 <b>$i</b>" );
	update_post_meta( $id, '_yoast_wpseo_title', "SEO of $i" );
	if ( 0 === $i % 10 ) {
		set_post_thumbnail( $id, $picture );
		$said = must( wp_insert_comment( array( 'comment_post_ID' => $id, 'comment_author' => 'Cy', 'comment_author_email' => 'cy@old.example', 'comment_content' => "First on $i", 'comment_date_gmt' => '2021-01-01 00:00:00', 'comment_approved' => 1 ) ) );
		must( wp_insert_comment( array( 'comment_post_ID' => $id, 'comment_author' => 'Di', 'comment_author_email' => 'di@old.example', 'comment_content' => 'Reply & all', 'comment_date_gmt' => '2021-01-02 00:00:00', 'comment_approved' => 0, 'comment_parent' => $said ) ) );
	}
}
$classic = must( wp_insert_post( array( 'post_title' => 'Classic', 'post_name' => 'classic', 'post_status' => 'publish', 'post_content' => "A line\nand another.\n\nA <em>paragraph</em>.\n\n[gallery ids=\"$picture\"]" ) ) );
$about   = must( wp_insert_post( array( 'post_type' => 'page', 'post_title' => 'About', 'post_name' => 'about', 'post_status' => 'publish', 'post_content' => $markup, 'menu_order' => 2 ) ) );
$team    = must( wp_insert_post( array( 'post_type' => 'page', 'post_title' => 'Team', 'post_name' => 'team', 'post_status' => 'publish', 'post_parent' => $about ) ) );
must( wp_insert_post( array( 'post_title' => 'Secret', 'post_name' => 'secret', 'post_status' => 'publish', 'post_password' => 'x', 'post_content' => 'Hidden' ) ) );

$menu = must( wp_create_nav_menu( 'Main menu' ) );
$top  = must( wp_update_nav_menu_item( $menu, 0, array( 'menu-item-title' => 'About us', 'menu-item-object' => 'page', 'menu-item-object-id' => $about, 'menu-item-type' => 'post_type', 'menu-item-status' => 'publish' ) ) );
must( wp_update_nav_menu_item( $menu, 0, array( 'menu-item-title' => 'Elsewhere', 'menu-item-url' => 'https://elsewhere.example/', 'menu-item-type' => 'custom', 'menu-item-parent-id' => $top, 'menu-item-status' => 'publish', 'menu-item-classes' => 'big bold', 'menu-item-target' => '_blank' ) ) );

activate_plugin( 'stet-exporter/stet-exporter.php' );
$made = must( WP_Application_Passwords::create_new_application_password( 1, array( 'name' => 'stet' ) ) );
echo $made[0], "\n";
