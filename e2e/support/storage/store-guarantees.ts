import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { ObjectStore } from "@/lib/platform/storage/store"

/** What every storage guarantees, as tests of the calling `describe`. */
export function storeGuarantees(store: () => ObjectStore) {
  const bytes = Buffer.from([0, 1, 2, 253, 254, 255])
  let files: string
  beforeAll(() => {
    files = mkdtempSync(join(tmpdir(), "mailroom-files-"))
  })
  afterAll(() => rmSync(files, { recursive: true, force: true }))
  const file = (name: string, content: Buffer) => {
    writeFileSync(join(files, name), content)
    return join(files, name)
  }
  const keysBelow = async (prefix: string) => {
    const keys = []
    for await (const { key } of store().list(prefix)) keys.push(key)
    return keys.sort()
  }

  test("returns the same bytes, and the new ones after a second put", async () => {
    await store().put("images/p1/first.webp", Buffer.from("older"), "image/webp")
    await store().put("images/p1/first.webp", bytes, "image/webp")
    const found = await store().get("images/p1/first.webp")
    expect(found?.bytes).toBe(6)
    expect(await buffer(found?.stream as never)).toEqual(bytes)
  })

  test.each([
    ["images/p1/a.webp", "image/webp"],
    ["imports/p1/a.csv", "text/csv; charset=utf-8"],
  ])("gives %s the type %s", async (key, type) => {
    await store().put(key, bytes, type)
    const found = await store().get(key)
    await found?.stream.cancel()
    expect(found?.contentType).toBe(type)
  })

  test.each([
    ["a file too large for memory", 3 * 2 ** 20],
    ["an empty file", 0],
  ])("takes %s as it is", async (_, size) => {
    const content = randomBytes(size)
    await store().putFile("imports/p1/file.csv", file("file.csv", content), "text/csv")
    const found = await store().get("imports/p1/file.csv")
    expect(found?.bytes).toBe(size)
    expect((await buffer(found?.stream as never)).equals(content)).toBe(true)
  })

  test("gives the first bytes before the last, and does not mind a reader who leaves", async () => {
    await store().putFile("imports/p1/left.csv", file("left.csv", randomBytes(3 * 2 ** 20)), "text/csv")
    const reader = (await store().get("imports/p1/left.csv"))?.stream.getReader()
    expect((await reader?.read())?.value?.length).toBeLessThan(2 ** 20)
    await reader?.cancel()
    const again = await store().get("imports/p1/left.csv")
    await again?.stream.cancel()
    expect(again?.bytes).toBe(3 * 2 ** 20)
  })

  test("has nothing for a key that was never put, or was removed, even twice", async () => {
    await store().put("images/p1/removed.webp", bytes, "image/webp")
    await store().remove("images/p1/removed.webp")
    await store().remove("images/p1/removed.webp")
    expect(await store().get("images/p1/removed.webp")).toBeNull()
    expect(await store().get("images/p1/never.webp")).toBeNull()
    expect(await keysBelow("images/p1/removed")).toEqual([])
  })

  test("keeps nothing of a file that is not there", async () => {
    await expect(store().putFile("imports/p1/none.csv", join(files, "none.csv"), "text/csv")).rejects.toThrow("ENOENT")
    expect(await store().get("imports/p1/none.csv")).toBeNull()
  })

  test("lists what lies below a prefix and nothing beside it, with the time it was put", async () => {
    for (const key of ["images/p2/a.webp", "images/p2/deep/b.webp", "images/p20/c.webp", "images/p3/d.webp"])
      await store().put(key, bytes, "image/webp")
    expect(await keysBelow("images/p2/")).toEqual(["images/p2/a.webp", "images/p2/deep/b.webp"])
    for await (const { modifiedAt } of store().list("images/p2/"))
      expect(Math.abs(modifiedAt.getTime() - Date.now())).toBeLessThan(60_000)
    expect(await keysBelow("images/p4/")).toEqual([])
  })

  test("lists each of many objects once, while those that were listed are removed", async () => {
    const keys = Array.from({ length: 25 }, (_, at) => `images/p5/n${String(at).padStart(2, "0")}.webp`)
    await Promise.all(keys.map((key) => store().put(key, bytes, "image/webp")))
    const seen = []
    for await (const { key } of store().list("images/p5/")) {
      seen.push(key)
      await store().remove(key)
    }
    expect(seen.sort()).toEqual(keys)
    expect(await keysBelow("images/p5/")).toEqual([])
  })
}
