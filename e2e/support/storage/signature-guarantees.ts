import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { startProxy, type Intercept, type Passing } from "@/e2e/support/intercepting-proxy"
import { s3Store } from "@/lib/platform/storage/s3"
import { S3Url } from "@/lib/platform/env/fields"
import type { ObjectStore } from "@/lib/platform/storage/store"

const key = "images/p9/kept.webp"
const other = "images/p9/other.webp"
const pass: Intercept = () => undefined

/** What a bucket whose server checks signatures promises besides, declared as tests of the `describe` that calls it. */
export function signatureGuarantees(s3Url: () => string) {
  let folder: string
  let proxy: Awaited<ReturnType<typeof startProxy>>
  let intercept: Intercept = pass
  const changed = (change: (url: URL) => void) => {
    const url = new URL(s3Url())
    change(url)
    return s3Store(S3Url.parse(url.href))
  }
  const store = () => changed(() => {})
  const onTheWay = () => changed((url) => (url.port = String(proxy.port)))
  const kept = async () => text((await store().get(key))?.stream as never)

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "mailroom-files-"))
    writeFileSync(join(folder, "file"), "from a file")
    proxy = await startProxy(Number(new URL(s3Url()).port), (passing) => intercept(passing))
  })
  beforeEach(async () => {
    intercept = pass
    await store().put(key, Buffer.from("kept"), "image/webp")
    await store().remove(other)
  })
  afterAll(async () => {
    await proxy.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const everything: [string, (objects: ObjectStore) => Promise<unknown>][] = [
    ["put", (objects) => objects.put(key, Buffer.from("stolen"), "image/webp")],
    ["putFile", (objects) => objects.putFile(key, join(folder, "file"), "image/webp")],
    ["get", (objects) => objects.get(key)],
    ["remove", (objects) => objects.remove(key)],
    [
      "list",
      async (objects) => {
        for await (const { key } of objects.list("images/")) return key
      },
    ],
  ]

  test.each(everything)("another secret is told so by %s, and changes nothing", async (_, act) => {
    const refused = act(changed((url) => (url.password = "another")))
    await expect(refused).rejects.toMatchObject({ name: "SignatureDoesNotMatch", $metadata: { httpStatusCode: 403 } })
    expect(await kept()).toBe("kept")
  })

  test("nobody's key is refused, and no signature at all", async () => {
    const nobody = changed((url) => (url.username = "nobody"))
    await expect(nobody.get(key)).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } })
    const { endpoint, bucket } = S3Url.parse(s3Url())
    const unsigned = await fetch(`${endpoint}/${bucket}/${key}`)
    expect([400, 403]).toContain(unsigned.status)
    expect(await unsigned.text()).not.toContain("kept")
  })

  test("a bucket that is not there is an error, and not an empty one", async () => {
    const nowhere = changed((url) => (url.pathname = "/nowhere"))
    for (const [name, act] of everything)
      await expect(act(nowhere), name).rejects.toMatchObject({ name: "NoSuchBucket" })
  })

  test("a request that nobody changes passes a server on the way", async () => {
    await onTheWay().put(other, Buffer.from("passed"), "image/webp")
    expect(await text((await onTheWay().get(other))?.stream as never)).toBe("passed")
  })

  test.each(everything)("a server that is unavailable for a moment is retried by %s", async (_, act) => {
    let away = 2
    intercept = () => (away-- > 0 ? { status: 503, body: "<Error><Code>ServiceUnavailable</Code></Error>" } : undefined)
    await act(onTheWay())
    expect(away).toBe(-1)
  })

  test.each(everything.slice(0, 2))(
    "a body that is changed on the way is refused and not kept by %s",
    async (_, act) => {
      intercept = (passing) => void passing.body.writeUInt8(passing.body.readUInt8(0) ^ 1, 0)
      await expect(act(onTheWay())).rejects.toMatchObject({
        name: expect.stringMatching(/^(XAmzContentSHA256Mismatch|BadDigest)$/),
      })
      expect(await kept()).toBe("kept")
    },
  )

  test.each<[string, (passing: Passing) => unknown]>([
    [
      "signature",
      ({ headers }) =>
        (headers.authorization = headers.authorization?.replace(/.$/, (last) => (last === "0" ? "1" : "0"))),
    ],
    ["key", (passing) => (passing.path = passing.path.replace("kept", "other"))],
    ["method", (passing) => (passing.method = "DELETE")],
    ["type", ({ headers }) => (headers["content-type"] = "text/html")],
    [
      "time",
      ({ headers }) =>
        (headers["x-amz-date"] = String(headers["x-amz-date"]).replace(/\d\dZ$/, (last) =>
          last === "00Z" ? "01Z" : "00Z",
        )),
    ],
    ["told hash of the body", ({ headers }) => (headers["x-amz-content-sha256"] = "UNSIGNED-PAYLOAD")],
  ])("a request whose %s is changed on the way is refused, and changes nothing", async (_, change) => {
    intercept = (passing) => void change(passing)
    await expect(onTheWay().put(key, Buffer.from("stolen"), "image/webp")).rejects.toMatchObject({
      name: "SignatureDoesNotMatch",
    })
    expect(await kept()).toBe("kept")
    expect(await store().get(other)).toBeNull()
  })
}
