-- How a report came, and of one that came by mail who sent it and what that mail proves of its sender.
ALTER TABLE dmarc_reports ADD COLUMN source text NOT NULL DEFAULT 'upload', ADD COLUMN sender jsonb;

-- What came to one address for reports, the latest first.
CREATE INDEX inbound_messages_reports ON inbound_messages (rcpt_to, id) WHERE door = 'reports';

-- Reports about TLS (RFC 8460), and what they count: sessions that failed by reason and host, and those that did not.
CREATE TABLE tls_reports (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  domain_id uuid NOT NULL,
  reporter text NOT NULL,
  report_id text NOT NULL,
  contact text,
  began_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3) NOT NULL,
  day date NOT NULL,
  succeeded bigint NOT NULL,
  failed bigint NOT NULL,
  source text NOT NULL DEFAULT 'upload',
  sender jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  FOREIGN KEY (project_id, domain_id) REFERENCES domains (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX tls_reports_project_id_id_key ON tls_reports (project_id, id);
CREATE UNIQUE INDEX tls_reports_project_id_domain_id_reporter_report_id_key
  ON tls_reports (project_id, domain_id, reporter, report_id);
CREATE INDEX tls_reports_project_id_domain_id_id_idx ON tls_reports (project_id, domain_id, id);
CREATE INDEX tls_reports_project_id_domain_id_day_idx ON tls_reports (project_id, domain_id, day);
CREATE INDEX tls_reports_ended_at_idx ON tls_reports (ended_at);

CREATE TABLE tls_report_results (
  report_id uuid NOT NULL,
  ordinal integer NOT NULL,
  project_id uuid NOT NULL,
  domain_id uuid NOT NULL,
  day date NOT NULL,
  policy_type text NOT NULL,
  result text NOT NULL,
  host text,
  sessions bigint NOT NULL,
  PRIMARY KEY (report_id, ordinal),
  FOREIGN KEY (project_id, report_id) REFERENCES tls_reports (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX tls_report_results_project_id_domain_id_day_idx ON tls_report_results (project_id, domain_id, day);
