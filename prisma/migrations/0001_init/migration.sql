-- The tables of Mailroom, area by area, as prisma/schema describes them (their columns are explained there), with what
-- Prisma cannot say: checks, partial indexes, partitions, storage. Functions and triggers are in prisma/functions.

-- Search by a part of an address or a name goes by three letters.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- == The installation and its people ==

CREATE TABLE installation (
  id smallint PRIMARY KEY DEFAULT 1 CONSTRAINT installation_single CHECK (id = 1),
  secret_key_id text,
  setup_token_hash bytea,
  completed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);

CREATE TABLE organizations (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  multi_region boolean NOT NULL DEFAULT false,
  daily_sends integer NOT NULL DEFAULT 50000,
  daily_sends_ceiling integer NOT NULL DEFAULT 50000,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);

CREATE TABLE users (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  name text,
  password_hash text,
  email_proven_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE UNIQUE INDEX users_email_key ON users (email);

CREATE TABLE identities (
  provider text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  PRIMARY KEY (provider, subject)
);
CREATE INDEX identities_user_id_idx ON identities (user_id);

CREATE TABLE members (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  role text NOT NULL CONSTRAINT members_role CHECK (role IN ('owner', 'admin', 'developer', 'viewer')),
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX members_user_id_idx ON members (user_id);

CREATE TABLE invites (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  email text NOT NULL,
  role text NOT NULL CONSTRAINT invites_role CHECK (role IN ('owner', 'admin', 'developer', 'viewer')),
  token_hash bytea NOT NULL,
  invited_by uuid,
  mailed boolean NOT NULL DEFAULT false,
  expires_at timestamptz(3) NOT NULL,
  accepted_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE UNIQUE INDEX invites_token_hash_key ON invites (token_hash);
CREATE INDEX invites_organization_id_idx ON invites (organization_id);
-- One open invite for each address and organization.
CREATE UNIQUE INDEX invites_open ON invites (organization_id, email) WHERE accepted_at IS NULL AND revoked_at IS NULL;
CREATE INDEX invites_email_idx ON invites (email);
CREATE INDEX invites_expires_at_idx ON invites (expires_at);

CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  last_seen_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  signed_in_by text NOT NULL DEFAULT 'password'
    CONSTRAINT sessions_signed_in_by CHECK (signed_in_by IN ('password', 'link', 'github', 'google')),
  confirmed_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  ip text,
  user_agent text,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

CREATE TABLE sign_in_links (
  token_hash bytea PRIMARY KEY,
  user_id uuid REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  email text,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  CONSTRAINT sign_in_links_for_one CHECK (num_nonnulls(user_id, email) = 1)
);
CREATE INDEX sign_in_links_user_id_idx ON sign_in_links (user_id);

-- == Mail of the installation itself: sign-in links, invites ==

-- The content is sealed and goes with the row once the mail is handed off.
CREATE TABLE system_mails (
  id uuid PRIMARY KEY,
  content bytea NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE INDEX system_mails_due_at_idx ON system_mails (due_at);

-- What no server took, for the operator. Nothing of its content is kept.
CREATE TABLE undelivered_system_mails (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  recipient bytea NOT NULL,
  invite_id uuid,
  reason text NOT NULL,
  queued_at timestamptz(3) NOT NULL,
  failed_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE INDEX undelivered_system_mails_failed_at_idx ON undelivered_system_mails (failed_at);
CREATE INDEX undelivered_system_mails_invite_id_idx ON undelivered_system_mails (invite_id);

CREATE TABLE service_keys (
  domain text PRIMARY KEY,
  selector text NOT NULL,
  public_key text NOT NULL,
  private_key bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);

-- == Projects, what they may send, and their API keys ==

CREATE TABLE projects (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations ON UPDATE CASCADE,
  name text NOT NULL,
  slug text NOT NULL,
  region text NOT NULL,
  per_second_sends integer NOT NULL DEFAULT 14,
  per_second_sends_ceiling integer NOT NULL DEFAULT 14,
  max_recipients integer NOT NULL DEFAULT 50,
  max_recipients_ceiling integer NOT NULL DEFAULT 50,
  max_domains integer NOT NULL DEFAULT 25,
  max_domains_ceiling integer NOT NULL DEFAULT 25,
  max_api_keys integer NOT NULL DEFAULT 10,
  max_api_keys_ceiling integer NOT NULL DEFAULT 10,
  max_webhooks integer NOT NULL DEFAULT 10,
  max_webhooks_ceiling integer NOT NULL DEFAULT 10,
  click_tracking boolean NOT NULL DEFAULT false,
  open_tracking boolean NOT NULL DEFAULT false,
  read_engagement boolean NOT NULL DEFAULT false,
  scroll_depth boolean NOT NULL DEFAULT false,
  unsubscribe_tracking boolean NOT NULL DEFAULT false,
  ambiguous_policy text NOT NULL DEFAULT 'resend'
    CONSTRAINT projects_ambiguous_policy CHECK (ambiguous_policy IN ('resend', 'hold')),
  brand_name text,
  brand_color text,
  brand_logo bytea,
  brand_logo_type text,
  suspended_at timestamptz(3),
  suspension_reason text,
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE INDEX projects_organization_id_id_idx ON projects (organization_id, id);
CREATE UNIQUE INDEX projects_organization_id_slug_key ON projects (organization_id, slug);

-- Updated by every send: room on each page, so that updates touch no index. The allowances likewise.
CREATE TABLE quota_days (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  day date NOT NULL,
  used integer NOT NULL DEFAULT 0 CONSTRAINT quota_days_used CHECK (used >= 0),
  PRIMARY KEY (organization_id, day)
) WITH (fillfactor = 20);
CREATE INDEX quota_days_day_idx ON quota_days (day);

CREATE TABLE send_allowances (
  project_id uuid PRIMARY KEY REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  tokens double precision NOT NULL DEFAULT 1000000000,
  refilled_at timestamptz(6) NOT NULL DEFAULT transaction_timestamp(),
  emails bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 20);

-- A table of its own, so that a claim and an accept of one project never wait for each other.
CREATE TABLE hand_off_allowances (
  project_id uuid PRIMARY KEY REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  tokens double precision NOT NULL DEFAULT 1000000000,
  refilled_at timestamptz(6) NOT NULL DEFAULT transaction_timestamp()
) WITH (fillfactor = 20);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  name text,
  hash bytea NOT NULL,
  start text NOT NULL,
  permissions text[],
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_request_at timestamptz(3),
  request_count integer NOT NULL DEFAULT 0,
  created_by uuid,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE UNIQUE INDEX api_keys_hash_key ON api_keys (hash);
CREATE UNIQUE INDEX api_keys_project_id_id_key ON api_keys (project_id, id);
CREATE INDEX api_keys_live ON api_keys (project_id) WHERE revoked_at IS NULL;

-- Partitioned by month (ensure_partitions), so that retention is a dropped partition.
CREATE TABLE api_key_requests (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  project_id uuid NOT NULL,
  key_id uuid NOT NULL,
  method text NOT NULL,
  route text NOT NULL,
  status_code integer NOT NULL,
  duration_ms integer,
  ip text,
  created_at timestamptz(3) NOT NULL
) PARTITION BY RANGE (id);
CREATE INDEX api_key_requests_project_id_key_id_id_idx ON api_key_requests (project_id, key_id, id);

-- == Who did what, and how often ==

-- Append only: refuse_audit_change.
CREATE TABLE audit_entries (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations ON UPDATE CASCADE,
  project_id uuid,
  actor_kind text NOT NULL,
  actor_id uuid,
  action text NOT NULL,
  target text,
  changes jsonb,
  ip text,
  request_id text,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE INDEX audit_entries_organization_id_id_idx ON audit_entries (organization_id, id);

-- Lost in a crash of the database, which costs callers nothing.
CREATE UNLOGGED TABLE rate_windows (
  key text PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
) WITH (fillfactor = 50);

-- == Sending domains ==

CREATE TABLE domains (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  name text NOT NULL,
  region text NOT NULL,
  mail_from_domain text NOT NULL,
  tracking_domain text NOT NULL,
  status text NOT NULL DEFAULT 'pending'
    CONSTRAINT domains_status CHECK (status IN ('pending', 'verified', 'degraded', 'failed')),
  dkim_status text NOT NULL DEFAULT 'pending',
  spf_status text NOT NULL DEFAULT 'pending',
  mail_from_status text NOT NULL DEFAULT 'pending',
  dmarc_status text NOT NULL DEFAULT 'not_configured',
  tracking_status text NOT NULL DEFAULT 'not_configured',
  bimi_status text NOT NULL DEFAULT 'not_configured',
  bimi_logo_url text,
  bimi_vmc_url text,
  records jsonb NOT NULL,
  verified_at timestamptz(3),
  missing_since timestamptz(3),
  checked_at timestamptz(3),
  check_attempt integer NOT NULL DEFAULT 0,
  due_at timestamptz(3),
  hosting jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE UNIQUE INDEX domains_mail_from_domain_key ON domains (mail_from_domain);
CREATE UNIQUE INDEX domains_project_id_id_key ON domains (project_id, id);
CREATE UNIQUE INDEX domains_project_id_name_key ON domains (project_id, name);
CREATE INDEX domains_due ON domains (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE dkim_keys (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  domain_id uuid NOT NULL,
  selector text NOT NULL,
  public_key text NOT NULL,
  private_key bytea,
  state text NOT NULL CONSTRAINT dkim_keys_state CHECK (state IN ('active', 'standby', 'retired')),
  status text NOT NULL DEFAULT 'pending',
  retired_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  FOREIGN KEY (project_id, domain_id) REFERENCES domains (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX dkim_keys_project_id_domain_id_idx ON dkim_keys (project_id, domain_id);
CREATE UNIQUE INDEX dkim_keys_project_id_id_key ON dkim_keys (project_id, id);

CREATE TABLE domain_checks (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  domain_id uuid NOT NULL,
  status text NOT NULL,
  findings jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  FOREIGN KEY (project_id, domain_id) REFERENCES domains (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX domain_checks_project_id_domain_id_id_idx ON domain_checks (project_id, domain_id, id);

-- The key of a deleted domain, until the last mail that was accepted before has ended.
CREATE TABLE retained_signers (
  domain_id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  domain text NOT NULL,
  region text NOT NULL,
  mail_from_domain text NOT NULL,
  key_id uuid NOT NULL,
  selector text NOT NULL,
  private_key bytea NOT NULL,
  records jsonb NOT NULL,
  ended_up_to uuid,
  deleted_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE UNIQUE INDEX retained_signers_project_id_domain_id_key ON retained_signers (project_id, domain_id);

CREATE TABLE dmarc_tokens (
  token text PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  domain text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE UNIQUE INDEX dmarc_tokens_organization_id_domain_key ON dmarc_tokens (organization_id, domain);

-- == Contacts, what is known of them, and why one gets no mail ==

CREATE TABLE contacts (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  email text NOT NULL,
  first_name text,
  last_name text,
  phone text,
  image_url text,
  image_key text,
  properties jsonb NOT NULL DEFAULT '{}',
  unsubscribed boolean NOT NULL DEFAULT false,
  validation_status text NOT NULL DEFAULT 'unknown'
    CONSTRAINT contacts_validation_status CHECK (validation_status IN ('valid', 'risky', 'invalid', 'unknown')),
  validation_reason text,
  validated_at timestamptz(3),
  engagement_score integer,
  engagement_tier text,
  scored_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE UNIQUE INDEX contacts_project_id_id_key ON contacts (project_id, id);
CREATE UNIQUE INDEX contacts_project_id_email_key ON contacts (project_id, email);
CREATE INDEX contacts_search
  ON contacts USING gin ((email || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, '')) gin_trgm_ops);
CREATE INDEX contacts_unsubscribed ON contacts (project_id, id) WHERE unsubscribed;
CREATE INDEX contacts_image_key ON contacts (image_key) WHERE image_key IS NOT NULL;

CREATE TABLE contact_activities (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  type text NOT NULL,
  reference_id uuid,
  reference_name text,
  occurred_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  FOREIGN KEY (project_id, contact_id) REFERENCES contacts (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX contact_activities_project_id_contact_id_occurred_at_idx
  ON contact_activities (project_id, contact_id, occurred_at);
CREATE INDEX contact_activities_occurred_at_idx ON contact_activities (occurred_at);

CREATE TABLE contact_properties (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  key text NOT NULL,
  type text NOT NULL CONSTRAINT contact_properties_type CHECK (type IN ('string', 'number')),
  fallback_value text,
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE UNIQUE INDEX contact_properties_project_id_id_key ON contact_properties (project_id, id);
CREATE UNIQUE INDEX contact_properties_project_id_key_key ON contact_properties (project_id, key);

CREATE TABLE suppressions (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  email text NOT NULL,
  reason text NOT NULL CONSTRAINT suppressions_reason CHECK (reason IN ('bounce', 'complaint', 'manual', 'unsubscribe')),
  contact_id uuid,
  email_id uuid,
  event_id uuid,
  evidence text,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE UNIQUE INDEX suppressions_project_id_email_key ON suppressions (project_id, email);
CREATE UNIQUE INDEX suppressions_project_id_id_key ON suppressions (project_id, id);

CREATE TABLE imports (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  kind text NOT NULL,
  status text NOT NULL
    CONSTRAINT imports_status CHECK (status IN ('queued', 'running', 'completed', 'cancelled', 'failed')),
  options jsonb NOT NULL,
  object_key text,
  total integer NOT NULL DEFAULT 0,
  processed integer NOT NULL DEFAULT 0,
  created integer NOT NULL DEFAULT 0,
  updated integer NOT NULL DEFAULT 0,
  skipped integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  errors jsonb NOT NULL DEFAULT '[]',
  bytes bigint NOT NULL DEFAULT 0,
  bytes_read bigint NOT NULL DEFAULT 0,
  failure text,
  attempt integer NOT NULL DEFAULT 0,
  stalled integer NOT NULL DEFAULT 0,
  due_at timestamptz(3),
  created_by uuid,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE UNIQUE INDEX imports_project_id_id_key ON imports (project_id, id);
CREATE INDEX imports_due ON imports (due_at) WHERE due_at IS NOT NULL;
-- The files that wait to be imported are counted at each upload: only those, however many imports there have been.
CREATE INDEX imports_files ON imports (project_id, bytes) WHERE object_key IS NOT NULL;

CREATE TABLE import_errors (
  project_id uuid NOT NULL,
  import_id uuid NOT NULL,
  line integer NOT NULL,
  faults jsonb NOT NULL,
  PRIMARY KEY (project_id, import_id, line),
  FOREIGN KEY (project_id, import_id) REFERENCES imports (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX import_errors_import_id_idx ON import_errors (import_id);

CREATE TABLE engagement_work (
  project_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  changed_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  PRIMARY KEY (project_id, contact_id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX engagement_work_changed_at_idx ON engagement_work (changed_at);

CREATE TABLE engagement_pass (
  id integer PRIMARY KEY DEFAULT 1 CONSTRAINT engagement_pass_single CHECK (id = 1),
  due_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  last_project uuid,
  last_contact uuid
);
INSERT INTO engagement_pass DEFAULT VALUES;

-- == Topics that contacts opt in to or out of ==

CREATE TABLE topics (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  name text NOT NULL,
  description text,
  default_subscription text NOT NULL CONSTRAINT topics_default CHECK (default_subscription IN ('opt_in', 'opt_out')),
  visibility text NOT NULL DEFAULT 'private' CONSTRAINT topics_visibility CHECK (visibility IN ('public', 'private')),
  opt_in_count integer NOT NULL DEFAULT 0,
  opt_out_count integer NOT NULL DEFAULT 0,
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX topics_project_id_id_key ON topics (project_id, id);

CREATE TABLE topic_preferences (
  project_id uuid NOT NULL,
  topic_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  subscription text NOT NULL CONSTRAINT topic_preferences_subscription CHECK (subscription IN ('opt_in', 'opt_out')),
  updated_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  PRIMARY KEY (project_id, topic_id, contact_id),
  FOREIGN KEY (project_id, topic_id) REFERENCES topics (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  FOREIGN KEY (project_id, contact_id) REFERENCES contacts (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX topic_preferences_project_id_contact_id_idx ON topic_preferences (project_id, contact_id);
CREATE INDEX topic_preferences_opted_in ON topic_preferences (project_id, topic_id, contact_id)
  WHERE subscription = 'opt_in';

CREATE TABLE topic_opt_outs (
  project_id uuid NOT NULL,
  topic_id uuid NOT NULL,
  email text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  PRIMARY KEY (project_id, email, topic_id),
  FOREIGN KEY (project_id, topic_id) REFERENCES topics (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX topic_opt_outs_project_id_topic_id_idx ON topic_opt_outs (project_id, topic_id);

-- == Segments, and the work that keeps the members of those with a filter current ==

CREATE TABLE segments (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  name text NOT NULL,
  filter jsonb,
  filter_version integer NOT NULL DEFAULT 0,
  contact_count integer NOT NULL DEFAULT 0,
  unsubscribed_count integer NOT NULL DEFAULT 0,
  pass_due_at timestamptz(3),
  pass_attempt integer NOT NULL DEFAULT 0,
  pass_cursor uuid,
  pass_done integer NOT NULL DEFAULT 0,
  pass_total integer NOT NULL DEFAULT 0,
  passed_at timestamptz(3),
  passed_version integer NOT NULL DEFAULT 0,
  watches_events boolean NOT NULL DEFAULT false,
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX segments_project_id_id_key ON segments (project_id, id);
CREATE UNIQUE INDEX segments_project_id_name_key ON segments (project_id, name);
CREATE INDEX segments_pass_due ON segments (pass_due_at) WHERE pass_due_at IS NOT NULL;
CREATE INDEX segments_filtered ON segments (project_id) WHERE filter IS NOT NULL;
CREATE INDEX segments_watching ON segments (project_id) WHERE watches_events;
CREATE INDEX segments_deleted ON segments (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE segment_members (
  project_id uuid NOT NULL,
  segment_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  origin text NOT NULL DEFAULT 'added'
    CONSTRAINT segment_members_origin CHECK (origin IN ('filter', 'added', 'removed')),
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  PRIMARY KEY (project_id, segment_id, contact_id),
  FOREIGN KEY (project_id, segment_id) REFERENCES segments (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  FOREIGN KEY (project_id, contact_id) REFERENCES contacts (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX segment_members_project_id_contact_id_idx ON segment_members (project_id, contact_id);

CREATE TABLE segment_work (
  project_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  changed_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  PRIMARY KEY (project_id, contact_id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX segment_work_changed_at_idx ON segment_work (changed_at);

CREATE TABLE segment_events (
  id bigserial PRIMARY KEY,
  project_id uuid NOT NULL,
  delivery_id uuid NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- == Counts that are kept ==

CREATE TABLE audience_totals (
  project_id uuid PRIMARY KEY REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  contacts integer NOT NULL DEFAULT 0,
  unsubscribed integer NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- Emptied again and again: vacuumed by what was deleted, not by the size of the table. Likewise the other queues.
CREATE TABLE count_deltas (
  id bigserial PRIMARY KEY,
  project_id uuid NOT NULL,
  subject_id uuid NOT NULL,
  included integer NOT NULL,
  opposed integer NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX count_deltas_subject_id_idx ON count_deltas (subject_id);

CREATE TABLE metric_hours (
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  hour timestamptz(3) NOT NULL,
  sent integer NOT NULL DEFAULT 0,
  delivered integer NOT NULL DEFAULT 0,
  bounced integer NOT NULL DEFAULT 0,
  complained integer NOT NULL DEFAULT 0,
  opened integer NOT NULL DEFAULT 0,
  clicked integer NOT NULL DEFAULT 0,
  unsubscribed integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  delayed integer NOT NULL DEFAULT 0,
  read_engaged integer NOT NULL DEFAULT 0,
  machine_opens integer NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, hour)
) WITH (fillfactor = 50);
CREATE INDEX metric_hours_hour_idx ON metric_hours (hour);

-- As metric_hours: the row of the running hour is written again and again.
CREATE TABLE topic_hours (
  project_id uuid NOT NULL,
  topic_id uuid NOT NULL,
  hour timestamptz(3) NOT NULL,
  sent integer NOT NULL DEFAULT 0,
  delivered integer NOT NULL DEFAULT 0,
  bounced integer NOT NULL DEFAULT 0,
  complained integer NOT NULL DEFAULT 0,
  opened integer NOT NULL DEFAULT 0,
  clicked integer NOT NULL DEFAULT 0,
  unsubscribed integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  delayed integer NOT NULL DEFAULT 0,
  read_engaged integer NOT NULL DEFAULT 0,
  machine_opens integer NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, topic_id, hour),
  FOREIGN KEY (project_id, topic_id) REFERENCES topics (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE
) WITH (fillfactor = 50);
CREATE INDEX topic_hours_hour_idx ON topic_hours (hour);

-- == Emails and their way out ==

-- Not partitioned: an idempotency key is unique for ever.
CREATE TABLE emails (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  idempotency_key text,
  group_id uuid NOT NULL,
  group_index integer NOT NULL DEFAULT 0,
  status text NOT NULL
    CONSTRAINT emails_status CHECK (status IN ('queued', 'scheduled', 'sending', 'sent', 'delivered',
      'delivery_delayed', 'opened', 'clicked', 'bounced', 'complained', 'failed', 'rejected', 'suppressed', 'cancelled',
      'test', 'indeterminate')),
  admitted_status text NOT NULL,
  domain_id uuid NOT NULL,
  from_header text NOT NULL,
  to_headers text[],
  cc_headers text[],
  bcc_headers text[],
  reply_to text,
  subject text NOT NULL,
  message_id text NOT NULL,
  category text NOT NULL DEFAULT 'transactional',
  topic_id uuid,
  audience_id text,
  tags jsonb,
  metadata jsonb,
  headers jsonb,
  tracking jsonb,
  test_mode boolean NOT NULL DEFAULT false,
  scheduled_at timestamptz(3),
  admitted_for timestamptz(3),
  window_start timestamptz(3),
  window_end timestamptz(3),
  give_up_after integer,
  size integer NOT NULL DEFAULT 0,
  error text,
  key_id uuid,
  user_id uuid,
  request_id uuid,
  due_at timestamptz(3),
  attempt integer NOT NULL DEFAULT 0,
  sent_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
) WITH (fillfactor = 85);
CREATE UNIQUE INDEX emails_project_id_id_key ON emails (project_id, id);
CREATE UNIQUE INDEX emails_idempotency ON emails (project_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX emails_due ON emails (project_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX emails_group ON emails (project_id, group_id, group_index) WHERE group_index > 0;
-- Filters of the email log, newest first: a rare sender, topic or tag is found without reading all other emails.
-- Nothing here names status: an index that does makes every change of it write to all of them.
CREATE INDEX emails_project_id_domain_id_id_idx ON emails (project_id, domain_id, id);
CREATE INDEX emails_topic ON emails (project_id, topic_id, id) WHERE topic_id IS NOT NULL;
CREATE INDEX emails_tags ON emails USING gin (tags) WHERE tags IS NOT NULL;

CREATE TABLE email_bodies (
  project_id uuid NOT NULL,
  email_id uuid NOT NULL,
  text text,
  html text,
  attachments jsonb,
  raw bytea,
  cuts jsonb,
  composed_at timestamptz(3),
  emptied_at timestamptz(3),
  PRIMARY KEY (project_id, email_id),
  FOREIGN KEY (project_id, email_id) REFERENCES emails (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
-- What is still full, by age. An index over the four columns would take another entry for every message composed.
CREATE INDEX email_bodies_full ON email_bodies (email_id) WHERE emptied_at IS NULL;

-- The content of a large send, stored once however many messages it makes, and written before the send is decided. It
-- has no foreign key to emails for that reason; what no message came to use is swept.
CREATE TABLE email_contents (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  text text,
  html text,
  attachments jsonb NOT NULL,
  files bytea NOT NULL,
  in_use boolean NOT NULL DEFAULT false
);
-- Most files are compressed already: trying again costs more processor time than it saves bytes.
ALTER TABLE email_contents ALTER COLUMN files SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX email_contents_project_id_id_key ON email_contents (project_id, id);
CREATE INDEX email_contents_undecided ON email_contents (id) WHERE NOT in_use;

CREATE TABLE deliveries (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  email_id uuid NOT NULL,
  region text NOT NULL,
  role text NOT NULL CONSTRAINT deliveries_role CHECK (role IN ('to', 'cc', 'bcc')),
  address text NOT NULL,
  canonical text NOT NULL,
  status text NOT NULL,
  suppressed_by text,
  attempt integer NOT NULL DEFAULT 0,
  tries integer NOT NULL DEFAULT 0,
  unfinished integer NOT NULL DEFAULT 0,
  data_attempt integer,
  due_at timestamptz(3),
  first_attempt_at timestamptz(3),
  sent_at timestamptz(3),
  delivered_at timestamptz(3),
  ended_at timestamptz(3),
  bounce_type text,
  bounce_code text,
  diagnostic text,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  FOREIGN KEY (project_id, email_id) REFERENCES emails (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX deliveries_project_id_email_id_idx ON deliveries (project_id, email_id);
CREATE UNIQUE INDEX deliveries_project_id_id_key ON deliveries (project_id, id);
CREATE INDEX deliveries_due ON deliveries (region, project_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_recipient ON deliveries (project_id, canonical, email_id);
-- Tells whether anything of a region is due without walking its projects.
CREATE INDEX deliveries_region_due ON deliveries (region, due_at) WHERE due_at IS NOT NULL;
-- Mail for the simulator, which goes on while the relay of its region is unreachable.
CREATE INDEX deliveries_simulated_due ON deliveries (region, project_id, due_at)
  WHERE due_at IS NOT NULL AND canonical LIKE '%@simulator.%';
-- Soft bounces of an address, which are few beside all its deliveries.
CREATE INDEX deliveries_soft ON deliveries (project_id, canonical, ended_at) WHERE bounce_type = 'soft';
-- Emails that nobody got, by status: an email has the status of one of its deliveries.
CREATE INDEX deliveries_not_reached ON deliveries (project_id, status, email_id)
  WHERE status IN ('bounced', 'failed', 'rejected', 'suppressed', 'cancelled', 'test', 'indeterminate');

CREATE TABLE delivery_attempts (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  email_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  attempt integer NOT NULL,
  outcome text NOT NULL,
  phase text,
  code integer,
  enhanced text,
  text text,
  remote text,
  tls text,
  conversation text,
  started_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3)
) PARTITION BY RANGE (id);
CREATE INDEX delivery_attempts_project_id_email_id_idx ON delivery_attempts (project_id, email_id);

-- A relay that cannot be reached is a state of its region, stored once for all workers.
CREATE TABLE region_outages (
  route text PRIMARY KEY,
  since timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  phase text NOT NULL,
  diagnostic text NOT NULL,
  probed_at timestamptz(3),
  next_probe_at timestamptz(6) NOT NULL,
  noted_at timestamptz(6) NOT NULL DEFAULT transaction_timestamp()
);

CREATE TABLE sandbox_messages (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  email_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  mail_from text NOT NULL,
  rcpt_to text NOT NULL,
  subject text,
  from_header text,
  dkim text NOT NULL,
  spf text NOT NULL,
  dmarc text NOT NULL,
  verdicts jsonb NOT NULL,
  size integer NOT NULL,
  raw bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE UNIQUE INDEX sandbox_messages_project_id_id_key ON sandbox_messages (project_id, id);

-- == Events, and who hears of them ==

-- Partitioned by month, like delivery_attempts and api_key_requests.
CREATE TABLE events (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  email_id uuid,
  delivery_id uuid,
  contact_id uuid,
  type text NOT NULL,
  data jsonb NOT NULL,
  seq bigint,
  occurred_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
) PARTITION BY RANGE (id);
CREATE INDEX events_project_id_email_id_idx ON events (project_id, email_id);
CREATE INDEX events_project_id_seq_idx ON events (project_id, seq);
CREATE INDEX events_undispatched ON events (id) WHERE seq IS NULL;

CREATE TABLE dispatch_state (
  id smallint PRIMARY KEY DEFAULT 1 CONSTRAINT dispatch_state_single CHECK (id = 1),
  last_seq bigint NOT NULL DEFAULT 0
);
INSERT INTO dispatch_state (id) VALUES (1);

CREATE TABLE provider_events (
  provider text NOT NULL,
  event_id text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  PRIMARY KEY (provider, event_id)
);
CREATE INDEX provider_events_created_at_idx ON provider_events (created_at);

CREATE TABLE stream_tokens (
  token_hash bytea PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  key_id uuid,
  session_id uuid,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  seen_at timestamptz(3),
  created_at timestamptz(6) NOT NULL DEFAULT transaction_timestamp()
);
CREATE INDEX stream_tokens_project_id_created_at_idx ON stream_tokens (project_id, created_at);

CREATE TABLE webhooks (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE ON UPDATE CASCADE,
  name text NOT NULL,
  url text NOT NULL,
  events text[],
  filters jsonb,
  transformations jsonb,
  secret bytea NOT NULL,
  former_secret bytea,
  former_secret_until timestamptz(3),
  disabled_at timestamptz(3),
  failing_since timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp()
);
CREATE UNIQUE INDEX webhooks_project_id_id_key ON webhooks (project_id, id);

CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  replay integer NOT NULL DEFAULT 0,
  body text NOT NULL,
  status text NOT NULL,
  attempt integer NOT NULL DEFAULT 0,
  due_at timestamptz(3),
  last_error text,
  last_status_code integer,
  response_snippet text,
  created_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT transaction_timestamp(),
  FOREIGN KEY (project_id, webhook_id) REFERENCES webhooks (project_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX webhook_deliveries_project_id_webhook_id_id_idx ON webhook_deliveries (project_id, webhook_id, id);
CREATE UNIQUE INDEX webhook_deliveries_project_id_id_key ON webhook_deliveries (project_id, id);
CREATE UNIQUE INDEX webhook_deliveries_webhook_id_event_id_replay_key
  ON webhook_deliveries (webhook_id, event_id, replay);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at) WHERE due_at IS NOT NULL;
