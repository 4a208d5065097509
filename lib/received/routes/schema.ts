import { z } from "zod"
import { hostname, hostnameMax } from "@/lib/addresses/hostname"
import { routePattern } from "@/lib/inbound/route-rules"
import { pageOf } from "@/lib/platform/http/paging"
import { problem } from "@/lib/platform/http/problem"
import { id, int32, ruledText, timestamp } from "@/lib/platform/schema"

export const routeMissing = problem(
  "inbound_route.not_found",
  404,
  "Inbound route not found",
  "The project has no inbound route with this id.",
)

export const routeTaken = problem(
  "inbound_route.already_exists",
  409,
  "Inbound route already exists",
  "Another inbound route takes mail to this address already.",
)

/** Nobody can raise it. */
export const routesMax = 100
const keepDaysMax = 365
const defaultKeepDays = 30

const matchForm = "Must be the part before the @, `prefix+*`, or `*` for all addresses of the domain."
const match = ruledText((text) => (routePattern(text) === null ? matchForm : null), 64).describe(
  "The part of the address before the @; `prefix+*` for all that begin with the prefix and a plus; `*` for all addresses of the domain. The address itself comes before the longest prefix, and that before `*`. Upper and lower case are alike.",
)

const domain = ruledText((text) => {
  const name = hostname(text)
  return name.ok ? null : `This name ${name.reason}`
}, hostnameMax).describe("A verified domain of the project, or a name below one.")

const keepDays = int32
  .min(1)
  .max(keepDaysMax)
  .describe(`Days for which email is kept, 1 to ${keepDaysMax}. A change holds for email that arrives later.`)
const webhookId = id("whk").describe(
  "The webhook that gets `email.received`, which must be among its types. Without one, email is only kept.",
)

export const NewInboundRoute = z
  .strictObject({
    match: match.optional(),
    domain: domain
      .optional()
      .describe(
        "A verified domain of the project, or a name below one. Without `match` and `domain` the route is a test address of this service, which needs no DNS record.",
      ),
    webhookId: webhookId.optional(),
    keepDays: keepDays.default(defaultKeepDays),
  })
  .superRefine(({ match: given, domain: at }, context) => {
    if ((given === undefined) === (at === undefined)) return
    const path = given === undefined ? "match" : "domain"
    context.addIssue({ code: "custom", path: [path], message: "Give both match and domain, or neither." })
  })
  .meta({ id: "CreateInboundRouteBody" })
export type NewInboundRoute = z.output<typeof NewInboundRoute>

export const InboundRouteChange = z
  .strictObject({
    match: match.optional(),
    webhookId: webhookId.nullable().optional().describe("Null for none."),
    keepDays: keepDays.optional(),
  })
  .meta({ id: "UpdateInboundRouteBody" })
export type InboundRouteChange = z.output<typeof InboundRouteChange>

export const mxStates = ["published", "elsewhere", "missing", "unknown"] as const

const InboundMx = z
  .strictObject({
    name: z.string(),
    value: z.string(),
    priority: int32,
    state: z
      .enum(mxStates)
      .describe(
        "`published`: mail comes here. `elsewhere`: the domain's mail goes to the servers in `found`. `missing`: the domain has no MX record. `unknown`: the DNS did not answer in time.",
      ),
    found: z.array(z.string()).describe("The servers that are published now, at most 20."),
  })
  .meta({ id: "InboundMx" })
export type InboundMx = z.output<typeof InboundMx>

const resource = {
  id: id("inr"),
  projectId: id("proj"),
  match: z.string(),
  domain: z.string(),
  address: z.string().describe("`match` and `domain` together."),
  webhookId: id("whk").optional(),
  keepDays: int32,
  test: z.boolean().describe("Whether it is a test address of this service."),
  mx: InboundMx.optional().describe("The record that brings the domain's mail here; a test address needs none."),
  lastReceivedAt: timestamp.optional(),
  createdAt: timestamp,
  updatedAt: timestamp,
}

export const InboundRoute = z.strictObject(resource).meta({ id: "InboundRoute" })
export type InboundRoute = z.output<typeof InboundRoute>

export const InboundRoutePage = pageOf(InboundRoute)
