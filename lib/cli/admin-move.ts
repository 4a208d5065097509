import { s3Store } from "@/lib/platform/storage/s3"
import { createWriteStream } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { pipeline } from "node:stream/promises"
import type { ReadableStream as WebStream } from "node:stream/web"
import type pg from "pg"
import { flags, organizationArgument, Refusal, usage } from "@/lib/cli/admin-arguments"
import { env, parseSettings } from "@/lib/platform/env/env"
import { encodeId } from "@/lib/platform/ids"
import { type OrganizationMove, moveOrganization, projectsLeft, undoMove } from "@/lib/platform/postgres/move/move"
import { MoveRefused } from "@/lib/platform/postgres/move/refusals"
import { filesOf } from "@/lib/platform/postgres/move/tables"
import { diskStore } from "@/lib/platform/storage/disk"
import type { ObjectStore } from "@/lib/platform/storage/store"
import { storage } from "@/lib/platform/storage/storage"
import { emptyProject } from "@/lib/worker/housekeeping"

/** With its key, a request goes on to learn where the organization is. */
const kept = new Set(["api_keys"])

/**
 * Moves an organization with its history to another cell. Run again, it ends a move that was interrupted, or carries over what has
 * come back to this cell since. `--undo yes` ends one that was interrupted here, and `--forget yes` removes what was left behind.
 */
export async function moveToCell(args: string[]) {
  const { organization, ...given } = flags(
    args,
    "organization",
    "to?",
    "cell?",
    "address?",
    "files?",
    "undo?",
    "forget?",
  )
  const organizationId = organizationArgument(organization)
  for (const name of ["undo", "forget"] as const)
    if (given[name] !== undefined && given[name] !== "yes") throw usage(`The only value of --${name} is "yes".`)
  const answer = { organizationId: encodeId("org", organizationId) }
  if (given.forget) {
    return () =>
      refusing(async () => {
        for (const projectId of await projectsLeft(env().databaseUrl, organizationId))
          await emptyProject(projectId, kept)
        return { ...answer, forgotten: true }
      })
  }
  const target = await targetOf(given)

  return () =>
    refusing(async () => {
      const { cell: fromCell, databaseUrl: from } = env()
      if (fromCell === undefined) throw new Refusal("move.no_cell", "Set CELL, the name of this installation, first.")
      const move = { organizationId, from, fromCell, ...target }
      if (given.undo) {
        await undoMove(move)
        return { ...answer, moved: false }
      }
      const store = given.files === undefined ? null : await storeAt(given.files)
      const { rows, heldMs, keyHashes } = await moveOrganization({ ...move, files: copier(store) })
      return {
        ...{ ...answer, moved: true, cell: move.toCell, rows, heldSeconds: Math.round(heldMs / 100) / 10 },
        movedMap: keyHashes.map((hash) => `${hash} ${move.toCell}`),
      }
    })
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof MoveRefused ? new Refusal(error.code, error.message) : error
  }
}

async function targetOf({ to = "", cell = "", address = "", files }: Partial<Record<string, string>>) {
  const missing = Object.entries({ to, cell, address }).filter(([, value]) => !value)
  if (missing.length) throw usage(`Missing: ${missing.map(([name]) => `--${name}`).join(", ")}.`)
  // No list of processes shows a password that comes on stdin.
  const url = to === "-" ? (await text(process.stdin)).trim() : to
  const given = { DATABASE_URL: url, CELL: cell, BASE_URL: address, S3_URL: isFolder(files) ? undefined : files }
  return { to: settings(given).databaseUrl ?? url, toCell: cell, toAddress: settings(given).baseUrl }
}

function settings(variables: Record<string, string | undefined>) {
  try {
    return parseSettings({ ...variables, SECRET_KEY: env().secretKey.toString("base64") })
  } catch (error) {
    throw usage(`Of the other cell, ${(error as Error).message}`)
  }
}

const isFolder = (files: string | undefined) => files !== undefined && !files.startsWith("s3:")

async function storeAt(files: string): Promise<ObjectStore> {
  const { s3 } = settings({ S3_URL: isFolder(files) ? undefined : files })
  if (!s3) return diskStore(join(files, "objects"))
  return s3Store(s3)
}

/** Copies each file once. */
function copier(target: ObjectStore | null): OrganizationMove["files"] {
  const copied = new Set<string>()
  return async (client: pg.Client, projectIds: readonly string[]) => {
    for (const key of await filesOf(client, projectIds)) {
      if (copied.has(key)) continue
      if (!target)
        throw new MoveRefused(
          "move.files_missing",
          "The organization has pictures of contacts or files to import: name the other cell's storage with --files, its S3_URL or its DATA_DIR.",
        )
      await copyFile(key, target)
      copied.add(key)
    }
  }
}

/** By a file of this machine, as those to import may be larger than memory. One that is gone is gone on both sides. */
async function copyFile(key: string, target: ObjectStore) {
  const file = await (await storage()).get(key)
  if (!file) return
  const folder = await mkdtemp(join(tmpdir(), "mailroom-move-"))
  try {
    const path = join(folder, "file")
    await pipeline(Readable.fromWeb(file.stream as WebStream<Uint8Array>), createWriteStream(path))
    await target.putFile(key, path, file.contentType)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
