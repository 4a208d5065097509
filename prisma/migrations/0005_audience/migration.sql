-- Contacts, properties and topics: what keeps their counts, tells segments of changes and lets a person look back.

-- AlterTable
ALTER TABLE "contact_properties" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "topics" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "brand_color" TEXT,
ADD COLUMN     "brand_logo" BYTEA,
ADD COLUMN     "brand_logo_type" TEXT,
ADD COLUMN     "brand_name" TEXT;

-- CreateTable
CREATE TABLE "audience_totals" (
    "project_id" UUID NOT NULL,
    "contacts" INTEGER NOT NULL DEFAULT 0,
    "unsubscribed" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "audience_totals_pkey" PRIMARY KEY ("project_id")
);

-- CreateTable
CREATE TABLE "count_deltas" (
    "id" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "included" INTEGER NOT NULL,
    "opposed" INTEGER NOT NULL,

    CONSTRAINT "count_deltas_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "segment_work" (
    "project_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "segment_work_pkey" PRIMARY KEY ("project_id","contact_id")
);

-- CreateTable
CREATE TABLE "contact_activities" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "reference_id" UUID,
    "reference_name" TEXT,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "contact_activities_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "count_deltas_subject_id_idx" ON "count_deltas"("subject_id");

-- CreateIndex
CREATE INDEX "segment_work_changed_at_idx" ON "segment_work"("changed_at");

-- CreateIndex
CREATE INDEX "contact_activities_project_id_contact_id_occurred_at_idx" ON "contact_activities"("project_id", "contact_id", "occurred_at");

-- AddForeignKey
ALTER TABLE "audience_totals" ADD CONSTRAINT "audience_totals_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_activities" ADD CONSTRAINT "contact_activities_project_id_contact_id_fkey" FOREIGN KEY ("project_id", "contact_id") REFERENCES "contacts"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Below, what Prisma cannot say.

ALTER TABLE contact_properties ADD CONSTRAINT contact_properties_type CHECK (type IN ('string', 'number'));
ALTER TABLE topics ADD CONSTRAINT topics_default CHECK (default_subscription IN ('opt_in', 'opt_out'));
ALTER TABLE topics ADD CONSTRAINT topics_visibility CHECK (visibility IN ('public', 'private'));
ALTER TABLE topic_preferences ADD CONSTRAINT topic_preferences_subscription CHECK (subscription IN ('opt_in', 'opt_out'));
ALTER TABLE contacts ADD CONSTRAINT contacts_validation_status
  CHECK (validation_status IN ('valid', 'risky', 'invalid', 'unknown'));

-- Search finds a part of the address or the name; three letters are what the index goes by.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX contacts_search ON contacts USING gin
  ((email || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, '')) gin_trgm_ops);
CREATE INDEX contacts_unsubscribed ON contacts (project_id, id) WHERE unsubscribed;
CREATE INDEX topic_preferences_opted_in ON topic_preferences (project_id, topic_id, contact_id) WHERE subscription = 'opt_in';

ALTER TABLE segments SET (fillfactor = 50);
ALTER TABLE topics SET (fillfactor = 50);
ALTER TABLE audience_totals SET (fillfactor = 50);
ALTER TABLE count_deltas SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
ALTER TABLE segment_work SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Kept counts. Whoever changes rows adds a line of difference (triggers below), which waits for nobody and cannot
-- deadlock; fold_counts adds the lines to the counters. A count is the counter plus what waits, in one statement:
--   SELECT s.contact_count + w.included, s.unsubscribed_count + w.opposed FROM segments s, waiting_counts(s.id) w
-- Subjects: a segment (members; of these unsubscribed), a topic (opt-ins; opt-outs), a project (contacts; unsubscribed).
CREATE FUNCTION waiting_counts(p_subject uuid) RETURNS TABLE (included int, opposed int) LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(d.included), 0)::int, coalesce(sum(d.opposed), 0)::int FROM count_deltas d WHERE d.subject_id = p_subject
$$;

-- One at a time; answers how many lines it took.
CREATE FUNCTION fold_counts(p_limit int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  v_taken int;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('mailroom.fold_counts')) THEN
    RETURN 0;
  END IF;
  WITH taken AS (
    DELETE FROM count_deltas d WHERE d.id IN (SELECT l.id FROM count_deltas l ORDER BY l.id LIMIT p_limit)
      RETURNING d.subject_id, d.included, d.opposed
  ), sums AS (
    SELECT t.subject_id, sum(t.included)::int AS included, sum(t.opposed)::int AS opposed FROM taken t GROUP BY 1
  ), of_segments AS (
    UPDATE segments s SET contact_count = s.contact_count + n.included, unsubscribed_count = s.unsubscribed_count + n.opposed
      FROM sums n WHERE s.id = n.subject_id
  ), of_topics AS (
    UPDATE topics t SET opt_in_count = t.opt_in_count + n.included, opt_out_count = t.opt_out_count + n.opposed
      FROM sums n WHERE t.id = n.subject_id
  ), of_projects AS (
    INSERT INTO audience_totals AS a (project_id, contacts, unsubscribed)
      SELECT p.id, n.included, n.opposed FROM sums n JOIN projects p ON p.id = n.subject_id
      ON CONFLICT (project_id) DO UPDATE SET contacts = a.contacts + excluded.contacts,
        unsubscribed = a.unsubscribed + excluded.unsubscribed
  )
  SELECT count(*) INTO v_taken FROM taken;
  RETURN v_taken;
END $$;

-- A member row counts unless its origin is `removed`. The foreign key has locked the contact (KEY SHARE) by now, and a
-- change of `unsubscribed` locks it FOR UPDATE below: so the two see each other and the second count stays right.
CREATE FUNCTION count_segment_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO count_deltas (project_id, subject_id, included, opposed)
      SELECT m.project_id, m.segment_id, count(*), count(*) FILTER (WHERE c.unsubscribed)
        FROM new_rows m JOIN contacts c ON c.id = m.contact_id
        WHERE m.origin <> 'removed' GROUP BY 1, 2;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO count_deltas (project_id, subject_id, included, opposed)
      SELECT m.project_id, m.segment_id, -count(*), -count(*) FILTER (WHERE c.unsubscribed)
        FROM old_rows m LEFT JOIN contacts c ON c.id = m.contact_id
        WHERE m.origin <> 'removed' GROUP BY 1, 2;
  ELSE
    INSERT INTO count_deltas (project_id, subject_id, included, opposed)
      SELECT m.project_id, m.segment_id, sum(m.one), coalesce(sum(m.one) FILTER (WHERE c.unsubscribed), 0)
        FROM (
          SELECT n.project_id, n.segment_id, n.contact_id, 1 AS one FROM new_rows n WHERE n.origin <> 'removed'
          UNION ALL
          SELECT o.project_id, o.segment_id, o.contact_id, -1 FROM old_rows o WHERE o.origin <> 'removed'
        ) m JOIN contacts c ON c.id = m.contact_id
        GROUP BY 1, 2 HAVING sum(m.one) <> 0;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER segment_members_counted_in AFTER INSERT ON segment_members
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_segment_members();
CREATE TRIGGER segment_members_counted_out AFTER DELETE ON segment_members
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_segment_members();
CREATE TRIGGER segment_members_counted_anew AFTER UPDATE ON segment_members
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_segment_members();

-- Explicit preferences alone are counted; the contacts they belong to may come into segments or leave them.
CREATE FUNCTION count_topic_preferences() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP IN ('INSERT', 'UPDATE') THEN
    INSERT INTO segment_work (project_id, contact_id)
      SELECT DISTINCT n.project_id, n.contact_id FROM new_rows n ORDER BY 1, 2
      ON CONFLICT (project_id, contact_id) DO UPDATE SET changed_at = excluded.changed_at;
    INSERT INTO count_deltas (project_id, subject_id, included, opposed)
      SELECT n.project_id, n.topic_id, count(*) FILTER (WHERE n.subscription = 'opt_in'),
          count(*) FILTER (WHERE n.subscription = 'opt_out')
        FROM new_rows n GROUP BY 1, 2;
  ELSE
    INSERT INTO segment_work (project_id, contact_id)
      SELECT DISTINCT o.project_id, o.contact_id FROM old_rows o ORDER BY 1, 2
      ON CONFLICT (project_id, contact_id) DO UPDATE SET changed_at = excluded.changed_at;
  END IF;
  IF TG_OP IN ('DELETE', 'UPDATE') THEN
    INSERT INTO count_deltas (project_id, subject_id, included, opposed)
      SELECT o.project_id, o.topic_id, -count(*) FILTER (WHERE o.subscription = 'opt_in'),
          -count(*) FILTER (WHERE o.subscription = 'opt_out')
        FROM old_rows o GROUP BY 1, 2;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER topic_preferences_counted_in AFTER INSERT ON topic_preferences
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_topic_preferences();
CREATE TRIGGER topic_preferences_counted_out AFTER DELETE ON topic_preferences
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_topic_preferences();
CREATE TRIGGER topic_preferences_counted_anew AFTER UPDATE ON topic_preferences
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_topic_preferences();

-- Contacts: segments are told before the stronger lock is taken, so that whoever works on the contact can end first.
CREATE FUNCTION follow_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO count_deltas (project_id, subject_id, included, opposed)
      SELECT o.project_id, o.project_id, -count(*), -count(*) FILTER (WHERE o.unsubscribed) FROM old_rows o GROUP BY 1;
    RETURN NULL;
  END IF;
  INSERT INTO segment_work (project_id, contact_id)
    SELECT n.project_id, n.id FROM new_rows n ORDER BY 1, 2
    ON CONFLICT (project_id, contact_id) DO UPDATE SET changed_at = excluded.changed_at;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO count_deltas (project_id, subject_id, included, opposed)
      SELECT n.project_id, n.project_id, count(*), count(*) FILTER (WHERE n.unsubscribed) FROM new_rows n GROUP BY 1;
    RETURN NULL;
  END IF;
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
CREATE TRIGGER contacts_followed_in AFTER INSERT ON contacts
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_contacts();
CREATE TRIGGER contacts_followed_out AFTER DELETE ON contacts
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_contacts();
CREATE TRIGGER contacts_followed_anew AFTER UPDATE ON contacts
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_contacts();

-- Memberships leave while the contact can still be seen, so that segments count its `unsubscribed` out as well.
CREATE FUNCTION leave_segments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM segment_members WHERE project_id = OLD.project_id AND contact_id = OLD.id;
  RETURN OLD;
END $$;
CREATE TRIGGER contacts_leave_segments BEFORE DELETE ON contacts FOR EACH ROW EXECUTE FUNCTION leave_segments();

-- Who unsubscribed before they became a contact starts unsubscribed, whoever adds the contact and however.
CREATE FUNCTION remember_unsubscribe() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT NEW.unsubscribed THEN
    NEW.unsubscribed := EXISTS (SELECT 1 FROM suppressions s
      WHERE s.project_id = NEW.project_id AND s.email = NEW.email AND s.reason = 'unsubscribe');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER contacts_remember_unsubscribe BEFORE INSERT ON contacts FOR EACH ROW EXECUTE FUNCTION remember_unsubscribe();

-- An `unsubscribe` suppression sets the flag of its contact; a suppression that is taken away clears it, because mail
-- may go there again. Both stand in the contact's activity.
CREATE FUNCTION follow_suppressions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO contact_activities (id, project_id, contact_id, type, reference_id, reference_name)
      SELECT gen_random_uuid(), c.project_id, c.id, 'suppression_removed', o.id, o.reason
        FROM old_rows o JOIN contacts c ON c.project_id = o.project_id AND c.email = o.email;
    UPDATE contacts c SET unsubscribed = false, updated_at = now() FROM old_rows o
      WHERE c.project_id = o.project_id AND c.email = o.email AND c.unsubscribed;
    RETURN NULL;
  END IF;
  INSERT INTO contact_activities (id, project_id, contact_id, type, reference_id, reference_name)
    SELECT gen_random_uuid(), c.project_id, c.id, 'suppression_added', n.id, n.reason
      FROM new_rows n JOIN contacts c ON c.project_id = n.project_id AND c.email = n.email;
  UPDATE contacts c SET unsubscribed = true, updated_at = now() FROM new_rows n
    WHERE c.project_id = n.project_id AND c.email = n.email AND n.reason = 'unsubscribe' AND NOT c.unsubscribed;
  RETURN NULL;
END $$;
CREATE TRIGGER suppressions_followed_in AFTER INSERT ON suppressions
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_suppressions();
CREATE TRIGGER suppressions_followed_out AFTER DELETE ON suppressions
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_suppressions();
CREATE TRIGGER suppressions_followed_anew AFTER UPDATE ON suppressions
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_suppressions();
