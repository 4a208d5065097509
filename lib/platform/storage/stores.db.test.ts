import { once } from "node:events"
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer, type AddressInfo, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { size } from "@/e2e/support/chaos/size"
import { startFastS3 } from "@/e2e/support/fast-s3"
import { measured } from "@/e2e/support/measured"
import { startSwift } from "@/e2e/support/swift"
import { isStorageFault, isKey } from "@/lib/platform/storage/store"
import { diskStore } from "@/lib/platform/storage/disk"
import { s3Store } from "@/lib/platform/storage/s3"
import { S3Url } from "@/lib/platform/env/fields"
import { signatureGuarantees } from "@/e2e/support/storage/signature-guarantees"
import { storeGuarantees } from "@/e2e/support/storage/store-guarantees"

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

  test("gives an object whole that is removed before it is read", async () => {
    await diskStore(folder).put("images/p4/gone.webp", Buffer.from("still here"), "image/webp")
    const found = await diskStore(folder).get("images/p4/gone.webp")
    await diskStore(folder).remove("images/p4/gone.webp")
    expect(await text(found?.stream as never)).toBe("still here")
    expect(await diskStore(folder).get("images/p4/gone.webp")).toBeNull()
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

const head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\nContent-Type: image/webp\r\n"

describe.each([
  ["takes the connection and nothing more", ""],
  ["stops within the header", head],
  ["stops within the body", `${head}\r\nhalf`],
  ["promises an answer again and again", "HTTP/1.1 100 Continue\r\n\r\n"],
])("a bucket that %s", (_, answer) => {
  const limits = { connect: 100, attempt: 150, all: 400, silence: 200, perMebibyte: 1 }
  let server: Server
  beforeAll(async () => {
    server = createServer((socket) => {
      socket.on("error", () => undefined)
      socket.on("data", () => socket.write(answer))
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
  })
  afterAll(() => server.close())

  test("ends every call within its limit, as a fault of the storage", measured, async () => {
    const { port } = server.address() as AddressInfo
    const store = s3Store(S3Url.parse(`s3://k:s@127.0.0.1:${port}/b?region=local&tls=none`), limits)
    const file = join(folder, "file.csv")
    writeFileSync(file, "a,b\n")
    const calls = {
      put: () => store.put("images/x.webp", Buffer.from("x"), "image/webp"),
      putFile: () => store.putFile("imports/x.csv", file, "text/csv"),
      get: async () => text((await store.get("images/x.webp"))?.stream as never),
      remove: () => store.remove("images/x.webp"),
      list: () => store.list("images/")[Symbol.asyncIterator]().next(),
    }
    const ended = Object.entries(calls).map(async ([name, call]) => {
      const startedAt = performance.now()
      const error: unknown = await call().then(
        () => "an answer",
        (failed: unknown) => failed,
      )
      return [name, isStorageFault(error), performance.now() - startedAt < 1_500]
    })
    expect(await Promise.all(ended)).toEqual(Object.keys(calls).map((name) => [name, true, true]))
  })
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
