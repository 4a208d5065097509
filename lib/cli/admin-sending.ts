import { parseArgs } from "node:util"
import { usage, flags, regionArgument, projectArgument, Refusal } from "@/lib/cli/admin-arguments"
import { checkSetup, relayConfig, type RelayConfig } from "@/lib/delivery/setup/report"
import { installationRows } from "@/lib/delivery/setup/installation-rules"
import type { SetupReport } from "@/lib/delivery/setup/schema"
import { env } from "@/lib/platform/env/env"
import { regionSettings, isLoopback } from "@/lib/regions/settings"
import { addOperatorAudit } from "@/lib/access/audit/data"
import { organizationsOfUsers } from "@/lib/access/people/data"
import { noProject } from "@/lib/cli/admin-projects"
import * as addresses from "@/lib/delivery/egress/data"
import { utcDate } from "@/lib/delivery/egress/rules"
import { EgressIp, EhloName, PoolName } from "@/lib/delivery/egress/schema"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { encodeId } from "@/lib/platform/ids"
import { setEgressPool } from "@/lib/projects/data"
import { defaultPool } from "@/lib/projects/rules"
import { type Region, regionNames } from "@/lib/regions/regions"
import type { Prisma } from "@/prisma/generated/client"
import type { z } from "zod"

/** Checks the sending set-up: a table on stderr unless `--json`, and exit code 1 unless all required rows are ok. */
export function doctor(args: string[]): () => Promise<SetupReport> {
  const isQuiet = wantsJson(args)
  return async () => {
    const report = await checkSetup()
    if (!isQuiet) process.stderr.write(tableOf(report))
    return report
  }
}

function wantsJson(args: string[]): boolean {
  try {
    return parseArgs({ args, options: { json: { type: "boolean" } }, strict: true }).values.json === true
  } catch (error) {
    throw usage((error as Error).message)
  }
}

/** A line for each fact and row, and below what is not right what to do. */
export function tableOf({ installation, regions, rows }: SetupReport): string {
  const facts = installationRows(installation, new Date()).map(
    ({ name, value, attention }) => `${(attention ? "attention" : "").padEnd(10)} ${name.padEnd(20)} ${value}`,
  )
  const heads = regions.map(({ message }) => message)
  const lines = rows.flatMap(({ state, kind, title, region, address, message, fix }) => {
    const about = [title, address ?? region].filter(Boolean).join(", ")
    const line = `${state.padEnd(10)} ${kind.padEnd(12)} ${about}`
    return fix === undefined ? [line] : [line, `           ${message}`, `           ${fix}`]
  })
  const none = regions.length === 0 ? ["No region sends to others: nothing has to be set up."] : []
  return `${[...facts, ...heads, ...none, ...lines].join("\n")}\n`
}

/** Not 25, which returned mail comes to. */
const usualRelayPort = 10_025

/** Prints the configuration of a Postfix on this server as a region's relay: JSON, and the files as text on stderr. */
export function relayConfigOf(args: string[]): () => Promise<RelayConfig> {
  const region = regionArgument(flags(args, "region").region)
  return async () => {
    const { profiles, inbound } = regionSettings()
    const profile = profiles[region]
    const own = profile.transport === "smtp" && isLoopback(profile.smtp.host) ? profile.smtp.port : usualRelayPort
    const config = relayConfig({ region, service: env(), relayPort: own, inboundPort: inbound.port })
    process.stderr.write(asText(config))
    return config
  }
}

function asText({ mainCf, masterCf, env: line, hostName }: RelayConfig): string {
  return `/etc/postfix/main.cf, as a whole:

${mainCf}
/etc/postfix/master.cf, in place of the line that begins with "smtp inet":

${masterCf}
At your DNS provider, and for its reverse DNS at the company that rents you the server:

${hostName} A the address of this server
the address of this server PTR ${hostName}

.env of Mailroom:

${line}

Then run "postfix check && systemctl restart postfix", restart Mailroom, and run the loop test of the region.
`
}

type Tx = Prisma.TransactionClient
type Answer = Record<string, unknown>

/** The addresses that regions send from directly: `egress add`, `egress pause` and so on. */
export function egress([name = "", ...args]: string[]): () => Promise<Answer> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command)
    throw usage(
      `Use one of ${Object.keys(commands)
        .map((one) => `egress ${one}`)
        .join(", ")}.`,
    )
  return command(args)
}

const commands: Record<string, ((args: string[]) => () => Promise<Answer>) | undefined> = {
  add,
  list,
  remove,
  pause: (args) => setPaused(args, true),
  resume: (args) => setPaused(args, false),
  assign,
}

function add([first = "", ...args]: string[]) {
  const given = flags(args, "ehlo", "region?", "pool?", "warm-up?")
  const address = read(EgressIp, first)
  const ehloName = read(EhloName, given.ehlo)
  const pool = given.pool === undefined ? defaultPool : read(PoolName, given.pool)
  const warmUpOn = given["warm-up"] ?? null
  if (warmUpOn !== null && !isDate(warmUpOn)) throw usage("--warm-up is a date such as 2026-12-24.")
  const region = given.region === undefined ? undefined : regionArgument(given.region)

  return async () => {
    if (warmUpOn !== null && warmUpOn < utcDate(await databaseTime()))
      throw usage("--warm-up is today (UTC) or a later date.")
    const added = { region: region ?? directRegion(), pool, address, ehloName }
    const row = await addresses.addAddress({ ...added, warmUpOn }, ({ id }, tx) => {
      const changes = { ...added, ...(warmUpOn !== null && { warmUpOn }) }
      return audit({ action: "egress_address.added", target: encodeId("egr", id), changes }, tx)
    })
    if (!row) throw new Refusal("egress_address.already_exists", `The region has the address ${address} already.`)
    return shownRow(row)
  }
}

/** The only one that sends directly. */
function directRegion(): Region {
  const direct = regionNames.filter((region) => regionSettings().profiles[region].transport === "direct")
  const [only] = direct
  if (only && direct.length === 1) return only
  throw usage(`Give --region: ${direct.length === 0 ? "no region sends" : `${direct.join(", ")} send`} directly.`)
}

function list(args: string[]) {
  flags(args)
  return async () => ({ addresses: (await addresses.listAddresses()).map(shownRow) })
}

function remove(args: string[]) {
  const find = named(args)
  return async () => {
    const found = await find()
    const row = await addresses.removeEgressAddress(found.id, ({ id, region, address, pool }, tx) =>
      audit({ action: "egress_address.removed", target: encodeId("egr", id), changes: { region, address, pool } }, tx),
    )
    if (!row) throw noAddress(found.address)
    return { ...shownRow(row), removed: true }
  }
}

function setPaused(args: string[], paused: boolean) {
  const find = named(args)
  return async () => {
    const found = await find()
    const row = await addresses.changeAddress(found.id, { paused }, ({ id, address }, tx) =>
      audit({ action: "egress_address.changed", target: encodeId("egr", id), changes: { address, paused } }, tx),
    )
    if (!row) throw noAddress(found.address)
    return shownRow(row)
  }
}

/** The address that the arguments name. */
function named([first = "", ...args]: string[]): () => Promise<addresses.EgressRow> {
  const given = flags(args, "region?")
  const address = read(EgressIp, first)
  const region = given.region === undefined ? undefined : regionArgument(given.region)
  return async () => {
    const [row, ...others] = await addresses.findByAddress(address, region)
    if (!row) throw noAddress(address)
    if (others.length > 0) throw usage(`Give --region: several regions have the address ${address}.`)
    return row
  }
}

function assign(args: string[]) {
  const given = flags(args, "project", "pool")
  const projectId = projectArgument(given.project)
  const pool = read(PoolName, given.pool)
  const target = encodeId("proj", projectId)

  return async () => {
    const project = await setEgressPool(projectId, pool, ({ organizationId }, tx) =>
      addOperatorAudit({ organizationId, projectId }, { action: "project.pool_set", target, changes: { pool } }, tx),
    )
    if (!project) throw noProject()
    return { projectId: target, pool }
  }
}

/** In the log of every organization of an operator: addresses belong to the installation. */
async function audit(entry: Parameters<typeof addOperatorAudit>[1], tx: Tx): Promise<void> {
  for (const organizationId of await organizationsOfUsers({ operatorSince: { not: null } }, tx))
    await addOperatorAudit({ organizationId }, entry, tx)
}

function shownRow({ id, region, pool, address, ehloName, pausedAt, warmUpDay, warmUpOn }: addresses.EgressRow): Answer {
  const warmUp = warmUpDay === null || warmUpOn === null ? null : { day: warmUpDay, on: utcDate(warmUpOn) }
  return { id: encodeId("egr", id), region, pool, address, ehloName, paused: pausedAt !== null, warmUp }
}

function noAddress(address: string): Refusal {
  return new Refusal("egress_address.not_found", `There is no egress address ${address}.`)
}

function read<T>(schema: z.ZodType<T, string>, value = ""): T {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  throw usage(`"${value}": ${error.issues[0]?.message ?? "invalid"}`)
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && utcDate(new Date(`${text}T00:00:00Z`)) === text
}
