import { execFile, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { createSocket } from "node:dgram"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "@/e2e/support/free-port"

/**
 * A name server (Knot DNS) and a resolver that validates (unbound), both real. Of their zones `test` is signed, `plain` is not, the
 * signatures of `bogus` are false to the resolver, `127.in-addr.arpa` has the names of loopback addresses, `refused` is served by nobody, and the server of `silent` never answers.
 */
export type SignedDns = {
  /** Of the resolver, on 127.0.0.1. */
  port: number
  /** Changes records in one step; each is given like a line of a zone file, and replaces those of its name and type. */
  publish(...records: DnsRecord[]): Promise<void>
  stop(): Promise<void>
}

export type DnsRecord = { name: string; type: string; values: readonly string[] }

const isStarted = /start of service/
const reverse = "127.in-addr.arpa"
const unsigned = ["plain", reverse]
const served = ["test", "bogus", ...unsigned]

/** Starts both in a folder; `npm test` installs them where they are missing. */
export async function startSignedDns(folder: string): Promise<SignedDns> {
  const [knotPort, port] = [await freePort(), await freePort()]
  const silent = createSocket("udp4").bind(0, "127.0.0.1")
  await once(silent, "listening")
  const knotFile = join(folder, "knot.conf")
  writeFileSync(knotFile, knotSettings(folder, knotPort))
  writeFileSync(join(folder, "zone"), "@ 1 SOA ns admin 1 60 60 60 1\n@ 1 NS ns\nns 1 A 127.0.0.1\n")
  const knot = launch("knotd", ["-c", knotFile])
  await knot.says(/control, binding/)
  const key = execFileSync("keymgr", ["-c", knotFile, "test", "dnskey"], { encoding: "utf8" }).trim()
  const unboundFile = join(folder, "unbound.conf")
  writeFileSync(unboundFile, unboundSettings({ folder, port, knotPort, silentPort: silent.address().port, key }))
  const unbound = launch("unbound", ["-c", unboundFile])
  await unbound.says(isStarted)

  return {
    port,
    async publish(...records) {
      const changes = served.flatMap((zone) => {
        const own = records.filter(({ name }) => name.endsWith(`.${zone}`))
        const lines = own.flatMap(({ name, type, values }) => [
          `zone-unset ${zone} ${name}. ${type}`,
          ...values.map((value) => `zone-set ${zone} ${name}. 1 ${type} ${JSON.stringify(value)}`),
        ])
        return own.length > 0 ? [`zone-begin ${zone}`, ...lines, `zone-commit ${zone}`] : []
      })
      await control(join(folder, "knot.sock"), changes)
      // It begins again, and forgets what it has answered in this second.
      const restarted = unbound.says(isStarted)
      unbound.signal("SIGHUP")
      await restarted
    },
    async stop() {
      silent.close()
      await Promise.all([unbound.stop(), knot.stop()])
    },
  }
}

function knotSettings(folder: string, port: number): string {
  const zones = served.map(
    (zone) => `  - domain: ${zone}\n    dnssec-signing: ${unsigned.includes(zone) ? "off" : "on"}\n`,
  )
  return `server:
  listen: 127.0.0.1@${port}
  rundir: ${folder}
  udp-workers: 1
  tcp-workers: 1
  background-workers: 1
control:
  listen: ${join(folder, "knot.sock")}
database:
  storage: ${folder}
log:
  - target: stderr
    any: info
policy:
  - id: lab
    algorithm: ecdsap256sha256
    single-type-signing: on
template:
  - id: default
    file: ${join(folder, "zone")}
    zonefile-load: whole
    zonefile-sync: -1
    journal-content: none
    dnssec-policy: lab
zone:
${zones.join("")}`
}

type UnboundSettings = { folder: string; port: number; knotPort: number; silentPort: number; key: string }

/** It keeps nothing, so that a record that is changed is changed for everybody at once, and asks nobody but the servers of the lab. */
function unboundSettings({ folder, port, knotPort, silentPort, key }: UnboundSettings): string {
  const stubs = [...served, "refused", "."].map((zone) => ({ zone, at: knotPort }))
  const zones = [...stubs, { zone: "silent", at: silentPort }].map(
    ({ zone, at }) => `stub-zone:\n  name: "${zone}"\n  stub-addr: 127.0.0.1@${at}\n`,
  )
  return `server:
  interface: 127.0.0.1@${port}
  directory: ${folder}
  chroot: ""
  username: ""
  pidfile: ""
  use-syslog: no
  do-daemonize: no
  num-threads: 1
  do-ip6: no
  module-config: "validator iterator"
  do-not-query-localhost: no
  cache-max-ttl: 0
  cache-max-negative-ttl: 0
  val-bogus-ttl: 0
  infra-host-ttl: 0
  local-zone: "test." nodefault
  local-zone: "${reverse}." nodefault
  trust-anchor: "${key}"
  trust-anchor: "${key.replace(/^test/, "bogus")}"
remote-control:
  control-enable: no
${zones.join("")}`
}

type Server = {
  /** Resolves once it says this, from now on. */
  says(pattern: RegExp): Promise<void>
  signal(name: NodeJS.Signals): void
  stop(): Promise<void>
}

/** A process in the foreground. */
function launch(program: string, given: readonly string[]): Server {
  const child = spawn(program, given, { stdio: ["ignore", "ignore", "pipe"] })
  // Everybody who waits for a word of it listens on.
  child.stderr.setMaxListeners(0)
  let output = ""
  const ended = new Promise<void>((resolve) => {
    child.on("error", (error) => {
      output += error.message
      resolve()
    })
    child.on("exit", () => resolve())
  })
  child.stderr.on("data", (text: Buffer) => (output = (output + text.toString()).slice(-100_000)))
  return {
    async says(pattern) {
      output = ""
      const heard = new Promise<void>((resolve) => {
        child.stderr.on("data", () => pattern.test(output) && resolve())
      })
      await Promise.race([
        heard,
        ended.then(() => {
          throw new Error(`${program} has ended:\n${output}`)
        }),
      ])
    },
    signal: (name) => void child.kill(name),
    async stop() {
      child.kill("SIGTERM")
      await ended
    },
  }
}

const isUnset = /^error: \((?:not exists|no such node in zone found)\)/

/** Runs commands of knotc; it says OK to each that worked. */
async function control(socket: string, commands: readonly string[]): Promise<void> {
  const output = await new Promise<string>((resolve, reject) => {
    const child = execFile("knotc", ["-s", socket], (error, stdout, stderr) =>
      error ? reject(error) : resolve(stdout + stderr),
    )
    child.stdin?.end(`${commands.join("\n")}\n`)
  })
  const failed = output.split("\n").filter((line) => line && line !== "OK" && !isUnset.test(line))
  if (failed.length > 0) throw new Error(`The name server did not take the records:\n${failed.join("\n")}`)
}
