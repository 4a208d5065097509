import { isIPv4 } from "node:net"
import {
  chooseSource,
  type EgressSource,
  type SourceAsk,
  type SourceBlock,
  type SourceChoice,
} from "@/lib/delivery/egress/choose-source"
import { type DayCounts, type OnBlock, utcDate, type WarmUp, warmUpAt } from "@/lib/delivery/egress/rules"
import { tellOperatorsOf } from "@/lib/delivery/notices/data"
import type { NoticeFacts } from "@/lib/delivery/notices/words"
import type { Source } from "@/lib/delivery/transports/transport"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { lockRows } from "@/lib/platform/database/locks-sql"
import { newId } from "@/lib/platform/ids"
import { defaultPool } from "@/lib/projects/rules"
import type { Region } from "@/lib/regions/regions"
import { Prisma } from "@/prisma/generated/client"

// Addresses are above projects, and so are their days; deliveries that take a place are those of all projects.

type Tx = Prisma.TransactionClient

const shape = {
  ...{ id: true, region: true, pool: true, address: true, ehloName: true },
  ...{ pausedAt: true, warmUpDay: true, warmUpOn: true, createdAt: true, onBlock: true },
} as const satisfies Record<Prisma.EgressAddressScalarFieldEnum, boolean>

export type EgressRow = Prisma.EgressAddressGetPayload<{ select: typeof shape }>

/** All addresses, by region, pool and age. */
export function listAddresses(): Promise<EgressRow[]> {
  return unscoped().egressAddress.findMany({
    select: shape,
    orderBy: [{ region: "asc" }, { pool: "asc" }, { id: "asc" }],
  })
}

/**
 * Where the installation's own tests and reports leave from: an address of the default pool, which its records are for, whatever
 * its warm-up allows; they are few. A region without addresses leaves it to the system.
 */
export async function systemSource(region: Region): Promise<Source | "any"> {
  const active = (await listAddresses()).filter((row) => row.region === region && row.pausedAt === null)
  const pool = active.filter((row) => row.pool === defaultPool)
  const known = pool.length > 0 ? pool : active
  const chosen = known.find(({ address }) => isIPv4(address)) ?? known[0]
  return chosen ? { address: chosen.address, ehloName: chosen.ehloName } : "any"
}

export function findAddress(id: string): Promise<EgressRow | null> {
  return unscoped().egressAddress.findUnique({ where: { id }, select: shape })
}

/** An address of an operator's command, in one region or in the only one that has it. */
export function findByAddress(address: string, region: Region | undefined): Promise<EgressRow[]> {
  return unscoped().egressAddress.findMany({ where: { address, ...(region && { region }) }, select: shape })
}

export type AddedAddress = {
  region: Region
  pool: string
  address: string
  ehloName: string
  warmUpOn: string | null
}

/** Records a change in the transaction that makes it. */
type Audit = (row: EgressRow, tx: Tx) => Promise<void>

/** Null if the region has the address already. */
export function addAddress({ warmUpOn, ...given }: AddedAddress, audit: Audit): Promise<EgressRow | null> {
  return changing(audit, async (tx) => {
    const data = { ...given, id: newId(), ...warmUpFrom(warmUpOn) }
    return tx.egressAddress.createManyAndReturn({ data, select: shape, skipDuplicates: true })
  })
}

export type EgressEdit = {
  paused?: boolean | undefined
  pool?: string | undefined
  warmUpOn?: string | null | undefined
  onBlock?: OnBlock | undefined
}

/** Changes an address as given; a warm-up begins anew on its date, or ends with null. Null if there is no such address. */
export function changeAddress(
  id: string,
  { paused, pool, warmUpOn, onBlock }: EgressEdit,
  audit: Audit,
): Promise<EgressRow | null> {
  return changing(audit, async (tx) => {
    const pausedAt = paused === undefined ? {} : { pausedAt: paused ? await databaseTime(tx) : null }
    const data = {
      ...pausedAt,
      ...(pool !== undefined && { pool }),
      ...(onBlock !== undefined && { onBlock }),
      ...(warmUpOn !== undefined && warmUpFrom(warmUpOn)),
    }
    return tx.egressAddress.updateManyAndReturn({ where: { id }, data, select: shape })
  })
}

/** What was attempted from it and waits chooses another address. Null if there is no such address. */
export function removeEgressAddress(id: string, audit: Audit): Promise<EgressRow | null> {
  return changing(audit, async (tx) => {
    const rows = await tx.egressAddress.findMany({ where: { id }, select: shape })
    await tx.egressAddress.deleteMany({ where: { id } })
    return rows
  })
}

async function changing(audit: Audit, change: (tx: Tx) => Promise<EgressRow[]>): Promise<EgressRow | null> {
  return unscopedTransaction(async (tx) => {
    const [row] = await change(tx)
    if (!row) return null
    await audit(row, tx)
    return row
  })
}

/** What left from each address on a date, by provider. */
export function countsOn(date: string): Promise<({ addressId: string; provider: string } & DayCounts)[]> {
  return unscoped().egressDay.findMany({
    where: { day: dayOf(date) },
    select: { addressId: true, provider: true, ...countsShape },
    orderBy: [{ sent: "desc" }, { provider: "asc" }],
  })
}

const countsShape = { sent: true, deferred: true, bounced: true, complained: true } as const

/** What became of places that were taken. */
export type PlaceNews = {
  addressId: string
  date: string
  provider: string
  what: "deferred" | "bounced" | "complained"
}

/** Counts what became of places, of all projects. */
export async function countNews(news: readonly PlaceNews[]): Promise<void> {
  const sums = new Map<string, { key: PlaceNews; count: number }>()
  for (const key of news) {
    const name = JSON.stringify([key.addressId, key.date, key.provider, key.what])
    sums.set(name, { key, count: (sums.get(name)?.count ?? 0) + 1 })
  }
  // In one order, as every writer counts them.
  for (const name of [...sums.keys()].sort()) {
    const { key, count } = sums.get(name) ?? { key: news[0] as PlaceNews, count: 0 }
    await addTo(unscoped(), key, key.what, count)
  }
}

/** Counts what came back by mail, on the day on which it did, for the deliveries whose ids `given` selects; a part of the statement on `pg` that records it. */
export function countReturned(what: "bounced" | "complained", given: string): string {
  return `INSERT INTO egress_days AS e (address_id, day, provider, ${what})
    SELECT d.egress_address_id, (now() AT TIME ZONE 'UTC')::date, '', count(*) FROM deliveries d
      WHERE d.id IN (${given}) AND EXISTS (SELECT 1 FROM egress_addresses a WHERE a.id = d.egress_address_id)
      GROUP BY d.egress_address_id
    ON CONFLICT (address_id, day, provider) DO UPDATE SET ${what} = e.${what} + excluded.${what}`
}

// Places

export type PlaceAsk = Omit<SourceAsk, "before"> & {
  deliveryId: string
  /** The fencing token of the claim. */
  attempt: number
}

export type Place = SourceChoice | { kind: "lost" }

/** Whether email of any region leaves from the address. */
export async function sendsFrom(address: string): Promise<boolean> {
  const where = { address, pausedAt: null }
  return (await unscoped().egressAddress.findFirst({ where, select: { id: true } })) !== null
}

/** Whether the region has addresses at all. */
export async function hasAddresses(region: Region): Promise<boolean> {
  return (await unscoped().egressAddress.findFirst({ where: { region }, select: { id: true } })) !== null
}

/**
 * Gives deliveries of a region their addresses, and a place in what those may send today: in one transaction that holds the
 * region's addresses, so that caps are exact however many workers ask. What crashes afterwards keeps its place for the day.
 */
export async function takePlaces(region: Region, today: string, asks: readonly PlaceAsk[]): Promise<Place[]> {
  const { places, repeats } = await unscopedTransaction(async (tx) => {
    // Of this run alone: of one that loses a deadlock nothing has happened.
    const round: Round = { today, asks, repeats: [] }
    return { places: await placesOf(region, round, tx), repeats: round.repeats }
  })
  for (const facts of repeats) await tellOperatorsOf({ kind: "warm_up_repeats", facts })
  return places
}

type WarmUpRepeat = NoticeFacts["warm_up_repeats"]
type Round = { today: string; asks: readonly PlaceAsk[]; repeats: WarmUpRepeat[] }

async function placesOf(region: Region, { today, asks, repeats }: Round, tx: Tx): Promise<Place[]> {
  const sources = await lockSources(region, { today, repeats }, tx)
  if (sources.length === 0) return asks.map(() => ({ kind: "any" }))
  const blocks = await findBlocks(asks, sources, tx)
  const before = await lockDeliveries(asks, tx)
  const taken = new Map<string, string[]>()
  const counted = new Map<string, { source: EgressSource; provider: string; count: number }>()
  const places = asks.map((ask): Place => {
    const delivery = before.get(ask.deliveryId)
    if (delivery?.attempt !== ask.attempt) return { kind: "lost" }
    const choice = chooseSource(sources, { ...ask, before: delivery.before }, today)
    if (choice.kind === "place" && choice.isTry) blocks.try(choice.source.id, ask.queue)
    if (choice.kind !== "place" || !choice.isNew) return choice
    const { source } = choice
    const { provider } = ask
    source.sent.set(provider, (source.sent.get(provider) ?? 0) + 1)
    taken.set(source.id, [...(taken.get(source.id) ?? []), ask.deliveryId])
    const key = `${source.id} ${provider}`
    counted.set(key, { source, provider, count: (counted.get(key)?.count ?? 0) + 1 })
    return choice
  })
  await blocks.storeTries(tx)
  for (const [egressAddressId, ids] of taken)
    await tx.delivery.updateMany({ where: { id: { in: ids } }, data: { egressAddressId, egressOn: dayOf(today) } })
  for (const [, { source, provider, count }] of [...counted].sort(byKey))
    await addTo(tx, { addressId: source.id, date: today, provider }, "sent", count)
  return places
}

/** Locks the addresses of a region, each on today's day of its warm-up. */
async function lockSources(
  region: Region,
  { today, repeats }: Pick<Round, "today" | "repeats">,
  tx: Tx,
): Promise<EgressSource[]> {
  const rows = await lockRows<{ id: string }>(
    { columns: "id", table: "egress_addresses", where: Prisma.sql`region = ${region}` },
    tx,
  )
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [addresses, days] = [
    await tx.egressAddress.findMany({ where: { id: { in: ids } }, select: shape, orderBy: { id: "asc" } }),
    await tx.egressDay.findMany({
      where: { addressId: { in: ids }, day: dayOf(today) },
      select: { addressId: true, provider: true, sent: true },
    }),
  ]
  const sources: EgressSource[] = []
  for (const { pausedAt, ...row } of addresses) {
    const sent = new Map(days.flatMap((day) => (day.addressId === row.id ? [[day.provider, day.sent] as const] : [])))
    const { id, pool, address, ehloName, onBlock } = row
    sources.push({
      ...{ id, pool, address, ehloName, sent, onBlock: onBlock as OnBlock, blocks: new Map() },
      ...{ isPaused: pausedAt !== null, warmUp: await advanced(row, { today, repeats }, tx) },
    })
  }
  return sources
}

/** A day that is over and does not count is repeated, of which the operators are told. */
async function advanced(
  row: Pick<EgressRow, "id" | "region" | "address" | "warmUpDay" | "warmUpOn">,
  { today, repeats }: Pick<Round, "today" | "repeats">,
  tx: Tx,
) {
  const before = warmUpIn(row)
  if (!before || today <= before.on) return before
  const counts = await dayCountsOf(row.id, before.on, tx)
  const now = warmUpAt(before, today, counts)
  const { region, address } = row
  if (now?.day === before.day && counts.sent > 0) repeats.push({ region, address, day: now.day, ...counts })
  await tx.egressAddress.updateMany({ where: { id: row.id }, data: warmUpColumns(now) })
  return now
}

/** What left from an address on a date, to all providers. */
export async function dayCountsOf(addressId: string, date: string, on: Tx = unscoped()): Promise<DayCounts> {
  const { _sum } = await on.egressDay.aggregate({ where: { addressId, day: dayOf(date) }, _sum: countsShape })
  const { sent, deferred, bounced, complained } = _sum
  return { sent: sent ?? 0, deferred: deferred ?? 0, bounced: bounced ?? 0, complained: complained ?? 0 }
}

type Before = { attempt: number; before: SourceAsk["before"] }

/** In the order of their ids, as every writer locks them. */
async function lockDeliveries(asks: readonly PlaceAsk[], tx: Tx): Promise<Map<string, Before>> {
  const ids = asks.map(({ deliveryId }) => deliveryId)
  type Row = { id: string; attempt: number; addressId: string | null; on: string | null }
  const rows = await lockRows<Row>(
    {
      columns: 'id, attempt, egress_address_id AS "addressId", egress_on::text AS "on"',
      table: "deliveries",
      where: Prisma.sql`id = ANY (${ids}::uuid[])`,
    },
    tx,
  )
  return new Map(
    rows.map(({ id, attempt, addressId, on }) => {
      return [id, { attempt, before: addressId === null ? null : { addressId, on: on ?? "" } }]
    }),
  )
}

async function addTo(
  on: Tx,
  { addressId, date, provider }: { addressId: string; date: string; provider: string },
  what: keyof DayCounts,
  count: number,
): Promise<void> {
  const day = { addressId, day: dayOf(date), provider }
  await on.egressDay.upsert({
    where: { addressId_day_provider: day },
    create: { ...day, [what]: count },
    update: { [what]: { increment: count } },
  })
}

function byKey([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1
}

/** The warm-up of a row. */
export function warmUpIn({ warmUpDay, warmUpOn }: Pick<EgressRow, "warmUpDay" | "warmUpOn">): WarmUp | null {
  return warmUpDay === null || warmUpOn === null ? null : { day: warmUpDay, on: utcDate(warmUpOn) }
}

function warmUpFrom(on: string | null) {
  return warmUpColumns(on === null ? null : { day: 1, on })
}

function warmUpColumns(warmUp: WarmUp | null) {
  return { warmUpDay: warmUp?.day ?? null, warmUpOn: warmUp ? dayOf(warmUp.on) : null }
}

function dayOf(date: string): Date {
  return new Date(`${date}T00:00:00Z`)
}

const warmUpWaitsMax = 500_000

/** Emails of all projects that wait for the share of an address on a later day, counted to 500,000. */
export async function countWarmUpWaits({ region, address }: Pick<EgressRow, "region" | "address">): Promise<number> {
  const queues = await unscoped().deliveryQueue.findMany({ where: { region }, select: { id: true }, take: 10_000 })
  const isOfIt = { reason: "warm_up", reasonFacts: { path: ["address"], equals: address } }
  const where = { queueId: { in: queues.map(({ id }) => id) }, dueAt: { gt: await databaseTime() }, ...isOfIt }
  return unscoped().delivery.count({ where, take: warmUpWaitsMax })
}

// Destinations that refuse an address

/** One mail tries whether a block is over: without news of it for so long, the next one does. */
const trySeconds = 120

/** Gives the sources their blocks in the queues that are asked for; a mail that tries one keeps the others from it. */
async function findBlocks(asks: readonly PlaceAsk[], sources: readonly EgressSource[], tx: Tx) {
  const queues = [...new Set(asks.flatMap(({ queue }) => queue ?? []))]
  const rows = await tx.egressPause.findMany({ where: { queueId: { in: queues } } })
  const now = rows.length > 0 ? await databaseTime(tx) : new Date(0)
  const tried: { queueId: number; addressId: string }[] = []
  const blocksOf = new Map<string, Map<number, SourceBlock>>()
  const wait = (since: Date, until: Date, reply: string) => {
    const waitSeconds = (until.getTime() - now.getTime()) / 1_000
    return { since, until, reply, waitSeconds, isOver: waitSeconds <= 0 }
  }
  for (const { queueId, addressId, since, until, reply } of rows) {
    const blocks = blocksOf.get(addressId) ?? new Map<number, SourceBlock>()
    blocksOf.set(addressId, blocks.set(queueId, wait(since, until, reply)))
  }
  for (const source of sources) source.blocks = blocksOf.get(source.id) ?? source.blocks

  return {
    try(addressId: string, queueId: number | null) {
      const blocks = blocksOf.get(addressId)
      const block = blocks?.get(queueId ?? 0)
      if (!blocks || !block || queueId === null) return
      blocks.set(queueId, wait(block.since, secondsAfter(now, trySeconds), block.reply))
      tried.push({ queueId, addressId })
    },
    async storeTries(on: Tx) {
      if (tried.length === 0) return
      await on.egressPause.updateMany({ where: { OR: tried }, data: { until: secondsAfter(now, trySeconds) } })
    },
  }
}
