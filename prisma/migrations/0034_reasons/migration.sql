-- outside a transaction
-- Why an email waits, failed or bounced is a code with its facts, and no longer a sentence (lib/explanation/codes.ts).
ALTER TABLE emails ADD COLUMN IF NOT EXISTS reason text;
ALTER TABLE emails ADD COLUMN IF NOT EXISTS reason_facts jsonb;
ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS reason text;
ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS reason_facts jsonb;

-- As in prisma/functions/record_error.sql, before the rows are read: what a host of the release before writes meanwhile stays.
CREATE OR REPLACE FUNCTION record_error() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE emails SET reason = CASE WHEN NEW.error IS NOT NULL THEN 'recorded' END,
      reason_facts = CASE WHEN NEW.error IS NOT NULL THEN jsonb_build_object('text', NEW.error) END
    WHERE id = NEW.id;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER emails_record_error AFTER UPDATE OF error ON emails
  FOR EACH ROW WHEN (NEW.error IS NOT NULL OR NEW.reason IS NOT NULL) EXECUTE FUNCTION record_error();

-- The code of each sentence that was stored, for the time of this migration.
CREATE OR REPLACE FUNCTION reason_of_sentence(p_text text, OUT code text, OUT facts jsonb) LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
      WHEN p_text = 'The message could not be delivered before its deadline, so it was given up.' THEN 'attempts'
      WHEN p_text = 'The deadline of the email passed before it could be sent.' THEN 'deadline'
      WHEN p_text = 'The sending domain was deleted before the message was sent.' THEN 'domain_deleted'
      WHEN p_text = 'The sending domain was deleted before the scheduled time.' THEN 'schedule_domain_deleted'
      WHEN p_text ~ '^The worker''s process crashed in each of \d+ attempts\.$' THEN 'crashed'
      WHEN p_text = 'The message could not be prepared for sending.' THEN 'unprepared'
      WHEN p_text ~ '^The daily allowance was used up for \d+ hours ' THEN 'quota'
      WHEN p_text ~ '^This project sends \d+ messages a second; ' THEN 'rate_limit'
      WHEN p_text ~ '^The daily allowance of \d+ messages is used up; ' THEN 'daily_limit'
      WHEN p_text = 'The relay of this region is unreachable. The email is sent when the relay is back.' THEN 'region_down'
      WHEN p_text LIKE 'The relay of this region refuses every email. %' THEN 'region_refusing'
      WHEN p_text LIKE 'The relay of this region % The email is sent when the relay is back.' THEN 'region_fault'
      WHEN p_text LIKE '%; it will be retried.' THEN 'deferred'
      WHEN p_text LIKE 'The whole message was sent, but no reply confirms %' THEN 'unconfirmed'
      WHEN p_text ~ '^(The receiving server refused |The address does not exist or is closed, |The recipient''s domain accepts no mail, )' THEN 'bounced'
      WHEN p_text = 'The recipient is on the suppression list.' THEN 'suppressed'
      WHEN p_text ~ '^(Left|Not subscribed to) the topic .*\.$' THEN 'topic_opt_out'
      WHEN p_text LIKE 'The message was sent, but no reply came; %' THEN 'indeterminate'
      ELSE 'recorded'
    END,
    CASE
      WHEN p_text ~ '^The worker''s process crashed in each of ' THEN jsonb_build_object('claims', substring(p_text FROM '\d+')::int)
      WHEN p_text ~ '^The daily allowance was used up for ' THEN jsonb_build_object('hours', substring(p_text FROM '\d+')::int)
      WHEN p_text ~ '^This project sends ' THEN jsonb_build_object('perSecond', substring(p_text FROM '\d+')::int)
      WHEN p_text ~ '^The daily allowance of \d' THEN jsonb_build_object('daily', substring(p_text FROM '\d+')::int,
        'until', replace(substring(p_text FROM '\d{4}-\d\d-\d\d \d\d:\d\d'), ' ', 'T') || ':00.000Z')
      WHEN p_text ~ '^Left the topic ' THEN jsonb_build_object('topic', substring(p_text FROM '^Left the topic (.*)\.$'), 'byDefault', 'opt_in')
      WHEN p_text ~ '^Not subscribed to the topic ' THEN
        jsonb_build_object('topic', substring(p_text FROM '^Not subscribed to the topic (.*)\.$'), 'byDefault', 'opt_out')
      ELSE '{}'
    END
$$;

-- A thousand rows at a time, each group committed by itself, so that nobody waits for a row for long. Run again, it changes only
-- what it has not changed yet. What a server did is read from the attempt that the sentence was about.
DO $$
DECLARE
  v_behind uuid := '00000000-0000-0000-0000-000000000000';
  v_last uuid;
BEGIN
  LOOP
    SELECT (array_agg(id ORDER BY id DESC))[1] INTO v_last FROM (SELECT id FROM emails WHERE id > v_behind ORDER BY id LIMIT 1000) AS page;
    EXIT WHEN v_last IS NULL;
    WITH given AS MATERIALIZED (
        SELECT o.id, CASE WHEN r.code = 'bounced' AND d.bounce_type IS NULL THEN 'recorded' ELSE r.code END AS code, CASE
            WHEN r.code = 'recorded' OR (r.code = 'bounced' AND d.bounce_type IS NULL) THEN jsonb_build_object('text', o.error)
            WHEN r.code = 'bounced' THEN jsonb_strip_nulls(jsonb_build_object(
              'bounceType', d.bounce_type, 'enhanced', a.enhanced, 'phase', a.phase, 'code', a.code))
            WHEN r.code IN ('deferred', 'region_fault') THEN jsonb_strip_nulls(jsonb_build_object('phase', a.phase, 'code', a.code))
            ELSE r.facts
          END AS facts
          FROM emails o CROSS JOIN LATERAL reason_of_sentence(o.error) AS r
          LEFT JOIN LATERAL (
            SELECT v.id, v.bounce_type FROM deliveries v WHERE r.code = 'bounced'
              AND v.project_id = o.project_id AND v.email_id = o.id AND v.bounce_type IS NOT NULL
              ORDER BY v.ended_at DESC NULLS LAST LIMIT 1
          ) AS d ON true
          LEFT JOIN LATERAL (
            SELECT t.phase, t.code, t.enhanced FROM delivery_attempts t WHERE r.code IN ('bounced', 'deferred', 'region_fault')
              AND t.project_id = o.project_id AND t.email_id = o.id
              AND t.outcome = CASE r.code WHEN 'bounced' THEN 'refused' ELSE r.code END AND (d.id IS NULL OR t.delivery_id = d.id)
              ORDER BY t.id DESC LIMIT 1
          ) AS a ON true
          WHERE o.id > v_behind AND o.id <= v_last AND o.error IS NOT NULL AND o.reason IS NULL
          ORDER BY o.id FOR UPDATE OF o
      )
      UPDATE emails e SET reason = g.code, reason_facts = g.facts FROM given g WHERE e.id = g.id;
    COMMIT;
    v_behind := v_last;
  END LOOP;
END $$;

-- Deliveries that failed, and their events: a delivery that was given up after replies of a server keeps the last of these.
DO $$
DECLARE
  v_behind uuid := '00000000-0000-0000-0000-000000000000';
  v_last uuid;
BEGIN
  LOOP
    SELECT (array_agg(id ORDER BY id DESC))[1] INTO v_last FROM (SELECT id FROM deliveries WHERE id > v_behind ORDER BY id LIMIT 1000) AS page;
    EXIT WHEN v_last IS NULL;
    WITH given AS MATERIALIZED (
      SELECT d.id, d.project_id, d.email_id, CASE WHEN r.code = 'recorded' OR d.diagnostic IS NULL THEN 'attempts' ELSE r.code END AS code,
          CASE WHEN r.code = 'recorded' THEN '{}' ELSE r.facts END AS facts, r.code = 'recorded' AS by_server
        FROM deliveries d CROSS JOIN LATERAL reason_of_sentence(d.diagnostic) AS r
        WHERE d.id > v_behind AND d.id <= v_last AND d.status = 'failed' AND d.reason IS NULL
        ORDER BY d.id FOR UPDATE OF d
    ), delivery AS (
      UPDATE deliveries d SET reason = g.code, reason_facts = g.facts,
          diagnostic = CASE WHEN g.by_server THEN d.diagnostic END
        FROM given g WHERE d.id = g.id
    )
    UPDATE events v SET data = (v.data - 'reason')
        || jsonb_build_object('reasonCode', (reason_of_sentence(v.data ->> 'reason')).code)
        || coalesce((SELECT jsonb_object_agg(f.key, f.value)
          FROM jsonb_each_text((reason_of_sentence(v.data ->> 'reason')).facts) AS f), '{}')
      FROM given g
      WHERE v.project_id = g.project_id AND v.email_id = g.email_id AND v.type = 'failed' AND v.data ? 'reason'
        AND (reason_of_sentence(v.data ->> 'reason')).code <> 'recorded';
    COMMIT;
    v_behind := v_last;
  END LOOP;
END $$;

-- not used by the release before: made by this migration alone
DROP FUNCTION reason_of_sentence(text);
