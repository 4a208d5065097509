-- The accept path: one call, one round trip, one commit for the sends that wait together in a process (one project a call).
-- Whether a send is a replay or refused is read without locks. What is accepted is written set by set, and only then debited, so
-- that locks of the allowances are held for the commit alone: here where nobody else holds the row of the day, else by
-- debit_allowance. Where another accept has taken what was left in between, MR001 undoes the whole call, and its caller decides the
-- sends one by one; where another one has claimed a key, the unique index does (23505).
-- Keys are inserted in order, so that two calls never wait for each other. Nothing in it grows with the size
-- of the project: lookups are scalar subqueries by a key, never a join over all emails, what is counted per send is grouped
-- once, and what has nothing to do is left out. Recipients of mail that belongs to a topic name it, and each delivery that
-- is suppressed gives the reason. Emails of a broadcast are sends of their own, which share the content that their group
-- names. Content counts towards what the project may store. A delivery waits in the queue of its region, in that of the
-- region's simulator, or in that of the destination where mail for its domain went last. A waiter gives up after lock_timeout (55P03).
CREATE OR REPLACE FUNCTION accept_emails(
  p_project uuid, p_sends json, p_messages json, p_texts text[], p_htmls text[], p_recipients json)
RETURNS TABLE (
  ord int, outcome text, retry_after int, group_index int, id uuid, message_id text, status text,
  scheduled_at timestamptz, created_at timestamptz
)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  -- As the columns keep it: an answer and its replay say the same time.
  v_now timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_today date := (clock_timestamp() AT TIME ZONE 'UTC')::date;
  v_project record;
  v_sends record;
  v_tokens double precision;
  v_used int;
  v_cost int := 0;
  -- Tokens before the debit: every send that costs something needs one left.
  v_least int;
  v_messages int := 0;
  v_bytes bigint := 0;
  v_accepted int[] := '{}';
  v_refused jsonb := '[]';
  v_debited boolean := false;
  v_send record;
  v_due int;
  v_size bigint;
BEGIN
  SELECT p.organization_id, p.suspended_at, p.deleted_at, p.per_second_sends AS rate, o.daily_sends,
         p.max_stored_bytes - a.stored_bytes AS room,
         greatest(100, 20 * p.per_second_sends::double precision) AS burst, a.tokens, a.refilled_at,
         coalesce((SELECT q.used FROM quota_days q WHERE q.organization_id = p.organization_id AND q.day = v_today), 0) AS used
    INTO STRICT v_project
    FROM projects p JOIN organizations o ON o.id = p.organization_id JOIN send_allowances a ON a.project_id = p.id
    WHERE p.id = p_project;
  -- A moment after its hold began, a process may still know the key of an organization that moves to another cell.
  IF v_project.deleted_at IS NOT NULL THEN
    IF EXISTS (SELECT FROM cell_moves m WHERE m.organization_id = v_project.organization_id AND m.state <> 'arrived') THEN
      RAISE EXCEPTION 'the organization is being moved to another cell' USING ERRCODE = 'system_error';
    END IF;
  END IF;
  v_tokens := least(v_project.burst,
    v_project.tokens + greatest(0, extract(epoch FROM v_now - v_project.refilled_at)) * v_project.rate);

  SELECT array_agg(s.ord) AS ords, coalesce(sum(s.messages) FILTER (WHERE NOT s.free), 0) AS most,
         sum(bytes_of_body(p_texts[s.ord + 1], p_htmls[s.ord + 1], NULL, NULL)) AS bytes,
         bool_and(s.messages IS NOT NULL
           AND (SELECT k.id FROM emails k WHERE k.project_id = p_project AND k.idempotency_key = s.key) IS NULL
           AND (SELECT d.id FROM domains d WHERE d.project_id = p_project AND d.name = s.domain
             AND d.status IN ('verified', 'degraded')) IS NOT NULL) AS plain
    INTO v_sends
    FROM json_to_recordset(p_sends) AS s(ord int, key text, domain text, free boolean, messages int);

  IF v_sends.plain AND v_project.suspended_at IS NULL AND v_project.deleted_at IS NULL
      AND v_project.used + v_sends.most <= v_project.daily_sends AND v_tokens >= v_sends.most
      AND v_sends.bytes <= v_project.room THEN
    -- Nearly always: nothing to refuse, whatever each of them costs.
    v_accepted := v_sends.ords;
  ELSE
    -- What is set aside in chunks (debit_allowance) is not used up.
    SELECT v_project.used - coalesce(sum(c.messages) FILTER (WHERE c.day = v_today), 0),
           least(v_project.burst,
             v_tokens + coalesce(sum(c.tokens) FILTER (WHERE c.project_id = p_project AND c.rate = v_project.rate), 0))
      INTO v_used, v_tokens FROM allowance_chunks c WHERE c.organization_id = v_project.organization_id;
    FOR v_send IN
      SELECT s.ord,
             (SELECT k.id FROM emails k WHERE k.project_id = p_project AND k.idempotency_key = s.key) AS known_id,
             (SELECT d.id FROM domains d WHERE d.project_id = p_project AND d.name = s.domain
                AND d.status IN ('verified', 'degraded')) IS NOT NULL AS sender_verified,
             CASE WHEN s.free THEN 0 ELSE coalesce(due.messages, 0) END AS cost,
             bytes_of_body(p_texts[s.ord + 1], p_htmls[s.ord + 1], NULL, NULL) AS bytes
        FROM json_to_recordset(p_sends) AS s(ord int, key text, domain text, free boolean)
        LEFT JOIN (
          SELECT r.ord, count(DISTINCT r.message)::int AS messages
            FROM json_to_recordset(p_recipients) AS r(ord int, message uuid, canonical text, held boolean, topic uuid)
            WHERE r.held IS NOT TRUE
              AND (SELECT x.id FROM suppressions x WHERE x.project_id = p_project AND x.email = r.canonical) IS NULL
              AND (r.topic IS NULL OR NOT left_topic(p_project, r.topic, r.canonical))
            GROUP BY r.ord
        ) AS due ON due.ord = s.ord
        ORDER BY s.ord
    LOOP
      IF v_send.known_id IS NOT NULL THEN
        v_refused := v_refused || jsonb_build_object('ord', v_send.ord, 'outcome', 'replayed', 'id', v_send.known_id);
      ELSIF v_project.suspended_at IS NOT NULL OR v_project.deleted_at IS NOT NULL THEN
        v_refused := v_refused || jsonb_build_object('ord', v_send.ord, 'outcome', 'project_suspended');
      ELSIF NOT v_send.sender_verified THEN
        v_refused := v_refused || jsonb_build_object('ord', v_send.ord, 'outcome', 'domain_not_verified');
      ELSIF v_bytes + v_send.bytes > v_project.room THEN
        v_refused := v_refused || jsonb_build_object('ord', v_send.ord, 'outcome', 'storage_full');
      ELSIF v_send.cost > 0 AND v_used + v_cost + v_send.cost > v_project.daily_sends THEN
        v_refused := v_refused || jsonb_build_object('ord', v_send.ord, 'outcome', 'daily_exceeded', 'retry_after',
          ceil(extract(epoch FROM ((v_today + 1)::timestamp AT TIME ZONE 'UTC') - v_now))::int);
      ELSIF v_send.cost > 0 AND v_tokens < 1 THEN
        v_refused := v_refused || jsonb_build_object('ord', v_send.ord, 'outcome', 'rate_exceeded', 'retry_after', 1);
      ELSE
        v_accepted := v_accepted || v_send.ord;
        IF v_send.cost > 0 THEN
          v_least := v_cost + 1;
        END IF;
        v_cost := v_cost + v_send.cost;
        v_bytes := v_bytes + v_send.bytes;
        v_tokens := v_tokens - v_send.cost;
      END IF;
    END LOOP;
  END IF;

  IF cardinality(v_accepted) > 0 THEN
    v_cost := 0;
    v_bytes := 0;
    FOR ord, outcome, retry_after, group_index, id, message_id, status, scheduled_at, created_at, v_due, v_size IN
    WITH recipient AS MATERIALIZED (
      SELECT r.*, CASE WHEN r.held THEN 'simulator' ELSE coalesce(
          (SELECT x.reason FROM suppressions x WHERE x.project_id = p_project AND x.email = r.canonical),
          CASE WHEN r.topic IS NOT NULL AND left_topic(p_project, r.topic, r.canonical) THEN 'topic_opt_out' END
        ) END AS suppressed_by
        FROM json_to_recordset(p_recipients) AS r(
          ord int, id uuid, message uuid, role text, address text, canonical text, simulated boolean, held boolean, topic uuid,
          event_id uuid)
        WHERE r.ord = ANY (v_accepted)
    ), admitted AS MATERIALIZED (
      SELECT m.*, s.key, s.free, sender.id AS domain_id, sender.region,
          (SELECT q.id FROM delivery_queues q WHERE q.region = sender.region AND q.kind = 'general') AS queue_id, CASE
          WHEN reached.message IS NULL THEN 'suppressed'
          WHEN m.scheduled_at IS NOT NULL THEN 'scheduled' ELSE 'queued' END AS status
        FROM json_to_recordset(p_messages) AS m(
          ord int, idx int, id uuid, group_id uuid, from_header text, to_headers text[], cc_headers text[],
          bcc_headers text[], reply_to text, subject text, message_id text, category text, topic_id uuid, audience_id text,
          broadcast_id uuid,
          tags jsonb, metadata jsonb, headers jsonb, tracking jsonb, test_mode boolean, scheduled_at timestamptz,
          window_start timestamptz, window_end timestamptz, give_up_after int, tls text, size int, key_id uuid, user_id uuid,
          request_id uuid, attachments jsonb, contact_values jsonb, event_id uuid)
        JOIN json_to_recordset(p_sends) AS s(ord int, key text, domain text, free boolean) ON s.ord = m.ord
        JOIN domains sender ON sender.project_id = p_project AND sender.name = s.domain
        LEFT JOIN (SELECT DISTINCT r.message FROM recipient r WHERE r.suppressed_by IS NULL) AS reached ON reached.message = m.id
        WHERE m.ord = ANY (v_accepted)
    ), email AS (
      INSERT INTO emails (id, project_id, idempotency_key, group_id, group_index, status, admitted_status, domain_id,
          from_header, to_headers, cc_headers, bcc_headers, reply_to, subject, message_id, category, topic_id, audience_id,
          broadcast_id, tags, metadata, headers, tracking, test_mode, scheduled_at, window_start, window_end, give_up_after, tls, size, key_id,
          user_id, request_id, due_at, created_at, updated_at)
        SELECT a.id, p_project, CASE WHEN a.idx = 0 OR a.broadcast_id IS NOT NULL THEN a.key END, a.group_id, a.idx, a.status, a.status, a.domain_id,
          a.from_header, coalesce(a.to_headers, '{}'), coalesce(a.cc_headers, '{}'), coalesce(a.bcc_headers, '{}'),
          a.reply_to, a.subject, a.message_id, a.category, a.topic_id, a.audience_id, a.broadcast_id, a.tags, a.metadata, a.headers,
          a.tracking, a.test_mode, a.scheduled_at, a.window_start, a.window_end, a.give_up_after, a.tls, a.size, a.key_id,
          a.user_id, a.request_id, CASE WHEN a.status = 'scheduled' THEN a.scheduled_at END, v_now, v_now
          FROM admitted a ORDER BY a.key
    ), body AS (
      INSERT INTO email_bodies (project_id, email_id, text, html, attachments, contact_values)
        SELECT p_project, a.id, CASE WHEN a.idx = 0 THEN p_texts[a.ord + 1] END,
          CASE WHEN a.idx = 0 THEN p_htmls[a.ord + 1] END, a.attachments, a.contact_values FROM admitted a
    ), delivery AS (
      INSERT INTO deliveries (id, project_id, email_id, region, queue_id, role, address, canonical, status, suppressed_by,
          due_at, ended_at, created_at, updated_at)
        SELECT r.id, p_project, a.id, a.region, CASE WHEN r.simulated THEN (SELECT q.id FROM delivery_queues q
              WHERE q.region = a.region AND q.kind = 'simulator')
            -- Scheduled mail finds its destination when it is due.
            WHEN a.status = 'queued' THEN coalesce((SELECT q.id FROM destination_domains k
              JOIN delivery_queues q ON q.region = a.region AND q.kind = 'destination' AND q.destination_id = k.destination_id
              WHERE k.domain = split_part(r.canonical, '@', 2) AND q.dissolves_at IS NULL), a.queue_id)
            ELSE a.queue_id END, r.role, r.address, r.canonical,
          CASE WHEN r.suppressed_by IS NULL THEN a.status ELSE 'suppressed' END, r.suppressed_by,
          CASE WHEN r.suppressed_by IS NULL AND a.status = 'queued' THEN v_now END,
          CASE WHEN r.suppressed_by IS NOT NULL THEN v_now END, v_now, v_now
          FROM recipient r JOIN admitted a ON a.id = r.message
    ), event AS (
      INSERT INTO events (id, project_id, email_id, delivery_id, type, data, occurred_at, created_at)
        SELECT a.event_id, p_project, a.id, NULL, a.status,
          jsonb_build_object('to', array_to_string(a.to_headers, ', '), 'subject', a.subject), v_now, v_now
          FROM admitted a WHERE a.status <> 'suppressed'
        UNION ALL
        SELECT r.event_id, p_project, a.id, r.id, 'suppressed',
          jsonb_build_object('to', r.address, 'subject', a.subject, 'reason', r.suppressed_by), v_now, v_now
          FROM recipient r JOIN admitted a ON a.id = r.message WHERE r.suppressed_by IS NOT NULL
    )
    SELECT a.ord, 'accepted', NULL::int, a.idx, a.id, a.message_id, a.status, a.scheduled_at, v_now,
        (a.status = 'queued' AND a.free IS NOT TRUE)::int,
        CASE WHEN a.idx = 0 THEN bytes_of_body(p_texts[a.ord + 1], p_htmls[a.ord + 1], a.attachments, NULL)
          ELSE bytes_of_body(NULL, NULL, a.attachments, NULL) END
      FROM admitted a
    LOOP
      v_messages := v_messages + 1;
      v_cost := v_cost + v_due;
      v_bytes := v_bytes + v_size;
      RETURN NEXT;
    END LOOP;

    -- Nearly always: nobody else holds the row of the day, and both have enough.
    IF v_cost > 0 THEN
      UPDATE quota_days q SET used = q.used + v_cost
        FROM (SELECT d.organization_id, d.day FROM quota_days d
          WHERE d.organization_id = v_project.organization_id AND d.day = v_today FOR NO KEY UPDATE SKIP LOCKED) AS held
        WHERE q.organization_id = held.organization_id AND q.day = held.day AND q.used + v_cost <= v_project.daily_sends;
      IF FOUND THEN
        UPDATE send_allowances a SET emails = a.emails + v_messages, stored_bytes = a.stored_bytes + v_bytes,
            refilled_at = clock_timestamp(), tokens = least(
              v_project.burst - coalesce((SELECT sum(c.tokens) FROM allowance_chunks c WHERE c.project_id = p_project), 0),
              a.tokens + greatest(0, extract(epoch FROM clock_timestamp() - a.refilled_at)) * v_project.rate) - v_cost
          WHERE a.project_id = p_project AND least(v_project.burst,
              a.tokens + greatest(0, extract(epoch FROM clock_timestamp() - a.refilled_at)) * v_project.rate)
            >= coalesce(v_least, v_cost);
        v_debited := FOUND;
        IF NOT v_debited THEN
          UPDATE quota_days q SET used = q.used - v_cost WHERE q.organization_id = v_project.organization_id AND q.day = v_today;
        END IF;
      END IF;
    END IF;
    IF NOT v_debited THEN
      PERFORM debit_allowance(p_project, v_today, v_messages, v_bytes, v_cost, coalesce(v_least, v_cost));
    END IF;
  END IF;

  IF jsonb_array_length(v_refused) > 0 THEN
    RETURN QUERY
    SELECT r.ord, r.outcome, r.retry_after, e.group_index, e.id, e.message_id, e.admitted_status,
        coalesce(e.admitted_for, e.scheduled_at), e.created_at
      FROM jsonb_to_recordset(v_refused) AS r(ord int, outcome text, retry_after int, id uuid)
      LEFT JOIN LATERAL (
        SELECT k.* FROM emails k WHERE k.project_id = p_project AND k.id = r.id
        UNION ALL
        SELECT k.* FROM emails k WHERE k.project_id = p_project AND k.group_id = r.id AND k.group_index > 0
      ) AS e ON true;
  END IF;
END $$;

-- Every lookup of an accept is by a key, so one plan is right for every call. PostgreSQL cannot know that: it estimates the
-- lists in JSON at a hundred rows, and planned each call of a single send anew, for half of the time of the call. Without
-- sequential scans, a plan made while the tables were empty is still right when they have grown.
ALTER FUNCTION accept_emails(uuid, json, json, text[], text[], json) SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION accept_emails(uuid, json, json, text[], text[], json) SET enable_seqscan = off;
