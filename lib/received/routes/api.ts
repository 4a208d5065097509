import { randomInt } from "node:crypto"
import { hostname } from "@/lib/addresses/hostname"
import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { withinMs } from "@/lib/platform/dns/dns"
import { env } from "@/lib/platform/env/env"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import { fieldsInvalid, requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import type { Io } from "@/lib/platform/io"
import { id } from "@/lib/platform/schema"
import { fixedLimitReached, limitReached } from "@/lib/projects/schema"
import { feedbackHost, mailFromPriority } from "@/lib/domains/records/records"
import { receivedEvent } from "@/lib/received/data"
import * as routes from "@/lib/received/routes/data"
import {
  InboundRoute,
  InboundRouteChange,
  InboundRoutePage,
  type InboundMx,
  NewInboundRoute,
  routeMissing,
  routesMax,
  routeTaken,
} from "@/lib/received/routes/schema"
import { findWebhook } from "@/lib/webhooks/data"

const path = { routeId: { prefix: "inr", missing: routeMissing } } as const
const writing = { tag: "Inbound", access: allow("inbound:write"), bucket: buckets.domains, additive: true } as const
const reading = { tag: "Inbound", access: allow("inbound:read"), bucket: null, additive: true } as const

export const listInboundRoutes = endpoint({
  route: "GET /v1/projects/{projectId}/inbound-routes",
  operationId: "listInboundRoutes",
  summary: "List inbound routes",
  description:
    "The addresses whose mail the project gets, newest first, each with the MX record that its domain needs and has.",
  ...reading,
  query: {
    ...pageQuery(),
    domainId: id("dom").optional().describe("Only routes at the name of this domain of the project, or below it."),
  },
  answers: [200, InboundRoutePage],
  problems: [projectMissing],

  async run(scope, { query }, io) {
    const { data, total } = await routes.readRoutes(scope, query, query.domainId)
    return page(query, await shownRoutes(data, io), total)
  },
})

export const createInboundRoute = endpoint({
  route: "POST /v1/projects/{projectId}/inbound-routes",
  operationId: "createInboundRoute",
  summary: "Create inbound route",
  description: `Mail to the address is kept, shown under \`/inbound\`, and sent to the webhook as \`${receivedEvent}\`. The domain must be a verified domain of the project, or a name below one such as \`reply.acme.com\`, and its MX record must name the host in \`mx\`. An MX record takes all mail of its name: use a name of its own if the domain has mailboxes.

A route takes 60 emails a minute and 1 GiB a day, each of up to 25 MiB; beyond, senders are asked to come back. While the project is suspended or the domain is not verified, they are asked to come back as well. Mail that fails DMARC is rejected if its domain asks for that. Nothing is ever sent in answer. A project has at most ${routesMax} routes.`,
  ...writing,
  body: NewInboundRoute,
  answers: [201, InboundRoute],
  location: "/v1/projects/{projectId}/inbound-routes/{id}",
  problems: [requestInvalid, projectMissing, limitReached, routeTaken],
  example: { body: { match: "reply+*", domain: "reply.acme.com", keepDays: 30 } },

  async run(scope, { body: { match, domain, webhookId, keepDays } }, io) {
    await checkWebhook(scope, webhookId)
    const place = domain === undefined ? testPlace() : await placeIn(scope, domain)
    const pattern = match?.toLowerCase() ?? testPattern()
    const added = await routes.addRoute(scope, { ...place, pattern, webhookId: webhookId ?? null, keepDays })
    if (added === "full") throw fixedLimitReached("inbound routes", routesMax)
    if (added === "taken") throw routeTaken()
    return shownRoute(added, io)
  },
})

export const getInboundRoute = endpoint({
  route: "GET /v1/projects/{projectId}/inbound-routes/{routeId}",
  operationId: "getInboundRoute",
  summary: "Get inbound route",
  description: "With the MX record that its domain needs, and what is published now.",
  ...reading,
  path,
  answers: [200, InboundRoute],
  problems: [projectMissing, routeMissing],

  async run(scope, { path: { routeId } }, io) {
    const found = await routes.findRoute(scope, routeId)
    if (!found) throw routeMissing()
    return shownRoute(found, io)
  },
})

export const updateInboundRoute = endpoint({
  route: "PATCH /v1/projects/{projectId}/inbound-routes/{routeId}",
  operationId: "updateInboundRoute",
  summary: "Update inbound route",
  description: "Omitted fields are unchanged. The listener follows within a second.",
  ...writing,
  path,
  body: InboundRouteChange,
  answers: [200, InboundRoute],
  problems: [requestInvalid, projectMissing, routeMissing, routeTaken],
  example: { body: { keepDays: 90 } },

  async run(scope, { path: { routeId }, body: { match, webhookId, keepDays } }, io) {
    if (webhookId !== null) await checkWebhook(scope, webhookId)
    const changed = await routes.changeRoute(scope, routeId, {
      ...(match !== undefined && { pattern: match.toLowerCase() }),
      ...(webhookId !== undefined && { webhookId }),
      ...(keepDays !== undefined && { keepDays }),
    })
    if (changed === "taken") throw routeTaken()
    if (!changed) throw routeMissing()
    return shownRoute(changed, io)
  },
})

export const deleteInboundRoute = endpoint({
  route: "DELETE /v1/projects/{projectId}/inbound-routes/{routeId}",
  operationId: "deleteInboundRoute",
  summary: "Delete inbound route",
  description:
    "Mail to the address is refused from then on. What it has received is kept for as long as the route said.",
  ...writing,
  path,
  answers: [204],
  problems: [projectMissing, routeMissing],

  async run(scope, { path: { routeId } }) {
    if (!(await routes.removeRoute(scope, routeId))) throw routeMissing()
  },
})

export const inboundRouteOperations = [
  ...([listInboundRoutes, createInboundRoute, getInboundRoute, updateInboundRoute, deleteInboundRoute] as const),
] as const

/** @throws requestInvalid if the webhook is another project's, or would never get the event */
async function checkWebhook(scope: Scope, webhookId: string | undefined): Promise<void> {
  if (webhookId === undefined) return
  const webhook = await findWebhook(scope, webhookId)
  const detail = !webhook
    ? "Names no webhook of this project."
    : webhook.events.includes(receivedEvent)
      ? null
      : `The webhook is not subscribed to ${receivedEvent}.`
  if (detail) throw fieldsInvalid([{ pointer: "/webhookId", detail }])
}

/** @throws requestInvalid unless the name is a verified domain of the project or below one */
async function placeIn(scope: Scope, text: string): Promise<{ domainId: string; domain: string }> {
  const name = hostname(text)
  const domain = name.ok ? name.ascii : ""
  const found = (await routes.routableDomains(scope))
    .filter((one) => domain === one.name || domain.endsWith(`.${one.name}`))
    .sort((one, other) => other.name.length - one.name.length)
  const [registration] = found
  if (registration) return { domainId: registration.id, domain }
  const detail = "Must be a verified domain of this project, or a name below one."
  throw fieldsInvalid([{ pointer: "/domain", detail }])
}

function testPlace() {
  return { domainId: null, domain: env().serviceDomain }
}

const testCharsCount = 12

/** 62 random bits: nobody guesses the address. */
function testPattern(): string {
  const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"
  return `test-${Array.from({ length: testCharsCount }, () => alphabet[randomInt(alphabet.length)]).join("")}`
}

// The MX record

const lookupMaxMs = 2_000
const foundMax = 20

async function shownRoute(route: routes.StoredRoute, io: Io): Promise<InboundRoute> {
  const [shown] = await shownRoutes([route], io)
  if (!shown) throw routeMissing()
  return shown
}

/** Each domain is looked up once, all at the same time. */
async function shownRoutes(stored: routes.StoredRoute[], { dns }: Io): Promise<InboundRoute[]> {
  const limited = withinMs(dns, lookupMaxMs)
  const places = new Map(stored.map(({ domain, region }) => [domain, region]))
  const records = new Map(
    await Promise.all(
      [...places].map(async ([domain, region]) => {
        const value = region && feedbackHost(region, env())
        return [domain, value ? await mxOf(domain, value) : undefined] as const
      }),
    ),
  )
  return stored.map(({ domainId: _, region: __, ...route }) => ({ ...route, mx: records.get(route.domain) }))

  async function mxOf(name: string, value: string): Promise<InboundMx> {
    const answer = await limited.mx(name)
    const found = answer.kind === "found" ? answer.values.map(({ exchange }) => exchange).slice(0, foundMax) : []
    return { name, value, priority: mailFromPriority, state: stateOf(answer.kind, found, value), found }
  }
}

function stateOf(kind: "found" | "missing" | "error", found: readonly string[], value: string): InboundMx["state"] {
  if (kind === "error") return "unknown"
  if (found.some((host) => host.toLowerCase() === value)) return "published"
  return found.length > 0 ? "elsewhere" : "missing"
}
