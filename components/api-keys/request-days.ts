import { dayMs } from "@/lib/platform/time"
import { dateWords } from "@/components/ui/date-words"

type Dated = { ts: string }

export type RequestDay<R> = { day: string; title: string; requests: R[] }

/** Requests under the day on which they were made, in the order given; by UTC until the reader's time zone is known. */
export function byDay<R extends Dated>(
  requests: readonly R[],
  timeZone: string | undefined,
  now: number,
): RequestDay<R>[] {
  const dayOf = (at: number | string) => dateWords(at, { dateStyle: "short", timeZone })
  const [today, yesterday] = [dayOf(now), dayOf(now - dayMs)]
  const days: RequestDay<R>[] = []
  for (const request of requests) {
    const day = dayOf(request.ts)
    const last = days.at(-1)
    if (last?.day === day) last.requests.push(request)
    else {
      const name = nameOf(request.ts, timeZone, today.slice(-4) !== day.slice(-4))
      const title = day === today ? `Today, ${name}` : day === yesterday ? `Yesterday, ${name}` : name
      days.push({ day, title, requests: [request] })
    }
  }
  return days
}

function nameOf(at: string, timeZone: string | undefined, otherYear: boolean): string {
  return dateWords(at, {
    timeZone,
    ...{ weekday: "long", day: "numeric", month: "long" },
    ...(otherYear ? { year: "numeric" } : {}),
  })
}
