import { once } from "node:events"
import { apiRoutes } from "mailroom:api-routes"
import next from "next"
import { env } from "@/lib/platform/env/env"
import { runChild, reportReady } from "@/lib/server/processes/supervise"
import { flushRequests } from "@/lib/api-keys/usage/record"
import { createDirectApi } from "@/lib/server/web/direct-api"
import { flushHits } from "@/lib/tracking/hits/hit-buffer"
import { serveTracking } from "@/lib/tracking/serve/serve"
import { heavyRequestSettings, passOnTo } from "@/lib/server/web/heavy-requests"
import { createStaticServer } from "@/lib/server/web/static-server"
import { createWebServer } from "@/lib/server/web/web-server"

const drainWithinMs = 10_000

await runChild(async (signal) => {
  const { apiMount, host, leaveSeconds, mode, port, trustedProxyHops } = env()
  const dev = mode === "development"
  const { socketPath } = heavyRequestSettings()
  const api = apiMount === "direct" ? createDirectApi(apiRoutes, socketPath ? passOnTo(socketPath) : null) : null
  // Next asks for the server to hang its own upgrade handler on (hot reload), and we for Next's handler: hence the wait.
  const serveStatic = dev ? () => false : createStaticServer()
  const web = createWebServer({
    handle: (request, response) => api?.(request, response) ?? handler(request, response),
    serveFirst: (request, response) => serveTracking(request, response) || serveStatic(request, response),
    trustedProxyHops,
  })
  const app = next({ dev, dir: process.cwd(), hostname: "localhost", port, httpServer: web.server, turbopack: true })
  await app.prepare()
  const handler = app.getRequestHandler()

  web.server.listen({ port, host })
  await once(web.server, "listening")
  reportReady()
  if (!signal.aborted) await once(signal, "abort")
  await web.drain(drainWithinMs, leaveSeconds * 1_000)
  await Promise.all([flushHits(), flushRequests()])
})
