import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { connect, createServer, type Server, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { expect, test } from "@playwright/test"
import { figures } from "@/e2e/support/chaos/figures"
import { type Cluster, startCluster } from "@/e2e/support/cluster/cluster"
import { longestGap, startTraffic, type Traffic } from "@/e2e/support/cluster/traffic"
import { faultServer } from "@/e2e/support/delivery/fault-server"
import { freePort, freePorts } from "@/e2e/support/free-port"
import { type Product, runAdmin, startProduct } from "@/e2e/support/product"
import { mintKey } from "@/lib/access/credentials/keys"
import { permissions } from "@/lib/access/permissions"
import { decodeId, newId } from "@/lib/platform/ids"
import { systemRandom } from "@/lib/platform/io"

// Patroni, etcd, HAProxy and PostgreSQL 15 are installed for the long run alone.
test.skip(process.env.MAILROOM_LONG !== "1", "the long run")

const perSecond = 100
/** A key sends 300 times a minute. */
const keyCount = 100
/** From the end of what was done until the next begins: what had to wait is through by then. */
const settlingMs = 12_000

const folders = ["a", "b"].map(() => mkdtempSync(join(tmpdir(), "mailroom-host-")))
test.afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

test(`two hosts on a PostgreSQL cluster: at ${perSecond} sends a second no email is lost or left by a switchover, a failover, a restart, a host that is cut off from the relay and one that is killed`, async () => {
  test.setTimeout(900_000)
  const arrivals: number[] = []
  const sink = await faultServer({ DOT: () => (arrivals.push(Date.now()), "250 2.0.0 kept") })
  const wayOfA = await openWay(sink.port)
  const ports = [await freePorts(), await freePorts()] as const
  const cluster = await startCluster(ports.map(({ web }) => web))
  const shared = {
    DATABASE_URL: cluster.databaseUrl,
    SECRET_KEY: randomBytes(32).toString("base64"),
    BASE_URL: cluster.baseUrl,
    ...{ ROLES: "web,worker", WEB_PROCESSES: "1", TRUSTED_PROXY_HOPS: "1" },
  }
  const relay = (port: number) => ({ SMTP_URL: `smtp://127.0.0.1:${port}?tls=none&delivered=accept&connections=5` })
  const start = (at: 0 | 1) =>
    startProduct(ports[at], { ...shared, ...relay(at === 0 ? wayOfA.port : sink.port) }, folders[at])
  const hosts: Product[] = []
  try {
    hosts.push(await start(0), await start(1))
    const sender = await newSender(cluster, shared)
    const traffic = startTraffic(sender, perSecond)
    const scene = sceneOf(traffic, arrivals, sink.messages)
    await wait(settlingMs)

    const switchover = await scene("switchover", () => cluster.switchover())
    expect(switchover.copies).toBe(0)

    let killed = ""
    const failover = await scene("failover", async () => {
      killed = await cluster.killPrimary()
      while ((await cluster.primary()) === null) await wait(200)
    })
    expect(failover.copies).toBe(0)
    await cluster.restart(killed)

    const restart = await scene("one host restarted", async () => {
      await hosts[0]?.stop()
      hosts[0] = await start(0)
    })
    expect([restart.copies, restart.refused]).toEqual([0, {}])

    const cutOff = await scene("cut off from the relay", async () => {
      wayOfA.close()
      await wait(30_000)
      await wayOfA.open()
    })
    expect(cutOff.copies).toBe(0)
    expect(cutOff.withoutMail, "seconds without mail while one host cannot reach the relay").toBeLessThan(5)

    await scene("host killed", async () => {
      killGroup(hosts[0])
      await wait(20_000)
      hosts[0] = await start(0)
    })

    await traffic.stop()
    const left = "SELECT count(*)::int AS n FROM deliveries WHERE status <> 'delivered'"
    await expect
      .poll(async () => (await cluster.query<{ n: number }>(left))[0]?.n, { timeout: 120_000, intervals: [500] })
      .toBe(0)
    const emails = await cluster.query<{ key: string }>("SELECT idempotency_key AS key FROM emails")
    expect(new Set(emails.map(({ key }) => key))).toEqual(new Set(traffic.accepted.keys()))
    expect(emails).toHaveLength(traffic.accepted.size)
    for (const [key, ids] of traffic.accepted) expect([...ids], key).toHaveLength(1)
    const { mails } = tallyOf(sink.messages)
    expect(mails, "different emails that arrived").toBe(traffic.accepted.size)
    const answered = new Set(traffic.answers.map(({ said }) => said.slice(0, 3)))
    expect([...answered]).not.toContain("500")
    const order = `SELECT bool_and(count = max AND numbers = count) AS whole FROM (SELECT count(*), count(DISTINCT seq) AS numbers, max(seq)
        FROM events WHERE seq IS NOT NULL GROUP BY dispatch_shard(project_id)) of`
    expect(await cluster.query(order)).toEqual([{ whole: true }])
    figures("a cluster", { emails: mails })
  } finally {
    for (const host of hosts) await host.stop().catch(() => undefined)
    await cluster.stop()
    wayOfA.close()
    await sink.close()
  }
})

/** Of one thing that was done: what callers were told beside "accepted", how long they and the mail stood still, and second copies. */
type Scene = { refused: Record<string, number>; outage: number; withoutMail: number; copies: number }

function sceneOf({ answers }: Traffic, arrivals: readonly number[], messages: readonly string[]) {
  return async (name: string, work: () => Promise<unknown>): Promise<Scene> => {
    const [start, copiesBefore] = [Date.now(), tallyOf(messages).copies]
    await work()
    await wait(settlingMs)
    const end = Date.now()
    const told = answers.filter(({ at }) => at >= start && at <= end)
    const refused: Record<string, number> = {}
    for (const { said } of told) if (said !== "accepted") refused[said] = (refused[said] ?? 0) + 1
    const accepted = told.flatMap(({ said, at }) => (said === "accepted" ? [at] : []))
    const found: Scene = {
      refused,
      outage: longestGap(accepted, start, end),
      withoutMail: longestGap(arrivals, start, end),
      copies: tallyOf(messages).copies - copiesBefore,
    }
    figures(name, {
      ...{ accepted: accepted.length, "seconds without an accept": found.outage.toFixed(1) },
      ...{ "seconds without mail": found.withoutMail.toFixed(1), "second copies": found.copies, ...refused },
    })
    return found
  }
}

function tallyOf(messages: readonly string[]): { mails: number; copies: number } {
  const ids = new Set(messages.map((message) => /^Message-ID: (\S+)/im.exec(message)?.[1]))
  return { mails: ids.size, copies: messages.length - ids.size }
}

/** Supervisor and children at once, as a machine that loses its power. */
function killGroup(host: Product | undefined) {
  if (host?.process.pid) process.kill(-host.process.pid, "SIGKILL")
}

/** A path to a server that can be closed, for one host alone. */
async function openWay(to: number): Promise<{ port: number; open(): Promise<void>; close(): void }> {
  const port = await freePort()
  const sockets = new Set<Socket>()
  let server: Server | undefined
  const way = {
    port,
    async open() {
      server = createServer((client) => {
        const target = connect(to, "127.0.0.1")
        for (const [socket, other] of [
          [client, target],
          [target, client],
        ] as const) {
          sockets.add(socket)
          socket.on("error", () => undefined).on("close", () => (other.destroy(), sockets.delete(socket)))
          socket.pipe(other)
        }
      })
      await new Promise<void>((listening) => server?.listen(port, "127.0.0.1", listening))
    },
    close() {
      server?.close()
      for (const socket of sockets) socket.destroy()
    },
  }
  await way.open()
  return way
}

/** A project whose domain counts as verified: what is tried here is not DNS. */
async function newSender(cluster: Cluster, env: Record<string, string>) {
  const admin = (...args: string[]) => runAdmin({ ...env, DATA_DIR: folders[0] ?? "" }, ...args)
  const account = ["--email", "chaos@example.com", "--password", "a long password", "--organization", "Chaos"]
  const first = await admin("bootstrap", ...account, "--project", "main", "--region", "eu-west-1")
  const { projectId = "", apiKey = "" } = first as Record<string, string>
  await admin("set-limits", "--project", projectId, "--per-second", "100000", "--per-day", "1000000")
  const made = await fetch(`${cluster.baseUrl}/v1/projects/${projectId}/domains`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ domain: "chaos.test", region: "eu-west-1" }),
  })
  expect(made.status).toBe(201)
  await cluster.query("UPDATE domains SET status = 'verified', verified_at = now(), due_at = now() + interval '1 day'")
  await cluster.query("UPDATE dkim_keys SET status = 'verified'")
  const keys = Array.from({ length: keyCount }, () => mintKey(systemRandom))
  await cluster.query(
    `INSERT INTO api_keys (id, project_id, name, hash, start, permissions)
      SELECT k.id, $1, 'chaos', k.hash, k.start, $2 FROM unnest($3::uuid[], $4::bytea[], $5::text[]) AS k(id, hash, start)`,
    [
      ...[decodeId("proj", projectId), permissions],
      ...[keys.map(newId), keys.map(({ hash }) => hash), keys.map(({ start }) => start)],
    ],
  )
  return { baseUrl: cluster.baseUrl, apiKeys: keys.map(({ secret }) => secret), from: "hello@chaos.test" }
}
