import type { Queryable } from "@/lib/platform/database/db"
import { batchMax } from "@/lib/platform/database/retention-sql"

const sandboxDays = 7
const messagesMax = 1_000

/** Retention of the sandbox mailbox: 7 days, and the newest 1,000 messages of a project. */
export const sandboxRetention = [{ name: "sandbox messages", run: deleteMessages }]

/** Raw, because Prisma has no LATERAL: the oldest of each project, however many projects there are. */
async function deleteMessages(on: Queryable): Promise<number> {
  const { rowCount } = await on.query(
    `DELETE FROM sandbox_messages WHERE id IN (
        SELECT m.id FROM projects p, LATERAL (
            SELECT id FROM sandbox_messages WHERE project_id = p.id AND (
                id < first_id_at(now() - make_interval(days => $1))
                OR id <= (SELECT o.id FROM sandbox_messages o WHERE o.project_id = p.id ORDER BY o.id DESC OFFSET $2 LIMIT 1))
              LIMIT $3) m
          LIMIT $3)`,
    [sandboxDays, messagesMax, batchMax],
  )
  return rowCount ?? 0
}
