-- Tokens of the hand-off in a table of their own: a claim and an accept of one project never wait for each other.
CREATE TABLE "hand_off_allowances" (
    "project_id" UUID NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL DEFAULT 1000000000,
    "refilled_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "hand_off_allowances_pkey" PRIMARY KEY ("project_id")
);

ALTER TABLE "hand_off_allowances" ADD CONSTRAINT "hand_off_allowances_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- As for send_allowances: room on each page, so that updates touch no index.
ALTER TABLE hand_off_allowances SET (fillfactor = 20);

INSERT INTO hand_off_allowances (project_id, tokens, refilled_at)
  SELECT project_id, handoff_tokens, handoff_refilled_at FROM send_allowances;

ALTER TABLE "send_allowances" DROP COLUMN "handoff_tokens", DROP COLUMN "handoff_refilled_at";
