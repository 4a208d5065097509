import { setTimeout as wait } from "node:timers/promises"
import { type EventQueue, openEventQueue, type QueueMessage } from "@/lib/delivery/ses/queue"
import { sesRegionsBy, takeEvents } from "@/lib/inbound/ses/events-sql"
import { log } from "@/lib/platform/log"
import type { Region } from "@/lib/regions/regions"

/** Of each queue, in one worker: while one waits for the database, the others receive. */
const pollersMax = 4
/** Milliseconds between polls of a queue that cannot be read, at first and at most. */
const pauseMs = { first: 1_000, most: 60_000 }
/** An event whose delivery is still under way comes again later each time, for some 40 minutes; one that cannot be recorded, too. */
const receivedMax = 15
const putOffSecondsMax = 300

/** Takes the events of Amazon SES from the queues that SMTP_URL names, until the signal aborts. Never rejects. */
export async function runSesEvents(signal: AbortSignal): Promise<void> {
  const queues = sesRegionsBy("events")
  if (queues.size === 0) return
  await Promise.all(
    [...queues].map(async ([url, { target, regions }]) => {
      const queue = await openEventQueue(target, url)
      await Promise.all(Array.from({ length: pollersMax }, () => poll(queue, regions, signal)))
      queue.close()
    }),
  )
}

async function poll(queue: EventQueue, regions: readonly Region[], signal: AbortSignal): Promise<void> {
  let pause = pauseMs.first
  while (!signal.aborted) {
    try {
      await takeFromQueue(queue, regions, signal)
      pause = pauseMs.first
    } catch (error) {
      if (signal.aborted) return
      log.error({ err: error, regions }, "the queue of the events of Amazon SES could not be worked on")
      await wait(pause, undefined, { signal }).catch(() => undefined)
      pause = Math.min(pauseMs.most, pause * 2)
    }
  }
}

/** One poll; answers how many messages it received. A message is deleted once what it does is committed. */
export async function takeFromQueue(
  queue: EventQueue,
  regions: readonly Region[],
  signal: AbortSignal,
): Promise<number> {
  const messages = await queue.receive(signal)
  if (messages.length === 0) return 0
  const taken = await takeEvents(
    messages.map(({ body }) => body),
    regions,
  )
  const isOver = (message: QueueMessage, at: number) => taken[at] === "done" || message.receivedTimes >= receivedMax
  const over = messages.filter(isOver)
  const givenUp = messages.filter((message, at) => taken[at] !== "done" && isOver(message, at)).length
  if (givenUp > 0) log.warn({ regions, givenUp }, "events of Amazon SES are given up: their emails are still under way")
  await queue.remove(over.map(({ handle }) => handle))
  await queue.putOff(
    messages
      .filter((message, at) => !isOver(message, at))
      .map(({ handle, receivedTimes }) => ({
        handle,
        seconds: Math.min(putOffSecondsMax, 2 ** (receivedTimes - 1)),
      })),
  )
  return messages.length
}
