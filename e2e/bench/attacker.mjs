// One organization that works as hard as its credentials allow, in a process of its own. See e2e/bench/neighbours.ts.
import { createServer } from "node:http"
import { setTimeout as wait } from "node:timers/promises"
import { gzipSync } from "node:zlib"
import http from "node:http"

let stopped = false
let at
const agent = new http.Agent({ keepAlive: true, maxSockets: 500 })
const statuses = {}

/** One request; its answer is read to the end, or not at all. A refusal is waited for as it says, a second at most. */
function call(method, path, { body, type = "application/json", reads = true } = {}) {
  return new Promise((resolve) => {
    const headers = { Authorization: `Bearer ${at.key}` }
    if (body !== undefined) Object.assign(headers, { "Content-Type": type, "Content-Length": Buffer.byteLength(body) })
    const request = http.request({
      port: at.port,
      host: "127.0.0.1",
      method,
      path,
      headers,
      agent: reads ? agent : false,
    })
    let ended = false
    const end = (status, text = "") => {
      if (ended) return
      ended = true
      statuses[status] = (statuses[status] ?? 0) + 1
      // An answer that comes before the body has been sent does not stop the sending.
      const sent = request.writableFinished || request.destroyed
      const busy = status === 429 || status === 503 || status === 0
      const pause = busy ? wait(1_000) : sent ? undefined : new Promise((done) => request.once("close", done))
      Promise.resolve(pause).then(() => resolve({ status, text }))
    }
    // A connection that is closed while its body is sent may fail more than once.
    request.on("error", () => end(0))
    request.once("response", (response) => {
      if (!reads && response.statusCode < 300) {
        response.pause()
        open.add(request)
        request.once("close", () => open.delete(request))
        return end(response.statusCode)
      }
      const chunks = []
      response.on("data", (chunk) => chunks.length < 100 && chunks.push(chunk))
      response.on("error", () => end(0))
      response.once("end", () => end(response.statusCode, Buffer.concat(chunks).toString()))
    })
    request.end(body)
  })
}
const open = new Set()
const project = () => `/v1/projects/${at.project}`
const json = (value) => JSON.stringify(value)
const repeated = (count, of) => Array.from({ length: count }, (_, n) => of(n)).join(",")

/** So many callers, each with one call after the other. */
const lanes = (count, work) => () =>
  Promise.all(
    Array.from({ length: count }, async (_, lane) => {
      for (let turn = 0; !stopped; turn++) await work(lane, turn)
    }),
  )
/** So many calls a minute, whatever becomes of them. */
const paced = (perMinute, work) => async () => {
  for (let turn = 0; !stopped; turn++) {
    void work(turn)
    await wait(60_000 / perMinute)
  }
}
const once = (work) => async () => {
  await work()
  while (!stopped) await wait(100)
}
const mail = (over) => ({
  from: `hello@${at.domain}`,
  to: ["someone@customers.example"],
  subject: "s",
  text: "t",
  ...over,
})

function form(name, bytes) {
  const head = `--limit\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n\r\n`
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from("\r\n--limit--\r\n")])
}
const upload = (bytes) =>
  call("POST", `${project()}/domains/${at.domainId}/dmarc/reports`, {
    body: form("report", bytes),
    type: "multipart/form-data; boundary=limit",
  })

/** As much as a webhook may: more is refused when it is saved. */
const amplifying = [
  { type: "rename_field", from: "data", to: "a" },
  ...Array.from({ length: 2 }, (_, n) => ({
    type: "compute_field",
    field: `a.f${n}`,
    template: "\u0001".repeat(1_000),
  })),
  ...Array.from({ length: 3 }, (_, n) => ({ type: "compute_field", field: `g${n}`, template: "{{a}}".repeat(4) })),
]

async function neverSettling() {
  const server = createServer((_, response) => response.end())
  server.on("request", (request) =>
    request.socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"),
  )
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening))
  server.unref()
  return `http://127.0.0.1:${server.address().port}`
}

const exports = lanes(40, () => call("GET", `${project()}/contacts/export`))
const loads = {
  "10 exports at once": lanes(10, () => call("GET", `${project()}/contacts/export`)),
  "40 exports at once": exports,
  "60 exports whose client reads nothing": lanes(60, async () => {
    await call("GET", `${project()}/contacts/export`, { reads: false })
    await wait(500)
  }),
  "50 searches of the email log at once": lanes(50, (lane, turn) =>
    call("GET", `${project()}/emails?search=order%20${lane}${turn}`),
  ),
  "4 bodies of 2,200,000 names at once": (() => {
    let body
    const name = (n) => `"${n.toString(36)}":1`
    return lanes(4, () =>
      call("POST", "/v1/emails", { body: (body ??= `{"metadata":{${repeated(2_200_000, name)}}}`) }),
    )
  })(),
  "4 bodies of 25 MiB, which is too much, at once": (() => {
    const body = "x".repeat(25 * 2 ** 20)
    return lanes(4, () => call("POST", "/v1/emails", { body }))
  })(),
  "an import of 200,000 contacts": once(() =>
    call("POST", `${project()}/contacts/import`, {
      body: `email\n${Array.from({ length: 200_000 }, (_, n) => `i${n}@import.example`).join("\n")}\n`,
      type: "text/csv",
    }),
  ),
  "60 filter previews of 50 conditions a minute": paced(60, () =>
    call("POST", `${project()}/segments/preview`, {
      body: json({
        filter: {
          any: Array.from({ length: 50 }, (_, n) => ({ field: "email", operator: "contains", value: `zz${n}` })),
        },
      }),
    }),
  ),
  "300 sends of 150 kB to 50 recipients a minute": (() => {
    const to = Array.from({ length: 50 }, (_, n) => `p${n}@customers.example`)
    return paced(300, () => call("POST", "/v1/emails", { body: json(mail({ to, text: "x".repeat(150_000) })) }))
  })(),
  "30 batches of 100 emails of 150 kB a minute": paced(30, () =>
    call("POST", "/v1/emails/batch", {
      body: json({ items: Array.from({ length: 100 }, () => mail({ text: "x".repeat(150_000) })) }),
    }),
  ),
  "100 streams that read nothing, and 100 emails a second": async () => {
    for (let n = 0; n < 100 && !stopped; n++) {
      const { text } = await call("POST", `/v1/emails/${at.project}/stream/token`)
      const token = /"token":"([^"]+)"/.exec(text)?.[1]
      if (token) await call("GET", `/v1/emails/stream?token=${token}`, { reads: false })
    }
    await paced(60, () =>
      call("POST", "/v1/emails/batch", { body: json({ items: Array.from({ length: 100 }, () => mail()) }) }),
    )()
  },
  "200 searches of contacts a minute": paced(200, (turn) => call("GET", `${project()}/contacts?search=c${turn}9`)),
  "emails for a webhook whose transformations multiply": async () => {
    const { text } = await call("POST", `${project()}/webhooks`, {
      body: json({
        url: "https://hooks.example.com/x",
        events: ["email.delivered", "email.sent"],
        transformations: amplifying,
      }),
    })
    const id = /"id":"(whk?_[^"]+|[^"]+)"/.exec(text)?.[1]
    await paced(60, () =>
      call("POST", "/v1/emails/batch", { body: json({ items: Array.from({ length: 40 }, () => mail()) }) }),
    )()
    if (id) await call("DELETE", `${project()}/webhooks/${id}`)
  },
  "4 previews of such a webhook at once": lanes(4, () =>
    call("POST", `${project()}/webhooks/preview`, {
      body: json({ events: ["email.delivered"], transformations: amplifying }),
    }),
  ),
  "webhooks and link checks whose server answers 101": async () => {
    const url = await neverSettling()
    for (let n = 0; n < 4; n++)
      await call("POST", `${project()}/webhooks`, { body: json({ url, events: ["email.sent"] }) })
    await Promise.all([
      paced(60, () =>
        call("POST", "/v1/emails/batch", { body: json({ items: Array.from({ length: 40 }, () => mail()) }) }),
      )(),
      lanes(10, (lane) =>
        call("POST", "/v1/emails/validate", {
          body: json({ html: Array.from({ length: 100 }, (_, n) => `<a href="${url}/${lane}/${n}">x</a>`).join("") }),
        }),
      )(),
    ])
  },
  "DMARC reports of 900,000 short parts": lanes(3, () =>
    upload(Buffer.from("Content-Type: multipart/mixed; boundary=a\r\n\r\n" + "--a\r\n\r\nx\r\n".repeat(900_000))),
  ),
  "DMARC reports of 1,400,000 empty elements": lanes(3, () =>
    upload(gzipSync(`<?xml version="1.0"?><feedback>${"<a></a>".repeat(1_400_000)}</feedback>`)),
  ),
}

process.on("message", async (message) => {
  if (message === "stop") {
    stopped = true
    return
  }
  at = message
  await loads[message.load]().catch((error) => process.stderr.write(`${message.load}: ${error}\n`))
  while (!stopped) await wait(50)
  for (const request of open) request.destroy()
  agent.destroy()
  process.send({ statuses }, () => process.exit(0))
})
process.send({ loads: Object.keys(loads) })
