-- Segments with a filter: the pass over all contacts that makes their members, and what events make worth a second look.

-- AlterTable
ALTER TABLE "segments" ADD COLUMN     "pass_attempt" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "pass_cursor" UUID,
ADD COLUMN     "pass_done" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "pass_due_at" TIMESTAMPTZ(3),
ADD COLUMN     "pass_total" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "passed_at" TIMESTAMPTZ(3),
ADD COLUMN     "passed_version" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "watches_events" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "segment_events" (
    "id" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,

    CONSTRAINT "segment_events_pkey" PRIMARY KEY ("id")
);

-- Below, what Prisma cannot say.

CREATE INDEX segments_pass_due ON segments (pass_due_at) WHERE pass_due_at IS NOT NULL;
CREATE INDEX segments_filtered ON segments (project_id) WHERE filter IS NOT NULL;
CREATE INDEX segments_watching ON segments (project_id) WHERE watches_events;
ALTER TABLE segment_events SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
