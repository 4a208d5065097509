import { once } from "node:events"
import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import PostalMime from "postal-mime"
import { pool } from "@/lib/platform/database/db"
import { flushHits } from "@/lib/tracking/hits/hit-buffer"
import { judgeDue } from "@/lib/tracking/hits/data"
import { serveTracking } from "@/lib/tracking/serve/serve"

/** A mail program of a person. */
export const person =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148"

export type Visit = { userAgent?: string | null; method?: string; host?: string; ip?: string }
export type Visited = { status: number; headers: IncomingHttpHeaders; body: Buffer }

export type TrackingServer = { server: Server; visit(path: string, as?: Visit): Promise<Visited>; close(): void }

/** The web process as far as links and images of emails are concerned. */
export async function trackingServer(): Promise<TrackingServer> {
  const server = createServer((request, response) => {
    if (!serveTracking(request, response)) response.writeHead(200, { "x-next": "true" }).end()
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    server,
    visit: (path, as) => visit(port, path, as),
    close: () => void (server.close(), server.closeAllConnections()),
  }
}

async function visit(port: number, path: string, as: Visit = {}): Promise<Visited> {
  const { userAgent = person, method = "GET", host = "localhost:3000", ip = "203.0.113.9" } = as
  const headers = { host, "x-client-ip": ip, ...(userAgent === null ? {} : { "user-agent": userAgent }) }
  const request = httpRequest({ host: "127.0.0.1", port, path, method, headers, agent: false }).end()
  const [response] = (await once(request, "response")) as [import("node:http").IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }
}

/** Paths of a message's tracked links and images, in the order of its HTML. */
export async function trackedPaths(raw: Buffer | string): Promise<{ links: string[]; images: string[]; html: string }> {
  const { html = "" } = await PostalMime.parse(raw)
  const paths = [...html.matchAll(/https?:\/\/[^"'\s/]+(\/t\/[\w-]{48}(?:\.gif)?)/g)].map(([, path = ""]) => path)
  return {
    html,
    links: paths.filter((path) => !path.endsWith(".gif")),
    images: paths.filter((path) => path.endsWith(".gif")),
  }
}

/** Pretends that an email was sent an hour ago, so that nobody is in haste. */
export async function ageEmail(emailId: string): Promise<void> {
  await pool().query("UPDATE deliveries SET sent_at = now() - interval '1 hour' WHERE email_id = $1", [emailId])
}

/** Writes and judges all requests made so far, as if the time to wait for bursts were over. */
export async function judgeAll(): Promise<void> {
  await flushHits()
  await pool().query("UPDATE tracking_hits SET due_at = now() - interval '1 second' WHERE due_at > now()")
  while ((await judgeDue(500)) > 0);
}
