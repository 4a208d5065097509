import type { IncomingMessage, ServerResponse } from "node:http"
import { readTrackingToken, type TrackingKind, type TrackingToken } from "@/lib/delivery/message/proven-ids"
import { hostProof, proofPath } from "@/lib/domains/check/check"
import { hmac } from "@/lib/platform/crypto"
import { env } from "@/lib/platform/env/env"
import { batchWrites } from "@/lib/platform/jobs/batches"
import { log } from "@/lib/platform/log"
import { findTargets, findTrackingHosts, type LinkTarget } from "@/lib/tracking/data"
import { noteHit, type Visitor } from "@/lib/tracking/hits/hit-buffer"
import { hostedPage, invalidLinkPage, unavailablePage } from "@/lib/tracking/pages"

/**
 * Answers what emails and their hosts ask for, before Next: tracked links and images, the proof of a host, and whether a host may
 * have a certificate. Returns false for everything else. A host of tracked links answers nothing but these and `/u/`.
 */
export function serveTracking(request: IncomingMessage, response: ServerResponse): boolean {
  const [path = "/"] = (request.url ?? "/").split("?", 1)
  const host = hostOf(request)
  if (path.startsWith("/t/")) void answerTracked(request, response, { path, host })
  else if (path.startsWith(proofPath)) answerProof(response, path.slice(proofPath.length), isHead(request))
  else if (path === "/internal/tls-allowed") answerTlsAllowed(request, response)
  else if (!isServiceHost(host) && isTrackingHost(host) && !isHostedPath(path)) void send(response, invalidLinkPage())
  else return false
  return true
}

/** Paths of hosted pages have no dots to fold, backslashes or escapes, with which one could lead to another page. */
function isHostedPath(path: string): boolean {
  return /^\/u(\/[\w~-][\w.~-]*)+$/.test(path)
}

type Asked = { path: string; host: string }

async function answerTracked(request: IncomingMessage, response: ServerResponse, { path, host }: Asked): Promise<void> {
  try {
    if (!["GET", "HEAD"].includes(request.method ?? "")) return void refuseMethod(response)
    const [, text = "", image] = /^\/t\/([\w-]{1,100})(\.gif)?$/.exec(path) ?? []
    const token = text ? readTrackingToken(text, hmac) : null
    const visitor = visitorOf(request, host)
    if (path.endsWith(".gif"))
      return answerTrackedImage(response, image && token?.kind !== "click" ? token : null, visitor)
    await answerLink(response, token?.kind === "click" ? token : null, { path, visitor })
  } catch (error) {
    log.error({ err: error }, "a tracked link could not be answered")
    await send(response, unavailablePage(), isHead(request))
  }
}

function answerTrackedImage(response: ServerResponse, token: TrackingToken | null, visitor: Visitor): void {
  const isHeld: Record<TrackingKind, boolean> = { read: true, open: false, mark: false, click: false }
  if (token && isHeld[token.kind] && !visitor.head)
    return holdImage(response, (ms) => (ms === null ? undefined : noteHit(token, visitor, ms)))
  if (token) noteHit(token, visitor)
  answerImage(response, visitor.head)
}

/** A forged token, one of another host and one whose email is gone get the same page. */
async function answerLink(
  response: ServerResponse,
  token: TrackingToken | null,
  { path, visitor }: { path: string; visitor: Visitor },
): Promise<void> {
  const target = token && (await targetOf(token.deliveryId, token.number))
  if (!token || !target || (visitor.host !== null && visitor.host !== target.host))
    return send(response, invalidLinkPage(), visitor.head)
  if (target.disabled) return send(response, disabledPage(), visitor.head)
  // The other cell records the click and knows the target, by the same key.
  if (target.moved === null) noteHit(token, visitor)
  const location = target.moved === null || target.host !== null ? target.url : target.moved + path
  response.writeHead(302, { ...linkHeaders, Location: location, "Content-Length": "0" })
  response.end()
}

const linkHeaders = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex",
}

function disabledPage(): Response {
  return hostedPage({ status: 410, title: "This link no longer works", content: "" })
}

function refuseMethod(response: ServerResponse): void {
  response.writeHead(405, { ...linkHeaders, Allow: "GET, HEAD", "Content-Length": "0" }).end()
}

const proofTokenMax = 100

function answerProof(response: ServerResponse, token: string, head: boolean): void {
  const isToken = token.length <= proofTokenMax && /^[\w-]+$/.test(token)
  answerText(response, isToken ? 200 : 404, isToken ? hostProof(token) : "", head)
}

/** For a proxy on this machine that is asked for a certificate, not for anybody who comes through it. */
function answerTlsAllowed(request: IncomingMessage, response: ServerResponse): void {
  const { headers, socket, url = "" } = request
  const isForwarded = Object.keys(headers).some((name) => /^(x-forwarded-|forwarded$|via$|x-real-ip$)/.test(name))
  const isLocal = /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? "")
  const domain = new URLSearchParams(url.slice(url.indexOf("?") + 1)).get("domain")?.toLowerCase() ?? ""
  const isAllowed = isLocal && !isForwarded && (isServiceHost(domain) || isTrackingHost(domain))
  answerText(response, isAllowed ? 200 : 404, "", isHead(request))
}

function answerText(response: ServerResponse, status: number, text: string, head: boolean): void {
  const type = { "Content-Type": "text/plain; charset=utf-8", "Content-Length": String(Buffer.byteLength(text)) }
  response.writeHead(status, { ...linkHeaders, ...type })
  response.end(head ? undefined : text)
}

async function send(response: ServerResponse, page: Response, head = false): Promise<void> {
  const body = await page.text()
  response.writeHead(page.status, {
    ...Object.fromEntries(page.headers),
    "Content-Length": String(Buffer.byteLength(body)),
  })
  response.end(head ? undefined : body)
}

function visitorOf({ headers, method, socket }: IncomingMessage, host: string): Visitor {
  return {
    ip: String(headers["x-client-ip"] ?? socket.remoteAddress ?? ""),
    userAgent: headers["user-agent"],
    head: method === "HEAD",
    // Any other name may be one that the service had before, or one that a proxy puts there: tokens are signed.
    host: !isServiceHost(host) && isTrackingHost(host) ? host : null,
  }
}

function isHead({ method }: IncomingMessage): boolean {
  return method === "HEAD"
}

function hostOf({ headers }: IncomingMessage): string {
  return (headers.host ?? "").toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "")
}

// The image

/** A transparent GIF of one pixel, in the parts around which a comment may be inserted. */
const gifStart = Buffer.from("47494638396101000100800000000000ffffff", "hex")
const gifEnd = Buffer.from("21f90401000000002c00000000010001000002024401003b", "hex")
const gif = Buffer.concat([gifStart, gifEnd])

const imageHeaders = {
  "Content-Type": "image/gif",
  "Cache-Control": "no-store, no-cache, must-revalidate, private",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Content-Security-Policy": "default-src 'none'",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex",
}

/** The same answer for every token, whether it is known or not. */
function answerImage(response: ServerResponse, head: boolean): void {
  response.writeHead(200, { ...imageHeaders, "Content-Length": String(gif.length) })
  response.end(head ? undefined : gif)
}

const tickMs = 1_000
const heldMax = 500

/** An email is hardly read for longer at one time. */
export const holdMsMax = 60_000

let imagesHeld = 0

/**
 * Sends the image so slowly that the client closes it together with the email: a comment of the GIF grows by two bytes a second.
 * `done` gets the milliseconds; null if too many are held already, and the image is answered at once.
 */
function holdImage(response: ServerResponse, done: (ms: number | null) => void, holdMs = holdMsMax): void {
  if (imagesHeld >= heldMax) {
    done(null)
    return answerImage(response, false)
  }
  imagesHeld += 1
  const startedAt = performance.now()
  // Not by writeHead: a server that stops looks for responses that are held open by their type.
  response.setHeaders(new Map(Object.entries(imageHeaders)))
  response.write(Buffer.concat([gifStart, Buffer.from("21fe", "hex")]))
  const timer = setInterval(() => {
    if (performance.now() - startedAt < holdMs) return void response.write(Buffer.from("0120", "hex"))
    response.end(Buffer.concat([Buffer.from("00", "hex"), gifEnd]))
  }, tickMs)
  response.once("close", () => {
    clearInterval(timer)
    imagesHeld -= 1
    done(Math.round(performance.now() - startedAt))
  })
}

// Where links lead

/** A suspended project's links stop within this time; those that nobody waits for are read again in the background. */
const staleMs = 30_000
const freshMs = 5_000

/** While the database cannot be read, links that were followed lately keep working. */
const targetsMax = 20_000

type Known = { target: LinkTarget | null; readAt: number }

const knownTargets = new Map<string, Known>()

/** Requests of a moment share one query. */
const readTarget = batchWrites(findTargets, { max: 200 })

/** Where a link of a delivery leads, out of memory if it was asked for a moment ago; null if there is no such link. */
async function targetOf(deliveryId: string, number: number): Promise<LinkTarget | null> {
  const key = `${deliveryId}${number}`
  const cached = knownTargets.get(key)
  const ageMs = cached ? performance.now() - cached.readAt : Infinity
  if (cached && ageMs < freshMs) return cached.target
  const reading = refresh(key, deliveryId, number)
  if (cached && ageMs < staleMs) {
    reading.catch(() => undefined)
    return cached.target
  }
  try {
    return await reading
  } catch (error) {
    if (cached?.target) return cached.target
    throw error
  }
}

const underWay = new Map<string, Promise<LinkTarget | null>>()

/** Requests for one link that come at the same time read it once. */
function refresh(key: string, deliveryId: string, number: number): Promise<LinkTarget | null> {
  const running = underWay.get(key)
  if (running) return running
  const reading = readTarget({ deliveryId, number }).then((target) => {
    knownTargets.delete(key)
    knownTargets.set(key, { target, readAt: performance.now() })
    if (knownTargets.size > targetsMax) knownTargets.delete(knownTargets.keys().next().value ?? "")
    return target
  })
  underWay.set(key, reading)
  reading.catch(() => undefined).finally(() => underWay.delete(key))
  return reading
}

const hostsFreshMs = 10_000

let hosts: ReadonlySet<string> = new Set()
let readAt = -Infinity
let reading: Promise<void> | undefined

/** Reads the hosts again if they are not fresh, in the background. */
function keepFresh(): void {
  if (performance.now() - readAt < hostsFreshMs) return
  void refreshHosts()
}

/** Reads the hosts of all domains now. */
export async function refreshHosts(): Promise<void> {
  reading ??= findTrackingHosts()
    .then((found) => {
      hosts = new Set(found)
    })
    .catch((error: unknown) => log.warn({ err: error }, "the hosts of tracked links could not be read"))
    .finally(() => {
      readAt = performance.now()
      reading = undefined
    })
  await reading
}

/** Whether a host is that of a domain's tracked links: out of memory, because it is asked for each connection. */
function isTrackingHost(host: string): boolean {
  keepFresh()
  return hosts.has(host)
}

/** Hosts under which every project's links are answered. */
function isServiceHost(host: string): boolean {
  const { baseUrl, serviceDomain } = env()
  return host === new URL(baseUrl).hostname || host === `track.${serviceDomain}`
}
