import { createServer } from "node:http"
import { log } from "@/lib/platform/log"

/** Serves GET /metrics, and nothing else, on an address of its own, apart from the public port. */
export async function serveMetrics(
  { host, port }: { host: string; port: number },
  scrape: () => Promise<string>,
): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").split("?", 1)[0]
    if (path !== "/metrics") return response.writeHead(404).end("The metrics are at /metrics.\n")
    if (request.method !== "GET" && request.method !== "HEAD")
      return response.writeHead(405, { Allow: "GET, HEAD" }).end()
    scrape().then(
      (text) => response.writeHead(200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" }).end(text),
      (error: unknown) => {
        log.error({ err: error }, "the metrics could not be collected")
        response.writeHead(500).end()
      },
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, resolve)
  })
  server.on("error", (error) => log.warn({ err: error }, "the metrics server had an error"))
  const bound = server.address()
  return {
    port: typeof bound === "object" && bound ? bound.port : port,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
