import { setTimeout as wait } from "node:timers/promises"
import pg from "pg"
import { expect, test, vi } from "vitest"
import { figures } from "@/e2e/support/chaos/figures"
import * as mailing from "@/e2e/support/chaos/mailing"
import { size } from "@/e2e/support/chaos/size"
import { api } from "@/e2e/support/world"
import { runDeliveries } from "@/lib/delivery/queue/worker"
import { createRelays } from "@/lib/delivery/regions/relays"
import { env, provideEnv } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { newReceiver } from "@/e2e/support/webhooks/http-receiver"
import { local, newWebhook } from "@/e2e/support/webhooks/receiver"
import { runWebhooks } from "@/lib/webhooks/delivery/worker"
import { runDispatcher } from "@/lib/worker/dispatcher"
import { systemIo } from "@/lib/regions/io"

const readOnlyMs = size(1_000, 5_000)
const cutAfterMs = 1_200
const relayMs = size(300, 1_000)
/** What is given up is done again when its lease ends, which the test waits for. */
const leaseMs = size(3_000, 10_000)

test(`a server that is read-only for ${readOnlyMs} ms while sending: no answer of 500, no second copy, no second call of a webhook`, async () => {
  log.level = "silent"
  const sender = await mailing.newMailer()
  const sink = await mailing.openSink({ DOT: (socket) => void setTimeout(() => socket.write("250 ok\r\n"), relayMs) })
  const hook = await newReceiver((_, response) => void setTimeout(() => response.writeHead(200).end(), relayMs))
  await newWebhook(sender, hook.url, { events: ["email.sent"] })
  provideEnv(mailing.towards(sink))
  const stop = new AbortController()
  const { signal } = stop
  const relays = createRelays()
  const loops = Promise.all([
    runDeliveries({ region: "eu-west-1", relays, io: systemIo(), signal, leaseMs }),
    runWebhooks({ io: systemIo(), signal, leaseMs, guard: local, intervalMs: 20 }),
    runDispatcher(signal),
  ])

  const answers: { status: number; retryAfter: string | null }[] = []
  const send = async (at: number) => {
    const body = { from: `hello@${sender.domain}`, to: [`reader-${at}@x.example`], subject: "Hello", text: "Hello" }
    const { status, headers } = await api("POST /v1/emails", { key: sender.apiKey, body })
    answers.push({ status, retryAfter: headers.get("retry-after") })
  }
  const sends: Promise<void>[] = []
  const begun = performance.now()
  let isReadOnly = false
  while (performance.now() - begun < cutAfterMs + readOnlyMs + 500) {
    sends.push(send(sends.length))
    await wait(60)
    const sinceMs = performance.now() - begun
    if (isReadOnly !== (sinceMs > cutAfterMs && sinceMs < cutAfterMs + readOnlyMs))
      await readOnly((isReadOnly = !isReadOnly))
  }
  await Promise.all(sends)

  const accepted = answers.filter(({ status }) => status === 201).length
  const refused = answers.filter(({ status }) => status !== 201)
  expect(new Set(refused.map(({ status, retryAfter }) => `${status} ${retryAfter}`))).toEqual(new Set(["503 1"]))
  await mailing.delivered(sender, accepted)
  await vi.waitFor(() => expect(new Set(hook.received.map(({ id }) => id)).size).toBe(accepted), { timeout: 20_000 })
  await wait(leaseMs + 500)
  expect(mailing.tally(sink)).toEqual({ mails: accepted, copies: 0, differing: 0 })
  expect(hook.received).toHaveLength(accepted)
  figures("read-only server", { accepted, "answered with 503": refused.length })
  stop.abort()
  await loops
  await relays.close()
  await sink.close()
  await hook.close()
}, 90_000)

/** All connections are cut, and new ones find a server that takes no writes, as after a switch to a standby; or one that does. */
async function readOnly(on: boolean) {
  const url = new URL(env().databaseUrl)
  const name = url.pathname.slice(1)
  url.pathname = "/postgres"
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(
    `ALTER DATABASE ${name} ${on ? "SET default_transaction_read_only = on" : "RESET default_transaction_read_only"}`,
  )
  if (on) await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name])
  await client.end()
}
