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

/** A real Postfix on loopback. */
export type Postfix = {
  log(): string
  /** Lets it try at once what it has deferred. */
  flush(): Promise<void>
  /** Settles once none of its processes is left. */
  stop(): Promise<void>
  folder: string
}

export type PostfixSettings = {
  /** Of main.cf; `$folder` stands for where the files are. As text it is the whole file but for the places of its own files. */
  main: Readonly<Record<string, string>> | string
  /** Lines of master.cf that take mail. */
  listeners: readonly string[]
  /** What the settings refer to, by file name. */
  files?: Readonly<Record<string, string>>
}

/** Starts Postfix (`npm test` installs it). Everything is in a folder of its own. */
export async function launchPostfix({ main, listeners, files = {} }: PostfixSettings): Promise<Postfix> {
  const folder = mkdtempSync(join(tmpdir(), "mailroom-postfix-"))
  chmodSync(folder, 0o755)
  const at = (name: string) => join(folder, name)
  for (const name of ["queue", "data"]) mkdirSync(at(name))
  await run("chown", ["postfix", at("data")])
  const settings = typeof main === "string" ? main + lines(places) : lines({ ...places, ...usual, ...main })
  const all = { ...files, "main.cf": settings, "master.cf": [...listeners, ...services()].join("") }
  for (const [name, text] of Object.entries(all)) writeFileSync(at(name), text.replaceAll("$folder", folder))
  const postfix = (...args: string[]) => run("postfix", ["-c", folder, ...args])
  await postfix("start")
  return {
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

function lines(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join("")
}

const places = {
  queue_directory: "$folder/queue",
  data_directory: "$folder/data",
  maillog_file: "$folder/mail.log",
  maillog_file_prefixes: "$folder",
}

const usual = {
  compatibility_level: "3.6",
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
  notify_classes: "",
  append_dot_mydomain: "no",
}

/** Services that other programs than its own may use. */
const open = ["pickup", "cleanup", "qmgr", "flush"]

function services(): string[] {
  const unix = (name: string, program = name, wake = "-", most = "-") =>
    `${name} unix ${[open.includes(name) ? "n" : "-", "-", "n", wake, most].join(" ")} ${program}\n`
  return [
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
  ]
}
