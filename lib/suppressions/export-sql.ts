import { pool } from "@/lib/platform/database/db"
import { columnsOf } from "@/lib/platform/database/shape"
import type { Scope } from "@/lib/platform/http/scope"
import type { Prisma } from "@/prisma/generated/client"

const shape = { id: true, email: true, reason: true, createdAt: true } as const

export type ExportedSuppression = Prisma.SuppressionGetPayload<{ select: typeof shape }>

/** Rows of one step of an export: bounds its memory. */
const exportRows = 1_000

/** The whole list, newest first, in groups that are read one after the other. On `pg` (keyset over a large table). */
export async function* eachSuppression(scope: Scope): AsyncGenerator<ExportedSuppression[]> {
  let last: string | null = null
  for (;;) {
    const { rows }: { rows: ExportedSuppression[] } = await pool().query(
      `SELECT ${columnsOf(shape, "s")} FROM suppressions s WHERE project_id = $1 AND ($2::uuid IS NULL OR id < $2)
        ORDER BY id DESC LIMIT ${exportRows}`,
      [scope.project.id, last],
    )
    if (rows.length) yield rows
    if (rows.length < exportRows) return
    last = rows.at(-1)?.id ?? null
  }
}
