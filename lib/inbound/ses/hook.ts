import { setTimeout as wait } from "node:timers/promises"
import { topicOfSecret } from "@/lib/delivery/ses/client"
import { sesRegionsBy, takeEvents } from "@/lib/inbound/ses/events-sql"
import { isUnavailable } from "@/lib/platform/database/sql-errors"
import { readAtMost } from "@/lib/platform/http/request-body"
import { announceWork } from "@/lib/platform/jobs/notifications"
import { log } from "@/lib/platform/log"
import { counter } from "@/lib/platform/metrics"
import type { Region } from "@/lib/regions/regions"
import { createVerify, X509Certificate } from "node:crypto"
import { z } from "zod"
import { createReach } from "@/lib/platform/networks"
import { download, get } from "@/lib/platform/outbound/request"
import { type Resolve, systemResolve, judgeUrl, type OutboundGuard } from "@/lib/platform/outbound/target"
import { hourMs } from "@/lib/platform/time"
import { parseUrl } from "@/lib/platform/url-rules"

/** SNS's own limit of a message is 256 KiB; its envelope escapes it. */
const bodyBytesMax = 512 * 1024
/** An event may be quicker than our own record of the hand-over: milliseconds after which it is looked at again, before SNS has to. */
const againAfterMs = [200, 1_000, 3_000]

const posts = counter("mailroom_sns_posts_total", "Posts to the hook of Amazon SES's events, by what they were.", [
  "kind",
])

let usual: ReturnType<typeof createSns> | undefined

/**
 * Takes what SNS posts to a topic's secret path. 404 for a path that is not ours, 403 for what AWS has not signed for that topic, 503
 * where SNS is to post it again.
 */
export async function takeSnsPost(
  request: Request,
  secret: string,
  sns: ReturnType<typeof createSns> = (usual ??= createSns()),
): Promise<Response> {
  const topics = sesRegionsBy("topic")
  const topic = topicOfSecret(secret, [...topics.keys()])
  const { regions } = topics.get(topic ?? "") ?? {}
  if (topic === undefined || !regions) return answer(404)
  const body = await readAtMost(request.body, bodyBytesMax)
  if (body === null) return answer(413)
  const verdict = await sns.judge(body, topic)
  posts.inc({ kind: verdict.kind === "refused" ? verdict.why : verdict.kind })
  try {
    return answer(await statusAfter(verdict, regions, sns))
  } catch (error) {
    if (!isUnavailable(error)) log.error({ err: error }, "a post of SNS could not be worked on")
    return answer(503)
  }
}

async function statusAfter(
  verdict: SnsVerdict,
  regions: readonly Region[],
  sns: ReturnType<typeof createSns>,
): Promise<number> {
  switch (verdict.kind) {
    case "refused":
      log.warn({ why: verdict.why }, "a post to the hook of Amazon SES's events is refused")
      return 403
    case "certificate_unreachable":
      return 503
    case "subscription":
      log.info({ regions }, "the topic of Amazon SES's events is subscribed to")
      return (await sns.confirm(verdict.confirmUrl)) ? 200 : 503
    case "unsubscribed":
      log.warn({ regions }, "the topic of Amazon SES's events is no longer subscribed to")
      return 200
    case "notification":
      return (await takeOne(verdict.body, regions)) ? 200 : 503
  }
}

async function takeOne(body: string, regions: readonly Region[]): Promise<boolean> {
  for (const pauseMs of [0, ...againAfterMs]) {
    if (pauseMs > 0) await wait(pauseMs)
    const [taken] = await takeEvents([body], regions)
    if (taken === "done") {
      announceWork()
      return true
    }
  }
  return false
}

function answer(status: number): Response {
  return new Response(null, { status, headers: { "Cache-Control": "no-store" } })
}

/** What SNS posts to a subscription by https, without raw delivery. */
const Message = z.object({
  Type: z.enum(["Notification", "SubscriptionConfirmation", "UnsubscribeConfirmation"]),
  MessageId: z.string().max(100),
  TopicArn: z.string().max(400),
  Message: z.string(),
  Subject: z.string().optional(),
  Timestamp: z.string().max(40),
  Token: z.string().max(2_000).optional(),
  SubscribeURL: z.string().max(2_000).optional(),
  SignatureVersion: z.string(),
  Signature: z.string().max(4_000),
  SigningCertURL: z.string().max(500),
})
type Message = z.infer<typeof Message>

/** What is true of a message: whether AWS has signed it for our topic. */
type SnsVerdict =
  | { kind: "notification"; body: string }
  | { kind: "subscription"; confirmUrl: string }
  | { kind: "unsubscribed" }
  | { kind: "refused"; why: SnsRefusal }
  /** Nobody can tell yet: its certificate could not be fetched. */
  | { kind: "certificate_unreachable" }

type SnsRefusal = "unreadable" | "topic" | "version" | "time" | "certificate" | "signature" | "confirmation"

const unreachable = { kind: "certificate_unreachable" } as const

/** AWS answers that it has no such certificate. */
class CertificateMissing extends Error {}

type SnsOptions = {
  resolve?: Resolve
  guard?: OutboundGuard
  /** Of AWS's servers: for tests alone. */
  port?: number
  ca?: string
  now?: () => Date
}

const fetchMs = 5_000
const certificateBytesMax = 16 * 1024
const certificatesMax = 20
const certificateForMs = 24 * hourMs
/** Messages are refused that are older, or newer by more than clocks differ. */
const age = { mostMs: hourMs, aheadMs: 5 * 60_000 }

/**
 * Judges what comes to the hook: signed (SignatureVersion 2) by a certificate from SNS's own host of the topic's region, for the one
 * topic that SMTP_URL names, within the hour.
 */
export function createSns(options: SnsOptions = {}) {
  const { guard = { reach: createReach([]), allowsPrivate: false }, port = 443, ca, now = () => new Date() } = options
  const certificates = new Map<string, { until: number; certificate: Promise<X509Certificate> }>()

  function certificateAt(url: string): Promise<X509Certificate> {
    const known = certificates.get(url)
    if (known && known.until > now().getTime()) return known.certificate
    const certificate = fetchCertificate(url)
    certificate.catch(() => certificates.delete(url))
    if (certificates.size >= certificatesMax) certificates.clear()
    certificates.set(url, { until: now().getTime() + certificateForMs, certificate })
    return certificate
  }

  async function fetchCertificate(url: string): Promise<X509Certificate> {
    const { status, body } = await download({ ...connectionTo(url), bytesMax: certificateBytesMax })
    if (status >= 400 && status < 500) throw new CertificateMissing(`The certificate is not there: status ${status}`)
    if (status !== 200 || body === null) throw new Error(`The certificate was not sent: status ${status}`)
    const certificate = new X509Certificate(body)
    const at = now().getTime()
    if (at < Date.parse(certificate.validFrom) || at > Date.parse(certificate.validTo))
      throw new Error("The certificate is not valid now.")
    return certificate
  }

  /** By https, to a public address, without following redirects. */
  function connectionTo(text: string) {
    const url = new URL(text)
    if (port !== 443) url.port = String(port)
    const target = judgeUrl(url.href, guard)
    if (!target.ok) throw new Error(target.reason)
    const { resolve = systemResolve() } = options
    return { target, guard, resolve, ca, headers: {}, timeoutMs: fetchMs, signal: AbortSignal.timeout(2 * fetchMs) }
  }

  return {
    async judge(text: string, topic: string): Promise<SnsVerdict> {
      const refused = (why: SnsRefusal) => ({ kind: "refused", why }) as const
      const read = Message.safeParse(parsed(text))
      if (!read.success) return refused("unreadable")
      const { data: message } = read
      if (message.TopicArn !== topic) return refused("topic")
      if (message.SignatureVersion !== "2") return refused("version")
      const ageMs = now().getTime() - Date.parse(message.Timestamp)
      if (!(ageMs <= age.mostMs && ageMs >= -age.aheadMs)) return refused("time")
      const host = snsHostOf(topic)
      if (!isCertificateUrl(message.SigningCertURL, host)) return refused("certificate")
      const certificate = await certificateAt(message.SigningCertURL).catch((error: unknown) => {
        log.warn({ err: error, host }, "the certificate of an SNS message could not be fetched")
        return error instanceof CertificateMissing ? refused("certificate") : unreachable
      })
      if ("kind" in certificate) return certificate
      const verify = createVerify("RSA-SHA256").update(signedText(message))
      if (!verify.verify(certificate.publicKey, message.Signature, "base64")) return refused("signature")
      switch (message.Type) {
        case "Notification":
          return { kind: "notification", body: message.Message }
        case "SubscriptionConfirmation": {
          const { SubscribeURL = "" } = message
          return isConfirmation(SubscribeURL, host, topic)
            ? { kind: "subscription", confirmUrl: SubscribeURL }
            : refused("confirmation")
        }
        case "UnsubscribeConfirmation":
          return { kind: "unsubscribed" }
      }
    },

    /** Follows the link of a subscription that was judged. */
    async confirm(url: string): Promise<boolean> {
      const { status } = await get(connectionTo(url))
      return status === 200
    },
  }
}

/** SNS's own host in the region of a topic. */
function snsHostOf(topic: string): string {
  const [, partition, , region = ""] = topic.split(":")
  return `sns.${region}.amazonaws.com${partition === "aws-cn" ? ".cn" : ""}`
}

function isAt(url: URL | null, host: string): url is URL {
  return url?.protocol === "https:" && url.host === host && url.username === "" && url.password === ""
}

function isCertificateUrl(text: string, host: string): boolean {
  const url = parseUrl(text)
  return isAt(url, host) && /^\/[\w-]{1,200}\.pem$/.test(url.pathname) && url.search === ""
}

function isConfirmation(text: string, host: string, topic: string): boolean {
  const url = parseUrl(text)
  if (!isAt(url, host) || url.pathname !== "/") return false
  return url.searchParams.get("Action") === "ConfirmSubscription" && url.searchParams.get("TopicArn") === topic
}

/** The text that AWS signs: names and values in turn, each on a line. */
export function signedText(message: Message): string {
  const { Type, Message, MessageId, Subject, SubscribeURL, Timestamp, Token, TopicArn } = message
  const fields: Record<string, string | undefined> =
    Type === "Notification"
      ? { Message, MessageId, Subject, Timestamp, TopicArn, Type }
      : { Message, MessageId, SubscribeURL, Timestamp, Token, TopicArn, Type }
  return Object.entries(fields)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => `${name}\n${value}\n`)
    .join("")
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
