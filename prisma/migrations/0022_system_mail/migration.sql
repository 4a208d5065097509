-- The DKIM key with which the service domain signs the mail of the installation itself.
CREATE TABLE "service_keys" (
    "domain" TEXT NOT NULL,
    "selector" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "private_key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "service_keys_pkey" PRIMARY KEY ("domain")
);

-- System mail that no server took, for the operator; nothing of its content is kept.
CREATE TABLE "undelivered_system_mails" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "recipient" BYTEA NOT NULL,
    "invite_id" UUID,
    "reason" TEXT NOT NULL,
    "queued_at" TIMESTAMPTZ(3) NOT NULL,
    "failed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "undelivered_system_mails_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "undelivered_system_mails_failed_at_idx" ON "undelivered_system_mails"("failed_at");
CREATE INDEX "undelivered_system_mails_invite_id_idx" ON "undelivered_system_mails"("invite_id");
