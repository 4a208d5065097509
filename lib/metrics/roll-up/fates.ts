import { type CountableEvent, type Counter, type Fate, fateAfter, newsOf } from "@/lib/metrics/rules"

/** A counter that changes, and the instant in whose hour. */
export type Change = { event: CountableEvent; counter: Counter; at: Date; by: 1 | -1 }

/** What became of a recipient's email, when it was counted as sent, and the last event that said something of it. */
type Known<Event> = { fate: Fate | null; sentAt: Date; event: Event }
export type FateNews = Pick<CountableEvent, "emailId" | "deliveryId" | "type" | "data" | "occurredAt">

/** The fates of the recipients that these events, in their order, say something of. */
export function fatesOf<Event extends FateNews>(
  events: readonly Event[],
  before: ReadonlyMap<string, Known<FateNews>> = new Map(),
): Map<string, Known<Event>> {
  const after = new Map<string, Known<Event>>()
  for (const event of events) {
    const [key, news] = [recipientKey(event), newsOf(event)]
    const known = after.get(key) ?? before.get(key)
    if (!news || (news === "taken_back" && !known)) continue
    after.set(key, { fate: fateAfter(known?.fate ?? null, news), sentAt: known?.sentAt ?? event.occurredAt, event })
  }
  return after
}

/** How these events change the fates, in the hour in which each email was counted as sent: what adds up once does for good. */
export function movesOf(before: ReadonlyMap<string, Known<FateNews>>, events: readonly CountableEvent[]): Change[] {
  return [...fatesOf(events, before)].flatMap(([key, { fate, sentAt, event }]) => {
    const past = before.get(key)?.fate ?? null
    if (fate === past) return []
    const change = (of: Fate | null, by: 1 | -1): Change[] =>
      of === null || of === "refused" ? [] : [{ event, counter: of, at: sentAt, by }]
    return [...change(past, -1), ...change(fate, 1)]
  })
}

/** A recipient, or the whole email where an event names none. */
export function recipientKey({ deliveryId, emailId }: Pick<CountableEvent, "emailId" | "deliveryId">): string {
  return deliveryId ?? emailId ?? ""
}
