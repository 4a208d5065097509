-- The session in which the mail of a loop test came to the listener: from which address, and with which TLS protocol.
ALTER TABLE return_routes ADD COLUMN returned_from text, ADD COLUMN returned_tls text;
