import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { size } from "@/e2e/chaos/size"
import { startFastS3 } from "@/e2e/support/fast-s3"
import { startSwift } from "@/e2e/support/swift"
import { isStorageFault } from "@/lib/platform/storage-faults"
import { diskStore } from "@/lib/platform/storage/disk"
import { s3Store } from "@/lib/platform/storage/s3"
import { S3Url } from "@/lib/platform/storage/s3-url"
import { isKey } from "@/lib/platform/storage/store"
import { signatureGuarantees } from "@/lib/platform/storage/testing/signature-guarantees"
import { storeGuarantees } from "@/lib/platform/storage/testing/store-guarantees"

const folder = mkdtempSync(join(tmpdir(), "mailroom-objects-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("a folder", () => {
  storeGuarantees(() => diskStore(folder))

  test("has no key that would leave it", async () => {
    for (const key of [
      "../x.webp",
      "images/../../x.webp",
      "/etc/passwd",
      "images//x.webp",
      "images/x",
      "images/.x.webp",
      "a\0.webp",
      "i/x.webp/",
    ]) {
      expect(isKey(key), key).toBe(false)
      await expect(diskStore(folder).get(key)).rejects.toThrow("not the key")
    }
  })

  test("keeps its files readable by their owner alone", async () => {
    await diskStore(folder).put("images/p4/mine.webp", Buffer.from("x"), "image/webp")
    expect(statSync(join(folder, "images/p4/mine.webp")).mode & 0o077).toBe(0)
  })
})

test("a bucket that does not answer is a fault of the storage, one that refuses the key is not", async () => {
  const away = s3Store(S3Url.parse("s3://k:s@127.0.0.1:9/b?region=local&tls=none"))
  const error = await away.put("images/x.webp", Buffer.from("x"), "image/webp").catch((refused: unknown) => refused)
  expect(isStorageFault(error)).toBe(true)
  expect(isStorageFault(Object.assign(new Error("AccessDenied"), { $metadata: { httpStatusCode: 403 } }))).toBe(false)
})

describe("a bucket of a fast server in memory", () => guaranteesOf(startFastS3))

describe.runIf(size(false, true))("a bucket of OpenStack Swift, a real S3 server that checks signatures (long)", () =>
  guaranteesOf(startSwift),
)

function guaranteesOf(start: typeof startSwift) {
  let server: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    server = await start()
  }, 720_000)
  afterAll(() => server.stop())
  storeGuarantees(() => s3Store(S3Url.parse(server.url)))
  signatureGuarantees(() => server.url)
}
