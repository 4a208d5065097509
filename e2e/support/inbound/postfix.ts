import { execFile } from "node:child_process"
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { promisify } from "node:util"

const run = promisify(execFile)

/** A real Postfix as the relay of a region. */
export type Postfix = {
  port: number
  log(): string
  /** Lets it try at once what it has deferred. */
  flush(): Promise<void>
  /** Settles once none of its processes is left. */
  stop(): Promise<void>
  folder: string
}

/** The port of a next hop on loopback, or `discard`: Postfix itself is the last server and throws the mail away. */
export type NextHop = number | "discard"

/**
 * Starts Postfix (`npm test` installs it) on `port` of loopback: it takes mail for everybody, sends the mail for recipients that match a
 * pattern to its next hop, and writes bounces, delays and reports of success as by default. Everything is in a folder of its own.
 */
export async function startPostfix(
  port: number,
  routes: readonly [pattern: RegExp, nextHop: NextHop][],
): Promise<Postfix> {
  const folder = mkdtempSync(join(tmpdir(), "mailroom-postfix-"))
  chmodSync(folder, 0o755)
  const at = (name: string) => join(folder, name)
  for (const name of ["queue", "data"]) mkdirSync(at(name))
  await run("chown", ["postfix", at("data")])
  writeFileSync(at("main.cf"), mainOf(folder))
  writeFileSync(at("master.cf"), masterOf(port))
  writeFileSync(
    at("transport"),
    routes
      .map(([pattern, to]) => `${pattern.toString()} ${to === "discard" ? "discard:" : `smtp:[127.0.0.1]:${to}`}\n`)
      .join(""),
  )
  const postfix = (...args: string[]) => run("postfix", ["-c", folder, ...args])
  await postfix("start")
  return {
    port,
    folder,
    log: () => readFileSync(at("mail.log"), "utf8"),
    flush: async () => void (await postfix("flush")),
    async stop() {
      await postfix("abort").catch(() => undefined)
      while (processesIn(folder).length > 0) await wait(20)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Processes of this machine that work in a folder, as each of Postfix's does in its queue. */
export function processesIn(folder: string): number[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) ? [Number(pid)] : []
    } catch {
      return []
    }
  })
}

function mainOf(folder: string): string {
  return Object.entries({
    compatibility_level: "3.6",
    queue_directory: join(folder, "queue"),
    data_directory: join(folder, "data"),
    maillog_file: join(folder, "mail.log"),
    maillog_file_prefixes: folder,
    transport_maps: `regexp:${join(folder, "transport")}`,
    myhostname: "relay.lab.test",
    inet_interfaces: "127.0.0.1",
    inet_protocols: "ipv4",
    mydestination: "",
    mynetworks: "127.0.0.0/8",
    local_recipient_maps: "",
    alias_maps: "",
    alias_database: "",
    smtpd_relay_restrictions: "permit_mynetworks, reject_unauth_destination",
    // Else the refusals of many recipients take seconds each.
    smtpd_error_sleep_time: "0",
    smtp_tls_security_level: "may",
    notify_classes: "",
    disable_dns_lookups: "yes",
    smtp_host_lookup: "native",
    append_dot_mydomain: "no",
    minimal_backoff_time: "2s",
    queue_run_delay: "2s",
    delay_warning_time: "2s",
  })
    .map(([name, value]) => `${name} = ${value}\n`)
    .join("")
}

/** Services that other programs than its own may use. */
const open = ["pickup", "cleanup", "qmgr", "flush"]

function masterOf(port: number): string {
  const unix = (name: string, program = name, wake = "-", most = "-") =>
    `${name} unix ${[open.includes(name) ? "n" : "-", "-", "n", wake, most].join(" ")} ${program}\n`
  return [
    `127.0.0.1:${port} inet n - n - - smtpd\n`,
    unix("pickup", "pickup", "60", "1"),
    unix("cleanup", "cleanup", "-", "0"),
    unix("qmgr", "qmgr", "2", "1"),
    unix("rewrite", "trivial-rewrite"),
    ...["bounce", "defer", "trace"].map((name) => unix(name, "bounce", "-", "0")),
    unix("verify", "verify", "-", "1"),
    unix("flush", "flush", "1000?", "0"),
    unix("proxymap"),
    unix("proxywrite", "proxymap", "-", "1"),
    ...["smtp", "relay"].map((name) => unix(name, "smtp")),
    ...["error", "retry"].map((name) => unix(name, "error")),
    unix("discard"),
    unix("anvil", "anvil", "-", "1"),
    unix("scache", "scache", "-", "1"),
    unix("tlsmgr", "tlsmgr", "1000?", "1"),
    "postlog unix-dgram n - n - 1 postlogd\n",
  ].join("")
}
