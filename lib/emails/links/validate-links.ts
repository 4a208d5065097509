import { z } from "zod"
import { allow } from "@/lib/access/permissions"
import { checkLink, type CheckedLink, type Outside } from "@/lib/emails/links/check"
import { hyperlinks } from "@/lib/emails/links/html-links"
import { checkedMax, linkStatuses, redirectsMax } from "@/lib/emails/links/link-rules"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { Dns } from "@/lib/platform/dns/dns"
import { createSlots } from "@/lib/platform/jobs/slots"
import { outboundGuard } from "@/lib/platform/outbound/guard"
import { resolveBy } from "@/lib/platform/outbound/resolve"
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

/** Of one request; a process as a whole opens at most `socketsMax`. */
const atOnce = 10
const socketsMax = 40
/** After this the links that are left are skipped. */
const totalMs = 25_000

export const validateLinks = endpoint({
  route: "POST /v1/emails/validate",
  operationId: "validateLinks",
  tag: "Emails",
  summary: "Check links in HTML",
  description: `Requests every hyperlink (\`a\` and \`area\`) of a document, each URL once, with HEAD and, if that fails, GET. It follows up to ${redirectsMax} redirects and waits up to 5 seconds for each. \`redirected\` links work. \`broken\` links return an error, are relative or are malformed; \`error\` means that the server cannot be reached or is not public. Warnings about links that work are also in \`error\` and are not counted: a link shortener, a redirect to another domain, plain http, a server that refuses automated requests. Links other than http and https, placeholders of templates, all beyond the first ${checkedMax} and those not reached within ${totalMs / 1_000} seconds are \`skipped\`.`,
  access: allow("emails:send"),
  bucket: null,
  body: z
    .strictObject({ html: z.string().optional().describe("The HTML of an email.") })
    .meta({ id: "ValidateLinksRequest" }),
  answers: [200, CheckedLinks],
  problems: [requestInvalid],
  example: { body: { html: '<a href="https://example.com/">Read more</a>' } },

  async run(_scope, { body: { html = "" } }, { dns }) {
    if (html.trim() === "") {
      const detail = "Must contain the HTML whose links are checked."
      throw requestInvalid(`/html: ${detail}`, { errors: [{ pointer: "/html", detail }] })
    }
    const links = await checkAll(hyperlinks(html), dns)
    const count = (status: CheckedLink["status"]) => links.filter((link) => link.status === status).length
    return { brokenLinks: count("broken"), errorLinks: count("error"), totalLinks: links.length, links }
  },
})

async function checkAll(urls: readonly string[], dns: Dns): Promise<CheckedLink[]> {
  const outside: Outside = { guard: { ...outboundGuard(), allowsPlain: true }, resolve: resolveBy(dns) }
  const ends = AbortSignal.timeout(totalMs)
  const results: CheckedLink[] = []
  const waiting = urls.slice(0, checkedMax).entries()
  const lane = async () => {
    for (const [index, url] of waiting)
      results[index] = await sockets(async () =>
        ends.aborted
          ? skipped(url, `The links before it took ${totalMs / 1_000} seconds.`)
          : checkLink(url, outside, ends),
      )
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  const others = urls.slice(checkedMax).map((url) => skipped(url, `Only the first ${checkedMax} links are checked.`))
  return [...results, ...others]
}

const sockets = createSlots(socketsMax)

const skipped = (url: string, error: string): CheckedLink => ({ url, status: "skipped", error })
