import { expect, test, vi } from "vitest"
import { formBody } from "@/e2e/support/form-body"
import { readOneFile } from "@/lib/platform/http/uploads"
import { Problem, problem } from "@/lib/platform/http/problem"

const bytesMax = 1_000
const tooLarge = problem("test.file_too_large", 413, "File too large", "The file holds more than this test allows.")
const wanted = { field: "file", bytesMax, tooLarge: () => tooLarge() }

const read = (request: Request) => readOneFile(request, wanted)
const file = (bytes: number) => new Blob([new Uint8Array(bytes)])

function form(...parts: [name: string, value: Blob | string][]): Request {
  const given = new FormData()
  for (const [name, value] of parts) given.append(name, value)
  const { body, contentType } = formBody(given)
  return raw(body, contentType)
}

function raw(body: BodyInit, contentType = "multipart/form-data; boundary=b"): Request {
  return new Request("http://x", {
    method: "POST",
    body,
    headers: { "Content-Type": contentType },
    duplex: "half",
  } as RequestInit)
}

async function refusal(request: Request) {
  const error = await read(request).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Problem)) throw new Error(`It was no refusal: ${String(error)}`)
  return { code: error.kind.code, pointer: error.extras.errors?.[0]?.pointer, detail: error.detail }
}

test("the one file of a form comes whole, up to its last allowed byte", async () => {
  expect((await read(form(["file", file(bytesMax)]))).length).toBe(bytesMax)
  expect((await read(form(["file", file(0)]))).length).toBe(0)
})

test("a file without a name is read by its type or its bytes, octet by octet", async () => {
  const octets = Buffer.from(Uint8Array.from({ length: 700 }, (_, at) => (at * 7) % 256))
  const part = (headers: string, content: Uint8Array) =>
    raw(
      Buffer.concat([
        Buffer.from(`--b\r\nContent-Disposition: form-data; name="file"${headers}\r\n\r\n`),
        content,
        Buffer.from("\r\n--b--\r\n"),
      ]),
    )
  expect(await read(part("\r\nContent-Type: image/png", octets))).toEqual(octets)
  expect(await read(part("", octets))).toEqual(octets)
  const xml = Buffer.from('<?xml version="1.0"?><a>Größe Ω</a>')
  expect(await read(part("\r\nContent-Type: text/xml; charset=utf-8", xml))).toEqual(xml)
  expect(await read(part("\r\nContent-Type: text/xml", xml))).toEqual(xml)
  expect((await refusal(part("\r\nContent-Type: image/png", Buffer.alloc(bytesMax + 1)))).code).toBe(
    "test.file_too_large",
  )
  expect(await read(part("\r\nContent-Type: image/png", Buffer.alloc(bytesMax)))).toHaveLength(bytesMax)
  expect((await refusal(part("", Buffer.from("hello")))).detail).toMatch(/nothing else/)
})

test("one byte more is too large, and the rest of the body is not read", async () => {
  expect((await refusal(form(["file", file(bytesMax + 1)]))).code).toBe("test.file_too_large")
  let sent = 0
  const endless = new ReadableStream({
    pull(controller) {
      sent += 65_536
      controller.enqueue(sent === 65_536 ? head : new Uint8Array(65_536))
    },
  })
  const head = Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n')
  expect((await refusal(raw(endless))).code).toBe("test.file_too_large")
  expect(sent).toBeLessThan(1_000_000)
})

test.each<[string, () => Request, RegExp]>([
  ["no file", () => form(), /malformed|must be given/],
  ["two files", () => form(["file", file(1)], ["file", file(1)]), /Exactly one/],
  ["a file in another field", () => form(["File", file(1)]), /in the field "file"/],
  ["a text beside the file", () => form(["caption", "hello"], ["file", file(1)]), /nothing else/],
  ["no boundary", () => raw("x", "multipart/form-data"), /boundary/],
  ["a boundary of 71 characters", () => raw("x", `multipart/form-data; boundary=${"b".repeat(71)}`), /boundary/],
  ["a body that is no form", () => raw("hello"), /malformed/],
  [
    "a form cut short",
    () => raw('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc'),
    /cut short/,
  ],
  [
    "ten thousand parts",
    () => form(...Array.from({ length: 10_000 }, (_, i): [string, string] => [`f${i}`, ""])),
    /nothing else|too many/,
  ],
  ["an endless preamble", () => raw("x".repeat(200_000)), /hold|malformed/],
])("%s is refused with a pointer or a limit", async (_, request, words) => {
  const { code, pointer, detail } = await refusal(request())
  expect(detail).toMatch(words)
  if (code === "request.invalid") expect(pointer).toBe("form/file")
  else expect(code).toBe("request.too_large")
})

test("a form may take its time, and one that trickles without an end is refused after ten minutes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  try {
    let push = (_: string) => {}
    const trickle = new ReadableStream({
      start(controller) {
        push = (text) => controller.enqueue(Buffer.from(text))
      },
    })
    const refused = refusal(raw(trickle))
    push('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n')
    let answered = false
    void refused.then(() => (answered = true))
    for (let seconds = 0; seconds < 580; seconds += 20) {
      push("x")
      await vi.advanceTimersByTimeAsync(20_000)
    }
    expect(answered).toBe(false)
    push("x")
    await vi.advanceTimersByTimeAsync(20_000)
    expect((await refused).code).toBe("request.timeout")
  } finally {
    vi.useRealTimers()
  }
})

test("a part that falls silent is refused after 30 seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  try {
    const silent = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("--b\r\n")) })
    const refused = refusal(raw(silent))
    await vi.advanceTimersByTimeAsync(30_000)
    expect((await refused).code).toBe("request.timeout")
  } finally {
    vi.useRealTimers()
  }
})
