import { reportDays } from "@/lib/domains/dmarc/rules"
import {
  agedDeletion,
  deletion,
  deletionWithin,
  emptying,
  step,
  type RetentionStep,
  removal,
  type RemovalStep,
} from "@/lib/platform/database/deletion-sql"
import { env } from "@/lib/platform/env/env"
import { endsWithWebhook } from "@/lib/webhooks/data"

const eventDays = () => env().keepDays.events
const attemptDays = () => env().keepDays.attempts
const bodyDays = () => env().keepDays.bodies
const sandboxDays = 7
const sandboxMessagesMax = 1_000
const inboundDays = 30
const sessionDays = 30
const inviteDays = 90
const undeliveredDays = 30
/** Days for which requests are counted; partitions of the log itself are dropped by `partition-sql.ts`. */
const usageDays = 90
/** Days for which requests are counted by hour: the chart shows the last one. */
const hourlyDays = 2
const importErrorDays = 90
const quotaDays = 90
const providerEventDays = 90
/** A mail may have 10 MiB. */
const inboundMax = 100
/** A content has some mebibytes. */
const contentsMax = 20

/**
 * Everything whose time ends, in the order in which a round of the sweep deletes it. Raw, because Prisma has no batches with SKIP LOCKED and no
 * LATERAL; ids are ordered by time, so an index of ids tells their age.
 */
export const sweepSteps: readonly RetentionStep[] = [
  // The email itself remains.
  emptying(
    "email bodies",
    "text = NULL, html = NULL, attachments = NULL, raw = NULL, cuts = NULL, contact_values = NULL",
    `email_bodies b WHERE b.emptied_at IS NULL AND b.email_id < first_id_at(now() - make_interval(days => $2))
        AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.project_id = b.project_id AND d.email_id = b.email_id
          AND (d.due_at IS NOT NULL OR d.status = 'scheduled'))
        AND ${noneOfItsSend("b.project_id", "b.email_id")}
      ORDER BY b.email_id`,
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
  // Its emails share a content of their own.
  emptying(
    "attachments of ended broadcasts",
    "content = content - 'attachments'",
    "broadcasts WHERE emptied_at IS NULL AND ended_at < now() - make_interval(days => $2) ORDER BY ended_at",
    [bodyDays],
    contentsMax,
  ),
  deletion(
    "links of emails",
    "tracked_emails WHERE email_id < first_id_at(now() - make_interval(days => $2)) ORDER BY email_id",
    [eventDays],
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
  // By age, and the newest 1,000 messages of a project.
  deletionWithin(
    "sandbox messages",
    "sandbox_messages",
    {
      where: `project_id = parent.id AND (id < first_id_at(now() - make_interval(days => $2))
        OR id <= (SELECT o.id FROM sandbox_messages o WHERE o.project_id = parent.id ORDER BY o.id DESC OFFSET $3 LIMIT 1))`,
      of: ["projects parent", "true"],
    },
    [() => sandboxDays, () => sandboxMessagesMax],
  ),
  deletion(
    "returned mail",
    "inbound_messages WHERE keep_until IS NULL AND id < first_id_at(now() - make_interval(days => $2)) ORDER BY id",
    [() => inboundDays],
    inboundMax,
  ),
  // The events first, because they hold the text.
  deletionWithin("events of received email", "webhook_deliveries", {
    where: `event_id = parent.id
        AND webhook_id IN (SELECT w.id FROM webhooks w WHERE w.project_id = parent.project_id)`,
    of: ["inbound_messages parent", "parent.keep_until < now() AND parent.due_at IS NULL"],
  }),
  // What nobody has read yet, because no worker ran for so long, is read first.
  deletion(
    "received email",
    "inbound_messages WHERE keep_until < now() AND due_at IS NULL ORDER BY keep_until",
    [],
    inboundMax,
  ),
  // Those that no open stream uses.
  deletion(
    "stream tokens",
    "stream_tokens WHERE expires_at < now() - interval '1 day' AND (seen_at IS NULL OR seen_at < now() - interval '1 hour')",
  ),
  // The last of its attempts is made after three days, which may be longer than attempts are kept.
  deletion(
    "webhook deliveries",
    "webhook_deliveries WHERE id < first_id_at(now() - make_interval(days => $2)) AND due_at IS NULL ORDER BY id",
    [attemptDays],
  ),
  agedDeletion("webhook hours", "webhook_hours", "hour", attemptDays),
  deletionWithin("deliveries of deleted webhooks", "webhook_deliveries", {
    where: "webhook_id = parent.id",
    of: ["webhooks parent", "parent.deleted_at IS NOT NULL"],
  }),
  deletion(
    "deleted webhooks",
    `webhooks w WHERE w.deleted_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id)`,
  ),
  step(
    "waiting deliveries of disabled webhooks",
    `UPDATE webhook_deliveries SET status = 'cancelled', due_at = NULL, updated_at = now()
      WHERE ctid = ANY (ARRAY(SELECT d.ctid FROM webhooks w CROSS JOIN LATERAL (
        SELECT ctid FROM webhook_deliveries WHERE webhook_id = w.id AND ${endsWithWebhook}
          LIMIT $1 FOR UPDATE SKIP LOCKED) d
      WHERE w.disabled_at IS NOT NULL LIMIT $1))`,
  ),
  // Rate limits write milliseconds.
  deletion("rate windows", "rate_windows WHERE expire < extract(epoch FROM now() - interval '1 minute') * 1000"),
  deletion("places", "places WHERE expires_at < now() - interval '1 minute'"),
  deletion("sign-in links", "sign_in_links WHERE expires_at < now() - interval '1 day'"),
  deletion("pending sign-ins", "pending_sign_ins WHERE expires_at < now() - interval '1 day'"),
  deletion("passkey challenges", "passkey_challenges WHERE expires_at < now() - interval '1 day'"),
  // Left behind if the last mail server was removed from the configuration: then no worker delivers system mail.
  deletion("system mails", "system_mails WHERE expires_at < now() - interval '1 hour'"),
  agedDeletion("undelivered system mails", "undelivered_system_mails", "failed_at", () => undeliveredDays),
  agedDeletion("sessions", "sessions", "expires_at", () => sessionDays),
  agedDeletion("invites", "invites", "expires_at", () => inviteDays),
  agedDeletion("days of API keys", "api_key_days", "day", () => usageDays),
  agedDeletion("hours of API keys", "api_key_hours", "hour", () => hourlyDays),
  deletion(
    "import errors",
    "import_errors WHERE import_id < first_id_at(now() - make_interval(days => $2)) ORDER BY import_id",
    [() => importErrorDays],
  ),
  agedDeletion("contact activities", "contact_activities", "occurred_at", eventDays),
  // What they count goes with them.
  agedDeletion("DMARC reports", "dmarc_reports", "ended_at", () => reportDays),
  agedDeletion("TLS reports", "tls_reports", "ended_at", () => reportDays),
  deletion("MTA-STS policies", "mta_sts_policies WHERE expires_at < now()"),
  // Reports about a day are sent on the next one.
  deletion("results of TLS", "tls_results WHERE day < current_date - 14"),
  deletion(
    "sent TLS reports",
    "tls_report_sends WHERE day < current_date - 30 OR (status = 'not_asked' AND day < current_date - 2)",
  ),
  deletion("hours of destinations", "destination_hours WHERE hour < now() - interval '2 days'"),
  deletion("refusals of destinations", "destination_refusals WHERE hour < now() - interval '2 days'"),
  deletion("notices", "notices WHERE id < first_id_at(now() - interval '90 days') ORDER BY id"),
  deletion("notices to operators", "operator_notices WHERE created_at < now() - interval '90 days'"),
  agedDeletion("days of egress addresses", "egress_days", "day", eventDays),
  agedDeletion("quota days", "quota_days", "day", () => quotaDays),
  agedDeletion("quota notices", "quota_notices", "day", () => quotaDays),
  deletion("quota marks", "quota_marks WHERE at < now() - interval '2 hours' ORDER BY at"),
  agedDeletion("metric hours", "metric_hours", "hour", eventDays),
  agedDeletion("topic hours", "topic_hours", "hour", eventDays),
  agedDeletion("metric slices", "metric_slices", "starts_at", eventDays),
  // Requests of tracking are needed for minutes, and until they are judged, for which no worker may have been there; what is known
  // of an email goes with its events.
  deletion(
    "opens and clicks",
    "tracking_hits WHERE at < now() - interval '1 hour' AND (due_at IS NULL OR at < now() - interval '7 days') ORDER BY at",
  ),
  deletion(
    "email engagements",
    "email_engagements WHERE email_id < first_id_at(now() - make_interval(days => $2)) ORDER BY email_id",
    [eventDays],
  ),
  agedDeletion("opening hours", "opening_hours", "updated_at", eventDays),
  // No area writes them yet.
  agedDeletion("provider events", "provider_events", "created_at", () => providerEventDays),
]

/** The first message of a send stores the content of the others: none of them may still be on its way. */
function noneOfItsSend(projectId: string, groupId: string): string {
  return `NOT EXISTS (SELECT 1 FROM emails s JOIN deliveries d ON d.project_id = s.project_id AND d.email_id = s.id
    WHERE s.project_id = ${projectId} AND s.group_id = ${groupId} AND s.group_index > 0
      AND (d.due_at IS NOT NULL OR d.status = 'scheduled'))`
}

/**
 * Everything that a project owns, children before their parents. Webhooks go early, so that the removal of the rest is no
 * event for anybody.
 */
export const removalSteps: readonly RemovalStep[] = [
  removal("stream_tokens", "created_at"),
  // Hours of a webhook are few and go with it.
  removal("webhook_shapings", "id"),
  removal("webhook_deliveries", "webhook_id, id"),
  removal("webhooks", "id", { batch: 5 }),
  removal("tracking_hits", "email_id"),
  removal("email_engagements", "email_id"),
  removal("opening_hours", "email"),
  removal("delivery_attempts", "email_id", { partitioned: true }),
  // Before the deliveries whose mail it is; each may weigh mebibytes.
  removal("inbound_messages", "email_id", { batch: 50 }),
  removal("inbound_routes", "id"),
  removal("deliveries", "email_id"),
  removal("sandbox_messages", "id", { batch: 50 }),
  // A broadcast may hold mebibytes of attachments.
  removal("broadcasts", "id", { batch: 20 }),
  removal("template_versions", "template_id, version", { batch: 20 }),
  removal("templates", "id", { batch: 20 }),
  // The queue goes first: what is in it no longer gets into a group. Bodies may have mebibytes each, and contents do.
  removal("email_search_queue", "email_id"),
  removal("email_search_groups", "first_id", { batch: 50 }),
  removal("tracked_emails", "email_id"),
  removal("email_bodies", "email_id", { batch: 100 }),
  removal("email_contents", "id", { batch: 10 }),
  removal("emails", "id"),
  removal("segment_members", "segment_id, contact_id"),
  removal("segments", "id"),
  // Before contacts.
  removal("topic_preferences", "topic_id, contact_id"),
  removal("topic_opt_outs", "email, topic_id"),
  // Files are removed by the sweep for deleted imports and contacts.
  removal("import_errors", "import_id, line"),
  removal("imports", "id"),
  removal("contact_activities", "contact_id, occurred_at"),
  removal("contacts", "id"),
  removal("engagement_work", "contact_id"),
  // After contacts, which a removed suppression would otherwise change.
  removal("suppressions", "id"),
  // Before topics.
  removal("metric_hours", "hour"),
  removal("topic_hours", "topic_id, hour"),
  removal("metric_slices", "dimension, grain, starts_at, key"),
  removal("topics", "id"),
  removal("contact_properties", "id"),
  removal("dmarc_sources", "domain_id, day"),
  removal("dmarc_reports", "domain_id, id"),
  removal("tls_report_results", "domain_id, day"),
  removal("tls_reports", "domain_id, id"),
  removal("domain_checks", "domain_id, id"),
  removal("destination_refusals", "queue_id, hour"),
  removal("dkim_keys", "domain_id"),
  removal("retained_signers", "domain_id"),
  removal("domains", "id"),
  removal("api_key_requests", "id", { partitioned: true }),
  removal("api_key_days", "key_id, day"),
  removal("api_key_hours", "key_id, hour"),
  removal("api_keys", "id"),
  // Last, because the removal of contacts and preferences adds to it.
  removal("segment_work", "contact_id"),
  // After contacts, domains and suppressions, whose removal may write events.
  removal("events", "email_id", { partitioned: true }),
]
