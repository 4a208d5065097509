import { type ChildProcess, spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, request, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { json } from "node:stream/consumers"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { freePort } from "@/e2e/support/free-port"
import { mintKey } from "@/lib/access/credentials/keys"
import { findProgram } from "@/lib/cli/checks/programs"
import { systemRandom } from "@/lib/platform/io"

const folder = mkdtempSync(join(tmpdir(), "mailroom-router-"))
const cells: Server[] = []
const routers: ChildProcess[] = []
const eu = mintKey(systemRandom, "eu1").secret
const us = mintKey(systemRandom, "us1").secret
const none = mintKey(systemRandom).secret
const left = mintKey(systemRandom, "eu1").secret
let addresses: Record<string, string>
beforeAll(async () => {
  addresses = { "10.0.1.11:3000": await cell("eu1"), "10.0.2.11:3000": await cell("us1") }
})
afterAll(() => {
  for (const router of routers) router.kill()
  for (const server of cells) server.closeAllConnections()
  for (const server of cells) server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A cell that answers with its name, its method and what came; `left` has moved from eu1 to us1. */
async function cell(name: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray()
    const moved = name === "eu1" && request.headers.authorization === `Bearer ${left}`
    response.writeHead(moved ? 421 : 200, moved ? { "mailroom-cell": "us1" } : {})
    response.end(JSON.stringify({ cell: name, method: request.method, body: Buffer.concat(chunks).toString() }))
  })
  cells.push(server.listen(0, "127.0.0.1"))
  await once(server, "listening")
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A sample as it is, but for its ports, addresses and folders. */
function settings(sample: string, port: number): string {
  let text = readFileSync(join("lib/deploy", sample), "utf8")
    .replace(
      / {4}(bind|listen) .*443.*/,
      (_, word: string) => `    ${word} 127.0.0.1:${port}${word === "listen" ? ";" : ""}`,
    )
    .replace(/.*(ssl_certificate|10\.0\.\d\.12:3000).*\n/g, "")
    .replace("maxconn 20000", "maxconn 200")
    .replace(/\/etc\/haproxy|\/run\/haproxy/g, folder)
    .replace("events {}", `error_log ${folder}/error.log; pid ${folder}/pid; events {}`)
    .replace(
      "http {",
      `http { access_log off; ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(" ")}`,
    )
  for (const [name, address] of Object.entries(addresses)) text = text.replaceAll(name, address)
  return text
}

type Answer = { status: number; cell: string; method: string; body: string }

async function start(program: string, args: string[], port: number) {
  const router = spawn(program, args, { stdio: "inherit" })
  routers.push(router)
  const deadline = Date.now() + 10_000
  while (
    !(await fetch(`http://127.0.0.1:${port}/`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (Date.now() > deadline) throw new Error(`${program} did not start.`)
    await wait(50)
  }
  const origin = `http://127.0.0.1:${port}`
  const ask = async (path: string, init?: RequestInit): Promise<Answer> => {
    const answer = await fetch(origin + path, init)
    return { status: answer.status, ...((await answer.json()) as Omit<Answer, "status">) }
  }
  return Object.assign(ask, { origin })
}

/** `fetch` sends no Host of our choice. */
async function askAt(host: string, url: URL, body?: string): Promise<Answer> {
  const sent = request(url, { method: body === undefined ? "GET" : "POST", headers: { host } }).end(body)
  const [answer] = (await once(sent, "response")) as [IncomingMessage]
  return { ...((await json(answer)) as Answer), status: answer.statusCode ?? 0 }
}

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })
const basic = (key: string) => ({ headers: { authorization: `Basic ${Buffer.from(`api:${key}`).toString("base64")}` } })
const postmark = (key: string) => ({ headers: { "x-postmark-server-token": key } })

describe.each(["haproxy", "nginx"])("the sample for %s", (name) => {
  let ask: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    const port = await freePort()
    const program = findProgram({
      names: [name, `/usr/sbin/${name}`],
      debianPackages: [name],
      purpose: "the tests of the router",
    })
    const file = join(folder, name)
    writeFileSync(join(folder, "cells.map"), "eu1 cell_eu1\nus1 cell_us1\n")
    writeFileSync(join(folder, "hosts.map"), "us1.mail.example.com us1\n")
    writeFileSync(join(folder, "moved.map"), `${createHash("sha256").update(left).digest("hex")} us1\n`)
    const sample = name === "haproxy" ? "haproxy-cells.cfg" : "nginx-cells.conf"
    writeFileSync(file, settings(sample, port))
    ask = await start(program, name === "haproxy" ? ["-db", "-f", file] : ["-g", "daemon off;", "-c", file], port)
  }, 120_000)

  test("sends a request to the cell that its key names, and all others to the default cell", async () => {
    expect(await ask("/v1/emails", bearer(us))).toMatchObject({ cell: "us1" })
    expect(await ask("/v1/emails", bearer(eu))).toMatchObject({ cell: "eu1" })
    expect(await ask("/v1/emails", bearer(none)), "a key without a cell").toMatchObject({ cell: "eu1" })
    expect(await ask("/v1/emails", bearer("mr_live_xx9_a")), "an unknown cell").toMatchObject({ cell: "eu1" })
    expect(await ask("/v1/openapi.json")).toMatchObject({ cell: "eu1" })
    expect(await ask("/postmark/email", postmark(us))).toMatchObject({ cell: "us1" })
    if (name === "haproxy") expect(await ask("/mailgun/v3/a.test/messages", basic(us))).toMatchObject({ cell: "us1" })
  })

  test("sends a stream to the cell that its token names", async () => {
    expect(await ask("/v1/emails/stream?token=us1.Ab_c-d")).toMatchObject({ cell: "us1" })
    expect(await ask("/v1/emails/stream?token=Ab_c-d")).toMatchObject({ cell: "eu1" })
  })

  test("sends people, and the questions of other cells, to the cell whose address they call", async () => {
    const at = (host: string, path: string, body?: string) => askAt(host, new URL(path, ask.origin), body)
    expect(await at("us1.mail.example.com", "/sign-in")).toMatchObject({ cell: "us1" })
    expect(await at("us1.mail.example.com:443", "/hooks/cells", "a question")).toMatchObject({
      ...{ status: 200, cell: "us1", method: "POST", body: "a question" },
    })
    expect(await at("mail.example.com", "/sign-in")).toMatchObject({ cell: "eu1" })
  })

  test("sends the requests of an organization that was moved to its new cell, with their bodies", async () => {
    const sent = await ask("/v1/emails", { ...bearer(left), method: "POST", body: "an email" })
    expect(sent).toEqual({ status: 200, cell: "us1", method: "POST", body: "an email" })
  })
})
