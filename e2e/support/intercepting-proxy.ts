import { once } from "node:events"
import { createServer, request, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"

/** A request on its way; the server behind gets it with the changes that the proxy makes to it. */
export type Passing = { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer }
type Answer = { status: number; body: string }
export type Intercept = (passing: Passing) => Answer | undefined

/** A proxy on loopback in front of another HTTP server: `intercept` forwards a request, changes it, or responds instead. */
export async function startProxy(port: number, intercept: Intercept): Promise<{ port: number; stop(): Promise<void> }> {
  const server = createServer(async (incoming, outgoing) => {
    const { method = "GET", url = "/", headers } = incoming
    const passing = { method, path: url, headers, body: await buffer(incoming) }
    const answer = intercept(passing)
    if (answer) {
      outgoing.writeHead(answer.status, { "Content-Type": "application/xml" })
      return outgoing.end(answer.body)
    }
    const onward = request({ host: "127.0.0.1", port, ...passing }, (found) => {
      outgoing.writeHead(found.statusCode ?? 502, found.headers)
      found.pipe(outgoing)
    })
    onward.on("error", () => outgoing.destroy())
    onward.end(passing.body)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}
