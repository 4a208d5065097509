import { addPersonAudit } from "@/lib/access/audit/data"
import type { AuditAction } from "@/lib/access/audit/rules"
import { allow, allowOperator } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import {
  findDestination,
  findDestinations,
  findWaitingDestinations,
  limitDestination,
  pauseDestination,
  resumeDestination,
  tryDestination,
} from "@/lib/delivery/destinations/data"
import {
  DestinationAction,
  DestinationChange,
  DestinationDetail,
  DestinationPage,
  WaitingDestinationList,
} from "@/lib/delivery/destinations/schema"
import { endpoint, organizationEndpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import { problem } from "@/lib/platform/http/problem"
import { pathNotFound } from "@/lib/platform/http/problems"
import type { OrganizationScope } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"
import { announceWork } from "@/lib/platform/jobs/notifications"
import { regionNames } from "@/lib/regions/regions"
import { z } from "zod"

const destinationMissing = problem(
  "destination.not_found",
  404,
  "Destination not found",
  "No destination has this number. Those that have needed no queue of their own for a day are removed.",
)
const notPaused = problem(
  "destination.not_paused",
  409,
  "Destination not paused",
  "The destination is not paused, so there is no pause to end by a try.",
)

const shared = { tag: "Operator", access: allowOperator(), bucket: null, additive: true } as const
const onlyForOperators = "For who runs the installation; to everybody else nothing lives here."

export const listDestinations = organizationEndpoint({
  ...shared,
  route: "GET /v1/operator/destinations",
  operationId: "listDestinations",
  summary: "List the destinations",
  description: `The groups of mail servers that have a queue of their own, in regions that send directly: mailbox providers, and servers that are away, have asked us to
slow down, or take much email. Those that are paused or slowed are first, the latest first. ${onlyForOperators}`,
  query: { ...pageQuery(), region: z.enum(regionNames).optional().describe("Of this region alone.") },
  answers: [200, DestinationPage],
  problems: [pathNotFound],

  async run(_, { query }) {
    const { data, total } = await findDestinations(query, query.region)
    return page(query, data, total)
  },
})

export const getDestination = organizationEndpoint({
  ...shared,
  route: "GET /v1/operator/destinations/{destinationId}",
  operationId: "getDestination",
  summary: "Get a destination",
  description: `One destination with its mail servers, what they were seen to allow, what they reply, and whose email waits. ${onlyForOperators}`,
  answers: [200, DestinationDetail],
  problems: [destinationMissing, pathNotFound],

  run: (_, { path: { destinationId } }) => read(numberOf(destinationId)),
})

export const updateDestination = organizationEndpoint({
  ...shared,
  route: "PATCH /v1/operator/destinations/{destinationId}",
  operationId: "updateDestination",
  summary: "Set the limits of a destination",
  description: `Connections and emails a connection, in place of the usual ones of the provider. What the servers were seen to allow holds below them. The
worker takes them over within 5 s. ${onlyForOperators}`,
  body: DestinationChange,
  answers: [200, DestinationDetail],
  problems: [destinationMissing, pathNotFound],

  async run(scope, { path: { destinationId }, body }) {
    const id = numberOf(destinationId)
    if (!(await limitDestination(id, body))) throw destinationMissing()
    const changed = await read(id)
    await audit(scope, "destination.limited", changed, { ...body })
    announceWork()
    return changed
  },
})

export const controlDestination = organizationEndpoint({
  ...shared,
  route: "POST /v1/operator/destinations/{destinationId}/actions",
  operationId: "controlDestination",
  summary: "Pause, resume or try a destination",
  description: `Takes effect within 5 s. Email that waits at a paused destination is charged no attempt, and expires 72 hours after it was accepted as all email does. ${onlyForOperators}`,
  body: DestinationAction,
  answers: [200, DestinationDetail],
  problems: [destinationMissing, notPaused, pathNotFound],

  async run(scope, { path: { destinationId }, body: { action } }) {
    const id = numberOf(destinationId)
    const act = { pause: pauseDestination, resume: resumeDestination, try: tryDestination }[action]
    const before = await read(id)
    if (!(await act(id))) throw action === "try" && before.pause === undefined ? notPaused() : destinationMissing()
    await audit(scope, `destination.${pastOf[action]}`, before)
    announceWork()
    return read(id)
  },
})

export const listWaitingDestinations = endpoint({
  tag: "Projects",
  access: allow("emails:read"),
  bucket: null,
  additive: true,
  route: "GET /v1/projects/{projectId}/waiting-destinations",
  operationId: "listWaitingDestinations",
  summary: "List where the project's email waits",
  description:
    "The mail servers that are paused or slowed and for which email of the project waits, at most 50, the latest first. Empty where email leaves through a relay.",
  answers: [200, WaitingDestinationList],
  problems: [projectMissing],

  async run(scope) {
    return { data: await findWaitingDestinations(scope) }
  },
})

export const destinationOperations = [listDestinations, getDestination, updateDestination, controlDestination] as const

const pastOf = { pause: "paused", resume: "resumed", try: "tried" } as const

async function read(id: number): Promise<DestinationDetail> {
  const found = await findDestination(id)
  if (!found) throw destinationMissing()
  return found
}

function numberOf(text: string): number {
  const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : null
  if (number === null) throw destinationMissing()
  return number
}

/** In the log of every organization of the operator. */
async function audit(
  { organizationIds, principal, request }: OrganizationScope,
  action: AuditAction,
  { name, region }: Pick<DestinationDetail, "name" | "region">,
  limits: Record<string, unknown> = {},
) {
  if (principal.kind !== "session") return
  const by = { userId: principal.userId, ip: request.ip, requestId: encodeId("req", request.id) }
  for (const organizationId of organizationIds)
    await addPersonAudit({ organizationId, ...by }, { action, name, changes: { region, ...limits } })
}
