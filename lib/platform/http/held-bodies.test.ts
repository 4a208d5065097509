import { expect, test } from "vitest"
import { z } from "zod"
import { type Asked, publicEndpoint } from "@/lib/platform/http/endpoint"
import { createServe, type Guard } from "@/lib/platform/http/serve"
import { systemIo } from "@/lib/regions/io"

const mib = 2 ** 20
const upload = publicEndpoint({
  route: "POST /v1/large",
  operationId: "takeLarge",
  tag: "Large",
  summary: "Take a large body",
  description: "Takes it.",
  access: { credential: "none" },
  bucket: null,
  body: z.strictObject({}),
  bodyBytesMax: 24 * mib,
  answers: [204],
  problems: [],
  run: () => Promise.resolve(),
})
const guard = { admit() {}, answered() {} } as unknown as Guard
const { POST } = createServe(guard, systemIo)(upload)

/** A request whose body arrives when `ends` is settled; of one without a length, `bytes` come. */
function send(from: string, length: number | null, ends: Promise<void>, bytes = 2): Promise<number> {
  const headers = new Map([
    ["content-type", "application/json"],
    ["x-client-ip", from],
    ...(length === null ? [] : [["content-length", String(length)] as const]),
  ])
  const asked: Asked = {
    ...{ url: "http://localhost/v1/large", method: "POST", signal: new AbortController().signal, body: null },
    headers: { get: (name) => headers.get(name) ?? null },
    async readAtMost(_bytesMax, _waitMs, receiving) {
      await ends
      receiving?.grow(bytes)
      return Buffer.from("{}")
    },
  }
  return POST.answer(asked).then(({ status }) => status)
}

test("bodies of 256 MiB of one client are held at once; further large ones are 503 until these have ended, and others' are taken", async () => {
  let end = () => {}
  const ends = new Promise<void>((resolve) => (end = resolve))
  const now = Promise.resolve()
  const held = Array.from({ length: 10 }, () => send("192.0.2.1", 24 * mib, ends))
  expect(await send("192.0.2.1", 24 * mib, now), "one more").toBe(503)
  expect(await send("192.0.2.1", null, now), "a small one of unknown length").toBe(204)
  expect(await send("192.0.2.1", null, now, 24 * mib), "a large one of unknown length").toBe(503)
  expect(await send("192.0.2.1", mib, now), "a small one").toBe(204)
  expect(await send("192.0.2.2", 24 * mib, now), "one of another client").toBe(204)
  end()
  expect(await Promise.all(held)).toEqual(Array<number>(10).fill(204))
  expect(await send("192.0.2.1", 24 * mib, now), "one after these").toBe(204)
})
