import { once } from "node:events"
import { guard } from "@/lib/access/guard"
import { createDomain, listDomains, updateDomain } from "@/lib/domains/api"
import { answerOfCell } from "@/lib/domains/registration/register"
import type { DnsAnswer } from "@/lib/platform/dns/dns"
import { createServe, handlerOf, handlersOf } from "@/lib/platform/http/serve"
import { systemIo } from "@/lib/regions/io"
import { createDirectApi } from "@/lib/server/web/direct-api"
import { createWebServer, type WebServer } from "@/lib/server/web/web-server"

/** Serves what a cell has about domains, and answers other cells, on 127.0.0.1. Nothing is published in the DNS. */
export async function startCellServer(port: number): Promise<WebServer> {
  const missing = async (): Promise<DnsAnswer<never>> => ({ kind: "missing", reason: "no-name", askedServers: [] })
  const dns = { txt: missing, mx: missing, cname: missing, ns: missing, addresses: missing }
  const serve = createServe({ ...guard, answered: () => {} }, () => ({ ...systemIo(), dns }))
  const api = createDirectApi([
    ["/hooks/cells", handlersOf(handlerOf(answerOfCell))],
    ["/v1/projects/[projectId]/domains", serve(createDomain, listDomains)],
    ["/v1/projects/[projectId]/domains/[domainId]", serve(updateDomain)],
  ])
  const web = createWebServer({
    trustedProxyHops: 0,
    handle: (request, response) => api(request, response) ?? response.writeHead(404).end(),
  })
  web.server.listen(port, "127.0.0.1")
  await once(web.server, "listening")
  return web
}
