import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"

export async function contactExists(scope: Scope, id: string): Promise<boolean> {
  return (await emailOf(scope, id)) !== null
}

/** The canonical address of a contact; null where there is none. */
export async function emailOf(scope: Scope, id: string): Promise<string | null> {
  const row = await db(scope).contact.findUnique({ where: { id }, select: { email: true } })
  return row && row.email
}
