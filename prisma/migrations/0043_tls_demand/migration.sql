-- What an email demands of the connections that it takes to recipients' servers: as its request says, else as its project does.
ALTER TABLE projects ADD COLUMN tls text NOT NULL DEFAULT 'opportunistic'
  CONSTRAINT projects_tls_known CHECK (tls IN ('opportunistic', 'required', 'verified'));
ALTER TABLE emails ADD COLUMN tls text;
