import { setMaxListeners } from "node:events"
import { z } from "zod"
import { countInWindows, inPlace, places } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import {
  type CheckedLink,
  checkLink,
  type Outside,
  checkedMax,
  linkStatuses,
  redirectsMax,
} from "@/lib/emails/links/check"
import { hyperlinks } from "@/lib/emails/links/html-tags"
import type { Dns } from "@/lib/platform/dns/dns"
import { areaSettings } from "@/lib/platform/env/env"
import { formatNumber } from "@/lib/platform/format"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid, serviceUnavailable } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { createFairSlots, createKeyedFairSlots, createKeyedSlots } from "@/lib/platform/jobs/slots"
import { outboundGuard, resolveBy } from "@/lib/platform/outbound/target"
import { int32 } from "@/lib/platform/schema"

const CheckedLinks = z
  .strictObject({
    brokenLinks: int32.describe("Links that nobody can follow."),
    errorLinks: int32.describe("Links whose server could not be reached, or may not be."),
    totalLinks: int32,
    links: z.array(
      z
        .strictObject({
          url: z.string().describe("As in the HTML."),
          status: z.enum(linkStatuses),
          statusCode: int32.optional().describe("Status of the last response."),
          error: z.string().optional().describe("Why it does not work, or a warning about a link that does."),
        })
        .meta({ id: "LinkResultItem" }),
    ),
  })
  .meta({ id: "ValidateLinksResponse" })

/** Of one project, of one organization, and of all, in a process. */
const atOnce = 10
const perOrganizationMax = 30
const socketsMax = 40
/** Of one host, whoever asks: no installation may flood it. The web processes of this machine share these; each has one at least. */
const perHostMax = 4
/** Of the request, and so of the document in it. */
const htmlBytesMax = 2 ** 20
/** After this the links that are left are skipped. */
const totalMs = 20_000
/** Of a project, over all its requests and processes. */
const linksAMinute = 1_000

export const validateLinks = endpoint({
  route: "POST /v1/emails/validate",
  operationId: "validateLinks",
  tag: "Emails",
  summary: "Check links in HTML",
  description: `Requests every hyperlink (\`a\` and \`area\`) of a document, each URL once, with HEAD and, if that fails, GET. It follows up to ${redirectsMax} redirects and waits up to 5 seconds for each. \`redirected\` links work. \`broken\` links return an error, are relative or are malformed; \`error\` means that the server cannot be reached or is not public. Warnings about links that work are also in \`error\` and are not counted: a link shortener, a redirect to another domain, plain http, a server that refuses automated requests. Links other than http and https, placeholders of templates, all beyond the first ${checkedMax} and those not reached within ${totalMs / 1_000} seconds are \`skipped\`. A project may run ${places.linkCheck.most} checks at once and check ${formatNumber(linksAMinute)} links a minute; beyond that the response is 503 with \`Retry-After\`.`,
  access: allow("emails:send"),
  bucket: null,
  body: z
    .strictObject({
      html: z
        .string()
        .meta({ maxLength: htmlBytesMax })
        .optional()
        .describe("The HTML of an email; without it there are no links."),
    })
    .meta({ id: "ValidateLinksRequest" }),
  bodyBytesMax: htmlBytesMax,
  answers: [200, CheckedLinks],
  problems: [requestInvalid],
  example: { body: { html: '<a href="https://example.com/">Read more</a>' } },

  async run(scope, { body: { html = "" } }, { dns }) {
    const urls = hyperlinks(html)
    const links = await inPlace(scope, "linkCheck", async () => {
      await countLinks(scope, Math.min(urls.length, checkedMax))
      return checkAll(scope, urls, dns)
    })
    const count = (status: CheckedLink["status"]) => links.filter((link) => link.status === status).length
    return { brokenLinks: count("broken"), errorLinks: count("error"), totalLinks: links.length, links }
  },
})

/** Exact over all processes, in the windows of the rate limits. */
async function countLinks({ project }: Scope, count: number) {
  if (count === 0) return
  const key = `links-checked:${project.id}`
  const counted = (await countInWindows([{ key, points: count, windowMs: 60_000 }])).get(key)
  if (!counted || counted.points <= linksAMinute) return
  throw serviceUnavailable(`${formatNumber(linksAMinute)} links of this project were checked within a minute.`, {
    retryAfterSeconds: counted.msToEnd / 1_000,
  })
}

async function checkAll(scope: Scope, urls: readonly string[], dns: Dns): Promise<CheckedLink[]> {
  const outside: Outside = {
    guard: { ...outboundGuard(), allowsPlain: true },
    resolve: resolveBy(dns),
    inTurn: (host, work) => inTurn(scope, host, work),
  }
  const ends = new AbortController()
  // Each of the requests under way listens to it.
  setMaxListeners(0, ends.signal)
  const timer = setTimeout(() => ends.abort(), totalMs)
  const late = new Promise<void>((resolve) => ends.signal.addEventListener("abort", () => resolve(), { once: true }))
  const results: CheckedLink[] = []
  const waiting = urls.slice(0, checkedMax).entries()
  const lane = async () => {
    for (const [index, url] of waiting) {
      const skippedUrl = skipped(url, `The check ended after ${totalMs / 1_000} seconds.`)
      const checking = ofProjects(scope.project.id, () => checkInTime(url, outside, ends.signal))
      results[index] = (await Promise.race([checking, late])) ?? skippedUrl
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  clearTimeout(timer)
  const others = urls.slice(checkedMax).map((url) => skipped(url, `Only the first ${checkedMax} links are checked.`))
  return [...results, ...others]
}

/** Null where the end of the whole check cuts the link off: that says nothing about the link. */
async function checkInTime(url: string, outside: Outside, ends: AbortSignal): Promise<CheckedLink | null> {
  if (ends.aborted) return null
  const checked = await checkLink(url, outside, ends)
  return ends.aborted && checked.status === "error" ? null : checked
}

const ofProjects = createKeyedSlots(atOnce)
const ofHosts = areaSettings((_, { webProcesses }) =>
  createKeyedFairSlots(Math.max(1, Math.floor(perHostMax / webProcesses))),
)
const sockets = createFairSlots(socketsMax, perOrganizationMax)

/** Each request, those that follow a redirect too: a host counts wherever the link that led to it began. */
function inTurn<T>({ organization }: Scope, host: string, work: () => Promise<T>): Promise<T> {
  return ofHosts()(host, organization.id, () => sockets(organization.id, work))
}

const skipped = (url: string, error: string): CheckedLink => ({ url, status: "skipped", error })
