// Parts of the statements on `pg` with which delivery writes outcomes: each writes deliveries, emails and events at once.

/** Adds events; `rows` selects id, project_id, email_id, delivery_id, type, data and the time. */
export const addEventRows = (rows: string) =>
  `INSERT INTO events (id, project_id, email_id, delivery_id, type, data, occurred_at)
        ${rows}`

/** Gives emails the status of their only delivery, which was accepted; `held` names rows with email_id and status. */
export const markAccepted = (held: string) =>
  `UPDATE emails e SET status = h.status, reason = NULL, reason_facts = NULL, sent_at = coalesce(e.sent_at, now()), updated_at = now()
      FROM ${held} h WHERE e.id = h.email_id AND e.id = ANY (ARRAY(SELECT email_id FROM ${held}))`

/** Writes the status and reason that emails have after an outcome; `emails` is JSON of them, `ids` an array of their ids. */
export const writeStatuses = (emails: string, ids: string) =>
  `UPDATE emails e SET status = g.status, reason = g.reason, reason_facts = g.reason_facts, updated_at = now(),
            sent_at = CASE WHEN g.relayed THEN coalesce(e.sent_at, now()) ELSE e.sent_at END
          FROM json_to_recordset(${emails}) AS g(id uuid, status text, reason text, reason_facts jsonb, relayed boolean)
          WHERE e.id = g.id AND e.id = ANY (${ids})`
