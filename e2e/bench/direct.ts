import { startDnsServer } from "@/e2e/support/platform/dns-server"
import { deliverAll, startSink } from "@/e2e/bench/delivery"
import { KeyRing } from "@/e2e/bench/key-ring"
import type { Stage } from "@/e2e/bench/stage"
import { median, ratio, type Row } from "@/e2e/bench/table"
import type { World } from "@/e2e/bench/world"

const destinations = 50
const workerCounts = [1, 2] as const
const kinds = ["relay", "direct"] as const

/**
 * Mails a second that leave directly to 50 destinations on this machine, beside the same mail by a relay that is one server, with
 * one worker and with two.
 */
export async function measureDirect(
  stage: Stage,
  world: World,
  { rounds, mails }: { rounds: number; mails: number },
): Promise<Row[]> {
  const key = new KeyRing(world.keys, 29).connection()
  const sink = await startSink("0.0.0.0")
  const dns = await startDnsServer()
  const domains = Array.from({ length: destinations }, (_, at) => `to${at}.bench.example`)
  for (const [at, domain] of domains.entries()) {
    dns.answer(domain, "MX", [{ exchange: `mx.${domain}`, preference: 10 }])
    dns.answer(`mx.${domain}`, "A", [`127.0.6.${at + 1}`])
  }
  const variables = {
    MX_DNS: `127.0.0.1:${dns.port}`,
    ALLOW_PRIVATE_MX: "127.0.0.0/8",
    // Any port but 25 is for tests alone.
    NODE_ENV: "test",
    DIRECT_PORT: String(sink.port),
  }
  const urls = {
    relay: `smtp://127.0.0.1:${sink.port}?tls=none&delivered=accept&connections=${destinations}`,
    direct: "direct:",
  }
  const rates = workerCounts.map(() => ({ relay: [] as number[], direct: [] as number[] }))

  async function run(kind: (typeof kinds)[number], count: number): Promise<number> {
    const workers = await Promise.all(Array.from({ length: count }, () => stage.startWorker(urls[kind], variables)))
    try {
      return await deliverAll(stage, world, { mails, domains }, key)
    } finally {
      await Promise.all(workers.map((worker) => worker.stop()))
    }
  }

  try {
    for (const kind of kinds) await run(kind, 1)
    for (let round = 0; round < rounds; round++)
      for (const [at, count] of workerCounts.entries())
        for (const kind of kinds) rates[at]?.[kind].push(await run(kind, count))
  } finally {
    await dns.close()
    await sink.stop()
  }
  return workerCounts.map((count, at) => {
    const { relay = [], direct = [] } = rates[at] ?? {}
    return {
      what: `delivered a second to ${destinations} destinations directly / by a relay, ${count === 1 ? "one worker" : "two workers"}`,
      measured: `directly ${median(direct).toFixed(0)}/s, by the relay ${median(relay).toFixed(0)}/s`,
      ratio: ratio(direct, relay),
      goal: 0.9,
    }
  })
}
