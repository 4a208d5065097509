-- Mail of the installation itself: sign-in links, invites. Its content is sealed and goes with the row once handed off.
CREATE TABLE "system_mails" (
    "id" UUID NOT NULL,
    "content" BYTEA NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "system_mails_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "system_mails_due_at_idx" ON "system_mails"("due_at");

-- A sign-in link is for a user, or for an address that becomes one by an invite.
ALTER TABLE "sign_in_links" ALTER COLUMN "user_id" DROP NOT NULL, ADD COLUMN "email" TEXT;
ALTER TABLE sign_in_links ADD CONSTRAINT sign_in_links_for_one CHECK (num_nonnulls(user_id, email) = 1);

-- When the person last proved who they are: by signing in, or by their password since.
ALTER TABLE "sessions" ADD COLUMN "confirmed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
UPDATE sessions SET confirmed_at = created_at;
ALTER TABLE sessions DROP CONSTRAINT sessions_signed_in_by;
ALTER TABLE sessions ADD CONSTRAINT sessions_signed_in_by CHECK (signed_in_by IN ('password', 'link', 'github', 'google'));

-- One open invite an address and organization, found by its address when that person signs in.
CREATE UNIQUE INDEX invites_open ON invites (organization_id, email) WHERE accepted_at IS NULL AND revoked_at IS NULL;
CREATE INDEX "invites_email_idx" ON "invites"("email");
