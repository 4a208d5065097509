-- The tables as prisma/schema describes them; below, what Prisma cannot say.

-- CreateTable
CREATE TABLE "installation" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "secret_key_id" TEXT,
    "setup_token_hash" BYTEA,
    "completed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "installation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "organizations" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "multi_region" BOOLEAN NOT NULL DEFAULT false,
    "daily_sends" INTEGER NOT NULL DEFAULT 50000,
    "daily_sends_ceiling" INTEGER NOT NULL DEFAULT 50000,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "password_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "identities" (
    "provider" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "identities_pkey" PRIMARY KEY ("provider","subject")
);

-- CreateTable
CREATE TABLE "members" (
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "members_pkey" PRIMARY KEY ("organization_id","user_id")
);

-- CreateTable
CREATE TABLE "invites" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "invited_by" UUID,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invites_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "signed_in_by" TEXT NOT NULL DEFAULT 'password',
    "ip" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_in_links" (
    "token_hash" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sign_in_links_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE UNLOGGED TABLE "rate_windows" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_windows_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "project_id" UUID,
    "actor_kind" TEXT NOT NULL,
    "actor_id" UUID,
    "action" TEXT NOT NULL,
    "target" TEXT,
    "changes" JSONB,
    "ip" TEXT,
    "request_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "contacts" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "first_name" TEXT,
    "last_name" TEXT,
    "phone" TEXT,
    "image_url" TEXT,
    "image_key" TEXT,
    "properties" JSONB NOT NULL DEFAULT '{}',
    "unsubscribed" BOOLEAN NOT NULL DEFAULT false,
    "validation_status" TEXT NOT NULL DEFAULT 'unknown',
    "validation_reason" TEXT,
    "validated_at" TIMESTAMPTZ(3),
    "engagement_score" INTEGER,
    "engagement_tier" TEXT,
    "scored_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "contacts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "contact_properties" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "fallback_value" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "contact_properties_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "segments" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "filter" JSONB,
    "filter_version" INTEGER NOT NULL DEFAULT 0,
    "contact_count" INTEGER NOT NULL DEFAULT 0,
    "unsubscribed_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "segments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "segment_members" (
    "project_id" UUID NOT NULL,
    "segment_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "origin" TEXT NOT NULL DEFAULT 'added',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "segment_members_pkey" PRIMARY KEY ("project_id","segment_id","contact_id")
);

-- CreateTable
CREATE TABLE "topics" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "default_subscription" TEXT NOT NULL,
    "visibility" TEXT NOT NULL DEFAULT 'private',
    "opt_in_count" INTEGER NOT NULL DEFAULT 0,
    "opt_out_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "topics_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "topic_preferences" (
    "project_id" UUID NOT NULL,
    "topic_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "subscription" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "topic_preferences_pkey" PRIMARY KEY ("project_id","topic_id","contact_id")
);

-- CreateTable
CREATE TABLE "imports" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "options" JSONB NOT NULL,
    "object_key" TEXT,
    "total" INTEGER NOT NULL DEFAULT 0,
    "processed" INTEGER NOT NULL DEFAULT 0,
    "created" INTEGER NOT NULL DEFAULT 0,
    "updated" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "errors" JSONB NOT NULL DEFAULT '[]',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "created_by" UUID,
    "ended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "imports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "domains" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "mail_from_domain" TEXT NOT NULL,
    "tracking_domain" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "dkim_status" TEXT NOT NULL DEFAULT 'pending',
    "spf_status" TEXT NOT NULL DEFAULT 'pending',
    "mail_from_status" TEXT NOT NULL DEFAULT 'pending',
    "dmarc_status" TEXT NOT NULL DEFAULT 'not_configured',
    "tracking_status" TEXT NOT NULL DEFAULT 'not_configured',
    "bimi_status" TEXT NOT NULL DEFAULT 'not_configured',
    "bimi_logo_url" TEXT,
    "bimi_vmc_url" TEXT,
    "records" JSONB NOT NULL,
    "verified_at" TIMESTAMPTZ(3),
    "missing_since" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3),
    "check_attempt" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "domains_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "dkim_keys" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "domain_id" UUID NOT NULL,
    "selector" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "private_key" BYTEA,
    "state" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "retired_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "dkim_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "domain_checks" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "domain_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "findings" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "domain_checks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "dmarc_tokens" (
    "token" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "dmarc_tokens_pkey" PRIMARY KEY ("token")
);

-- CreateTable
CREATE TABLE "emails" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "idempotency_key" TEXT,
    "group_id" UUID NOT NULL,
    "group_index" INTEGER NOT NULL DEFAULT 0,
    "status" TEXT NOT NULL,
    "admitted_status" TEXT NOT NULL,
    "domain_id" UUID NOT NULL,
    "from_header" TEXT NOT NULL,
    "to_headers" TEXT[],
    "cc_headers" TEXT[],
    "bcc_headers" TEXT[],
    "reply_to" TEXT,
    "subject" TEXT NOT NULL,
    "message_id" TEXT NOT NULL,
    "category" TEXT NOT NULL DEFAULT 'transactional',
    "topic_id" UUID,
    "audience_id" TEXT,
    "tags" JSONB,
    "metadata" JSONB,
    "headers" JSONB,
    "tracking" JSONB,
    "test_mode" BOOLEAN NOT NULL DEFAULT false,
    "scheduled_at" TIMESTAMPTZ(3),
    "admitted_for" TIMESTAMPTZ(3),
    "window_start" TIMESTAMPTZ(3),
    "window_end" TIMESTAMPTZ(3),
    "give_up_after" INTEGER,
    "size" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "key_id" UUID,
    "user_id" UUID,
    "request_id" UUID,
    "due_at" TIMESTAMPTZ(3),
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "sent_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "emails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "email_bodies" (
    "project_id" UUID NOT NULL,
    "email_id" UUID NOT NULL,
    "text" TEXT,
    "html" TEXT,
    "attachments" JSONB,
    "raw" BYTEA,
    "composed_at" TIMESTAMPTZ(3),

    CONSTRAINT "email_bodies_pkey" PRIMARY KEY ("project_id","email_id")
);

-- CreateTable
CREATE TABLE "deliveries" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "email_id" UUID NOT NULL,
    "region" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "canonical" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "unfinished" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "first_attempt_at" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "bounce_type" TEXT,
    "bounce_code" TEXT,
    "diagnostic" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "delivery_attempts" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "email_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "phase" TEXT,
    "code" INTEGER,
    "enhanced" TEXT,
    "text" TEXT,
    "remote" TEXT,
    "tls" TEXT,
    "conversation" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "delivery_attempts_pkey" PRIMARY KEY ("id")
) PARTITION BY RANGE ("id");

-- CreateTable
CREATE TABLE "events" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "email_id" UUID,
    "delivery_id" UUID,
    "contact_id" UUID,
    "type" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "seq" BIGINT,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
) PARTITION BY RANGE ("id");

-- CreateTable
CREATE TABLE "dispatch_state" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "last_seq" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "dispatch_state_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "provider_events" (
    "provider" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provider_events_pkey" PRIMARY KEY ("provider","event_id")
);

-- CreateTable
CREATE TABLE "stream_tokens" (
    "token_hash" BYTEA NOT NULL,
    "project_id" UUID NOT NULL,
    "key_id" UUID,
    "session_id" UUID,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "seen_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stream_tokens_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "metric_hours" (
    "project_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "sent" INTEGER NOT NULL DEFAULT 0,
    "delivered" INTEGER NOT NULL DEFAULT 0,
    "bounced" INTEGER NOT NULL DEFAULT 0,
    "complained" INTEGER NOT NULL DEFAULT 0,
    "opened" INTEGER NOT NULL DEFAULT 0,
    "clicked" INTEGER NOT NULL DEFAULT 0,
    "unsubscribed" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "delayed" INTEGER NOT NULL DEFAULT 0,
    "read_engaged" INTEGER NOT NULL DEFAULT 0,
    "machine_opens" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "metric_hours_pkey" PRIMARY KEY ("project_id","hour")
);

-- CreateTable
CREATE TABLE "sandbox_messages" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "email_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "mail_from" TEXT NOT NULL,
    "rcpt_to" TEXT NOT NULL,
    "subject" TEXT,
    "from_header" TEXT,
    "dkim" TEXT NOT NULL,
    "spf" TEXT NOT NULL,
    "dmarc" TEXT NOT NULL,
    "verdicts" JSONB NOT NULL,
    "size" INTEGER NOT NULL,
    "raw" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "suppressions" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "contact_id" UUID,
    "email_id" UUID,
    "event_id" UUID,
    "evidence" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "suppressions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "projects" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "per_second_sends" INTEGER NOT NULL DEFAULT 14,
    "per_second_sends_ceiling" INTEGER NOT NULL DEFAULT 14,
    "max_recipients" INTEGER NOT NULL DEFAULT 50,
    "max_recipients_ceiling" INTEGER NOT NULL DEFAULT 50,
    "max_domains" INTEGER NOT NULL DEFAULT 25,
    "max_domains_ceiling" INTEGER NOT NULL DEFAULT 25,
    "max_api_keys" INTEGER NOT NULL DEFAULT 10,
    "max_api_keys_ceiling" INTEGER NOT NULL DEFAULT 10,
    "max_webhooks" INTEGER NOT NULL DEFAULT 10,
    "max_webhooks_ceiling" INTEGER NOT NULL DEFAULT 10,
    "click_tracking" BOOLEAN NOT NULL DEFAULT false,
    "open_tracking" BOOLEAN NOT NULL DEFAULT false,
    "read_engagement" BOOLEAN NOT NULL DEFAULT false,
    "scroll_depth" BOOLEAN NOT NULL DEFAULT false,
    "unsubscribe_tracking" BOOLEAN NOT NULL DEFAULT false,
    "ambiguous_policy" TEXT NOT NULL DEFAULT 'resend',
    "suspended_at" TIMESTAMPTZ(3),
    "suspension_reason" TEXT,
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "projects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "send_allowances" (
    "project_id" UUID NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL DEFAULT 1000000000,
    "refilled_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "handoff_tokens" DOUBLE PRECISION NOT NULL DEFAULT 1000000000,
    "handoff_refilled_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "emails" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "send_allowances_pkey" PRIMARY KEY ("project_id")
);

-- CreateTable
CREATE TABLE "quota_days" (
    "organization_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "used" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "quota_days_pkey" PRIMARY KEY ("organization_id","day")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "name" TEXT,
    "hash" BYTEA NOT NULL,
    "start" TEXT NOT NULL,
    "permissions" TEXT[],
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_request_at" TIMESTAMPTZ(3),
    "request_count" INTEGER NOT NULL DEFAULT 0,
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key_requests" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "route" TEXT NOT NULL,
    "status_code" INTEGER NOT NULL,
    "duration_ms" INTEGER,
    "ip" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "api_key_requests_pkey" PRIMARY KEY ("id")
) PARTITION BY RANGE ("id");

-- CreateTable
CREATE TABLE "webhooks" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "filters" JSONB,
    "transformations" JSONB,
    "secret" BYTEA NOT NULL,
    "former_secret" BYTEA,
    "former_secret_until" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "replay" INTEGER NOT NULL DEFAULT 0,
    "body" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "last_status_code" INTEGER,
    "response_snippet" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "identities_user_id_idx" ON "identities"("user_id");

-- CreateIndex
CREATE INDEX "members_user_id_idx" ON "members"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "invites_token_hash_key" ON "invites"("token_hash");

-- CreateIndex
CREATE INDEX "invites_organization_id_idx" ON "invites"("organization_id");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE INDEX "sign_in_links_user_id_idx" ON "sign_in_links"("user_id");

-- CreateIndex
CREATE INDEX "audit_entries_organization_id_id_idx" ON "audit_entries"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "contacts_project_id_id_key" ON "contacts"("project_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "contacts_project_id_email_key" ON "contacts"("project_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "contact_properties_project_id_id_key" ON "contact_properties"("project_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "contact_properties_project_id_key_key" ON "contact_properties"("project_id", "key");

-- CreateIndex
CREATE UNIQUE INDEX "segments_project_id_id_key" ON "segments"("project_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "segments_project_id_name_key" ON "segments"("project_id", "name");

-- CreateIndex
CREATE INDEX "segment_members_project_id_contact_id_idx" ON "segment_members"("project_id", "contact_id");

-- CreateIndex
CREATE UNIQUE INDEX "topics_project_id_id_key" ON "topics"("project_id", "id");

-- CreateIndex
CREATE INDEX "topic_preferences_project_id_contact_id_idx" ON "topic_preferences"("project_id", "contact_id");

-- CreateIndex
CREATE UNIQUE INDEX "imports_project_id_id_key" ON "imports"("project_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "domains_mail_from_domain_key" ON "domains"("mail_from_domain");

-- CreateIndex
CREATE UNIQUE INDEX "domains_project_id_id_key" ON "domains"("project_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "domains_project_id_name_key" ON "domains"("project_id", "name");

-- CreateIndex
CREATE INDEX "dkim_keys_project_id_domain_id_idx" ON "dkim_keys"("project_id", "domain_id");

-- CreateIndex
CREATE UNIQUE INDEX "dkim_keys_project_id_id_key" ON "dkim_keys"("project_id", "id");

-- CreateIndex
CREATE INDEX "domain_checks_project_id_domain_id_id_idx" ON "domain_checks"("project_id", "domain_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "dmarc_tokens_organization_id_domain_key" ON "dmarc_tokens"("organization_id", "domain");

-- CreateIndex
CREATE UNIQUE INDEX "emails_project_id_id_key" ON "emails"("project_id", "id");

-- CreateIndex
CREATE INDEX "deliveries_project_id_email_id_idx" ON "deliveries"("project_id", "email_id");

-- CreateIndex
CREATE UNIQUE INDEX "deliveries_project_id_id_key" ON "deliveries"("project_id", "id");

-- CreateIndex
CREATE INDEX "delivery_attempts_project_id_email_id_idx" ON "delivery_attempts"("project_id", "email_id");

-- CreateIndex
CREATE INDEX "events_project_id_email_id_idx" ON "events"("project_id", "email_id");

-- CreateIndex
CREATE INDEX "events_project_id_seq_idx" ON "events"("project_id", "seq");

-- CreateIndex
CREATE INDEX "provider_events_created_at_idx" ON "provider_events"("created_at");

-- CreateIndex
CREATE INDEX "stream_tokens_project_id_created_at_idx" ON "stream_tokens"("project_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_messages_project_id_id_key" ON "sandbox_messages"("project_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "suppressions_project_id_email_key" ON "suppressions"("project_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "suppressions_project_id_id_key" ON "suppressions"("project_id", "id");

-- CreateIndex
CREATE INDEX "projects_organization_id_id_idx" ON "projects"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "projects_organization_id_slug_key" ON "projects"("organization_id", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_project_id_id_key" ON "api_keys"("project_id", "id");

-- CreateIndex
CREATE INDEX "api_key_requests_project_id_key_id_id_idx" ON "api_key_requests"("project_id", "key_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "webhooks_project_id_id_key" ON "webhooks"("project_id", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_project_id_webhook_id_id_idx" ON "webhook_deliveries"("project_id", "webhook_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_project_id_id_key" ON "webhook_deliveries"("project_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_webhook_id_event_id_replay_key" ON "webhook_deliveries"("webhook_id", "event_id", "replay");

-- AddForeignKey
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invites" ADD CONSTRAINT "invites_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sign_in_links" ADD CONSTRAINT "sign_in_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_properties" ADD CONSTRAINT "contact_properties_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "segments" ADD CONSTRAINT "segments_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "segment_members" ADD CONSTRAINT "segment_members_project_id_segment_id_fkey" FOREIGN KEY ("project_id", "segment_id") REFERENCES "segments"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "segment_members" ADD CONSTRAINT "segment_members_project_id_contact_id_fkey" FOREIGN KEY ("project_id", "contact_id") REFERENCES "contacts"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "topics" ADD CONSTRAINT "topics_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "topic_preferences" ADD CONSTRAINT "topic_preferences_project_id_topic_id_fkey" FOREIGN KEY ("project_id", "topic_id") REFERENCES "topics"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "topic_preferences" ADD CONSTRAINT "topic_preferences_project_id_contact_id_fkey" FOREIGN KEY ("project_id", "contact_id") REFERENCES "contacts"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "imports" ADD CONSTRAINT "imports_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "domains" ADD CONSTRAINT "domains_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dkim_keys" ADD CONSTRAINT "dkim_keys_project_id_domain_id_fkey" FOREIGN KEY ("project_id", "domain_id") REFERENCES "domains"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "domain_checks" ADD CONSTRAINT "domain_checks_project_id_domain_id_fkey" FOREIGN KEY ("project_id", "domain_id") REFERENCES "domains"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dmarc_tokens" ADD CONSTRAINT "dmarc_tokens_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "emails" ADD CONSTRAINT "emails_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "email_bodies" ADD CONSTRAINT "email_bodies_project_id_email_id_fkey" FOREIGN KEY ("project_id", "email_id") REFERENCES "emails"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_project_id_email_id_fkey" FOREIGN KEY ("project_id", "email_id") REFERENCES "emails"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stream_tokens" ADD CONSTRAINT "stream_tokens_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "metric_hours" ADD CONSTRAINT "metric_hours_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_messages" ADD CONSTRAINT "sandbox_messages_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "send_allowances" ADD CONSTRAINT "send_allowances_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "quota_days" ADD CONSTRAINT "quota_days_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_project_id_webhook_id_fkey" FOREIGN KEY ("project_id", "webhook_id") REFERENCES "webhooks"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Checks: what a column may say.
ALTER TABLE installation ADD CONSTRAINT installation_single CHECK (id = 1);
ALTER TABLE members ADD CONSTRAINT members_role CHECK (role IN ('owner', 'admin', 'developer', 'viewer'));
ALTER TABLE invites ADD CONSTRAINT invites_role CHECK (role IN ('owner', 'admin', 'developer', 'viewer'));
ALTER TABLE sessions ADD CONSTRAINT sessions_signed_in_by CHECK (signed_in_by IN ('password', 'link'));
ALTER TABLE projects ADD CONSTRAINT projects_ambiguous_policy CHECK (ambiguous_policy IN ('resend', 'hold'));
ALTER TABLE quota_days ADD CONSTRAINT quota_days_used CHECK (used >= 0);
ALTER TABLE domains ADD CONSTRAINT domains_status CHECK (status IN ('pending', 'verified', 'degraded', 'failed'));
ALTER TABLE dkim_keys ADD CONSTRAINT dkim_keys_state CHECK (state IN ('active', 'standby', 'retired'));
ALTER TABLE emails ADD CONSTRAINT emails_status CHECK (status IN ('queued', 'scheduled', 'sending', 'sent', 'delivered',
  'delivery_delayed', 'opened', 'clicked', 'bounced', 'complained', 'failed', 'rejected', 'suppressed', 'cancelled', 'test',
  'indeterminate'));
ALTER TABLE deliveries ADD CONSTRAINT deliveries_role CHECK (role IN ('to', 'cc', 'bcc'));
ALTER TABLE suppressions ADD CONSTRAINT suppressions_reason CHECK (reason IN ('bounce', 'complaint', 'manual', 'unsubscribe'));
ALTER TABLE segment_members ADD CONSTRAINT segment_members_origin CHECK (origin IN ('filter', 'added', 'removed'));

-- Partial indexes: the due work, the idempotency claim, the live keys.
CREATE UNIQUE INDEX emails_idempotency ON emails (project_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX emails_due ON emails (project_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX emails_group ON emails (project_id, group_id, group_index) WHERE group_index > 0;
CREATE INDEX deliveries_due ON deliveries (region, project_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_recipient ON deliveries (project_id, canonical, email_id);
CREATE INDEX events_undispatched ON events (id) WHERE seq IS NULL;
CREATE INDEX domains_due ON domains (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX imports_due ON imports (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX api_keys_live ON api_keys (project_id) WHERE revoked_at IS NULL;

-- The public order of events begins.
ALTER TABLE dispatch_state ADD CONSTRAINT dispatch_state_single CHECK (id = 1);
INSERT INTO dispatch_state (id) VALUES (1);

-- Storage: rows that change often leave room for it on their page.
ALTER TABLE emails SET (fillfactor = 85);
ALTER TABLE deliveries SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE send_allowances SET (fillfactor = 20);
ALTER TABLE quota_days SET (fillfactor = 20);
ALTER TABLE rate_windows SET (fillfactor = 50);
ALTER TABLE metric_hours SET (fillfactor = 50);

-- The audit log is append only.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries are never changed or deleted' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- Monthly partitions by the time inside the UUIDv7 id. Called at start and every day; safe to call at any time.
CREATE FUNCTION ensure_partitions(p_from timestamptz, p_until timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parent text;
  month timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('mailroom.partitions'));
  FOREACH parent IN ARRAY ARRAY['events', 'delivery_attempts', 'api_key_requests'] LOOP
    month := date_trunc('month', p_from AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
    WHILE month < p_until LOOP
      IF to_regclass(format('%s_%s', parent, to_char(month AT TIME ZONE 'UTC', 'YYYYMM'))) IS NULL THEN
        EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
          format('%s_%s', parent, to_char(month AT TIME ZONE 'UTC', 'YYYYMM')), parent,
          first_id_at(month), first_id_at((month AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC'));
      END IF;
      month := (month AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC';
    END LOOP;
  END LOOP;
END $$;

-- The smallest UUIDv7 of an instant.
CREATE FUNCTION first_id_at(p_instant timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM p_instant) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;

SELECT ensure_partitions(now() - interval '1 month', now() + interval '3 months');
