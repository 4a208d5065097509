-- Engagement scores that follow what mail did, and segments that are gone at once however many members they have.

-- AlterTable
ALTER TABLE "segments" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "engagement_work" (
    "project_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "engagement_work_pkey" PRIMARY KEY ("project_id","contact_id")
);

-- CreateTable
CREATE TABLE "engagement_pass" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_project" UUID,
    "last_contact" UUID,

    CONSTRAINT "engagement_pass_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "engagement_work_changed_at_idx" ON "engagement_work"("changed_at");

-- Below, what Prisma cannot say.

ALTER TABLE engagement_pass ADD CONSTRAINT engagement_pass_single CHECK (id = 1);
INSERT INTO engagement_pass DEFAULT VALUES;
ALTER TABLE engagement_work SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX segments_deleted ON segments (deleted_at) WHERE deleted_at IS NOT NULL;

-- Filters from before that ask for the tier: events change their answer, too.
UPDATE segments SET watches_events = true
  WHERE filter IS NOT NULL AND jsonb_path_exists(filter, '$.**.field ? (@ == "engagementTier")');

-- As before, but that a new score within the same tier is no matter for segments, and that whoever had mail before they
-- became a contact gets a score.
CREATE OR REPLACE FUNCTION follow_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO count_deltas (project_id, subject_id, included, opposed)
      SELECT o.project_id, o.project_id, -count(*), -count(*) FILTER (WHERE o.unsubscribed) FROM old_rows o GROUP BY 1;
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO segment_work (project_id, contact_id)
      SELECT n.project_id, n.id FROM new_rows n ORDER BY 1, 2
      ON CONFLICT (project_id, contact_id) DO UPDATE SET changed_at = excluded.changed_at;
    INSERT INTO engagement_work (project_id, contact_id)
      SELECT n.project_id, n.id FROM new_rows n CROSS JOIN LATERAL (
          SELECT 1 FROM deliveries d WHERE d.project_id = n.project_id AND d.canonical = n.email LIMIT 1) mail
        ORDER BY 1, 2
      ON CONFLICT (project_id, contact_id) DO UPDATE SET changed_at = excluded.changed_at;
    INSERT INTO count_deltas (project_id, subject_id, included, opposed)
      SELECT n.project_id, n.project_id, count(*), count(*) FILTER (WHERE n.unsubscribed) FROM new_rows n GROUP BY 1;
    RETURN NULL;
  END IF;
  INSERT INTO segment_work (project_id, contact_id)
    SELECT n.project_id, n.id FROM new_rows n JOIN old_rows o ON o.id = n.id
      WHERE n.scored_at IS NOT DISTINCT FROM o.scored_at OR n.engagement_tier IS DISTINCT FROM o.engagement_tier ORDER BY 1, 2
    ON CONFLICT (project_id, contact_id) DO UPDATE SET changed_at = excluded.changed_at;
  IF EXISTS (SELECT 1 FROM new_rows n JOIN old_rows o ON o.id = n.id WHERE n.unsubscribed <> o.unsubscribed) THEN
    PERFORM 1 FROM contacts c
      WHERE c.id IN (SELECT n.id FROM new_rows n JOIN old_rows o ON o.id = n.id WHERE n.unsubscribed <> o.unsubscribed)
      ORDER BY c.id FOR UPDATE;
    INSERT INTO count_deltas (project_id, subject_id, included, opposed)
      SELECT n.project_id, n.project_id, 0, sum(CASE WHEN n.unsubscribed THEN 1 ELSE -1 END)
        FROM new_rows n JOIN old_rows o ON o.id = n.id WHERE n.unsubscribed <> o.unsubscribed GROUP BY 1;
    INSERT INTO count_deltas (project_id, subject_id, included, opposed)
      SELECT m.project_id, m.segment_id, 0, sum(CASE WHEN n.unsubscribed THEN 1 ELSE -1 END)
        FROM new_rows n JOIN old_rows o ON o.id = n.id
          JOIN segment_members m ON m.project_id = n.project_id AND m.contact_id = n.id AND m.origin <> 'removed'
        WHERE n.unsubscribed <> o.unsubscribed GROUP BY 1, 2;
  END IF;
  RETURN NULL;
END $$;
