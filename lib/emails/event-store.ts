import { db, type InProject } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"

export type NewEvent = {
  id: string
  emailId: string
  deliveryId: string
  type: string
  data: Record<string, string>
}

/** Adds an event of an email, which happens now; the dispatcher gives it its place in the public order. */
export async function addEvent(scope: InProject, event: NewEvent, on: ScopedDb = db(scope)): Promise<void> {
  await on.event.createMany({ data: event })
}

/** Whether a recipient's email has an event of this type. */
export async function hasEvent(
  scope: InProject,
  where: { emailId: string; deliveryId: string; type: string },
  on: ScopedDb = db(scope),
): Promise<boolean> {
  return (await on.event.findFirst({ where, select: { id: true } })) !== null
}
