import { db, type InProject } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import { newId } from "@/lib/platform/ids"

export type NewEvent = {
  id?: string
  emailId: string
  deliveryId?: string
  type: string
  data: Record<string, string>
}

/** Adds events of emails, which happen now; the dispatcher gives them their places in the public order. */
export async function addEvents(
  scope: InProject,
  events: readonly NewEvent[],
  on: ScopedDb = db(scope),
): Promise<void> {
  await on.event.createMany({ data: events.map((event) => ({ id: newId(), ...event })) })
}

/** Whether a recipient's email has an event of this type. */
export async function hasEvent(
  scope: InProject,
  where: { emailId: string; deliveryId: string; type: string },
  on: ScopedDb = db(scope),
): Promise<boolean> {
  return (await on.event.findFirst({ where, select: { id: true } })) !== null
}
