import { agedDeletion, deletion, deletionWithin, step, type RetentionStep } from "@/lib/platform/database/retention-sql"
import { env } from "@/lib/platform/env/env"
import { endsWithWebhook } from "@/lib/webhooks/webhook-sql"

/** Retention of webhook deliveries, and what changes of webhooks leave to do. Raw, for all projects. */
export const webhookRetention: readonly RetentionStep[] = [
  deletion(
    "webhook deliveries",
    "webhook_deliveries WHERE id < first_id_at(now() - make_interval(days => $2)) ORDER BY id",
    [() => env().keepDays.attempts],
  ),
  agedDeletion("webhook hours", "webhook_hours", "hour", () => env().keepDays.attempts),
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
]
