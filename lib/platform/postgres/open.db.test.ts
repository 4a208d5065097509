import { spawn } from "node:child_process"
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import pg from "pg"
import { afterEach, describe, expect, it, vi } from "vitest"
import { openPostgres, type EmbeddedPostgres } from "@/lib/platform/postgres/open"
import { readRecord } from "@/lib/platform/postgres/record"

const settings = { fsync: "off", shared_buffers: "16MB" }
const folders: string[] = []
const servers: EmbeddedPostgres[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
  for (const folder of folders.splice(0)) remove(folder)
  vi.unstubAllEnvs()
})

describe("the embedded PostgreSQL", () => {
  it("starts below a folder of mode 0700, without LANG, as UTF-8", async () => {
    vi.stubEnv("LANG", undefined)
    vi.stubEnv("LC_ALL", undefined)
    const dataDir = dataFolder(0o700)
    const server = await open(dataDir)
    const said = await ask(
      server,
      "select current_setting('server_encoding') as encoding, upper('é') as upper, version()",
    )
    expect(said).toMatchObject({ encoding: "UTF8", upper: "É", version: expect.stringContaining("PostgreSQL 18") })
    if (process.getuid?.() === 0) {
      expect(readRecord(dataDir)?.dataFolder.startsWith("/var/lib/mailroom-")).toBe(true)
      expect(statSync(`/proc/${server.pid}`).uid).not.toBe(0)
    }
  })

  it("keeps data, port and password over a restart, in files that only their owner reads", async () => {
    const dataDir = dataFolder(0o755)
    const first = await open(dataDir)
    await ask(first, "create table kept (word text)")
    await ask(first, "insert into kept values ('here')")
    await first.close()
    expect(first.isRunning()).toBe(false)

    const second = await open(dataDir)
    expect(second.url).toBe(first.url)
    expect(await ask(second, "select word from kept")).toEqual({ word: "here" })
    expect(statSync(join(dataDir, "postgres.json")).mode & 0o077).toBe(0)
    expect(existsSync(join(dataDir, "postgres", "first-password"))).toBe(false)
  })

  it("starts over what a crash left, even when another process has the old number now", async () => {
    const dataDir = dataFolder(0o755)
    const first = await open(dataDir)
    await ask(first, "create table survivor ()")
    process.kill(first.pid, "SIGQUIT")
    await vi.waitFor(() => expect(first.isRunning()).toBe(false), 10_000)
    await first.close()
    const pidFile = join(readRecord(dataDir)?.dataFolder ?? "", "postmaster.pid")
    writeFileSync(pidFile, `${process.ppid}\n${dirname(pidFile)}\n1\n5480\n\n127.0.0.1\n 1 1\nready\n`)

    const second = await open(dataDir)
    expect(await ask(second, "select count(*)::int as n from survivor")).toEqual({ n: 0 })
  })

  it("is joined by a second user and stopped by the last one only", async () => {
    const dataDir = dataFolder(0o755)
    const other = await otherUser(dataDir)
    const server = await open(dataDir)
    await server.close()
    expect(server.isRunning()).toBe(true)
    await other.leave()
    await vi.waitFor(() => expect(server.isRunning()).toBe(false), 10_000)
  })

  it.runIf(process.getuid?.() === 0)(
    "is not opened by root in a folder of another user, where nothing is made",
    async () => {
      const dataDir = dataFolder(0o755)
      chownSync(dataDir, 65_534, 65_534)
      await expect(open(dataDir)).rejects.toThrow(`${dataDir} belongs to the user with id 65534`)
      expect(readdirSync(dataDir), "files in DATA_DIR").toEqual([])
    },
  )

  it.each([
    ["below it", 0o755],
    ["outside of it, where root's folder cannot be entered", 0o700],
  ])("of a folder that was copied while it ran is not taken for the copy's own: %s", async (_, mode) => {
    const [dataDir, copy] = [dataFolder(mode), dataFolder(mode)]
    const server = await open(dataDir)
    cpSync(dataDir, copy, { recursive: true })
    await expect(openPostgres({ dataDir: copy, settings })).rejects.toThrow(
      mode === 0o700 && process.getuid?.() === 0 ? `belongs to ${dataDir}` : /was copied while its PostgreSQL ran in/,
    )
    expect(await ask(server, "select 1 as n"), "the original goes on").toEqual({ n: 1 })
  })

  it("of a folder that was moved stays its own", async () => {
    const dataDir = dataFolder(0o700)
    const server = await open(dataDir)
    await ask(server, "create table moved ()")
    await server.close()
    servers.pop()
    const moved = dataFolder(0o700)
    rmSync(moved, { recursive: true })
    renameSync(dataDir, moved)
    // The old place leads to the new one.
    symlinkSync(moved, dataDir)
    expect(await ask(await open(moved), "select count(*)::int as n from moved")).toEqual({ n: 0 })
  })

  it("answers whatever the environment says of connections to other databases", async () => {
    vi.stubEnv("PGSSLMODE", "require")
    expect(await ask(await open(dataFolder(0o755)), "select 1 as n")).toEqual({ n: 1 })
  })

  it("runs in a process group of its own, so that Ctrl-C does not reach it", async () => {
    const server = await open(dataFolder(0o755))
    expect(() => process.kill(-server.pid, 0)).not.toThrow()
  })
})

async function open(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await openPostgres({ dataDir, settings })
  servers.push(server)
  return server
}

async function ask(server: EmbeddedPostgres, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    return (await client.query(sql)).rows[0]
  } finally {
    await client.end()
  }
}

/** A second process that opened the same database and leaves it when told. */
async function otherUser(dataDir: string) {
  const script = join(dataDir, "user.mjs")
  const { build } = await import("esbuild")
  await build({
    stdin: {
      contents: `import { openPostgres } from "@/lib/platform/postgres/open"
        const server = await openPostgres(${JSON.stringify({ dataDir, settings })})
        process.send("open")
        process.once("message", () => server.close().then(() => process.exit(0)))`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: join(process.cwd(), "node_modules", ".cache", "mailroom-user.mjs"),
    packages: "external",
  })
  rmSync(script, { force: true })
  const file = join(process.cwd(), "node_modules", ".cache", "mailroom-user.mjs")
  const child = spawn(process.execPath, [file], { stdio: ["ignore", "inherit", "inherit", "ipc"] })
  await new Promise((resolve) => child.once("message", resolve))
  return {
    leave: () =>
      new Promise<void>((resolve) => {
        child.once("exit", () => resolve())
        child.send("leave")
      }),
  }
}

function dataFolder(mode: number): string {
  const clone = mkdtempSync(join(tmpdir(), "mailroom-clone-"))
  folders.push(clone)
  chmodSync(clone, mode)
  const dataDir = join(clone, ".data")
  mkdirSync(dataDir)
  return dataDir
}

function remove(clone: string) {
  const far = readRecordIfAny(join(clone, ".data"))
  if (far?.startsWith("/var/lib/mailroom-")) rmSync(dirname(far), { recursive: true, force: true })
  rmSync(clone, { recursive: true, force: true })
}

function readRecordIfAny(dataDir: string): string | undefined {
  return existsSync(join(dataDir, "postgres.json")) ? readRecord(dataDir)?.dataFolder : undefined
}
