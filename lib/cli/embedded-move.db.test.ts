import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import pg from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { startDebianServer } from "@/e2e/support/debian-postgres"
import { newSending, sendMail } from "@/e2e/support/delivery/sending"
import { emptyDatabase, type TestDatabase } from "@/e2e/support/database"
import { removeData } from "@/e2e/support/product"
import { adminCommands } from "@/lib/cli/admin-commands"
import { closeDatabase } from "@/lib/platform/database/db"
import { migrate } from "@/lib/platform/database/migrations"
import { env, provideEnv } from "@/lib/platform/env/env"
import { openPostgres } from "@/lib/platform/postgres/open"
import { objectsFolder } from "@/lib/platform/storage/storage"

const limitMs = 240_000
const usual = env().databaseUrl
const key = randomBytes(32).toString("base64")
const made: string[] = []
let external: TestDatabase
beforeAll(async () => {
  external = await emptyDatabase(`moved_${randomBytes(4).toString("hex")}`)
})
afterAll(async () => {
  for (const folder of made) removeData(folder)
  await external.drop()
})

/** A DATA_DIR of its own, in which the database's account may pass. */
function newDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), "mailroom-move-"))
  chmodSync(folder, 0o711)
  made.push(folder)
  return folder
}

/** The command as an operator runs it; what it prints, whether or not it fails. */
async function admin(variables: Record<string, string>, ...args: string[]): Promise<Record<string, unknown>> {
  const own = { NODE_ENV: "production" as const, DATABASE_URL: "", SECRET_KEY: "", ...variables }
  const { stdout } = await promisify(execFile)(process.execPath, ["lib/cli/launch.mjs", "admin", ...args], {
    env: { ...process.env, ...own },
  }).catch((failed: { stdout: string }) => failed)
  return JSON.parse(stdout) as Record<string, unknown>
}

function keyOf(dataDir: string): string {
  return readFileSync(join(dataDir, "secret-key"), "utf8").trim()
}

const detailOf = ({ error }: Record<string, unknown>) => (error as { detail?: string } | undefined)?.detail

// Each command starts a server and stops it, as an operator's does.
test(
  "an installation moves from its embedded database to an external one and back by the commands alone, also after a restore with a wrong key",
  async () => {
    const [here, backHere] = [newDataDir(), newDataDir()]
    const files = newDataDir()
    const account = ["--email", "ada@example.com", "--password", "a long password", "--organization", "Ada"]
    await admin({ DATA_DIR: here }, "bootstrap", ...account, "--project", "main", "--region", "eu-west-1")
    const [a, b] = [join(files, "a"), join(files, "b")]
    const backup = await admin({ DATA_DIR: here }, "backup", "--file", a)
    expect(backup.files, "the folder that is not in it").toContain(`${objectsFolder(here)} `)

    const there = { DATABASE_URL: external.url, DATA_DIR: backHere }
    const wrong = await admin({ ...there, SECRET_KEY: key }, "restore", "--file", a)
    expect(detailOf(wrong)).toContain("belongs to another SECRET_KEY")
    const right = { ...there, SECRET_KEY: keyOf(here) }
    expect(await admin(right, "restore", "--file", a)).toMatchObject({ rows: backup.rows, held: true })
    expect(await admin(right, "verify-audit-log")).toMatchObject({ organizations: 1 })
    await admin(right, "backup", "--file", b)

    // Begun without the key: it makes one, and takes the right one once that is put in its place.
    const alone = await admin({ DATA_DIR: backHere }, "restore", "--file", b)
    expect(detailOf(alone)).toContain("belongs to another SECRET_KEY")
    cpSync(join(here, "secret-key"), join(backHere, "secret-key"))
    expect(await admin({ DATA_DIR: backHere }, "restore", "--file", b)).toMatchObject({ held: true })
    expect(await admin({ DATA_DIR: backHere }, "verify-audit-log")).toMatchObject({ organizations: 1 })
  },
  limitMs,
)

test(
  "an embedded database of an older PostgreSQL moves into that of a new version by the steps that its refusal names, and the old one stays as it was",
  async () => {
    const dataDir = newDataDir()
    const home = join(dataDir, "postgres")
    mkdirSync(home, { mode: 0o711 })
    const old = await startDebianServer(home)
    await migrate(old.url)
    await closeDatabase()
    provideEnv({ DATABASE_URL: old.url })
    const sent = await sendMail(await newSending())
    const record = { binaries: "/usr/lib/postgresql/15", port: old.port, password: "any", made: true }
    writeFileSync(join(dataDir, "postgres.json"), JSON.stringify({ ...record, dataFolder: old.folder }))
    writeFileSync(join(dataDir, "secret-key"), `${env().secretKey.toString("base64")}\n`)

    const file = join(newDataDir(), "backup")
    await (
      await adminCommands.backup?.(["--file", file])
    )?.()
    await closeDatabase()
    provideEnv({ DATABASE_URL: usual })
    await old.stop()
    const refused = detailOf(await admin({ DATA_DIR: dataDir }, "verify-audit-log")) ?? ""
    expect(refused).toContain("PostgreSQL 15")
    const [, cluster = "", itsRecord = ""] = /Then move (\S+) and (\S+) to another place/.exec(refused) ?? []
    const away = newDataDir()
    renameSync(cluster, join(away, "postgres"))
    renameSync(itsRecord, join(away, "postgres.json"))
    expect(await admin({ DATA_DIR: dataDir }, "restore", "--file", file)).toMatchObject({ held: true })
    expect(await admin({ DATA_DIR: dataDir }, "release")).toMatchObject({ waiting: 1, released: false })

    const now = await openPostgres({ dataDir })
    const client = new pg.Client({ connectionString: now.url })
    await client.connect()
    const { rows } = await client.query(
      "SELECT current_setting('server_version_num')::int >= 180000 AS new, count(*)::int AS emails FROM emails",
    )
    await client.end()
    await now.close()
    expect(rows).toEqual([{ new: true, emails: sent.length }])
    expect(existsSync(join(away, "postgres", "postgres-15", "PG_VERSION"))).toBe(true)
    rmSync(away, { recursive: true, force: true })
  },
  limitMs,
)
