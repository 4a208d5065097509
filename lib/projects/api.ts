import { z } from "zod"
import { hashPassword } from "@/lib/access/credentials/passwords"
import { buckets } from "@/lib/access/limits/data"
import { allow, allowRoles, allowSession } from "@/lib/access/permissions"
import { projectMissing, sessionRequired } from "@/lib/access/problems"
import { personAddress } from "@/lib/addresses/address"
import { sha256 } from "@/lib/platform/crypto"
import { endpoint, organizationEndpoint, publicEndpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import { requestInvalid } from "@/lib/platform/http/problems"
import { encodeId } from "@/lib/platform/ids"
import type { Region } from "@/lib/regions/regions"
import { regionSettings } from "@/lib/regions/settings"
import * as projects from "@/lib/projects/data"
import * as lifecycle from "@/lib/projects/data"
import { createInOrganization as create } from "@/lib/projects/data"
import { setUpIsOpen, setUpOnce } from "@/lib/projects/installation/store"
import { noticeTargetOperations } from "@/lib/projects/notices/api"
import { forecastOf } from "@/lib/projects/rules"
import { limitsOf, quotaNow, storageOf, usedOf } from "@/lib/projects/quota/data"
import {
  limitReached,
  NewProject,
  Project,
  ProjectChange,
  ProjectPage,
  ProjectSettings,
  ProjectSuspension,
  setUpClosed,
  slugTaken,
} from "@/lib/projects/schema"
import { SetUp, SetUpDone } from "@/lib/projects/set-up-schema"

export const listProjects = organizationEndpoint({
  route: "GET /v1/projects",
  operationId: "listProjects",
  tag: "Projects",
  summary: "List projects",
  description:
    "All projects of the organization, newest first. A signed-in user sees those of all their organizations.",
  access: allow("projects:read"),
  bucket: buckets.projects,
  query: pageQuery(),
  answers: [200, ProjectPage],
  problems: [],

  async run(scope, { query }) {
    const { data, total } = await projects.readProjects(scope, query)
    return page(query, data, total)
  },
})

export const createProject = organizationEndpoint({
  route: "POST /v1/projects",
  operationId: "createProject",
  tag: "Projects",
  summary: "Create project",
  description:
    "For signed-in owners and admins. The project starts with the default limits; its home region is permanent. An organization has at most 100 projects unless the operator raises that.",
  access: allowSession("projects:write", "owner", "admin"),
  bucket: null,
  body: NewProject,
  answers: [201, Project],
  location: "/v1/projects/{id}",
  problems: [requestInvalid, sessionRequired, limitReached, slugTaken],
  additive: true,
  example: { body: { name: "Shop", slug: "shop", region: "eu-west-1" } },

  async run(scope, { body }) {
    if (scope.principal.kind === "key") throw sessionRequired()
    const { organizationId = only(scope.organizationIds), ...project } = body
    if (!organizationId || !scope.organizationIds.includes(organizationId)) {
      throw requestInvalid(undefined, {
        errors: [{ pointer: "/organizationId", detail: "Must be an organization of which you are owner or admin." }],
      })
    }
    const created = await create(scope, scope.principal, { organizationId, ...project })
    if (!created)
      throw slugTaken(undefined, { errors: [{ pointer: "/slug", detail: "Another project has this slug." }] })
    return created
  },
})

function only(ids: readonly string[]): string | undefined {
  return ids.length === 1 ? ids[0] : undefined
}

export const getProject = endpoint({
  route: "GET /v1/projects/{projectId}",
  operationId: "getProject",
  tag: "Projects",
  summary: "Get project",
  description: "One project with its limits and default tracking settings.",
  access: allow("projects:read"),
  bucket: buckets.projects,
  answers: [200, Project],
  problems: [projectMissing],

  async run(scope) {
    const project = await projects.findProject(scope)
    if (!project) throw projectMissing()
    return project
  },
})

export const updateProject = endpoint({
  route: "PATCH /v1/projects/{projectId}",
  operationId: "updateProject",
  tag: "Projects",
  summary: "Update project",
  description:
    "Omitted fields are unchanged; `limits` and `trackingSettings` are replaced as a whole, `branding` (additive) field by field. A limit can be lowered, and raised up to the operator's ceiling. The home region is permanent. A signed-in user needs the role owner or admin.",
  access: allowRoles("projects:write", "owner", "admin"),
  bucket: buckets.projects,
  body: ProjectChange,
  answers: [200, Project],
  problems: [requestInvalid, slugTaken, projectMissing],
  example: { body: { name: "Shop" } },

  async run(scope, { body }) {
    const project = await projects.changeProject(scope, body)
    if (!project)
      throw slugTaken(undefined, { errors: [{ pointer: "/slug", detail: "Another project has this slug." }] })
    if ("faults" in project) throw requestInvalid("A limit is above its ceiling.", { errors: project.faults })
    return project
  },
})

export const deleteProject = endpoint({
  route: "DELETE /v1/projects/{projectId}",
  operationId: "deleteProject",
  tag: "Projects",
  summary: "Delete project",
  description:
    "For signed-in owners, with the name of the project as confirmation. For 7 days, until `removedAt`, an owner can restore it; nobody else can open it. Its API keys are refused within a second and its streams end, nothing is sent, webhooks are not called and domains are not checked. Email that was accepted and is not sent yet is kept and continues after a restore, unless its deadline has passed. Then the project is removed with everything it owns, and its slug and domains are free again. The organization keeps its audit log.",
  access: allowSession("projects:write", "owner"),
  bucket: null,
  query: { name: z.string().max(100).describe("The name of the project, exactly, as confirmation.") },
  answers: [200, Project],
  problems: [requestInvalid, projectMissing, sessionRequired],
  additive: true,
  example: { query: { name: "Shop" } },

  async run(scope, { query }) {
    if (query.name.trim() !== scope.project.name)
      throw requestInvalid("The name is not the project's, so nothing was deleted.", {
        errors: [{ pointer: "query/name", detail: "Must be the name of the project, exactly." }],
      })
    const project = await lifecycle.markProjectDeleted(scope)
    if (!project) throw projectMissing()
    return project
  },
})

export const restoreProject = endpoint({
  route: "POST /v1/projects/{projectId}/restore",
  operationId: "restoreProject",
  tag: "Projects",
  summary: "Restore project",
  description:
    "For signed-in owners, within 7 days after the deletion. The project is as it was: its API keys work within a second, email that waited is sent unless its deadline has passed, a broadcast whose `scheduledAt` is more than 72 hours past is paused, and a suspension is still in force. Restoring a project that is not deleted changes nothing.",
  access: allowSession("projects:write", "owner"),
  bucket: null,
  answers: [200, Project],
  problems: [projectMissing, sessionRequired],
  additive: true,
  reachesDeleted: true,

  async run(scope) {
    const project = await lifecycle.restore(scope)
    if (!project) throw projectMissing()
    return project
  },
})

export const suspendProject = endpoint({
  route: "POST /v1/projects/{projectId}/suspend",
  operationId: "suspendProject",
  tag: "Projects",
  summary: "Suspend project",
  description:
    "For signed-in owners. From then on sends are refused with `project.suspended`, and queued and scheduled email waits; a delivery attempt that is already under way finishes. Everything else works: pages, reads and changes, webhooks, and the unsubscribe links of delivered email. Its tracked links answer 410 within seconds, and opens and clicks are not recorded. Suspending a suspended project changes nothing.",
  access: allowSession("projects:write", "owner"),
  bucket: null,
  strictQuery: true,
  body: ProjectSuspension,
  answers: [200, Project],
  problems: [requestInvalid, projectMissing, sessionRequired],
  additive: true,
  example: { body: { reason: "Our list of addresses is being checked." } },

  async run(scope, { body }) {
    const project = await lifecycle.suspend(scope, body.reason)
    if (!project) throw projectMissing()
    return project
  },
})

export const resumeProject = endpoint({
  route: "POST /v1/projects/{projectId}/resume",
  operationId: "resumeProject",
  tag: "Projects",
  summary: "Resume project",
  description:
    "For signed-in owners. Lifts a suspension: sends are accepted again, and what waited is sent, except email that has passed its deadline, which fails. Resuming an active project changes nothing.",
  access: allowSession("projects:write", "owner"),
  bucket: null,
  strictQuery: true,
  answers: [200, Project],
  problems: [projectMissing, sessionRequired],
  additive: true,

  async run(scope) {
    const project = await lifecycle.liftSuspension(scope)
    if (!project) throw projectMissing()
    return project
  },
})

export const getProjectSettings = endpoint({
  route: "GET /v1/projects/{projectId}/settings",
  operationId: "getProjectSettings",
  tag: "Projects",
  summary: "Get project settings",
  description:
    "The limits of a project with their ceilings and current use, when the daily allowance will be used up, how much it stores, and how its home region sends.",
  access: allow("projects:read"),
  bucket: buckets.projects,
  answers: [200, ProjectSettings],
  problems: [projectMissing],
  additive: true,

  async run(scope) {
    const [found, used, quota, storage] = await Promise.all([
      limitsOf(scope),
      usedOf(scope),
      quotaNow(scope),
      storageOf(scope),
    ])
    if (!found || !quota || !storage) throw projectMissing()
    const { limits, ceilings } = found
    const { region } = scope.project
    return {
      limits: {
        perSecondSends: { value: limits.perSecondSends, ceiling: ceilings.perSecondSends },
        dailySends: { value: limits.dailySends, ceiling: ceilings.dailySends, used: quota.used },
        maxRecipientsPerMessage: { value: limits.maxRecipientsPerMessage, ceiling: ceilings.maxRecipientsPerMessage },
        maxDomains: { value: limits.maxDomains, ceiling: ceilings.maxDomains, used: used.maxDomains },
        maxApiKeys: { value: limits.maxApiKeys, ceiling: ceilings.maxApiKeys, used: used.maxApiKeys },
        maxWebhooks: { value: limits.maxWebhooks, ceiling: ceilings.maxWebhooks, used: used.maxWebhooks },
      },
      today: forecastOf({ ...quota, limit: limits.dailySends }),
      burst: quota.burst,
      storage: { usedBytes: storage.usedBytes, limitBytes: storage.limitBytes },
      region,
      transport: regionSettings().profiles[region as Region]?.transport ?? "smtp",
      delivered: regionSettings().profiles[region as Region]?.delivered ?? "never",
    }
  },
})

export const setUp = publicEndpoint({
  route: "POST /v1/setup",
  operationId: "setUp",
  tag: "Session",
  summary: "First-run set-up",
  description:
    "Creates the owner, the organization and the first project, once, with the token from the link that the start command printed.",
  access: { credential: "none" },
  bucket: null,
  body: SetUp,
  answers: [201, SetUpDone],
  problems: [requestInvalid, setUpClosed],
  additive: true,
  example: {
    body: {
      token: "the token of the link",
      name: "Ada Lovelace",
      email: "ada@lovelace.example",
      password: "a long password",
      organization: "Acme",
      project: { name: "Shop", slug: "shop", region: "eu-west-1" },
    },
  },

  async run({ request }, { body }) {
    const tokenHash = sha256(body.token)
    if (!(await setUpIsOpen(tokenHash))) throw setUpClosed()
    const email = personAddress(body.email)
    if (!email)
      throw requestInvalid(undefined, { errors: [{ pointer: "/email", detail: "Must be an email address." }] })
    const { name, organization, project } = body
    const passwordHash = await hashPassword(body.password)
    const from = { ip: request.ip, requestId: encodeId("req", request.id) }
    const done = await setUpOnce(tokenHash, { email, name, passwordHash, organization, project }, from)
    if (!done) throw setUpClosed()
    return { organizationId: done.organizationId, projectId: done.projectId }
  },
})

export const projectOperations = [
  ...noticeTargetOperations,
  listProjects,
  createProject,
  getProject,
  updateProject,
  deleteProject,
  restoreProject,
  suspendProject,
  resumeProject,
  getProjectSettings,
] as const
