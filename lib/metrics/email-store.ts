import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"

/** An email as far as its performance shows it; null where the project has none of this id. */
export async function findEmailHead(scope: Scope, id: string) {
  const select = { subject: true, fromHeader: true, status: true, topicId: true, sentAt: true } as const
  return db(scope).email.findUnique({ where: { id }, select })
}

/** What happened to an email, by type of event: how often people caused it, and the last time that anything did. */
export type Happened = { counts: ReadonlyMap<string, number>; lastAt: Date | null }

export async function countEvents(scope: Scope, emailId: string): Promise<Happened> {
  const [all, machines] = await Promise.all([
    db(scope).event.groupBy({
      by: ["type"],
      where: { emailId },
      _count: { _all: true },
      _max: { occurredAt: true },
    }),
    // Counted apart and subtracted, because a JSON filter with NOT leaves out the events without the field.
    db(scope).event.groupBy({
      by: ["type"],
      where: { emailId, data: { path: ["machine"], equals: "true" } },
      _count: { _all: true },
    }),
  ])
  const byMachines = new Map(machines.map(({ type, _count }) => [type, _count._all]))
  const times = all.flatMap(({ _max }) => _max.occurredAt ?? [])
  return {
    counts: new Map(all.map(({ type, _count }) => [type, _count._all - (byMachines.get(type) ?? 0)])),
    lastAt: times.length ? new Date(Math.max(...times.map(Number))) : null,
  }
}
