import { numberEvents } from "@/lib/emails/data"
import { inOneOrder, pool, transaction, type Queryable } from "@/lib/platform/database/db"
import { lockRows } from "@/lib/platform/database/locks-sql"
import { notify } from "@/lib/platform/jobs/notifications"
import { eventsChannel, shardOf, shards } from "@/lib/stream/data"
import { Prisma } from "@/prisma/generated/client"

export type DispatchedEvent = {
  id: string
  projectId: string
  emailId: string | null
  deliveryId: string | null
  contactId: string | null
  type: string
  data: Record<string, string>
  occurredAt: Date
  /** Its number in the public order, which rises within its project. */
  seq: bigint
}

/**
 * Whether events wait; with `askVersions` also whether a process of a version is connected that knows one order alone. Takes no
 * lock and writes nothing, so that an idle installation does not touch the disk. On `pg`, as dispatching is.
 */
export async function lookForEvents(
  askVersions = false,
): Promise<{ areWaiting: boolean; hasOlderVersion: boolean | null }> {
  const { rows } = await pool().query<{ areWaiting: boolean; hasOlderVersion: boolean | null }>({
    name: "dispatcher.look",
    text: `SELECT EXISTS (SELECT 1 FROM events WHERE seq IS NULL) AS "areWaiting", CASE WHEN $1 THEN EXISTS (
        SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name ~ $2) END AS "hasOlderVersion"`,
    values: [askVersions, inOneOrder],
  })
  return rows[0] ?? { areWaiting: false, hasOlderVersion: null }
}

export type Consume = (client: Queryable, events: readonly DispatchedEvent[]) => Promise<void>

type Batch = {
  limit: number
  /** How many shards it takes at most; the others are left to other dispatchers. */
  shardsMax: number
  /** All events in one order, as older versions number and read them; then one dispatcher works at a time. */
  isWhole: boolean
}

/** `isFull`: more events may wait. */
export type Dispatched = { count: number; isFull: boolean }

const nothing: Dispatched = { count: 0, isFull: false }

/**
 * Gives the oldest events of some shards their numbers, in one transaction with what `consume` does with them, and wakes the
 * readers. Events that commit late come later in the order; nobody who reads up to the end of a shard misses them.
 * @returns how many; 0 too while other dispatchers hold the locks
 */
export async function dispatchBatch(batch: Batch, consume: Consume): Promise<Dispatched> {
  const work = () => transaction((client) => (batch.isWhole ? dispatchWhole : dispatchShards)(client, batch, consume))
  let dispatched = await work()
  if (dispatched === "unreserved") {
    await reserve(batch.limit)
    dispatched = await work()
  }
  if (dispatched === "unreserved") return nothing
  if (dispatched.count > 0) await notify(eventsChannel)
  return dispatched
}

/** As earlier versions: one dispatcher, one order. */
async function dispatchWhole(client: Queryable, { limit }: Batch, consume: Consume): Promise<Dispatched> {
  const state = await lockState(client)
  if (!state) return nothing
  const events = await nextEvents(client, { of: everyShard, each: limit, limit })
  if (events.length === 0) return nothing
  const end = await dispatch(client, numberedAfter(state.lastSeq, events), consume)
  await store(client, { lastSeq: end })
  return { count: events.length, isFull: events.length === limit }
}

/** Beside other dispatchers, each in shards of its own. An equal part for each shard, so that no backlog holds up another's events. */
async function dispatchShards(
  client: Queryable,
  { limit, shardsMax }: Batch,
  consume: Consume,
): Promise<Dispatched | "unreserved"> {
  const state = await lockState(client, { shared: true })
  if (!state) return nothing
  if (state.lastSeq !== state.reservedSeq) return "unreserved"
  const ends = await claimShards(client, shardsMax)
  if (ends.size === 0) return nothing
  if ([...ends.values()].some((end) => isShort(end, state, limit))) return "unreserved"
  const each = Math.ceil(limit / ends.size)
  const found = await nextEvents(client, { of: [...ends.keys()], each, limit: each * ends.size })
  if (found.length === 0) return nothing
  const counts = new Map<number, number>()
  const events = found.map((event) => {
    const shard = shardOf(event.projectId)
    const seq = (ends.get(shard) ?? 0n) + 1n
    ends.set(shard, seq)
    counts.set(shard, (counts.get(shard) ?? 0) + 1)
    return { ...event, seq }
  })
  await dispatch(client, events, consume)
  await store(client, { ends })
  return { count: events.length, isFull: [...counts.values()].some((count) => count === each) }
}

const everyShard = Array.from({ length: shards }, (_, shard) => shard)

function numberedAfter(lastSeq: bigint, events: readonly Omit<DispatchedEvent, "seq">[]): DispatchedEvent[] {
  return events.map((event, index) => ({ ...event, seq: lastSeq + BigInt(index + 1) }))
}

/** @returns the last of their numbers */
async function dispatch(client: Queryable, events: readonly DispatchedEvent[], consume: Consume): Promise<bigint> {
  await numberEvents(client, events)
  await consume(client, events)
  return events.at(-1)?.seq ?? 0n
}

/**
 * Numbers that are reserved at once, for half a year of the busiest shard. Versions that know one order alone go on behind them, whenever
 * they start.
 */
const reservedAtOnce = 10n ** 11n

const isShort = (end: bigint, { reservedSeq }: State, limit: number) => end + BigInt(limit) > reservedSeq

/** Reserves numbers for the shards, behind all that were given in one order. Waits for those who work on what they have. */
async function reserve(limit: number): Promise<void> {
  await transaction(async (client) => {
    const state = await lockState(client, { skipLocked: false })
    if (!state) return
    const ends = new Map<number, bigint>()
    const isApart = state.lastSeq !== state.reservedSeq
    if (isApart) for (const shard of everyShard) ends.set(shard, state.lastSeq)
    else if (![...(await claimShards(client)).values()].some((end) => isShort(end, state, limit))) return
    const reservedSeq = state.lastSeq + reservedAtOnce
    await store(client, { ends, lastSeq: reservedSeq, reservedSeq })
  })
}

type State = { lastSeq: bigint; reservedSeq: bigint }

async function lockState(client: Queryable, { shared = false, skipLocked = true } = {}): Promise<State | null> {
  // A table that has grown since it was last analysed would be scanned; row by row the index is always right here.
  const [state] = await lockRows<{ last_seq: string; reserved_seq: string }>(
    {
      columns: `last_seq, reserved_seq, set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
        set_config('enable_mergejoin', 'off', true)`,
      ...{ table: "dispatch_state", where: Prisma.sql`id = 1`, skipLocked, shared, often: true },
    },
    client,
  )
  return state ? { lastSeq: BigInt(state.last_seq), reservedSeq: BigInt(state.reserved_seq) } : null
}

/** Locks up to `most` shards with waiting events, any of them, that no other dispatcher has. @returns their last numbers */
async function claimShards(client: Queryable, most = shards): Promise<Map<number, bigint>> {
  const rows = await lockRows<{ shard: number; last_seq: string }>(
    {
      ...{ columns: "shard, last_seq", table: "dispatch_shards", order: "random()", limit: most },
      // An EXISTS would be a join that reads all that waits; the bound leads to the index, as sequential scans are off.
      where: Prisma.sql`shard >= 0
        AND (SELECT true FROM events WHERE seq IS NULL AND dispatch_shard(project_id) = shard ORDER BY id LIMIT 1)`,
      ...{ skipLocked: true, often: true },
    },
    client,
  )
  return new Map(rows.map(({ shard, last_seq: end }) => [shard, BigInt(end)]))
}

type Wanted = { of: readonly number[]; each: number; limit: number }

async function nextEvents(client: Queryable, { of, each, limit }: Wanted): Promise<Omit<DispatchedEvent, "seq">[]> {
  const { rows } = await client.query<Omit<DispatchedEvent, "seq">>({
    name: "dispatcher.next",
    text: `SELECT e.id, e.project_id AS "projectId", e.email_id AS "emailId", e.delivery_id AS "deliveryId",
        e.contact_id AS "contactId", e.type, e.data, e.occurred_at AS "occurredAt"
      FROM unnest($1::smallint[]) AS s(shard), LATERAL (
        SELECT * FROM events WHERE seq IS NULL AND dispatch_shard(project_id) = s.shard ORDER BY id LIMIT $2) e
      ORDER BY e.id LIMIT $3`,
    values: [of, each, limit],
  })
  return rows
}

/** Stores the last numbers of shards, and those of the state that are named. */
async function store(
  client: Queryable,
  { ends = new Map<number, bigint>(), lastSeq, reservedSeq }: { ends?: Map<number, bigint> } & Partial<State>,
) {
  await client.query({
    name: "dispatcher.store",
    text: `WITH advanced AS (
        UPDATE dispatch_shards s SET last_seq = given.last_seq FROM unnest($1::smallint[], $2::bigint[]) AS given(shard, last_seq)
          WHERE s.shard = given.shard
      )
      UPDATE dispatch_state SET last_seq = $3::bigint, reserved_seq = coalesce($4, reserved_seq) WHERE id = 1 AND $3::bigint IS NOT NULL`,
    values: [[...ends.keys()], [...ends.values()].map(String), lastSeq?.toString(), reservedSeq?.toString()],
  })
}
