import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import type { Prisma } from "@/prisma/generated/client"

const shape = { id: true, email: true, reason: true, createdAt: true } as const

export type ExportedSuppression = Prisma.SuppressionGetPayload<{ select: typeof shape }>

/** Rows of one step of an export: bounds its memory. */
const exportRows = 1_000

/** The whole list, newest first, in groups that are read one after the other. */
export async function* eachSuppression(scope: Scope): AsyncGenerator<ExportedSuppression[]> {
  for (let last: string | undefined; ;) {
    const rows: ExportedSuppression[] = await db(scope).suppression.findMany({
      where: { ...(last && { id: { lt: last } }) },
      select: shape,
      orderBy: { id: "desc" },
      take: exportRows,
    })
    if (rows.length) yield rows
    if (rows.length < exportRows) return
    last = rows.at(-1)?.id
  }
}
