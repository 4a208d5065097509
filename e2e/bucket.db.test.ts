import { afterAll, beforeAll, describe, expect, test } from "vitest"
import sharp from "sharp"
import { size } from "@/e2e/support/chaos/size"
import { startFastS3 } from "@/e2e/support/fast-s3"
import { startSwift } from "@/e2e/support/swift"
import { api, newWorld, type World } from "@/e2e/support/world"
import { runImport } from "@/lib/contacts/imports/run/worker"
import { claimImports } from "@/lib/contacts/imports/run/data"
import { pictureFolder, sweepPictures } from "@/lib/contacts/images/data"
import { env, provideEnv } from "@/lib/platform/env/env"
import { showFile, storage } from "@/lib/platform/storage/storage"

const contacts = "/v1/projects/{projectId}/contacts"
const image = `${contacts}/{contactId}/image`
const signal = new AbortController().signal
let server: Awaited<ReturnType<typeof startSwift>>
let world: World

describe(`with S3_URL, in a bucket of ${size("a fast server in memory", "OpenStack Swift, a real S3 server that checks signatures (long)")},`, () => {
  beforeAll(async () => {
    server = await size(startFastS3, startSwift)()
    provideEnv({ S3_URL: server.url })
    world = await newWorld()
  }, 720_000)
  afterAll(() => server.stop())

  test("a picture is stored and shown, and deleted when it is replaced", async () => {
    const contactId = await newContact()
    const first = await upload(contactId)
    expect(await objects("images/")).toEqual([first])
    const shown = await showFile(first, pictureFolder)
    expect({ status: shown.status, contentType: shown.headers.get("content-type") }).toEqual({
      status: 200,
      contentType: "image/webp",
    })
    expect(await sharp(await shown.arrayBuffer()).metadata()).toMatchObject({ format: "webp", width: 512 })

    const second = await upload(contactId)
    expect(await objects("images/")).toEqual([second])
    expect((await showFile(first, pictureFolder)).status).toBe(404)
  })

  test("the sweep removes pictures that are no contact's, once they are an hour old, and no other", async () => {
    const [deleted, stays] = [await newContact(), await newContact()]
    const orphan = await upload(deleted)
    const kept = await upload(stays)
    await api(`DELETE ${contacts}/{contactId}`, {
      key: world.apiKey,
      params: { projectId: world.project, contactId: deleted },
    })
    expect(await sweepPictures(new Date(), signal)).toBe(0)
    expect(await objects("images/")).toContain(orphan)
    expect(await sweepPictures(new Date(Date.now() + 2 * 3600_000), signal)).toBe(1)
    expect(await objects("images/")).not.toContain(orphan)
    expect(await objects("images/")).toContain(kept)
  })

  test("a CSV file waits for the worker, is read to its end and removed", async () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => `reader-${at}@lovelace.example,Reader ${at}`)
    const rawBody = `email,first name\n${rows.join("\n")}\n`
    const headers = { "content-type": "text/csv" }
    const at = { key: world.apiKey, params: { projectId: world.project } }
    const { status, json } = await api(`POST ${contacts}/import`, { ...at, rawBody, headers })
    expect({ status, objectCount: (await objects("imports/")).length }).toEqual({ status: 202, objectCount: 1 })

    for (const held of await claimImports(1, 60_000)) await runImport(held, signal)
    const params = { projectId: world.project, importId: json.id }
    const done = await api("GET /v1/projects/{projectId}/contact-imports/{importId}", { key: world.apiKey, params })
    expect(done.json).toMatchObject({
      status: "completed",
      processed: 5_000,
      created: 5_000,
      failed: 0,
      bytesRead: rawBody.length,
    })
    expect(await objects("imports/")).toEqual([])
  })
})

async function newContact(): Promise<string> {
  const body = { email: `${crypto.randomUUID()}@lovelace.example` }
  return (await api(`POST ${contacts}`, { key: world.apiKey, params: { projectId: world.project }, body })).json.id
}

/** The key of the object that the picture became. */
async function upload(contactId: string): Promise<string> {
  const png = await sharp({ create: { width: 600, height: 600, channels: 3, background: "#345" } })
    .png()
    .toBuffer()
  const rawBody = new FormData()
  rawBody.append("file", new Blob([new Uint8Array(png)]), "me.png")
  const { json } = await api(`POST ${image}`, {
    key: world.apiKey,
    params: { projectId: world.project, contactId },
    rawBody,
  })
  return json.profileImageUrl.slice(`${env().baseUrl}/files/`.length)
}

async function objects(prefix: string): Promise<string[]> {
  const keys = []
  for await (const { key } of (await storage()).list(prefix)) keys.push(key)
  return keys
}
