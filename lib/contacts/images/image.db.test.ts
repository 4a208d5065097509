import { expectProblem } from "@/e2e/support/expect-problem"
import { readdirSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { crc32 } from "node:zlib"
import sharp from "sharp"
import { beforeAll, describe, expect, test, vi } from "vitest"
import { figures } from "@/e2e/support/chaos/figures"
import { size } from "@/e2e/support/chaos/size"
import { measured } from "@/e2e/support/measured"
import { api, newKey, newWorld, untilServed, type World } from "@/e2e/support/world"
import { pictureFolder, sweepPictures } from "@/lib/contacts/images/data"
import { env } from "@/lib/platform/env/env"
import { encodeId, newId } from "@/lib/platform/ids"
import { log } from "@/lib/platform/log"
import { showFile, storage } from "@/lib/platform/storage/storage"

const image = "/v1/projects/{projectId}/contacts/{contactId}/image"
const folder = join(env().dataDir, "objects")
const mib = 2 ** 20
let world: World
let png: Buffer

beforeAll(async () => {
  world = await newWorld()
  png = await sharp({ create: { width: 700, height: 600, channels: 3, background: "#345" } })
    .png()
    .toBuffer()
})

const path = (contactId: string) => ({ projectId: world.project, contactId })

async function newContact(): Promise<string> {
  const body = { email: `${newId()}@lovelace.example` }
  const added = await api("POST /v1/projects/{projectId}/contacts", {
    key: world.apiKey,
    params: { projectId: world.project },
    body,
  })
  return added.json.id
}

function upload(contactId: string, file: Blob, { field = "file", name = "me.png", key = world.apiKey } = {}) {
  const rawBody = new FormData()
  rawBody.append(field, file, name)
  return api(`POST ${image}`, { key, params: path(contactId), rawBody })
}

function uploadUnnamed(contactId: string, content: Uint8Array) {
  const head = '--b\r\nContent-Disposition: form-data; name="file"\r\nContent-Type: image/png\r\n\r\n'
  const rawBody = Buffer.concat([Buffer.from(head), content, Buffer.from("\r\n--b--\r\n")])
  const headers = { "content-type": "multipart/form-data; boundary=b" }
  return api(`POST ${image}`, { key: world.apiKey, params: path(contactId), rawBody, headers })
}

const keyOf = (url: string) => url.slice(`${env().baseUrl}/files/`.length)
const show = (key: string) => showFile(key, pictureFolder)
const objects = () => readdirSync(join(folder, "images", world.projectId)).sort()

/** The picture with a chunk that announces its one frame, as animated PNGs begin. */
function animated(still: Buffer): Buffer {
  const type = Buffer.from("acTL")
  const data = Buffer.concat([type, Buffer.from([0, 0, 0, 1, 0, 0, 0, 0])])
  const around = Buffer.alloc(8)
  around.writeUInt32BE(8, 0)
  around.writeUInt32BE(crc32(data), 4)
  return Buffer.concat([still.subarray(0, 33), around.subarray(0, 4), data, around.subarray(4), still.subarray(33)])
}

describe("an uploaded picture", () => {
  test("may be an animated PNG, and a part without a file name", async () => {
    expect((await upload(await newContact(), new Blob([new Uint8Array(animated(png))]))).status).toBe(200)
    const contactId = await newContact()
    const answer = await uploadUnnamed(contactId, animated(png))
    expect(answer).toMatchObject({
      status: 200,
      json: { id: contactId, profileImageUrl: expect.stringContaining("/files/") },
    })
  })

  test("is re-encoded, stored under a random key, set on the contact and served safely from our origin", async () => {
    const contactId = await newContact()
    const { status, json } = await upload(contactId, new Blob([new Uint8Array(png)]), {
      name: `../../C:\\${"x".repeat(4_000)}.html`,
    })
    expect({ status, detail: json.detail }).toEqual({ status: 200, detail: undefined })
    expect(json).toMatchObject({ id: contactId, object: "contact" })
    const key = keyOf(json.profileImageUrl)
    expect(key).toMatch(new RegExp(`^images/${world.projectId}/[A-Za-z0-9_-]{22}-\\d+\\.webp$`))

    const shown = await show(key)
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      "content-type": "image/webp",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
      "content-disposition": "inline",
    })
    expect(await sharp(await buffer(shown.body as never)).metadata()).toMatchObject({
      format: "webp",
      width: 512,
      height: 512,
    })
  })

  test("takes the place of the one before, whose object is gone, and so is the last after DELETE", async () => {
    const contactId = await newContact()
    const first = keyOf((await upload(contactId, new Blob([new Uint8Array(png)]))).json.profileImageUrl)
    const second = keyOf((await upload(contactId, new Blob([new Uint8Array(png)]))).json.profileImageUrl)
    expect((await show(first)).status).toBe(404)
    expect((await show(second)).status).toBe(200)

    for (const round of [1, 2]) {
      const removed = await api(`DELETE ${image}`, { key: world.apiKey, params: path(contactId) })
      expect(removed.status, `round ${round}`).toBe(204)
    }
    expect((await show(second)).status).toBe(404)
    const contact = await api("GET /v1/projects/{projectId}/contacts/{contactId}", {
      key: world.apiKey,
      params: path(contactId),
    })
    expect(contact.json).not.toHaveProperty("profileImageUrl")
  })

  test("is in the answer to its own request when several are set at once", async () => {
    const contactId = await newContact()
    for (let round = 0; round < 20; round++) {
      const urls = [1, 2, 3, 4].map((at) => `https://cdn.example.com/${round}-${at}.png`)
      const set = await Promise.all(
        urls.map((url) => api(`PUT ${image}`, { key: world.apiKey, params: path(contactId), body: { url } })),
      )
      expect(
        set.map(({ json }) => json.profileImageUrl),
        "pictures in the answers",
      ).toEqual(urls)
    }
  })

  test("gives way to an external https URL, which is kept as it is", async () => {
    const contactId = await newContact()
    const key = keyOf((await upload(contactId, new Blob([new Uint8Array(png)]))).json.profileImageUrl)
    const url = "https://cdn.example.com/a.png?size=2"
    const set = await api(`PUT ${image}`, { key: world.apiKey, params: path(contactId), body: { url } })
    expect({ status: set.status, profileImageUrl: set.json.profileImageUrl }).toEqual({
      status: 200,
      profileImageUrl: url,
    })
    expect((await show(key)).status).toBe(404)
  })

  test.each([
    "http://cdn.example.com/a.png",
    "javascript:alert(1)",
    "https://a:b@example.com/x",
    "//example.com/x",
    "x",
    "data:image/png;base64,AA",
  ])("is never the URL %s", async (url) => {
    const set = await api(`PUT ${image}`, { key: world.apiKey, params: path(await newContact()), body: { url } })
    expect({ status: set.status, pointer: set.json.errors[0].pointer }).toEqual({ status: 400, pointer: "/url" })
  })

  test("is refused by its length before it is read as a URL", measured, async () => {
    const params = path(await newContact())
    const url = `https://a${"\u0300\u0323".repeat(60_000)}.example/`
    const before = process.cpuUsage()
    const set = await api(`PUT ${image}`, { key: world.apiKey, params, body: { url } })
    const { user } = process.cpuUsage(before)
    expect(set.json.errors).toEqual([{ pointer: "/url", detail: "Must have at most 2048 characters." }])
    expect(user / 1_000, "milliseconds of CPU").toBeLessThan(400)
  })
})

describe("a file that is refused leaves nothing behind:", () => {
  test.each<[string, () => Blob, number, string]>([
    ["an SVG named .png", () => new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>']), 400, "image.unsupported_type"],
    [
      "HTML that says it is image/png",
      () => new Blob(["<!doctype html>"], { type: "image/png" }),
      400,
      "image.unsupported_type",
    ],
    ["a PDF", () => new Blob(["%PDF-1.7\n1 0 obj"]), 400, "image.unsupported_type"],
    ["no byte at all", () => new Blob([]), 400, "image.unsupported_type"],
    ["a PNG cut short", () => new Blob([new Uint8Array(png.subarray(0, 600))]), 400, "image.unusable"],
    ["script in the clothes of a GIF", () => new Blob(["GIF89a/*<script>alert(1)</script>*/"]), 400, "image.unusable"],
    ["5 MiB and a byte", () => new Blob([new Uint8Array(5 * mib + 1)]), 413, "image.too_large"],
  ])("%s", async (_, file, status, code) => {
    const before = objects()
    const refused = await upload(await newContact(), file())
    expectProblem(refused, status, code)
    if (status === 400) expect(refused.json.errors).toMatchObject([{ pointer: "form/file" }])
    expect(objects()).toEqual(before)
  })

  test("5 MiB to the byte is taken for what it holds", async () => {
    const padded = Buffer.concat([png, Buffer.alloc(5 * mib - png.length)])
    expect((await upload(await newContact(), new Blob([padded]))).status).toBe(200)
  })

  test("a file in another field, one whose name holds a NUL, and none", async () => {
    const contactId = await newContact()
    const other = await upload(contactId, new Blob([new Uint8Array(png)]), { field: "File" })
    const nul = await upload(contactId, new Blob([new Uint8Array(png)]), { name: "a.png\0.html" })
    const none = await api(`POST ${image}`, { key: world.apiKey, params: path(contactId), rawBody: new FormData() })
    for (const { status, json } of [other, nul, none])
      expect({ status, pointer: json.errors[0].pointer }).toEqual({ status: 400, pointer: "form/file" })
  })
})

test("a picture of a contact of another project cannot be changed", async () => {
  const contactId = await newContact()
  const other = await newWorld()
  const form = new FormData()
  form.append("file", new Blob([new Uint8Array(png)]), "x.png")
  const params = { projectId: other.project, contactId }
  const answers = [
    await api(`POST ${image}`, { key: other.apiKey, params, rawBody: form }),
    await api(`PUT ${image}`, { key: other.apiKey, params, body: { url: "https://example.com/x.png" } }),
    await api(`DELETE ${image}`, { key: other.apiKey, params }),
  ]
  expect(answers.map(({ status, json }) => [status, json.code])).toEqual(Array(3).fill([404, "contact.not_found"]))
})

test(
  "many uploads at once, good and bad, two of them drawn at a time, leave memory flat",
  { timeout: 240_000 },
  async () => {
    const contactId = await newContact()
    const side = size(600, 1_500)
    const big = await sharp({ create: { width: side, height: side, channels: 3, background: "#abc" } })
      .jpeg({ quality: 100 })
      .toBuffer()
    const cut = big.subarray(0, big.length >> 1)
    const files = [big, big, cut, cut, Buffer.alloc(5 * mib), Buffer.alloc(5 * mib + 1)]
    // A key of its own for each round, so that no bucket fills.
    const round = async () => {
      const { apiKey: key } = await newKey(world.projectId)
      return Promise.all(
        files.map((bytes) => untilServed(() => upload(contactId, new Blob([new Uint8Array(bytes)]), { key }))),
      )
    }
    for (let warming = 0; warming < 2; warming++) await round()
    const before = process.memoryUsage().rss
    const rounds = size(2, 50)
    for (let done = 0; done < rounds; done++)
      expect((await round()).map(({ status }) => status)).toEqual([200, 200, 400, 400, 400, 413])
    const grown = (process.memoryUsage().rss - before) / mib
    figures("uploads", { uploads: rounds * files.length, "MB grown": Math.round(grown) })
    expect(grown).toBeLessThan(64)
  },
)

test("the sweep removes pictures that are no contact's, once they are an hour old", async () => {
  const deleted = await newContact()
  const orphan = keyOf((await upload(deleted, new Blob([new Uint8Array(png)]))).json.profileImageUrl)
  const kept = keyOf((await upload(await newContact(), new Blob([new Uint8Array(png)]))).json.profileImageUrl)
  await api("DELETE /v1/projects/{projectId}/contacts/{contactId}", { key: world.apiKey, params: path(deleted) })
  const signal = new AbortController().signal

  await sweepPictures(new Date(), signal)
  expect((await show(orphan)).status).toBe(200)
  const old = new Date(Date.now() - 2 * 3600_000)
  for (const key of [orphan, kept]) utimesSync(join(folder, key), old, old)
  expect(await sweepPictures(new Date(), signal)).toBe(1)
  expect((await show(orphan)).status).toBe(404)
  expect((await show(kept)).status).toBe(200)
})

test("a picture whose storage does not answer is 503 for a while, and not kept by anybody", async () => {
  const key = keyOf((await upload(await newContact(), new Blob([new Uint8Array(png)]))).json.profileImageUrl)
  const away = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED", $metadata: {} })
  const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(away) })
  const get = vi.spyOn(await storage(), "get")
  const told = vi.spyOn(log, "error").mockReturnValue()
  get.mockRejectedValueOnce(away).mockResolvedValueOnce({ stream: broken, bytes: 9, contentType: "image/webp" })
  for (let time = 0; time < 2; time++) {
    const { status, headers } = await show(key)
    expect({ status, retryAfter: headers.get("retry-after"), cacheControl: headers.get("cache-control") }).toEqual({
      status: 503,
      retryAfter: "5",
      cacheControl: "no-store",
    })
  }
  expect(told).toHaveBeenCalledTimes(2)
  expect((await show(key)).status).toBe(200)
})

test("a path that is no picture's is not found, whatever it tries", async () => {
  for (const key of [
    "images/../../secret-key",
    "secret-key",
    "imports/x.csv",
    `images/${encodeId("con", newId())}/x.webp`,
    "images/%2e%2e/x.webp",
  ]) {
    expect((await show(key)).status, key).toBe(404)
  }
})
