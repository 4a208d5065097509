import type pg from "pg"

/**
 * How the rows of a table move with their organization.
 * `project` and `organization`: by that column, first as of one moment and then row by row as they change.
 * `itself`: the organization's own row.
 * `last`: those of its projects, which are few, once nothing changes any more; their numbers are each database's own.
 * `person`: of its members, who may be known on the other side.
 * `window`: by the keys of its projects, once nothing changes any more.
 * `stays`: of the installation, or of no use elsewhere.
 */
type Way = "project" | "organization" | "itself" | "last" | "person" | "window" | "stays"

/** Every table of the database; a test compares. */
export const ways: Readonly<Record<string, Way>> = {
  ...all("itself", "organizations"),
  ...all(
    "organization",
    ...[
      "projects",
      "invites",
      "dmarc_tokens",
      "audit_entries",
      "audit_links",
      "audit_heads",
      "quota_days",
      "quota_marks",
    ],
    ...["quota_notices", "allowance_chunks", "api_key_requests"],
  ),
  ...all(
    "project",
    ...[
      "send_allowances",
      "delivery_allowances",
      "api_keys",
      "api_key_days",
      "api_key_hours",
      "notices",
      "notice_targets",
    ],
    ...["domains", "dkim_keys", "retained_signers", "domain_checks", "dmarc_reports", "dmarc_sources", "tls_reports"],
    ...["tls_report_results", "contacts", "audience_totals", "contact_activities", "contact_properties", "segments"],
    ...[
      "segment_members",
      "segment_work",
      "engagement_work",
      "topics",
      "topic_opt_outs",
      "topic_preferences",
      "imports",
    ],
    ...["import_errors", "suppressions", "templates", "template_versions", "broadcasts", "emails", "email_bodies"],
    ...["email_contents", "email_search_queue", "email_search_groups", "deliveries", "delivery_attempts", "events"],
    ...["tracked_emails", "tracking_hits", "email_engagements", "opening_hours", "metric_hours", "topic_hours"],
    ...["metric_slices", "rate_notices", "sandbox_messages", "inbound_messages", "inbound_routes", "webhooks"],
    ...["webhook_deliveries", "webhook_shapings", "webhook_hours"],
  ),
  ...all("last", "count_deltas", "segment_events", "stored_byte_deltas"),
  ...all("person", "members", "users", "identities", "passkeys", "totp_factors", "recovery_codes"),
  ...all("window", "rate_windows"),
  ...all(
    "stays",
    // A stream that ends asks for a token where its project is; people sign in there.
    ...[
      "stream_tokens",
      "sessions",
      "sign_in_links",
      "pending_sign_ins",
      "passkey_challenges",
      "notice_reads",
      "places",
    ],
    // The worker seals the chain anew, with the key that both sides have.
    ...["audit_seals", "audit_seal_total"],
    // About servers of others and the ways to them.
    ...["delivery_queues", "delivery_workers", "destinations", "destination_domains", "destination_hours"],
    ...["destination_refusals", "egress_addresses", "egress_days", "egress_pauses", "mta_sts_policies"],
    ...["region_outages", "return_routes", "route_refusals", "tls_report_sends", "tls_results", "ses_removals"],
    ...["provider_events", "setup_checks", "setup_regions", "ses_identities"],
    ...["installation", "service_keys", "dispatch_shards", "dispatch_state", "engagement_pass", "cell_moves"],
    ...["operator_notices", "operator_notice_reads", "system_mails", "undelivered_system_mails"],
  ),
}

/** Written for many projects at once, by processes that serve them all: such a statement goes on without the rows of the one that is held. */
export const writtenInBatches: ReadonlySet<string> = new Set([
  ...["api_key_requests", "api_key_days", "api_key_hours", "api_keys", "tracking_hits", "email_engagements"],
  ...[
    "opening_hours",
    "segment_work",
    "segment_events",
    "engagement_work",
    "count_deltas",
    "audience_totals",
    "segments",
  ],
  ...["topics", "stored_byte_deltas", "send_allowances", "quota_marks", "quota_notices", "email_search_queue"],
  ...[
    "email_search_groups",
    "metric_hours",
    "topic_hours",
    "metric_slices",
    "notices",
    "notice_targets",
    "rate_notices",
  ],
  ...["imports", "domains", "retained_signers", "webhook_shapings", "contact_activities"],
])

/** Rows may have mebibytes. */
const heavy = new Set([
  "email_bodies",
  "email_contents",
  "inbound_messages",
  "sandbox_messages",
  "broadcasts",
  "template_versions",
])

/** How many rows of a table are read at once. */
export function rowsAtOnce(table: string): number {
  return heavy.has(table) ? 20 : 500
}

export type Moved = { name: string; way: "project" | "organization" | "itself" | "last" }

/** Tables whose rows are copied, the organization first. */
export const movedTables: readonly Moved[] = Object.entries(ways).flatMap(([name, way]) =>
  way === "project" || way === "organization" || way === "itself" || way === "last" ? [{ name, way }] : [],
)

/** What is the organization's in a table, of the row that is called so. */
export function belongs({ way }: Moved, row: string, { organizationId, projectIds }: Moving): string {
  if (way === "itself") return `${row}.id = '${organizationId}'`
  if (way === "organization") return `${row}.organization_id = '${organizationId}'`
  return `${row}.project_id = ANY ('{${projectIds.join(",")}}'::uuid[])`
}

/** An organization that moves, and all of its projects. The ids are uuids, of the database. */
export type Moving = { organizationId: string; projectIds: readonly string[] }

/** Keys of the stored files that rows of these projects name. */
export async function filesOf(client: pg.Client, projectIds: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    `SELECT image_key AS key FROM contacts WHERE project_id = ANY ($1) AND image_key IS NOT NULL
      UNION SELECT object_key FROM imports WHERE project_id = ANY ($1) AND object_key IS NOT NULL`,
    [projectIds],
  )
  return rows.map(({ key }) => key)
}

function all<W extends Way>(way: W, ...names: string[]): Record<string, W> {
  return Object.fromEntries(names.map((name) => [name, way]))
}
