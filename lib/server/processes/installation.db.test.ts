import { createHash, randomBytes, randomUUID } from "node:crypto"
import pg from "pg"
import { expect, it } from "vitest"
import { freshDatabase } from "@/e2e/support/database"
import { claimInstallation, firstRunToken } from "@/lib/server/processes/prepare"

it("a start with another key than the database's is refused", async () => {
  const { url, drop } = await freshDatabase(`install_${randomUUID().slice(0, 8)}`)
  const key = randomBytes(32)
  await claimInstallation(url, key)
  await claimInstallation(url, key)
  await expect(claimInstallation(url, randomBytes(32))).rejects.toThrow(/set up with another SECRET_KEY/)
  await drop()
})

it("the first-run token is new at each start, stored as a hash, and null once the first run is complete", async () => {
  const { url, drop } = await freshDatabase(`install_${randomUUID().slice(0, 8)}`)
  await claimInstallation(url, randomBytes(32))
  const first = await firstRunToken(url)
  const second = await firstRunToken(url)
  expect(second).not.toBe(first)
  expect(second).toMatch(/^[\w-]{43}$/)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query("select setup_token_hash from installation")
  expect(rows[0].setup_token_hash).toEqual(
    createHash("sha256")
      .update(second ?? "")
      .digest(),
  )
  await client.query("update installation set completed_at = now()")
  await client.end()
  expect(await firstRunToken(url)).toBeNull()
  await drop()
})
