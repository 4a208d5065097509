import { deletion, step } from "@/lib/platform/database/retention-sql"
import { env } from "@/lib/platform/env/env"

/** A content has some mebibytes. */
const contentsMax = 20
const bodyDays = () => env().keepDays.bodies

/** Retention of what emails contain. Raw, because Prisma has neither SKIP LOCKED nor a condition over two tables. */
export const emailRetention = [
  // The email itself remains. Ids are ordered by time, so the index of full bodies tells their age.
  step(
    "email bodies",
    `UPDATE email_bodies SET text = NULL, html = NULL, attachments = NULL, raw = NULL, cuts = NULL,
        emptied_at = now()
      WHERE ctid = ANY (ARRAY(
        SELECT b.ctid FROM email_bodies b
          WHERE b.emptied_at IS NULL AND b.email_id < first_id_at(now() - make_interval(days => $2))
            AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.project_id = b.project_id AND d.email_id = b.email_id
              AND (d.due_at IS NOT NULL OR d.status = 'scheduled'))
            AND ${noneOfItsSend("b.project_id", "b.email_id")}
          ORDER BY b.email_id LIMIT $1 FOR UPDATE OF b SKIP LOCKED))`,
    [bodyDays],
  ),
  deletion(
    "email contents",
    `email_contents c WHERE c.id < first_id_at(now() - make_interval(days => $2))
        AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.project_id = c.project_id AND d.email_id = c.id
          AND (d.due_at IS NOT NULL OR d.status = 'scheduled'))
        AND ${noneOfItsSend("c.project_id", "c.id")}
      ORDER BY c.id`,
    [bodyDays],
    contentsMax,
  ),
  deletion(
    "links of emails",
    "tracked_emails WHERE email_id < first_id_at(now() - make_interval(days => $2)) ORDER BY email_id",
    [() => env().keepDays.events],
  ),
  // An hour after a content was stored, its send has been accepted or never will be: each is checked once.
  step(
    "contents of refused sends",
    `WITH due AS MATERIALIZED (
        SELECT c.id, EXISTS (SELECT 1 FROM emails e WHERE e.project_id = c.project_id AND e.id = c.id) AS accepted
          FROM email_contents c WHERE NOT c.in_use AND c.id < first_id_at(now() - interval '1 hour')
          ORDER BY c.id LIMIT $1 FOR UPDATE OF c SKIP LOCKED
      ), used AS (
        UPDATE email_contents SET in_use = true WHERE id = ANY (ARRAY(SELECT id FROM due WHERE accepted))
      ), refused AS (
        DELETE FROM email_contents WHERE id = ANY (ARRAY(SELECT id FROM due WHERE NOT accepted))
      )
      SELECT id FROM due`,
    [],
    contentsMax,
  ),
]

/** The first message of a send stores the content of the others: none of them may still be on its way. */
function noneOfItsSend(projectId: string, groupId: string): string {
  return `NOT EXISTS (SELECT 1 FROM emails s JOIN deliveries d ON d.project_id = s.project_id AND d.email_id = s.id
    WHERE s.project_id = ${projectId} AND s.group_id = ${groupId} AND s.group_index > 0
      AND (d.due_at IS NOT NULL OR d.status = 'scheduled'))`
}
