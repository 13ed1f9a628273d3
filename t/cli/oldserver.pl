# oldserver.pl - a socket that speaks as PostgreSQL 12 does, as far as its greeting goes: for refusals.t.
use strict;
use warnings;
use IO::Socket::UNIX;

my $server = IO::Socket::UNIX->new(Local => $ARGV[0], Listen => 5) or die;
chmod 0777, $ARGV[0];

sub message {
	my ($type, $body) = @_;
	return $type . pack('N', 4 + length $body) . $body;
}

while (my $client = $server->accept) {
	my ($length, $rest);
	$client->autoflush(1);
	while ($client->read($length, 4)) {
		$client->read($rest, unpack('N', $length) - 4);
		last if unpack('N', $rest) == 196608;
		print $client 'N'; # neither TLS nor GSSAPI
	}
	print $client message('R', pack('N', 0)),
	    map({ message('S', join("\0", @$_) . "\0") } ['server_version', '12.9'], ['server_encoding', 'UTF8'],
		['client_encoding', 'UTF8'], ['standard_conforming_strings', 'on']),
	    message('K', pack('NN', 1, 1)), message('Z', 'I');
	# The client asks whether transactions are read-only.
	while ($client->read(my $type, 1)) {
		$client->read($length, 4);
		$client->read($rest, unpack('N', $length) - 4) if unpack('N', $length) > 4;
		last if $type eq 'X';
		print $client message('T', pack('n', 1) . "transaction_read_only\0" . pack('NnNnNn', 0, 0, 25, 65535, 0xffffffff, 0)),
		    message('D', pack('nN', 1, 3) . 'off'), message('C', "SHOW\0"), message('Z', 'I');
	}
	close $client;
}
