import { basename, dirname } from "node:path"
import { describe, expect, test } from "vitest"
import { functionFiles, read, sources, tablesOfSchema, writesColumn, writtenIn } from "@/e2e/support/api/table-writers"

/** The only folder of lib that writes these tables. Others call its store. */
const owners: Record<string, readonly string[]> = {
  access: [
    ...["users", "identities", "sessions", "sign_in_links", "organizations", "members", "invites", "audit_entries"],
    ...["audit_heads", "audit_links", "audit_seals", "audit_seal_total"],
    ...["totp_factors", "recovery_codes", "pending_sign_ins", "passkeys", "passkey_challenges"],
    ...["places", "rate_windows", "system_mails", "undelivered_system_mails"],
    ...["notices", "notice_reads"],
  ],
  projects: [
    ...[
      "installation",
      "projects",
      "quota_days",
      "quota_marks",
      "quota_notices",
      "send_allowances",
      "allowance_chunks",
      "notice_targets",
    ],
    // Kept by triggers, folded by a job.
    "stored_byte_deltas",
  ],
  "api-keys": ["api_keys", "api_key_requests", "api_key_days", "api_key_hours"],
  domains: [
    ...["domains", "domain_checks", "dkim_keys", "retained_signers", "dmarc_tokens", "service_keys"],
    ...["dmarc_reports", "dmarc_sources", "tls_reports", "tls_report_results"],
  ],
  consent: ["suppressions", "topic_preferences", "topic_opt_outs"],
  suppressions: ["ses_removals"],
  topics: ["topics"],
  "contact-properties": ["contact_properties"],
  segments: ["segments", "segment_members", "segment_work", "segment_events"],
  contacts: [
    ...["contacts", "contact_activities", "imports", "import_errors", "engagement_pass", "engagement_work"],
    // Kept by triggers, folded by a job.
    ...["audience_totals", "count_deltas"],
  ],
  emails: [
    ...["emails", "email_bodies", "email_contents", "tracked_emails", "events"],
    ...["email_search_queue", "email_search_groups", "templates", "template_versions"],
  ],
  delivery: [
    ...["deliveries", "delivery_attempts", "region_outages", "delivery_allowances"],
    ...[
      "delivery_workers",
      "delivery_queues",
      "destinations",
      "destination_domains",
      "route_refusals",
      "return_routes",
      "mta_sts_policies",
      "tls_results",
      "tls_report_sends",
      "destination_hours",
      "destination_refusals",
    ],
    ...["egress_addresses", "egress_days", "egress_pauses", "setup_checks", "setup_regions", "ses_identities"],
    ...["operator_notices", "operator_notice_reads"],
  ],
  sandbox: ["sandbox_messages"],
  inbound: ["inbound_messages", "provider_events"],
  tracking: ["tracking_hits", "email_engagements", "opening_hours"],
  stream: ["stream_tokens"],
  webhooks: ["webhooks", "webhook_deliveries", "webhook_hours", "webhook_shapings"],
  received: ["inbound_routes"],
  metrics: ["metric_hours", "topic_hours", "metric_slices", "rate_notices"],
  broadcasts: ["broadcasts"],
  worker: ["dispatch_shards", "dispatch_state"],
  platform: ["cell_moves"],
}

/** Second writers that are left: `table: folder`. Take a line out when its statement has moved to the owner. */
const exceptions = new Set([
  // The global state of a contact is consent; the rest of its row is the contact's.
  "contacts: consent",
])

/** Files with statements whose table is a variable. */
const dynamic = [
  // Deletes from the table that a step of the worker names, by age or as a part of its project.
  "lib/platform/database/deletion-sql.ts",
  // Moves the due times of the table that the owner names.
  "lib/platform/jobs/leases-sql.ts",
  // Fills every table of an empty database from a backup.
  "lib/platform/postgres/backup.ts",
]

/** Functions and triggers that write, which are the same for every writer. */
const functions: Record<string, readonly string[]> = {
  accept_emails: ["deliveries", "email_bodies", "emails", "events", "quota_days", "send_allowances"],
  announce_contacts: ["events"],
  announce_domains: ["events"],
  announce_suppressions: ["events"],
  chain_audit_entry: ["audit_heads", "audit_links"],
  count_in_windows: ["rate_windows"],
  count_segment_members: ["count_deltas"],
  count_topic_preferences: ["count_deltas", "segment_work"],
  debit_allowance: ["allowance_chunks", "quota_days", "send_allowances", "stored_byte_deltas"],
  fold_counts: ["audience_totals", "count_deltas", "segments", "topics"],
  fold_stored_bytes: ["send_allowances", "stored_byte_deltas"],
  follow_contacts: ["count_deltas", "engagement_work", "segment_work"],
  follow_segment_members: ["segment_work"],
  follow_suppressions: ["contact_activities", "contacts"],
  leave_segments: ["segment_members"],
  lock_allowance: ["quota_days"],
  note_broadcast_bytes: ["stored_byte_deltas"],
  note_stored_bytes: ["stored_byte_deltas"],
  queue_email_search: ["email_search_queue"],
  reclaim_chunks: ["allowance_chunks", "quota_days", "send_allowances"],
  record_error: ["emails"],
  take_topic_opt_outs: ["contact_activities", "topic_opt_outs", "topic_preferences"],
}

const tables = tablesOfSchema()
const folderOf = (file: string) => (file.startsWith("lib/") ? (file.split("/")[1] ?? "") : "app")
/** Has the two ordered tables by which the rows of every area end: with their project, or with their time. */
const ends = "lib/worker/removal-sql.ts"
/** Takes the rows of every area as they are to another installation; its table of all tables has a test of its own. */
const moves = "lib/platform/postgres/move/"
const living = sources().filter((file) => file !== ends && !file.startsWith(moves))
const written = living.map((file) => ({ file, folder: folderOf(file), ...writtenIn(read(file), tables) }))
const writersOf = (table: string) => [
  ...new Set(written.flatMap((source) => (source.tables.has(table) ? [source.folder] : []))),
]

describe("A table has one writer:", () => {
  test("the file with the two tables of ends is there", () => {
    expect(sources()).toContain(ends)
  })

  test("every table has an owner, and every owner exists", () => {
    expect(Object.values(owners).flat().sort()).toEqual([...tables.values()].sort())
  })

  test("only the owner's folder writes it", () => {
    const second = Object.entries(owners).flatMap(([owner, owned]) =>
      owned.flatMap((table) => writersOf(table).flatMap((folder) => (folder === owner ? [] : [`${table}: ${folder}`]))),
    )
    expect(second.sort()).toEqual([...exceptions].sort())
  })

  test("statements whose table is a variable are in the files that are known for it", () => {
    expect(written.flatMap((source) => (source.dynamic ? [source.file] : []))).toEqual(dynamic)
  })

  test("functions and triggers write what is listed", () => {
    const found = functionFiles().flatMap((file) => {
      const { tables: names } = writtenIn(read(file), tables)
      return names.size ? [[basename(file, ".sql"), [...names].sort()]] : []
    })
    expect(Object.fromEntries(found)).toEqual(functions)
  })

  test("the counts of writers", () => {
    const counts = [...tables.values()].map((table) => writersOf(table).length)
    const writtenBy = (least: number, most = least) => counts.filter((count) => count >= least && count <= most).length
    process.stdout.write(
      `tables by writing folders: none ${writtenBy(0)}, one ${writtenBy(1)}, two ${writtenBy(2)}, three or more ${writtenBy(3, Infinity)}\n`,
    )
    expect(writtenBy(0) + writtenBy(1) + writtenBy(2) + writtenBy(3, Infinity)).toBe(tables.size)
  })
})

describe("Consent", () => {
  const folders = (files: string[]) => [...new Set(files.map((file) => dirname(file)))]

  test.each(["suppressions", "topic_preferences", "topic_opt_outs"])("%s is changed in lib/consent alone", (table) => {
    expect(folders(written.flatMap((source) => (source.tables.has(table) ? [source.file] : [])))).toEqual([
      "lib/consent",
    ])
  })

  test("contacts.unsubscribed is changed in lib/consent alone, which changes nothing else of a contact", () => {
    const unsubscribed = { table: "contacts", model: "contact", column: "unsubscribed" }
    expect(folders(sources().filter((file) => writesColumn(read(file), unsubscribed)))).toEqual(["lib/consent"])
    const updates = sources()
      .filter((file) => file.startsWith("lib/consent/"))
      .flatMap((file) => [...read(file).matchAll(/UPDATE contacts SET (.*)\n/g)].map(([, set]) => set))
    for (const set of updates) expect(set).toMatch(/^unsubscribed = \$\{unsubscribed\}::boolean( WHERE|$)/)
    expect(updates.length).toBeGreaterThan(0)
  })
})

describe("A writer is found", () => {
  test.each([
    ["`INSERT INTO topics (id) VALUES ($1)`", "topics"],
    ["`WITH a AS (\n  UPDATE topics t SET name = $1 RETURNING 1\n) SELECT 1`", "topics"],
    ["Prisma.sql`DELETE FROM ONLY topics`", "topics"],
    ["`TRUNCATE topics`", "topics"],
    ["db(scope).topic.updateManyAndReturn({ where })", "topics"],
    ["tx.apiKey\n    .deleteMany({})", "api_keys"],
    ['agedDeletion("old topics", "topics", "created_at", () => 1)', "topics"],
    ['deletion(\n  "old topics",\n  "topics WHERE true",\n)', "topics"],
    ['claimRows<Row>("topics", { limit })', "topics"],
    ['claimInTurn<Row>("topics", { limit })', "topics"],
    ['extendLeases("topics", rows, { leaseMs })', "topics"],
    ['removal("topics", "id")', "topics"],
  ])("in %s", (text, table) => {
    expect([...writtenIn(text, tables).tables]).toEqual([table])
  })

  test.each([
    "`SELECT id FROM topics FOR NO KEY UPDATE SKIP LOCKED`",
    "`INSERT INTO other (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET id = 1`",
    "db(scope).topic.findMany({ where })",
    'hash.update("topic")',
  ])("and a reader is not: %s", (text) => {
    expect([...writtenIn(text, tables).tables]).toEqual([])
  })

  test.each([
    "`UPDATE contacts SET first_name = $1,\n  unsubscribed = true WHERE id = $2`",
    "`INSERT INTO contacts AS c (id, unsubscribed) SELECT $1, true`",
    "tx.contact.updateMany({ where: { id: idOf(x) }, data: { unsubscribed: true } })",
    "db(scope).contact.create({ data: { id: newId(), unsubscribed: true } })",
  ])("and one of a column: %s", (text) => {
    expect(writesColumn(text, { table: "contacts", model: "contact", column: "unsubscribed" })).toBe(true)
  })
})
