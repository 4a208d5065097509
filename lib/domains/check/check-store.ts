import { pool, transaction } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"
import type { Region } from "@/lib/platform/env/settings"
import type { CheckOutcome, WatchedDomain } from "@/lib/domains/check/check"
import type { WatchedRecord } from "@/lib/domains/rules"

/** Lease of a claimed domain in seconds; a check takes at most five. */
const leaseSeconds = 60

/** Checks in a domain's history. */
const checksKept = 200

/** A domain of this project with everything that a check needs. */
export async function watchedDomain(scope: Scope, id: string): Promise<WatchedDomain | null> {
  const { rows } = await pool().query<Row>(`${select} WHERE d.project_id = $1 AND d.id = $2`, [scope.project.id, id])
  return rows[0] ? toWatched(rows[0]) : null
}

/** Claims up to `limit` domains whose check is due, of all projects; they become due again when the lease ends. */
export async function claimDueDomains(limit: number): Promise<WatchedDomain[]> {
  const { rows } = await pool().query<Row>(
    `WITH due AS (
        SELECT id FROM domains WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
      ), taken AS (
        UPDATE domains SET due_at = now() + make_interval(secs => $2) WHERE id IN (SELECT id FROM due) RETURNING id
      )
      ${select} WHERE d.id IN (SELECT id FROM taken)`,
    [limit, leaseSeconds],
  )
  return rows.map(toWatched)
}

/** Saves the outcome of a check; false when the domain was checked or changed meanwhile, which then counts. */
export async function saveCheck(domain: WatchedDomain, outcome: CheckOutcome): Promise<boolean> {
  return transaction(async (client) => {
    const { rowCount } = await client.query(
      `UPDATE domains SET status = $3, missing_since = $4, verified_at = $5, dkim_status = $6, spf_status = $7,
          mail_from_status = $8, dmarc_status = $9, tracking_status = $10, records = $11, check_attempt = $12,
          due_at = now() + make_interval(secs => $13), checked_at = $14,
          updated_at = CASE WHEN $15 THEN now() ELSE updated_at END, hosting = COALESCE($17::jsonb, hosting)
        WHERE project_id = $1 AND id = $2 AND checked_at IS NOT DISTINCT FROM $16 AND updated_at = $18`,
      [
        domain.projectId,
        domain.id,
        outcome.status,
        outcome.missingSince,
        outcome.verifiedAt,
        outcome.dkimStatus,
        outcome.spfStatus,
        outcome.mailFromStatus,
        outcome.dmarcStatus,
        outcome.trackingStatus,
        JSON.stringify(outcome.records),
        outcome.attempt,
        outcome.nextCheckSeconds,
        outcome.checkedAt,
        outcome.changed,
        domain.checkedAt,
        outcome.hosting && JSON.stringify(outcome.hosting),
        domain.updatedAt,
      ],
    )
    if (!rowCount) return false
    for (const key of domain.keys) {
      const status = outcome.records.find((record) => record.key === key.record)?.status ?? "pending"
      await client.query("UPDATE dkim_keys SET status = $3 WHERE project_id = $1 AND id = $2", [
        domain.projectId,
        key.id,
        status,
      ])
    }
    if (outcome.keepInHistory) {
      await client.query(
        "INSERT INTO domain_checks (id, project_id, domain_id, status, findings) VALUES ($1, $2, $3, $4, $5)",
        [newId(), domain.projectId, domain.id, outcome.status, JSON.stringify(findingsOf(outcome.records))],
      )
      await client.query(
        `DELETE FROM domain_checks WHERE project_id = $1 AND domain_id = $2 AND id <= (
          SELECT id FROM domain_checks WHERE project_id = $1 AND domain_id = $2 ORDER BY id DESC OFFSET $3 LIMIT 1)`,
        [domain.projectId, domain.id, checksKept],
      )
    }
    return true
  })
}

const select = `SELECT d.id, d.project_id, d.name, d.region, d.mail_from_domain, d.tracking_domain, d.status,
    d.dmarc_status, d.missing_since, d.verified_at, d.checked_at, d.updated_at, d.check_attempt, d.records,
    d.hosting ->> 'zone' AS zone, t.token,
    (SELECT json_agg(json_build_object('id', k.id, 'selector', k.selector, 'publicKey', k.public_key, 'state', k.state))
      FROM dkim_keys k WHERE k.project_id = d.project_id AND k.domain_id = d.id AND k.state <> 'retired') AS keys
  FROM domains d
  JOIN projects p ON p.id = d.project_id
  JOIN dmarc_tokens t ON t.organization_id = p.organization_id AND t.domain = d.name`

type Row = {
  id: string
  project_id: string
  name: string
  region: Region
  mail_from_domain: string
  tracking_domain: string
  status: WatchedDomain["status"]
  dmarc_status: WatchedDomain["dmarcStatus"]
  missing_since: Date | null
  verified_at: Date | null
  checked_at: Date | null
  updated_at: Date
  check_attempt: number
  records: WatchedRecord[]
  zone: string | null
  token: string
  keys: { id: string; selector: string; publicKey: string; state: string }[] | null
}

function toWatched(row: Row): WatchedDomain {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    region: row.region,
    mailFromDomain: row.mail_from_domain,
    trackingDomain: row.tracking_domain,
    status: row.status,
    dmarcStatus: row.dmarc_status,
    missingSince: row.missing_since,
    verifiedAt: row.verified_at,
    checkedAt: row.checked_at,
    updatedAt: row.updated_at,
    attempt: row.check_attempt,
    records: row.records,
    ...(row.zone ? { zone: row.zone } : {}),
    reportToken: row.token,
    keys: (row.keys ?? []).map((key) => ({
      id: key.id,
      record: key.selector.endsWith("a") ? "dkim-a" : "dkim-b",
      selector: key.selector,
      publicKey: key.publicKey,
      active: key.state === "active",
    })),
  }
}

function findingsOf(records: WatchedRecord[]) {
  return records.map(({ key, name, status, found, likelyCause }) => ({
    key,
    name,
    status,
    found,
    ...(likelyCause ? { likelyCause } : {}),
  }))
}
