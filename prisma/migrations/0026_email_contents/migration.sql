-- The content of a send is stored once, however many messages it makes: small bodies with the first message, everything
-- else here. It is written before the send is decided, so that nothing large happens under the locks of the quota; it has
-- no foreign key to emails for that reason, and what no message came to use is swept.
CREATE TABLE "email_contents" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "text" TEXT,
    "html" TEXT,
    "attachments" JSONB NOT NULL,
    "files" BYTEA NOT NULL,
    "in_use" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "email_contents_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "email_contents_project_id_id_key" ON "email_contents"("project_id", "id");

ALTER TABLE "email_contents" ADD CONSTRAINT "email_contents_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Most files are compressed already: trying again costs more processor than it saves bytes.
ALTER TABLE email_contents ALTER COLUMN files SET STORAGE EXTERNAL;

CREATE INDEX email_contents_undecided ON email_contents (id) WHERE NOT in_use;

-- Where in `raw` the attachments of the shared content belong: [[position, attachment], …].
ALTER TABLE "email_bodies" ADD COLUMN "cuts" JSONB;
