import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import pg from "pg"
import { freePort } from "@/e2e/support/free-port"
import { debianPostgres } from "@/lib/cli/checks/programs"
import { identity, postgresAccount } from "@/lib/platform/postgres/record"

/**
 * Two PostgreSQL 15 under Patroni with synchronous replication, an etcd, and a HAProxy that leads to the primary and, for callers,
 * to two hosts of the product. All of it from Debian, on loopback, in a folder of its own.
 */
export type Cluster = {
  /** Through HAProxy, to whichever server is the primary. */
  databaseUrl: string
  /** What callers use: HAProxy before the hosts. */
  baseUrl: string
  /** The name of the server that is the primary now; null while none is. */
  primary(): Promise<string | null>
  /** Changes places in an orderly way, as before maintenance. */
  switchover(): Promise<void>
  /** Kills the primary and its Patroni, as the loss of its machine does. */
  killPrimary(): Promise<string>
  /** Starts a server again that was killed. */
  restart(name: string): Promise<void>
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

type Member = { name: string; port: number; rest: number; child?: ChildProcess }

const readyWithinMs = 90_000

/** `hosts`: the ports of the product's web servers, which need not run yet. */
export async function startCluster(hosts: readonly number[]): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "mailroom-cluster-"))
  chmodSync(folder, 0o755)
  const account = postgresAccount()
  const ofPostgres = (path: string) => {
    mkdirSync(path, { mode: 0o700 })
    if (account) chownSync(path, account.uid, account.gid)
    return path
  }
  const members: Member[] = []
  for (const name of ["alpha", "beta"]) members.push({ name, port: await freePort(), rest: await freePort() })
  const [database, web, etcdPort, etcdPeers] = [await freePort(), await freePort(), await freePort(), await freePort()]
  const others: ChildProcess[] = []
  const databaseUrl = `postgresql://mailroom@127.0.0.1:${database}/mailroom?sslmode=disable`

  const run = (program: string, args: string[], as: { uid?: number; gid?: number } = {}) => {
    const log = openSync(join(folder, `${program}.log`), "a")
    const child = spawn(program, args, { ...as, cwd: "/", stdio: ["ignore", log, log] })
    child.on("error", () => undefined)
    closeSync(log)
    return child
  }
  const startMember = (member: Member) => {
    const file = join(folder, `${member.name}.yml`)
    writeFileSync(file, patroniSettings(member, { etcdPort, data: join(folder, member.name, "data"), folder }))
    member.child = run("patroni", [file], identity(account))
  }

  const url = `http://127.0.0.1:${etcdPort}`
  const peers = `http://127.0.0.1:${etcdPeers}`
  const etcdFlags = {
    name: "one",
    "data-dir": join(folder, "etcd"),
    "listen-client-urls": url,
    "advertise-client-urls": url,
    "listen-peer-urls": peers,
    "initial-advertise-peer-urls": peers,
    "initial-cluster": `one=${peers}`,
  }
  others.push(
    run(
      "etcd",
      Object.entries(etcdFlags).map(([name, value]) => `--${name}=${value}`),
    ),
  )
  for (const member of members) ofPostgres(join(folder, member.name))
  for (const member of members) startMember(member)
  writeFileSync(join(folder, "haproxy.cfg"), haproxySettings({ database, web, members, hosts }))
  others.push(run("haproxy", ["-f", join(folder, "haproxy.cfg")]))

  /** Without a standby that has everything, nothing can take the primary's place. */
  const whole = () =>
    until(async () => {
      const answers = await Promise.all(members.map(({ rest }) => statusOf(rest, "/synchronous")))
      return answers.includes(200)
    }, "No standby became synchronous")

  const cluster: Cluster = {
    databaseUrl,
    baseUrl: `http://127.0.0.1:${web}`,
    async primary() {
      for (const { name, rest } of members) if ((await statusOf(rest, "/primary")) === 200) return name
      return null
    },
    async switchover() {
      await whole()
      const leader = await cluster.primary()
      const from = members.find(({ name }) => name === leader)
      const to = members.find(({ name }) => name !== leader)
      const answer = await fetch(`http://127.0.0.1:${from?.rest}/switchover`, {
        method: "POST",
        body: JSON.stringify({ leader, candidate: to?.name }),
      })
      if (!answer.ok) throw new Error(`Patroni did not change places: ${await answer.text()}`)
    },
    async killPrimary() {
      await whole()
      const leader = await cluster.primary()
      const member = members.find(({ name }) => name === leader)
      if (!member?.child?.pid) throw new Error("There is no primary to kill.")
      const postmaster = Number(
        readFileSync(join(folder, member.name, "data", "postmaster.pid"), "utf8").split("\n")[0],
      )
      process.kill(member.child.pid, "SIGKILL")
      process.kill(postmaster, "SIGKILL")
      return member.name
    },
    async restart(name) {
      const member = members.find((one) => one.name === name)
      if (member) startMember(member)
      await whole()
    },
    query: (sql, values) => ask(databaseUrl, sql, values),
    async stop() {
      for (const child of [...members.map((member) => member.child), ...others]) await end(child)
      await wait(500)
      rmSync(folder, { recursive: true, force: true })
    },
  }
  try {
    await until(async () => (await cluster.primary()) !== null, "No server became the primary")
    const server = databaseUrl.replace("mailroom@", "postgres@").replace("/mailroom?", "/postgres?")
    await until(() => ask(server, "SELECT 1").then(Boolean, () => false), "HAProxy does not lead to the primary")
    await ask(server, "CREATE ROLE mailroom LOGIN")
    await ask(server, "CREATE DATABASE mailroom OWNER mailroom TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'")
    await whole()
  } catch (error) {
    await cluster.stop()
    throw error
  }
  return cluster
}

/** With shorter times than Patroni's defaults (30, 10 and 10 s), so that a failover takes less of the test. */
function patroniSettings(
  { name, port, rest }: Member,
  { etcdPort, data, folder }: { etcdPort: number; data: string; folder: string },
): string {
  const access = ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"]
  return JSON.stringify({
    scope: "mailroom",
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ...{ ttl: 20, loop_wait: 2, retry_timeout: 5, synchronous_mode: true },
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, timezone: "UTC" } },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }, { auth: "trust" }],
      pg_hba: access,
    },
    postgresql: {
      ...{ listen: `127.0.0.1:${port}`, connect_address: `127.0.0.1:${port}`, data_dir: data },
      ...{ bin_dir: debianPostgres, pgpass: join(folder, name, "pgpass"), pg_hba: access },
      authentication: {
        superuser: { username: "postgres", password: "any" },
        replication: { username: "replicator", password: "any" },
      },
      parameters: { unix_socket_directories: join(folder, name) },
    },
  })
}

type Balanced = { database: number; web: number; members: readonly Member[]; hosts: readonly number[] }

/** As lib/deploy/haproxy.cfg for the hosts, and Patroni's own sample for the database. */
function haproxySettings({ database, web, members, hosts }: Balanced): string {
  return `global
  maxconn 4000
defaults
  timeout connect 2s
  timeout client 75s
  timeout server 75s
listen database
  mode tcp
  bind 127.0.0.1:${database}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${members.map(({ name, port, rest }) => `  server ${name} 127.0.0.1:${port} check port ${rest}\n`).join("")}listen web
  mode http
  bind 127.0.0.1:${web}
  balance roundrobin
  option httpchk GET /health/ready
  timeout check 3s
  option redispatch
  retries 2
  retry-on conn-failure
  default-server check inter 2s fall 2 rise 1
${hosts.map((port, at) => `  server host${at} 127.0.0.1:${port}\n`).join("")}`
}

async function statusOf(port: number, path: string): Promise<number> {
  return fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ status }) => status,
    () => 0,
  )
}

async function ask<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 })
  client.on("error", () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(sql, values)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function until(isSo: () => Promise<boolean>, fault: string) {
  const deadline = Date.now() + readyWithinMs
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`${fault} within ${readyWithinMs / 1000} s.`)
    await wait(200)
  }
}

async function end(child: ChildProcess | undefined) {
  if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, "exit")
  child.kill("SIGTERM")
  await Promise.race([ended, wait(15_000)])
  if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL")
}
