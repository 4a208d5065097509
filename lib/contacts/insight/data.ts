import { addAudit } from "@/lib/access/audit/data"
import { lockContact } from "@/lib/consent/data"
import type { Verdict } from "@/lib/contacts/rules"
import type { Activity, EmailValidation } from "@/lib/contacts/schema"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { pool } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId, type IdPrefix } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"

/** What is known of a contact's address; null where there is no such contact. */
export async function findValidation(
  scope: Scope,
  contactId: string,
): Promise<(EmailValidation & { email: string }) | null> {
  const row = await db(scope).contact.findUnique({
    where: { id: contactId },
    select: { email: true, validationStatus: true, validationReason: true, validatedAt: true },
  })
  return (
    row && {
      object: "email_validation",
      status: row.validationStatus,
      reason: present(row.validationReason),
      validatedAt: present(row.validatedAt),
      email: row.email,
    }
  )
}

/** Stores our own result, unless another was recorded in the meantime. */
export async function keepVerdict(
  scope: Scope,
  contactId: string,
  { status, reason }: Verdict,
  now: Date,
): Promise<void> {
  await db(scope).contact.updateMany({
    where: { id: contactId, validatedAt: null },
    data: { validationStatus: status, validationReason: reason ?? null, validatedAt: now },
  })
}

/** Records what the caller has found out, with an audit entry. False where there is no such contact. */
export async function recordVerdict(
  scope: Scope,
  contactId: string,
  { status, reason }: Verdict,
  now: Date,
): Promise<boolean> {
  return db(scope).$transaction(async (tx) => {
    // The status before is the one that is replaced, whoever else records one at the same time.
    await lockContact(scope.project.id, { id: contactId }, tx)
    const where = { id: contactId }
    const before = await tx.contact.findUnique({ where, select: { validationStatus: true } })
    if (!before) return false
    await tx.contact.updateMany({
      where,
      data: {
        validationStatus: status,
        validationReason: reason ?? null,
        validatedAt: now,
        updatedAt: await databaseTime(tx),
      },
    })
    const changes = { status: [before.validationStatus, status], ...(reason ? { reason } : {}) }
    await addAudit(scope, { action: "contact.validation_recorded", target: encodeId("con", contactId), changes }, tx)
    return true
  })
}

/** Emails read for their latest events. */
const mailsMax = 100

type Row = {
  id: string
  type: string
  occurred_at: Date
  reference_id: string | null
  reference_name: string | null
  topic_id: string | null
}

// Raw, because Prisma has no union of tables.

/**
 * The latest entries of a contact, newest first: recorded activity, events of its emails, and memberships and preferences
 * without recorded activity (written in bulk).
 */
export async function latestActivity(scope: Scope, contactId: string, limit: number): Promise<Activity[]> {
  const { rows } = await pool().query<Row>(
    `WITH contact AS (SELECT * FROM contacts WHERE project_id = $1 AND id = $2),
      mails AS (
        SELECT d.email_id, d.id FROM deliveries d, contact c
          WHERE d.project_id = $1 AND d.canonical = c.email ORDER BY d.email_id DESC LIMIT ${mailsMax}
      ), written AS (
        SELECT a.id, a.type, a.occurred_at, a.reference_id, a.reference_name FROM contact_activities a
          WHERE a.project_id = $1 AND a.contact_id = $2 ORDER BY a.occurred_at DESC LIMIT $3
      ), mailed AS (
        SELECT v.id, 'email_' || v.type AS type, v.occurred_at, v.email_id AS reference_id, e.subject AS reference_name, e.topic_id
          FROM events v JOIN emails e ON e.project_id = v.project_id AND e.id = v.email_id
          WHERE v.project_id = $1 AND v.email_id = ANY (SELECT email_id FROM mails)
            AND v.delivery_id = ANY (SELECT id FROM mails)
            AND v.type IN ('sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained')
            AND v.data->>'machine' IS DISTINCT FROM 'true'
            AND NOT (v.type = 'bounced' AND EXISTS (SELECT 1 FROM events b WHERE b.project_id = $1 AND b.email_id = v.email_id
              AND b.delivery_id = v.delivery_id AND b.type = 'delivery_delayed' AND b.data->>'reason' = 'bounce_taken_back'
              AND b.occurred_at >= v.occurred_at))
      ), joined AS (
        SELECT md5(m.segment_id::text || m.contact_id)::uuid AS id, 'segment_added' AS type, m.created_at AS occurred_at,
            m.segment_id AS reference_id, s.name AS reference_name
          FROM segment_members m JOIN segments s ON s.project_id = m.project_id AND s.id = m.segment_id
          WHERE m.project_id = $1 AND m.contact_id = $2 AND m.origin <> 'removed' AND s.deleted_at IS NULL AND NOT EXISTS (
            SELECT 1 FROM contact_activities a WHERE a.project_id = $1 AND a.contact_id = $2
              AND a.type = 'segment_added' AND a.reference_id = m.segment_id)
      ), preferred AS (
        SELECT md5(p.topic_id::text || p.contact_id)::uuid AS id,
            CASE p.subscription WHEN 'opt_in' THEN 'topic_subscribed' ELSE 'topic_unsubscribed' END AS type,
            p.updated_at AS occurred_at, p.topic_id AS reference_id, t.name AS reference_name
          FROM topic_preferences p JOIN topics t ON t.project_id = p.project_id AND t.id = p.topic_id
          WHERE p.project_id = $1 AND p.contact_id = $2 AND NOT EXISTS (
            SELECT 1 FROM contact_activities a WHERE a.project_id = $1 AND a.contact_id = $2
              AND a.type LIKE 'topic\\_%' AND a.reference_id = p.topic_id)
      )
      SELECT * FROM (
        SELECT *, NULL::uuid AS topic_id FROM written
        UNION ALL SELECT * FROM mailed
        UNION ALL SELECT *, NULL FROM joined
        UNION ALL SELECT *, NULL FROM preferred
        UNION ALL SELECT c.id, 'contact_created', c.created_at, NULL, NULL, NULL FROM contact c
      ) AS entries ORDER BY occurred_at DESC, id DESC LIMIT $3`,
    [scope.project.id, contactId, limit],
  )
  return rows.map(toActivity)
}

const prefixes: Record<string, IdPrefix> = { email: "email", segment: "seg", topic: "top", suppression: "sup" }

function toActivity(row: Row): Activity {
  const [area = ""] = row.type.split("_")
  const prefix = prefixes[area]
  const topicId = area === "topic" ? row.reference_id : row.topic_id
  return {
    id: row.id,
    object: "activity",
    type: row.type,
    occurredAt: row.occurred_at,
    referenceId: prefix && row.reference_id ? encodeId(prefix, row.reference_id) : undefined,
    referenceName: present(row.reference_name),
    metadata: topicId ? { topicId } : undefined,
  }
}
