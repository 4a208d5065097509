import { expect, vi } from "vitest"
import { runWebhooks, type WebhookOptions } from "@/lib/webhooks/delivery/worker"
import { newReceiver, type Reaction } from "@/e2e/support/webhooks/http-receiver"
import { deliveriesOf, local } from "@/e2e/support/webhooks/receiver"
import { systemIo } from "@/lib/regions/io"

const ends: (() => unknown)[] = []

export async function endAll(): Promise<void> {
  for (const end of ends.splice(0)) await end()
}

/** A server that is closed at the end of the test. */
export async function receiver(react?: Reaction) {
  const one = await newReceiver(react)
  ends.unshift(one.close)
  return one
}

/** The loop of the worker, stopped at the end of the test or by the result. */
export function work(options: Partial<WebhookOptions> = {}) {
  const stop = new AbortController()
  const running = runWebhooks({ io: systemIo(), signal: stop.signal, guard: local, intervalMs: 20, ...options })
  const end = () => {
    stop.abort()
    return running
  }
  ends.push(end)
  return end
}

/** The deliveries of a webhook, once each was attempted. */
export const settled = async (webhookId: string) =>
  vi.waitFor(
    async () => {
      const rows = await deliveriesOf(webhookId)
      expect(rows.filter(({ attempt_count }) => attempt_count === 0)).toEqual([])
      return rows
    },
    { timeout: 10_000, interval: 20 },
  )
