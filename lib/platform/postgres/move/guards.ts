import type pg from "pg"
import { setTimeout as wait } from "node:timers/promises"
import { belongs, type Moved, movedTables, type Moving, writtenInBatches } from "@/lib/platform/postgres/move/tables"

// While an organization moves, triggers on both sides see to it that nothing is lost: where it comes from they note which rows
// change, and refuse changes once it is held; where it goes to they refuse them until it has arrived. They exist only then.

/** The schema of a move's triggers and notes, in both databases. */
export function moveSchemaOf({ organizationId }: Pick<Moving, "organizationId">): string {
  return `mailroom_move_${organizationId.replaceAll("-", "")}`
}

/** Whoever changes a row shares it until the commit; a move takes it alone, and knows then that nobody is at it. */
export function fenceOf({ organizationId }: Pick<Moving, "organizationId">): string {
  return `hashtextextended('mailroom.move_fence ${organizationId}', 0)`
}

export type Keyed = Moved & { key: string[]; types: string[] }

/** The tables with the columns of their keys. */
export async function keyedTables(client: pg.Client): Promise<Keyed[]> {
  const { rows } = await client.query<{ name: string; key: string[]; types: string[] }>(
    `SELECT c.relname AS name, array_agg(quote_ident(a.attname) ORDER BY k.ord) AS key,
        array_agg(format_type(a.atttypid, a.atttypmod) ORDER BY k.ord) AS types
      FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
        CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k(attnum, ord)
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
      WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY ($1) GROUP BY c.relname`,
    [movedTables.map(({ name }) => name)],
  )
  const keys = new Map(rows.map(({ name, ...rest }) => [name, rest]))
  return movedTables.map((table) => {
    const found = keys.get(table.name)
    if (!found) throw new Error(`The table ${table.name} has no primary key.`)
    return { ...table, ...found }
  })
}

/** Where the organization comes from: changes are noted, and refused once the fence is closed. New projects wait until it has moved. */
export async function guardSource(client: pg.Client, moving: Moving, tables: readonly Keyed[]): Promise<void> {
  const schema = moveSchemaOf(moving)
  await client.query(`CREATE SCHEMA ${schema}`)
  await client.query(
    `CREATE TABLE ${schema}.changes (id bigint GENERATED ALWAYS AS IDENTITY, name text NOT NULL, key text[] NOT NULL)`,
  )
  for (const table of tables) await guard(client, moving, table, sourceFunction(moving, table))
}

/** Where it goes to: nobody but the move itself, which runs without triggers, changes a row. */
export async function guardTarget(client: pg.Client, moving: Moving, tables: readonly Keyed[]): Promise<void> {
  const schema = moveSchemaOf(moving)
  await client.query(`CREATE SCHEMA ${schema}`)
  await client.query(
    `CREATE FUNCTION ${schema}.guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$`,
  )
  for (const table of tables) await guard(client, moving, table, null)
}

/** Lets changes pass; the triggers, which take a lock each to be dropped, can go later. */
export async function openTarget(client: pg.Client, moving: Moving): Promise<void> {
  await client.query(`CREATE OR REPLACE FUNCTION ${moveSchemaOf(moving)}.guard() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN IF TG_OP = 'DELETE' THEN RETURN OLD; END IF; RETURN NEW; END $$`)
}

/** Removes all of it, one table after the other, so that nobody waits for long. */
export async function removeGuards(client: pg.Client, moving: Pick<Moving, "organizationId">): Promise<void> {
  const schema = moveSchemaOf(moving)
  const { rows } = await client.query<{ table: string; name: string }>(
    `SELECT t.tgrelid::regclass::text AS table, t.tgname AS name FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
      WHERE p.pronamespace = to_regnamespace($1) AND t.tgparentid = 0`,
    [schema],
  )
  for (const { table, name } of rows) await soon(client, `DROP TRIGGER IF EXISTS ${name} ON ${table}`)
  await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
}

async function guard(client: pg.Client, moving: Moving, table: Keyed, ownFunction: string | null): Promise<void> {
  const schema = moveSchemaOf(moving)
  if (ownFunction) await client.query(ownFunction)
  const run = ownFunction ? `${schema}.${table.name}()` : `${schema}.guard()`
  const named = (kind: string) => `${kind}_${schema}`
  await soon(
    client,
    `CREATE TRIGGER ${named("a_in")} BEFORE INSERT OR UPDATE ON ${table.name} FOR EACH ROW WHEN (${belongs(table, "NEW", moving)}) EXECUTE FUNCTION ${run};
    CREATE TRIGGER ${named("a_out")} BEFORE DELETE ON ${table.name} FOR EACH ROW WHEN (${belongs(table, "OLD", moving)}) EXECUTE FUNCTION ${run}`,
  )
}

function sourceFunction(moving: Moving, { name, way, key }: Keyed): string {
  const note = (row: string) =>
    way === "last"
      ? ""
      : `INSERT INTO ${moveSchemaOf(moving)}.changes (name, key) VALUES ('${name}', ARRAY[${key.map((column) => `${row}.${column}::text`).join(", ")}]);`
  // Of a class that is answered with 503, and by which no loop decides anything.
  const refuse = `RAISE EXCEPTION 'the organization is being moved to another cell' USING ERRCODE = 'system_error';`
  return `CREATE FUNCTION ${moveSchemaOf(moving)}.${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NOT pg_try_advisory_xact_lock_shared(${fenceOf(moving)}) THEN
        ${writtenInBatches.has(name) ? "RETURN NULL;" : `IF TG_OP = 'DELETE' THEN RETURN NULL; END IF; ${refuse}`}
      END IF;
      ${name === "projects" ? `IF TG_OP = 'INSERT' THEN ${refuse} END IF;` : ""}
      IF TG_OP = 'DELETE' THEN
        ${note("OLD")}
        RETURN OLD;
      END IF;
      ${note("NEW")}
      RETURN NEW;
    END $$`
}

const lockTries = 200

/** What waits for a table's lock has all others wait behind it: it gives up soon, and comes again. */
export async function soon(client: pg.Client, sql: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await client.query(`BEGIN; SET LOCAL lock_timeout = '300ms'; ${sql}; COMMIT`)
      return
    } catch (error) {
      await client.query("ROLLBACK")
      if ((error as { code?: string }).code !== "55P03" || tries === lockTries) throw error
      await wait(Math.min(1_000, 50 * tries))
    }
  }
}
