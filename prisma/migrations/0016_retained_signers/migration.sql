-- Mail that was accepted before its domain was deleted still leaves, signed with the domain's key. The key is kept here
-- until the last of that mail has ended.
CREATE TABLE "retained_signers" (
    "domain_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "mail_from_domain" TEXT NOT NULL,
    "key_id" UUID NOT NULL,
    "selector" TEXT NOT NULL,
    "private_key" BYTEA NOT NULL,
    "records" JSONB NOT NULL,
    "ended_up_to" UUID,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "retained_signers_pkey" PRIMARY KEY ("domain_id")
);

CREATE UNIQUE INDEX "retained_signers_project_id_domain_id_key" ON "retained_signers"("project_id", "domain_id");

ALTER TABLE "retained_signers" ADD CONSTRAINT "retained_signers_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;
