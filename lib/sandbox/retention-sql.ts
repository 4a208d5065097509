import { deletionWithin } from "@/lib/platform/database/retention-sql"

const sandboxDays = 7
const messagesMax = 1_000

/** Retention of the sandbox mailbox: 7 days, and the newest 1,000 messages of a project. Raw, as every deletion in batches. */
export const sandboxRetention = [
  deletionWithin(
    "sandbox messages",
    "sandbox_messages",
    {
      where: `project_id = parent.id AND (id < first_id_at(now() - make_interval(days => $2))
        OR id <= (SELECT o.id FROM sandbox_messages o WHERE o.project_id = parent.id ORDER BY o.id DESC OFFSET $3 LIMIT 1))`,
      of: ["projects parent", "true"],
    },
    [() => sandboxDays, () => messagesMax],
  ),
]
