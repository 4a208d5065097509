import {
  countNews,
  hasAddresses,
  type Place,
  type PlaceAsk,
  type PlaceNews,
  takePlaces,
} from "@/lib/delivery/egress/data"
import { utcDate } from "@/lib/delivery/egress/rules"
import { batchWrites } from "@/lib/platform/jobs/batches"
import { log } from "@/lib/platform/log"
import type { Clock } from "@/lib/platform/time"
import type { Region } from "@/lib/regions/regions"

/** A region without addresses learns so late that it has one. */
const askAgainMs = 5_000

export type Sources = {
  take(ask: PlaceAsk): Promise<Place>
  /** Not awaited: rates of a day bear the loss of a few. */
  note(news: Omit<PlaceNews, "date">): void
}

/** The source addresses of one region, for many deliveries at a time. The day is that of the clock, in UTC. */
export function createSources(region: Region, clock: Clock): Sources {
  let known: { exist: Promise<boolean>; until: number } | undefined
  const takeOne = batchWrites((asks: PlaceAsk[]) => takePlaces(region, utcDate(clock.now()), asks), { max: 200 })
  const count = batchWrites(
    async (news: PlaceNews[]) => {
      await countNews(news)
      return news
    },
    { max: 200, spacingMs: 500 },
  )

  function exist(): Promise<boolean> {
    if (known && performance.now() < known.until) return known.exist
    const asked = { exist: hasAddresses(region), until: performance.now() + askAgainMs }
    known = asked
    asked.exist.catch(() => {
      if (known === asked) known = undefined
    })
    return asked.exist
  }

  return {
    take: async (ask) => ((await exist()) ? takeOne(ask) : { kind: "any" }),
    note(news) {
      count({ ...news, date: utcDate(clock.now()) }).catch((error: unknown) =>
        log.debug({ err: error }, "what became of an email could not be counted at its address"),
      )
    },
  }
}
