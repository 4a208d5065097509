import type pg from "pg"
import type { Sides } from "@/lib/platform/postgres/move/copy"
import type { Moving } from "@/lib/platform/postgres/move/tables"

// What both sides know of a move, and what they refuse.

/** A move that is not begun or not ended, with a sentence for the operator. */
export class MoveRefused extends Error {
  constructor(
    readonly code: string,
    detail: string,
  ) {
    super(detail)
    this.name = "MoveRefused"
  }
}

/** What an installation knows of an organization that moves; null of all others. */
export type MoveState = "copying" | "held" | "left" | "arriving" | "returning" | "arrived"

export async function stateOf(client: pg.Client, organizationId: string): Promise<MoveState | null> {
  const { rows } = await client.query<{ state: MoveState }>("SELECT state FROM cell_moves WHERE organization_id = $1", [
    organizationId,
  ])
  return rows[0]?.state ?? null
}

/** The organization with the projects that this side has of it; null where it has none of it. */
export async function movingOf(client: pg.Client, organizationId: string): Promise<Moving | null> {
  const { rows } = await client.query<{ ids: string[] }>(
    `SELECT ARRAY(SELECT p.id FROM projects p WHERE p.organization_id = o.id ORDER BY p.id) AS ids FROM organizations o WHERE o.id = $1`,
    [organizationId],
  )
  return rows[0] ? { organizationId, projectIds: rows[0].ids } : null
}

/** Refuses a move to an installation that could not work with what comes. */
export async function refuseUnfitCell(
  { from, to }: Sides,
  { organizationId, fromCell, toCell }: { organizationId: string; fromCell: string; toCell: string },
) {
  if (fromCell === toCell)
    throw new MoveRefused("move.same_cell", "Both sides have the same name: give each a CELL of its own.")
  const about = `SELECT (SELECT secret_key_id FROM installation) AS key,
    (SELECT string_agg(migration_name, ' ' ORDER BY migration_name) FROM _prisma_migrations WHERE rolled_back_at IS NULL) AS migrations`
  const [ours, theirs] = await Promise.all([from.query(about), to.query(about)])
  if (ours.rows[0]?.key !== theirs.rows[0]?.key)
    throw new MoveRefused(
      "move.other_key",
      `The two cells have different values of SECRET_KEY (ids ${ours.rows[0]?.key} and ${theirs.rows[0]?.key}): what is encrypted here could not be read there.`,
    )
  if (ours.rows[0]?.migrations !== theirs.rows[0]?.migrations)
    throw new MoveRefused("move.other_version", "The two cells run different versions: upgrade the older one first.")
  const there = await movingOf(to, organizationId)
  const state = await stateOf(to, organizationId)
  const isAwayThere = state === "arriving" || state === "returning" || state === "left"
  if (there && !isAwayThere && (await stateOf(from, organizationId)) !== "left")
    throw new MoveRefused("move.already_there", "The organization works in the other cell already.")
  const { rows } = await from.query<{ name: string }>(
    `SELECT d.mail_from_domain AS name FROM domains d JOIN projects p ON p.id = d.project_id WHERE p.organization_id = $1`,
    [organizationId],
  )
  const { rows: taken } = await to.query<{ name: string }>(
    `SELECT d.mail_from_domain AS name FROM domains d JOIN projects p ON p.id = d.project_id
      WHERE d.mail_from_domain = ANY ($1) AND p.organization_id <> $2`,
    [rows.map(({ name }) => name), organizationId],
  )
  if (taken[0])
    throw new MoveRefused("move.domain_taken", `${taken[0].name} is the return path of another organization there.`)
}

/** What both sides have must be as much: the last word before the old side lets go. */
export async function refuseUncopied({ from, to }: Sides, moving: Moving) {
  const counts = `SELECT (SELECT count(*) FROM emails WHERE project_id = ANY ($1))::int AS emails,
    (SELECT count(*) FROM deliveries WHERE project_id = ANY ($1))::int AS deliveries,
    (SELECT count(*) FROM events WHERE project_id = ANY ($1))::int AS events,
    (SELECT count(*) FROM suppressions WHERE project_id = ANY ($1))::int AS suppressions,
    (SELECT count(*) FROM webhook_deliveries WHERE project_id = ANY ($1))::int AS "webhookDeliveries"`
  const [ours, theirs] = (
    await Promise.all([from.query(counts, [moving.projectIds]), to.query(counts, [moving.projectIds])])
  ).map(({ rows }) => JSON.stringify(rows[0]))
  if (ours !== theirs) throw new MoveRefused("move.not_whole", `The copy is not whole: ${ours} here, ${theirs} there.`)
}
