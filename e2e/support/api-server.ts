import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { request as httpRequest, type IncomingMessage, type Server } from "node:http"
import { connect, type AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer, text } from "node:stream/consumers"
import { afterAll, beforeAll } from "vitest"
import type { Answer } from "@/lib/platform/http/answer"
import type { Asked } from "@/lib/platform/http/endpoint"
import { handlerOf, handlersOf } from "@/lib/platform/http/serve"
import { createHeavyServer, passOnTo } from "@/lib/server/web/heavy-requests"
import { createDirectApi, type Routes } from "@/lib/server/web/direct-api"
import { createWebServer } from "@/lib/server/web/web-server"

/** A web server whose API does at every path and method what a test says. */
export class ApiServer {
  answer: (asked: Asked) => Promise<Answer> = async () => json({})
  port = 0
  readonly heavy: Server | null

  /** With `passedOn` every request is answered by a server for heavy requests behind the web server. */
  constructor({ passedOn = false } = {}) {
    const answer = handlersOf(handlerOf((asked) => this.answer(asked), { isExport: true }))
    const routes: Routes = [["/v1/[...all]", answer]]
    const folder = mkdtempSync(join(tmpdir(), "mailroom-heavy-"))
    const socketPath = join(folder, "heavy.sock")
    this.heavy = passedOn ? createHeavyServer(createDirectApi(routes)) : null
    const api = createDirectApi(routes, passedOn ? passOnTo(socketPath) : null)
    const web = createWebServer({
      trustedProxyHops: 0,
      handle: (request, response) => api(request, response) ?? response.end("a page"),
    })
    beforeAll(async () => {
      if (this.heavy) await once(this.heavy.listen(socketPath), "listening")
      web.server.listen(0, "127.0.0.1")
      await once(web.server, "listening")
      this.port = (web.server.address() as AddressInfo).port
    })
    afterAll(async () => {
      await web.drain(0)
      this.heavy?.close()
      rmSync(folder, { recursive: true, force: true })
    })
  }

  async ask(method: string, path: string, headers: Record<string, string> = {}) {
    const request = httpRequest({ host: "127.0.0.1", port: this.port, method, path, headers, agent: false }).end()
    const [response] = (await once(request, "response")) as [IncomingMessage]
    return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
  }

  /** Sends these bytes; returns everything until the server closes. */
  async raw(sent: string): Promise<string> {
    const socket = this.connect()
    socket.write(sent)
    return text(socket)
  }

  connect() {
    return connect(this.port, "127.0.0.1")
  }
}

export function json(value: unknown, status = 200): Answer {
  return { status, headers: { "Content-Type": "application/json", "X-Own": "1" }, body: JSON.stringify(value) }
}

export function statusesOf(said: string): number[] {
  return [...said.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}
