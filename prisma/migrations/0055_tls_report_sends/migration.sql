-- The report about TLS that a domain got about a day, or asked for in vain (RFC 8460).
CREATE TABLE tls_report_sends (
  day date NOT NULL,
  domain text NOT NULL,
  status text NOT NULL DEFAULT 'claimed'
    CONSTRAINT tls_report_sends_status CHECK (status IN ('claimed', 'not_asked', 'sent', 'failed')),
  target text,
  diagnostic text,
  ended_at timestamptz(3),
  PRIMARY KEY (day, domain)
);
