-- DMARC aggregate reports (RFC 9990) that were uploaded, and the messages that they count.
CREATE TABLE dmarc_reports (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  domain_id uuid NOT NULL,
  reporter text NOT NULL,
  report_id text NOT NULL,
  policy_domain text NOT NULL,
  policy text NOT NULL,
  began_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3) NOT NULL,
  day date NOT NULL,
  messages integer NOT NULL,
  aligned integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  FOREIGN KEY (project_id, domain_id) REFERENCES domains (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX dmarc_reports_project_id_id_key ON dmarc_reports (project_id, id);
CREATE UNIQUE INDEX dmarc_reports_project_id_domain_id_reporter_report_id_key
  ON dmarc_reports (project_id, domain_id, reporter, report_id);
CREATE INDEX dmarc_reports_project_id_domain_id_id_idx ON dmarc_reports (project_id, domain_id, id);
CREATE INDEX dmarc_reports_project_id_domain_id_day_idx ON dmarc_reports (project_id, domain_id, day);
CREATE INDEX dmarc_reports_ended_at_idx ON dmarc_reports (ended_at);

CREATE TABLE dmarc_sources (
  report_id uuid NOT NULL,
  ordinal integer NOT NULL,
  project_id uuid NOT NULL,
  domain_id uuid NOT NULL,
  day date NOT NULL,
  address text NOT NULL,
  identity text,
  kind text NOT NULL,
  disposition text NOT NULL,
  dkim boolean NOT NULL,
  spf boolean NOT NULL,
  messages integer NOT NULL,
  PRIMARY KEY (report_id, ordinal),
  FOREIGN KEY (project_id, report_id) REFERENCES dmarc_reports (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX dmarc_sources_project_id_domain_id_day_idx ON dmarc_sources (project_id, domain_id, day);
