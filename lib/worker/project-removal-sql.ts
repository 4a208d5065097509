import { removal, type RemovalStep } from "@/lib/platform/database/deletion-sql"

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
