import { addOperatorAudit } from "@/lib/access/audit/data"
import { organizationsOfUsers } from "@/lib/access/people/data"
import { flags, projectArgument, Refusal, regionArgument, usage } from "@/lib/cli/admin-arguments"
import { noProject } from "@/lib/cli/admin-projects"
import * as addresses from "@/lib/delivery/egress/data"
import { utcDate } from "@/lib/delivery/egress/rules"
import { EgressIp, EhloName, PoolName } from "@/lib/delivery/egress/schema"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { encodeId } from "@/lib/platform/ids"
import { setEgressPool } from "@/lib/projects/data"
import { defaultPool } from "@/lib/projects/rules"
import { type Region, regionNames } from "@/lib/regions/regions"
import { regionSettings } from "@/lib/regions/settings"
import type { Prisma } from "@/prisma/generated/client"
import type { z } from "zod"

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
