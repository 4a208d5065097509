import { step } from "@/lib/platform/database/retention-sql"

const sandboxDays = 7
const messagesMax = 1_000

/**
 * Retention of the sandbox mailbox: 7 days, and the newest 1,000 messages of a project. Raw, because Prisma has no LATERAL:
 * the oldest of each project, however many projects there are.
 */
export const sandboxRetention = [
  step(
    "sandbox messages",
    `DELETE FROM sandbox_messages WHERE id IN (
        SELECT m.id FROM projects p, LATERAL (
            SELECT id FROM sandbox_messages WHERE project_id = p.id AND (
                id < first_id_at(now() - make_interval(days => $2))
                OR id <= (SELECT o.id FROM sandbox_messages o WHERE o.project_id = p.id ORDER BY o.id DESC OFFSET $3 LIMIT 1))
              LIMIT $1) m
          LIMIT $1)`,
    [() => sandboxDays, () => messagesMax],
  ),
]
