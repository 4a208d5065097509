import { setMaxListeners } from "node:events"
import { request } from "node:http"
import { setTimeout as wait } from "node:timers/promises"
import type { Transport } from "@/lib/delivery/transports/transport"
import { hyperlinks, readTags } from "@/lib/emails/links/html-tags"
import { simulatorName } from "@/lib/emails/simulator"
import { log } from "@/lib/platform/log"
import { hourMs, withTimeLimit } from "@/lib/platform/time"
import { parseUrl } from "@/lib/platform/url-rules"
import {
  aggregateReports,
  type DomainCount,
  type ReportedMail,
  complaint,
  lateBounce,
  type ReturnMail,
  returnTransport,
} from "@/lib/sandbox/return-mail"
import { readHtml } from "@/lib/sandbox/message"
import type { ResolveRecords } from "@/lib/sandbox/verdicts"
import type { Verdicts } from "@/lib/sandbox/schema"

/** Later than any hurry by which a machine would be recognized. */
export const readerDelays = { openMs: 3_000, clickMs: 12_000, complainMs: 2_000, bounceMs: 2_000, retryMs: 1_000 }

const returnAttempts = 60
const readersMax = 1_000
const answerMs = 10_000

/** Contains no name of a robot: its reader is to count as a person. */
const userAgent =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Mailroom Simulator"

/** A message that the sandbox took for a recipient. */
export type SandboxDelivery = { deliveryId: string; mailFrom: string; rcptTo: string; raw: Buffer }

/** What the sandbox's receiver makes of a message, which it counts for its DMARC report. */
export type JudgedMail = { from: string | null; ip: string; verdicts: Verdicts }

export type Readers = {
  read(mail: SandboxDelivery): void
  /** Hands a mail for the listener for returned mail over to it, as a relay does. */
  forward(mail: ReturnMail): void
  /** Counts a mail for the DMARC report about its domain. */
  count(mail: JudgedMail): void
}

/**
 * The simulator's readers: `opened@` loads the images of its email, `clicked@` also follows its first tracked link, over HTTP at
 * our own web server. `complained@` marks it as spam, and the server of `bounced-later@` returns it: both by a mail to the listener for
 * returned mail. What came from a domain is reported to the address in its DMARC record, there as well.
 */
export function createReaders({ port, inboundPort, signal, resolver }: ReadersOptions): Readers {
  const transport = returnTransport(inboundPort)
  // Everyone who reads listens to it, which Node would take for a leak beyond ten.
  setMaxListeners(0, signal)
  signal.addEventListener("abort", () => void transport.close(), { once: true })
  let reading = 0
  const at = { port, signal, transport }

  function begin(what: Promise<void>, about: object): void {
    reading += 1
    what
      .catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error, ...about }, "a reader of the simulator failed")
      })
      .finally(() => (reading -= 1))
  }

  const reporter = createReporter({ resolve: resolver, send: (mail) => send(mail, at), signal })
  return {
    count({ from, ip, verdicts }) {
      const headerFrom = /@([\w.-]{1,253})>?\s{0,9}$/.exec(from ?? "")?.[1]?.toLowerCase()
      if (headerFrom) reporter.count({ headerFrom, ip, verdicts })
    },
    forward(mail) {
      if (reading < readersMax) begin(send(mail, at), { to: mail.to })
    },
    read(mail) {
      const name = simulatorName(mail.rcptTo.toLowerCase())
      const act = name === null ? undefined : actions[name]
      if (act && reading < readersMax) begin(act(mail, at), { deliveryId: mail.deliveryId })
    },
  }
}

/** Ports of this machine: of the web server, and of the listener for returned mail. */
export type ReadersOptions = { port: number; inboundPort: number; signal: AbortSignal; resolver: ResolveRecords }

type Surroundings = { port: number; signal: AbortSignal; transport: Transport }

const actions: Record<string, (mail: SandboxDelivery, at: Surroundings) => Promise<void>> = {
  async opened(mail, at) {
    const { images } = await trackedIn(mail)
    await wait(readerDelays.openMs, undefined, at)
    for (const url of images) await visit(url, at)
  },

  async clicked(mail, at) {
    await actions.opened?.(mail, at)
    const { links } = await trackedIn(mail)
    const [first] = links
    await wait(readerDelays.clickMs - readerDelays.openMs, undefined, at)
    if (first) await visit(first, at)
  },

  async complained(mail, at) {
    await wait(readerDelays.complainMs, undefined, at)
    await send(complaint(mail, new Date()), at)
  },

  async "bounced-later"(mail, at) {
    await wait(readerDelays.bounceMs, undefined, at)
    await send(lateBounce(mail, new Date()), at)
  },
}

/** As a mail server does: again until it is accepted. */
async function send({ from, to, message }: ReturnMail, { signal, transport }: Surroundings): Promise<void> {
  for (let attempts = 0; attempts < returnAttempts; attempts++) {
    const { outcome } = await transport.send({ from, to, message, signal })
    if (outcome === "accepted" || outcome === "refused") return
    await wait(readerDelays.retryMs, undefined, { signal })
  }
}

/** URLs of ours in a message. */
async function trackedIn({ raw, deliveryId }: SandboxDelivery): Promise<{ links: string[]; images: string[] }> {
  const html = await readHtml(raw, deliveryId)
  const images: string[] = []
  readTags(html, {
    onStart({ tagName, attrs }) {
      const src = tagName === "img" ? attrs.find(({ name }) => name === "src")?.value : undefined
      if (src !== undefined) images.push(src)
    },
  })
  const isOurs = (url: string) => /^\/t\/[\w-]{48}(\.gif)?$/.test(parseUrl(url)?.pathname ?? "")
  return { links: hyperlinks(html).filter(isOurs), images: images.filter(isOurs) }
}

/** Asks our own web server on this machine, whatever host the URL names; the rest of a held image is not waited for. */
async function visit(url: string, { port, signal }: Surroundings): Promise<void> {
  const { host, pathname: path } = new URL(url)
  const headers = { host, "user-agent": userAgent }
  await new Promise<void>((resolve, reject) => {
    const limit = withTimeLimit(signal, answerMs)
    request({ host: "127.0.0.1", port, path, headers, agent: false, signal: limit }, (response) => {
      response.destroy()
      resolve()
    })
      .on("error", reject)
      .end()
  })
}

// DMARC reports

/** Real receivers report once a day; this one soon, so that the first report can be waited for. */
export const reporterDelays = { firstMs: 30_000, nextMs: hourMs }

const domainsMax = 1_000
const mailsMax = 10_000

export type Reporter = { count(mail: ReportedMail): void }

type Options = { resolve: ResolveRecords; send(mail: ReturnMail): Promise<void>; signal: AbortSignal }

/**
 * The part of the sandbox's receiver that sends DMARC reports: half a minute after the first mail of a domain, and then at most once an hour
 * about what came since. What was counted is lost with the process.
 */
function createReporter({ resolve, send, signal }: Options): Reporter {
  const counts = new Map<string, DomainCount>()
  const reportedAt = new Map<string, number>()

  async function report(domain: string): Promise<void> {
    const last = reportedAt.get(domain)
    const rest = last === undefined ? 0 : last + reporterDelays.nextMs - performance.now()
    await wait(Math.max(reporterDelays.firstMs, rest), undefined, { signal })
    const count = counts.get(domain)
    counts.delete(domain)
    if (reportedAt.size >= domainsMax) reportedAt.clear()
    reportedAt.set(domain, performance.now())
    for (const mail of count ? await aggregateReports(count, resolve, new Date()) : []) await send(mail)
  }

  return {
    count(mail) {
      const domain = mail.headerFrom
      const now = new Date()
      const count = counts.get(domain)
      if (count) {
        if (count.mails.length < mailsMax) count.mails.push(mail)
        count.ended = now
        return
      }
      if (counts.size >= domainsMax) return
      counts.set(domain, { domain, began: now, ended: now, mails: [mail] })
      report(domain).catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error, domain }, "a report of the sandbox could not be sent")
      })
    },
  }
}
