import { createHash, createHmac, randomBytes } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer, request as httpRequest, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { startFauxqs } from "fauxqs"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { diskStore } from "@/lib/platform/storage/disk"
import { s3Store } from "@/lib/platform/storage/s3"
import { isKey, type ObjectStore } from "@/lib/platform/storage/store"

const accessKeyId = "AKIATEST"
const secretAccessKey = "a/secret+of=tests"
const region = "eu-west-1"
const bucket = "mail"

const folder = mkdtempSync(join(tmpdir(), "mailroom-objects-"))
let faux: Awaited<ReturnType<typeof startFauxqs>>
let door: Awaited<ReturnType<typeof signatureDoor>>
const stores: Record<string, () => ObjectStore> = {
  "a folder": () => diskStore(folder),
  "a bucket": () => s3Store({ endpoint: door.url, region, bucket, accessKeyId, secretAccessKey }),
}

beforeAll(async () => {
  faux = await startFauxqs({ port: 0, logger: false })
  door = await signatureDoor(faux.port)
  await fetch(`http://127.0.0.1:${faux.port}/${bucket}`, { method: "PUT" })
})

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await door.stop()
  await faux.stop()
})

describe.each(Object.keys(stores))("%s", (name) => {
  const store = () => stores[name]?.() as ObjectStore
  const bytes = Buffer.from([0, 1, 2, 253, 254, 255])

  test("gives back the very bytes and their type, and the newer ones after a second put", async () => {
    await store().put("images/p1/first.webp", Buffer.from("older"), "image/webp")
    await store().put("images/p1/first.webp", bytes, "image/webp")
    const found = await store().get("images/p1/first.webp")
    expect(found).toMatchObject({ bytes: 6, contentType: "image/webp" })
    expect(await buffer(found?.stream as never)).toEqual(bytes)
  })

  test("takes a file too large for memory as it is", async () => {
    const path = join(folder, "large")
    const large = randomBytes(3 * 2 ** 20)
    writeFileSync(path, large)
    await store().putFile("imports/p1/large.csv", path, "text/csv")
    const found = await store().get("imports/p1/large.csv")
    expect((await buffer(found?.stream as never)).equals(large)).toBe(true)
  })

  test("has nothing for a key that was never put, or was removed, twice too", async () => {
    await store().put("images/p1/gone.webp", bytes, "image/webp")
    await store().remove("images/p1/gone.webp")
    await store().remove("images/p1/gone.webp")
    expect(await store().get("images/p1/gone.webp")).toBeNull()
    expect(await store().get("images/p1/never.webp")).toBeNull()
  })

  test("lists what lies below a prefix and nothing beside it", async () => {
    for (const key of ["images/p2/a.webp", "images/p2/deep/b.webp", "images/p3/c.webp"]) await store().put(key, bytes, "image/webp")
    const found = []
    for await (const { key, modifiedAt } of store().list("images/p2/")) {
      expect(Math.abs(modifiedAt.getTime() - Date.now())).toBeLessThan(60_000)
      found.push(key)
    }
    expect(found.sort()).toEqual(["images/p2/a.webp", "images/p2/deep/b.webp"])
  })
})

test("every request to a bucket is signed, and another secret is refused", async () => {
  expect(door.passed()).toBeGreaterThan(5)
  expect(door.refused()).toBe(0)
  const thief = s3Store({ endpoint: door.url, region, bucket, accessKeyId, secretAccessKey: "another" })
  await expect(thief.put("images/p1/x.webp", Buffer.from("x"), "image/webp")).rejects.toThrow()
  expect(door.refused()).toBeGreaterThan(0)
})

test("a key that would leave the folder is no key", async () => {
  for (const key of ["../x.webp", "images/../../x.webp", "/etc/passwd", "images//x.webp", "images/x", "images/.x.webp", "a\0.webp", "i/x.webp/"]) {
    expect(isKey(key), key).toBe(false)
    await expect(diskStore(folder).get(key)).rejects.toThrow("not the key")
  }
})

test("files of objects are readable by their owner alone", async () => {
  await diskStore(folder).put("images/p4/mine.webp", Buffer.from("x"), "image/webp")
  expect(statSync(join(folder, "images/p4/mine.webp")).mode & 0o077).toBe(0)
})

/** In front of a server that believes every signature: one that recomputes it (AWS Signature Version 4) and says no. */
async function signatureDoor(port: number) {
  let passed = 0
  let refused = 0
  const server = createServer((incoming, outgoing) => {
    if (!isSigned(incoming)) {
      refused += 1
      outgoing.writeHead(403, { "Content-Type": "application/xml" })
      return outgoing.end("<Error><Code>SignatureDoesNotMatch</Code></Error>")
    }
    passed += 1
    const { method, url: path, headers } = incoming
    const onward = httpRequest({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed: () => passed,
    refused: () => refused,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

function isSigned({ method, url = "/", headers }: IncomingMessage): boolean {
  const [, credential = "", names = "", signature = ""] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(headers.authorization ?? "") ?? []
  const [key, day = "", ...rest] = credential.split("/")
  const { pathname, searchParams } = new URL(url, "http://x")
  const query = [...searchParams].map((pair) => pair.map(encodeURIComponent).join("=")).sort().join("&")
  const signed = names.split(";").map((name) => `${name}:${String(headers[name]).trim()}\n`).join("")
  const canonical = [method, pathname, query, signed, names, headers["x-amz-content-sha256"]].join("\n")
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], [day, ...rest].join("/"), createHash("sha256").update(canonical).digest("hex")].join("\n")
  const hmac = (secret: string | Buffer, words: string) => createHmac("sha256", secret).update(words).digest()
  const signer = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  return key === accessKeyId && hmac(signer, text).toString("hex") === signature
}
