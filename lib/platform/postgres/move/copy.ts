import pg from "pg"
import { type Keyed, moveSchemaOf } from "@/lib/platform/postgres/move/guards"
import { belongs, type Moving, rowsAtOnce } from "@/lib/platform/postgres/move/tables"

/** The connections of a move: `to` runs without triggers and foreign keys. */
export type Sides = { from: pg.Client; to: pg.Client }

/** Of what is written at once, if it has more than one row. */
export const insertBytesMax = 8 * 2 ** 20

/** Events without a number are not copied: the side that has them numbers them first. */
const complete = (table: string) => (table === "events" ? "AND t.seq IS NOT NULL" : "")

type Copier = {
  /** Copies all rows as of one moment; those that are there go first, also of projects that only the other side has. */
  all(there: Moving): Promise<number>
  /** Copies the rows that have changed since; returns how many were noted. */
  changes(): Promise<number>
  /** Copies what is copied only once nothing changes any more. */
  last(): Promise<void>
}

export async function createCopier(sides: Sides, moving: Moving, tables: readonly Keyed[]): Promise<Copier> {
  const { from, to } = sides
  const columns = await columnsOf(from)
  const queues = await queuesOf(sides)
  const scope = (table: Keyed) => belongs(table, "t", moving)

  /** The columns to write, and what is read for each. */
  function written({ name, way, key }: Keyed): { names: string[]; values: string[] } {
    const names = (columns.get(name) ?? []).filter((column) => way !== "last" || !key.includes(column))
    return { names, values: names.map((column) => valueOf(name, column)) }
  }

  /** Queues and addresses are each side's own, and projects are there only once they are released. */
  function valueOf(table: string, column: string): string {
    if (table === "projects" && column === "deleted_at") return "coalesce(r.deleted_at, now())"
    if (table === "deliveries" && column === "queue_id")
      return `(SELECT q.to_id FROM (VALUES ${queues}) AS q(from_id, to_id) WHERE q.from_id = r.queue_id)`
    if (table === "deliveries" && column === "egress_address_id")
      return "(SELECT a.id FROM egress_addresses a WHERE a.id = r.egress_address_id)"
    return `r.${column}`
  }

  async function insert(table: Keyed, rows: string[]) {
    if (rows.length === 0) return
    const { names, values } = written(table)
    await to.query(
      `INSERT INTO ${table.name} (${names.join(", ")}) OVERRIDING SYSTEM VALUE
        SELECT ${values.join(", ")} FROM json_populate_recordset(null::${table.name}, $1::json) AS r`,
      [`[${rows.join(",")}]`],
    )
  }

  async function copyTable(table: Keyed): Promise<number> {
    const { names } = written(table)
    await from.query(
      `DECLARE moved NO SCROLL CURSOR FOR SELECT row_to_json(r)::text AS row FROM (
        SELECT ${names.map((name) => `t.${name}`).join(", ")} FROM ${table.name} t WHERE ${scope(table)} ${complete(table.name)}) r`,
    )
    let count = 0
    for (;;) {
      const { rows } = await from.query<{ row: string }>(`FETCH ${rowsAtOnce(table.name)} FROM moved`)
      if (rows.length === 0) break
      for (const batch of bySize(rows.map(({ row }) => row))) await insert(table, batch)
      count += rows.length
    }
    await from.query("CLOSE moved")
    return count
  }

  return {
    async all(there) {
      const projectIds = [...new Set([...moving.projectIds, ...there.projectIds])]
      for (const table of tables)
        await to.query(`DELETE FROM ${table.name} t WHERE ${belongs(table, "t", { ...moving, projectIds })}`)
      await from.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      let count = 0
      for (const table of tables) if (table.way !== "last") count += await copyTable(table)
      await from.query("COMMIT")
      return count
    },

    async changes() {
      // The notes are gone only once what they say has been committed on the other side: a move that breaks off reads them again.
      await from.query("BEGIN")
      const { rows } = await from.query<{ name: string; key: string[] }>(
        `WITH taken AS (DELETE FROM ${moveSchemaOf(moving)}.changes RETURNING name, key) SELECT DISTINCT name, key FROM taken`,
      )
      await to.query("BEGIN")
      for (const table of tables) {
        const keys = rows.filter(({ name }) => name === table.name).map(({ key }) => key)
        if (keys.length > 0) await replace(table, keys)
      }
      await to.query("COMMIT")
      await from.query("COMMIT")
      return rows.length
    },

    async last() {
      await to.query("BEGIN")
      for (const table of tables) {
        if (table.way !== "last") continue
        await to.query(`DELETE FROM ${table.name} t WHERE ${scope(table)}`)
        const { names } = written(table)
        const { rows } = await from.query<{ row: string }>(
          `SELECT row_to_json(r)::text AS row FROM (SELECT ${names.join(", ")} FROM ${table.name} t WHERE ${scope(table)}) r`,
        )
        for (const batch of bySize(rows.map(({ row }) => row))) await insert(table, batch)
      }
      await copyWindows()
      await to.query("COMMIT")
    },
  }

  /** Deletes these rows and writes those that are still there; all deletions first, as one row may have taken the name of another. */
  async function replace(table: Keyed, keys: string[][]) {
    const columns = table.types.map((type, at) => `u.k${at}::${type} AS k${at}`).join(", ")
    const arrays = table.key.map((_, at) => `$${at + 1}::text[]`).join(", ")
    const wanted = `(SELECT ${columns} FROM unnest(${arrays}) AS u(${table.key.map((_, at) => `k${at}`).join(", ")})) w`
    const isWanted = table.key.map((column, at) => `t.${column} = w.k${at}`).join(" AND ")
    const valuesOf = (part: string[][]) => table.key.map((_, at) => part.map((key) => key[at]))
    await to.query(`DELETE FROM ${table.name} t USING ${wanted} WHERE ${isWanted} AND ${scope(table)}`, valuesOf(keys))
    const names = written(table).names.map((name) => `t.${name}`)
    const most = rowsAtOnce(table.name)
    for (let at = 0; at < keys.length; at += most) {
      const { rows } = await from.query<{ row: string }>(
        `SELECT row_to_json(r)::text AS row FROM (SELECT ${names.join(", ")} FROM ${wanted} JOIN ${table.name} t ON ${isWanted}
          WHERE ${scope(table)} ${complete(table.name)}) r`,
        valuesOf(keys.slice(at, at + most)),
      )
      for (const batch of bySize(rows.map(({ row }) => row))) await insert(table, batch)
    }
  }

  /** The windows of rate limits, which are by the id of the key. */
  async function copyWindows() {
    const { rows } = await from.query<{ row: string }>(
      `SELECT row_to_json(w)::text AS row FROM rate_windows w WHERE split_part(w.key, ':', 2) IN (
        SELECT k.id::text FROM api_keys k WHERE k.project_id = ANY ($1))`,
      [moving.projectIds],
    )
    await to.query(
      `INSERT INTO rate_windows SELECT * FROM json_populate_recordset(null::rate_windows, $1::json)
        ON CONFLICT (key) DO UPDATE SET points = excluded.points, expire = excluded.expire`,
      [`[${rows.map(({ row }) => row).join(",")}]`],
    )
  }
}

/** Columns that are stored, of every table. */
async function columnsOf(client: pg.Client): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `SELECT c.relname AS name, array_agg(quote_ident(a.attname) ORDER BY a.attnum) AS columns
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition GROUP BY c.oid`,
  )
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

/** A queue of a simulator leads to the one there, all others to that of the region: the worker sorts by destination anew. */
async function queuesOf({ from, to }: Sides): Promise<string> {
  type Queue = { id: number; region: string; kind: string }
  const sql = "SELECT id, region, kind FROM delivery_queues"
  const [ours, theirs] = [(await from.query<Queue>(sql)).rows, (await to.query<Queue>(sql)).rows]
  const pairs = ours.map(({ id, region, kind }) => {
    const wanted = kind === "simulator" ? "simulator" : "general"
    return `(${id}, ${theirs.find((queue) => queue.region === region && queue.kind === wanted)?.id ?? "NULL"}::int)`
  })
  return pairs.join(", ") || "(NULL::int, NULL::int)"
}

/** Parts that are each written at once. */
export function bySize(rows: string[]): string[][] {
  const batches: string[][] = []
  let bytes = Infinity
  for (const row of rows) {
    if (bytes + row.length > insertBytesMax) {
      batches.push([])
      bytes = 0
    }
    batches.at(-1)?.push(row)
    bytes += row.length
  }
  return batches
}

/**
 * Events keep their numbers: the shards of the other side go on behind them. Where all events are in one order, the state does.
 * The lock is the one that dispatchers share.
 */
export const advanceNumbers = `WITH state AS MATERIALIZED (
    SELECT last_seq, reserved_seq FROM dispatch_state WHERE id = 1 FOR UPDATE
  ), moved AS (
    SELECT dispatch_shard(p.id) AS shard, max((SELECT e.seq FROM events e WHERE e.project_id = p.id AND e.seq IS NOT NULL ORDER BY e.seq DESC LIMIT 1)) AS seq
      FROM unnest($1::uuid[]) AS p(id) GROUP BY 1
  ), shards AS (
    UPDATE dispatch_shards s SET last_seq = greatest(s.last_seq, moved.seq) FROM moved, state
      WHERE s.shard = moved.shard AND state.last_seq = state.reserved_seq AND moved.seq IS NOT NULL
  )
  UPDATE dispatch_state d SET
      last_seq = CASE WHEN state.last_seq <> state.reserved_seq THEN greatest(state.last_seq, top.seq)
        WHEN top.seq > state.reserved_seq THEN top.seq + 100000000000 ELSE state.last_seq END,
      reserved_seq = CASE WHEN state.last_seq = state.reserved_seq AND top.seq > state.reserved_seq THEN top.seq + 100000000000 ELSE state.reserved_seq END
    FROM state, (SELECT max(seq) AS seq FROM moved) top WHERE d.id = 1 AND top.seq IS NOT NULL`

type Person = {
  id: string
  email: string
  proven: boolean
  member: string
  user: string
  belongings: Record<string, string>
}

const belongings = ["identities", "passkeys", "totp_factors", "recovery_codes"] as const
type Belonging = (typeof belongings)[number]
/** The others are made for the id of their user. */
const ofAnyId: readonly Belonging[] = ["identities"]

export async function peopleOf(from: pg.Client, organizationId: string): Promise<Person[]> {
  const { rows } = await from.query<Person>(
    `SELECT u.id, u.email, u.email_proven_at IS NOT NULL AS proven, row_to_json(m)::text AS member, row_to_json(u)::text AS user, json_build_object(${belongings
      .map((table) => `'${table}', (SELECT coalesce(json_agg(b), '[]')::text FROM ${table} b WHERE b.user_id = u.id)`)
      .join(", ")}) AS belongings FROM members m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1`,
    [organizationId],
  )
  return rows
}

/** Whoever is known by their proven address stays who they are; others come with how they sign in. Nobody becomes an operator. */
export async function addPeople(to: pg.Client, organizationId: string, people: readonly Person[]) {
  for (const person of people) {
    const { id, email, member, user } = person
    const { rows } = await to.query<{ id: string; proven: boolean }>(
      "SELECT id, email_proven_at IS NOT NULL AS proven FROM users WHERE email = $1 OR id = $2",
      [email, id],
    )
    const [known] = rows
    if (!known) {
      await to.query(
        "INSERT INTO users SELECT (json_populate_record(null::users, ($1::jsonb || '{\"operator_since\": null}')::json)).*",
        [user],
      )
      await addBelongings(to, id, person)
    } else if (!known.proven) await takeAccount(to, known.id, person)
    await to.query(
      `INSERT INTO members SELECT (json_populate_record(null::members, ($1::jsonb || jsonb_build_object('user_id', $2::uuid))::json)).*
        ON CONFLICT (organization_id, user_id) DO UPDATE SET role = excluded.role`,
      [member, known?.id ?? id],
    )
  }
  await to.query(
    "DELETE FROM members WHERE organization_id = $1 AND user_id <> ALL ($2::uuid[]) AND user_id NOT IN (SELECT id FROM users WHERE email = ANY ($3))",
    [organizationId, people.map(({ id }) => id), people.map(({ email }) => email)],
  )
}

/**
 * Somebody else may have made an account whose address nobody has proven: every way into it is removed, as when its address is
 * proven, before it has a member's place. Who has proven the address on the old side has done so here.
 */
async function takeAccount(to: pg.Client, userId: string, person: Person) {
  const { id, proven, user } = person
  const isSame = id === userId
  // An earlier move has copied it.
  if (isSame && !proven) return
  await to.query(
    `UPDATE users u SET email_proven_at = p.email_proven_at, password_hash = CASE WHEN u.id = p.id THEN p.password_hash END
      FROM json_populate_record(null::users, $2::json) p WHERE u.id = $1`,
    [userId, user],
  )
  await to.query("DELETE FROM sign_in_links WHERE user_id = $1 OR email = $2", [userId, person.email])
  for (const table of [...belongings, "pending_sign_ins", "sessions"])
    await to.query(`DELETE FROM ${table} WHERE user_id = $1`, [userId])
  if (proven) await addBelongings(to, userId, person, isSame ? belongings : ofAnyId)
}

async function addBelongings(
  to: pg.Client,
  userId: string,
  { belongings: owned }: Person,
  tables: readonly Belonging[] = belongings,
) {
  for (const table of tables)
    await to.query(
      `INSERT INTO ${table} SELECT (json_populate_record(null::${table}, (b || jsonb_build_object('user_id', $2::uuid))::json)).*
        FROM jsonb_array_elements($1::jsonb) AS b ON CONFLICT DO NOTHING`,
      [owned[table] ?? "[]", userId],
    )
}

/** Mail that has come back to the old side since: the new one reads it as if it had come there. @returns how many */
export async function carryReturned({ from, to }: Sides, { organizationId, projectIds }: Moving): Promise<number> {
  const { rows } = await from.query<{ row: string }>(
    `SELECT row_to_json(t)::text AS row FROM inbound_messages t WHERE t.project_id = ANY ($2)
      AND t.received_at >= (SELECT m.moved_at FROM cell_moves m WHERE m.organization_id = $1)`,
    [organizationId, projectIds],
  )
  let carried = 0
  const unread = { outcome: null, matched_by: null, operator_reason: null, reading: null, attempt: 0 }
  for (const { row } of rows) {
    const { rowCount } = await to.query(
      `INSERT INTO inbound_messages
        SELECT (json_populate_record(null::inbound_messages, ($1::jsonb || $2::jsonb || jsonb_build_object('due_at', now()))::json)).*
        ON CONFLICT DO NOTHING`,
      [row, JSON.stringify(unread)],
    )
    carried += rowCount ?? 0
  }
  return carried
}
