import { once } from "node:events"
import { request } from "node:http"
import { buffer } from "node:stream/consumers"

// A process of its own: what 50 clients compute is not the server's. Called with the port; prints the answers as JSON.

const port = Number(process.argv[2])
const long = "n".repeat(50_000)
const hostile = [
  `{"${long}":[${Array.from({ length: 100_000 }, () => '"\\u0000"').join(",")}]}`,
  `{${Array.from({ length: 80_000 }, (_, at) => `"${at}":1`).join(",")}}`,
  `{"to":[${Array.from({ length: 450_000 }, () => "1").join(",")}]}`,
]

const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => send(hostile[at % hostile.length])))
console.log(JSON.stringify(answers))

/** A server that refuses a body may close before it has it all: then there is no answer to measure. */
async function send(body) {
  const headers = { "content-type": "application/json" }
  const options = { host: "127.0.0.1", port, path: "/v1/session/links", method: "POST", headers, agent: false }
  const sent = request(options)
  sent.end(body)
  try {
    const [response] = await once(sent, "response")
    return { status: response.statusCode, bytes: (await buffer(response)).byteLength }
  } catch {
    return { bytes: 0 }
  }
}
