import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { endpoints } from "@/lib/api/registry"
import { serve } from "@/lib/api/serve"
import { pictureFolder } from "@/lib/contacts/images/data"
import { pathOf } from "@/lib/platform/http/endpoint"
import { handlerOf, handlersOf } from "@/lib/platform/http/serve"
import { showFile } from "@/lib/platform/storage/storage"
import { runChild } from "@/lib/server/processes/supervise"
import { createDirectApi, type Routes } from "@/lib/server/web/direct-api"
import { createWebServer } from "@/lib/server/web/web-server"
import { runWorker } from "@/lib/worker/run"

/** An installation in one process: its API and its files over HTTP, at the port that it prints, and its worker. */
await runChild(async (signal) => {
  const paths = [...new Set(endpoints.map(pathOf))]
  const operations: Routes = paths.map((path) => [
    path.replaceAll(/\{(\w+)\}/g, "[$1]"),
    serve(...endpoints.filter((one) => pathOf(one) === path)),
  ])
  const file = handlerOf(async ({ url }) => {
    const shown = await showFile(new URL(url).pathname.slice("/files/".length), pictureFolder)
    return {
      status: shown.status,
      headers: Object.fromEntries(shown.headers),
      body: new Uint8Array(await shown.arrayBuffer()),
    }
  })
  const api = createDirectApi([...operations, ["/files/[...key]", handlersOf(file)]])
  const web = createWebServer({
    trustedProxyHops: 0,
    handle: (request, response) => api(request, response) ?? response.writeHead(404).end(),
  })
  web.server.listen(0, "127.0.0.1")
  await once(web.server, "listening")
  process.stdout.write(`listening at ${(web.server.address() as AddressInfo).port}\n`)
  await runWorker(signal)
  await web.drain(0)
})
