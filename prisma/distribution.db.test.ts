import { expect, test } from "vitest"
import { pool } from "@/lib/platform/database/db"

// An installation that outgrows one PostgreSQL is divided by project (Citus and its like), which keeps unique keys and foreign
// keys within one project only. These lists are what such a move would have to change, and they may not grow unnoticed.

const projectTables = `SELECT c.oid, c.relname AS name FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'project_id'
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace`

async function namesOf(statement: string): Promise<string[]> {
  const { rows } = await pool().query<{ name: string }>(statement)
  return rows.map(({ name }) => name)
}

/** Keys that are looked up before the project is known, or that name a row whose key has the project. */
const uniqueOverProjects = {
  "api_keys (hash)": "a request names its key alone",
  "stream_tokens (token_hash)": "a stream names its token alone",
  "domains (mail_from_domain)": "returned mail names its domain alone",
  "inbound_messages (delivery_id, place)": "a provider's notice, once",
  "inbound_messages (rcpt_to, digest)": "a mail that came in, once",
  "retained_signers (domain_id)": "the domain is one project's",
  "dmarc_sources (report_id, ordinal)": "the report is one project's",
  "tls_report_results (report_id, ordinal)": "the report is one project's",
  "webhook_deliveries (webhook_id, event_id, replay)": "the webhook is one project's",
  "webhook_hours (webhook_id, hour)": "the webhook is one project's",
}

test("a unique key of a project's rows has the project or is a uuid of its own, but for ten", async () => {
  const found = await namesOf(
    `WITH t AS (${projectTables})
      SELECT t.name || ' (' || k.columns || ')' AS name
        FROM t JOIN pg_index i ON i.indrelid = t.oid AND i.indisunique
        CROSS JOIN LATERAL (
          SELECT string_agg(coalesce(a.attname, 'expression'), ', ' ORDER BY key.ord) AS columns
            FROM unnest(i.indkey) WITH ORDINALITY AS key(attnum, ord)
            LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = key.attnum AND key.attnum > 0) AS k
        WHERE k.columns <> 'id' AND NOT 'project_id' = ANY (string_to_array(k.columns, ', ')) ORDER BY 1`,
  )
  expect(found).toEqual(Object.keys(uniqueOverProjects).toSorted())
})

test("a foreign key between rows of projects has the project", async () => {
  const found = await namesOf(
    `WITH t AS (${projectTables})
      SELECT conrelid::regclass || ' to ' || confrelid::regclass AS name FROM pg_constraint
        WHERE contype = 'f' AND conparentid = 0 AND conrelid IN (SELECT oid FROM t) AND confrelid IN (SELECT oid FROM t)
          AND NOT EXISTS (SELECT FROM pg_attribute a
            WHERE a.attrelid = conrelid AND a.attname = 'project_id' AND a.attnum = ANY (conkey)) ORDER BY 1`,
  )
  expect(found).toEqual([])
})

/** Tables of no project, by what their rows belong to. */
const others = {
  organization: [
    ...["audit_heads", "audit_links", "audit_seals", "dmarc_tokens", "invites", "members", "organizations", "projects"],
    ...["quota_days", "quota_marks", "quota_notices"],
  ],
  person: [
    ...["identities", "notice_reads", "operator_notice_reads", "passkey_challenges", "passkeys", "pending_sign_ins"],
    ...["recovery_codes", "sessions", "sign_in_links", "totp_factors", "users"],
  ],
  "addresses and servers that mail leaves by or goes to": [
    ...[
      "delivery_queues",
      "destination_domains",
      "destination_hours",
      "destinations",
      "egress_addresses",
      "egress_days",
    ],
    ...["egress_pauses", "mta_sts_policies", "places", "region_outages", "return_routes", "route_refusals"],
    ...["tls_report_sends", "tls_results"],
  ],
  installation: [
    ...[
      "_mailroom_functions",
      "_mailroom_releases",
      "_prisma_migrations",
      "audit_seal_total",
      "cell_moves",
      "delivery_workers",
    ],
    ...[
      "dispatch_shards",
      "dispatch_state",
      "engagement_pass",
      "installation",
      "operator_notices",
      "provider_events",
      "rate_windows",
    ],
    ...["service_keys", "ses_identities", "ses_removals", "setup_checks", "setup_regions", "system_mails"],
    ...["undelivered_system_mails"],
  ],
}

test("a table without the project is an organization's, a person's, the mail routes' or the installation's", async () => {
  const found = await namesOf(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relnamespace = 'public'::regnamespace AND c.oid NOT IN (SELECT oid FROM (${projectTables}) t) ORDER BY 1`,
  )
  expect(found.toSorted()).toEqual(Object.values(others).flat().toSorted())
})
