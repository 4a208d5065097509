import { dateWords } from "@/components/ui/date-words"

export type Day<T> = {
  /** The moment at which it begins, ISO. */
  start: string
  /** The moment at which the next one begins, ISO. */
  end: string
  items: T[]
}

/** Things in the order given, by the calendar day of their time: of the reader's time zone, or of UTC. */
export function byDay<T extends { createdAt: string }>(items: readonly T[], local: boolean): Day<T>[] {
  const days: Day<T>[] = []
  for (const item of items) {
    const last = days.at(-1)
    if (last && item.createdAt >= last.start && item.createdAt < last.end) last.items.push(item)
    else days.push({ ...boundsOf(new Date(item.createdAt), local), items: [item] })
  }
  return days
}

/** "Today" and "Yesterday" by name, any other by its weekday; then the date, with the year only if it is not this one. */
export function dayWords(start: string, now: Date, local: boolean): { name: string; date: string } {
  const timeZone = local ? undefined : "UTC"
  const at = new Date(start)
  const today = boundsOf(now, local).start
  const yesterday = boundsOf(new Date(Date.parse(today) - 1), local).start
  const weekday = dateWords(at, { weekday: "long", timeZone })
  const sameYear = part(at, "year", timeZone) === part(now, "year", timeZone)
  const date = dateWords(at, {
    day: "numeric",
    month: "long",
    ...(sameYear ? {} : { year: "numeric" }),
    timeZone,
  })
  if (start === today) return { name: "Today", date: `${weekday} ${date}` }
  if (start === yesterday) return { name: "Yesterday", date: `${weekday} ${date}` }
  return { name: weekday, date }
}

function part(at: Date, name: "year", timeZone: string | undefined): string {
  return dateWords(at, { [name]: "numeric", timeZone })
}

function boundsOf(at: Date, local: boolean): { start: string; end: string } {
  const [year, month, day] = local
    ? [at.getFullYear(), at.getMonth(), at.getDate()]
    : [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  const begin = (date: number) => (local ? new Date(year, month, date) : new Date(Date.UTC(year, month, date)))
  return { start: begin(day).toISOString(), end: begin(day + 1).toISOString() }
}
