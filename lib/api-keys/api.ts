import { z } from "zod"
import { mustBeConfirmed } from "@/lib/access/credentials/session"
import { mintKey } from "@/lib/access/credentials/keys"
import { buckets } from "@/lib/access/limits/data"
import { allow, allowKey, allowSession, grantable } from "@/lib/access/permissions"
import {
  confirmationRequired,
  keyRequired,
  permissionMissing,
  projectMissing,
  sessionRequired,
} from "@/lib/access/problems"
import * as keys from "@/lib/api-keys/data"
import {
  domainsOfKey,
  extendOverlap,
  findKey,
  ownDomains,
  permissionsOfKey,
  rotateKey,
  setRestrictions,
  setPermissions,
} from "@/lib/api-keys/data"
import { beyond, expiryOf, restrictionsOf } from "@/lib/api-keys/rules"
import {
  alreadyRotated,
  ApiKey,
  ApiKeyChange,
  ApiKeyList,
  CreatedApiKey,
  keyMissing,
  NewApiKey,
  Rotation,
} from "@/lib/api-keys/schema"
import { env } from "@/lib/platform/env/env"
import { endpoint } from "@/lib/platform/http/endpoint"
import { fieldsInvalid, requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { id, timestamp } from "@/lib/platform/schema"
import { limitReached, reached } from "@/lib/projects/schema"

export const listApiKeys = endpoint({
  route: "GET /v1/projects/{projectId}/api-keys",
  operationId: "listApiKeys",
  tag: "API key usage",
  summary: "List API keys",
  description:
    "Every key of the project, newest first, including revoked and expired ones. The secrets are never shown again.",
  access: allow("usage:read"),
  bucket: null,
  answers: [200, ApiKeyList],
  problems: [],

  async run(scope) {
    return { data: await keys.listKeys(scope) }
  },
})

export const createApiKey = endpoint({
  route: "POST /v1/projects/{projectId}/api-keys",
  operationId: "createApiKey",
  tag: "API key usage",
  summary: "Create API key",
  description:
    "For signed-in users. The response is the only place that shows the key: only its SHA-256 is stored. You cannot give a key permissions that you do not have. You must have signed in or confirmed your password within the last 15 minutes.",
  access: allowSession("projects:write"),
  bucket: null,
  body: NewApiKey,
  answers: [201, CreatedApiKey],
  location: "/v1/projects/{projectId}/api-keys/{id}",
  problems: [requestInvalid, permissionMissing, sessionRequired, confirmationRequired, limitReached, projectMissing],
  additive: true,
  example: { body: { name: "Checkout", permissions: ["emails:send", "emails:read"] } },

  async run(scope, { body }, io) {
    const { principal } = scope
    if (principal.kind === "key") throw sessionRequired()
    const wanted = [...new Set(body.permissions)]
    const excess = beyond(grantable(principal.roles.get(scope.organization.id)), wanted)
    if (excess.length) throw permissionMissing(`You cannot give what you may not do yourself: ${excess.join(", ")}.`)
    await mustBeConfirmed(principal, io.clock)

    const secret = mintKey(io.random, env().cell)
    const expiresAt = expiryOf(body.expiresInDays, io.clock.now())
    const limits = restrictionsOf(body)
    await checkDomains(scope, body.allowedDomains)
    const by = { createdBy: principal.userId, ...(expiresAt && { expiresAt }) }
    const issue = { name: body.name, permissions: wanted, ...limits, ...by }
    const key = await keys.issueKey(scope, issue, secret)
    if ("limit" in key) throw reached("maxApiKeys", key.limit)
    return { ...key, apiKey: secret.secret }
  },
})

export const getApiKey = endpoint({
  route: "GET /v1/projects/{projectId}/api-keys/{keyId}",
  operationId: "getApiKey",
  tag: "API key usage",
  summary: "Get API key",
  description:
    "One key with its permissions and last use. The secret is shown only when the key is created or rotated.",
  access: allow("usage:read"),
  bucket: null,
  path: { keyId: { prefix: "key", missing: keyMissing } },
  answers: [200, ApiKey],
  problems: [projectMissing, keyMissing],

  async run(scope, { path }) {
    const key = await keys.findKey(scope, path.keyId)
    if (!key) throw keyMissing()
    return key
  },
})

const OwnApiKey = z
  .strictObject({
    keyId: id("key"),
    name: z.string().optional(),
    projectId: id("proj").describe("For the `{projectId}` in the paths of other operations."),
    region: z.string().describe("The project's home region."),
    permissions: z.array(z.string()).describe("Such as `emails:send`."),
    expiresAt: timestamp.optional().describe("Absent if the key does not expire."),
  })
  .meta({ id: "OwnApiKey" })

export const getOwnApiKey = endpoint({
  route: "GET /v1/key",
  operationId: "getOwnApiKey",
  tag: "API key usage",
  summary: "Get the calling API key",
  description: "The API key of this request: its project, whose id most operations need, and what it may do.",
  access: allowKey(),
  bucket: buckets.projects,
  answers: [200, OwnApiKey],
  problems: [keyMissing, keyRequired],
  additive: true,

  async run(scope) {
    const { principal, project } = scope
    if (principal.kind !== "key") throw keyRequired()
    const key = await findKey(scope, principal.keyId)
    // Revoked and removed a moment ago.
    if (!key) throw keyMissing()
    const permissions = [...principal.permissions]
    const { name, expiresAt } = key
    return { keyId: key.id, name, projectId: project.id, region: project.region, permissions, expiresAt }
  },
})

export const updateApiKey = endpoint({
  route: "PATCH /v1/projects/{projectId}/api-keys/{keyId}",
  operationId: "updateApiKey",
  tag: "API key usage",
  summary: "Change API key",
  description:
    "For signed-in users. Replaces the permissions of an active key or its restrictions, or extends the time that a rotated key works; takes effect within a second. You cannot give a key permissions that you do not have. To add permissions or time, or to change a restriction, you must have signed in or confirmed your password within the last 15 minutes.",
  access: allowSession("projects:write"),
  bucket: null,
  path: { keyId: { prefix: "key", missing: keyMissing } },
  body: ApiKeyChange,
  answers: [200, ApiKey],
  problems: [requestInvalid, permissionMissing, sessionRequired, confirmationRequired, projectMissing, keyMissing],
  additive: true,
  example: { body: { permissions: ["emails:send"] } },

  async run(scope, { path: { keyId }, body }, io) {
    const { principal } = scope
    if (principal.kind === "key") throw sessionRequired()
    const granted = await permissionsOfKey(scope, keyId)
    if (!granted) throw keyMissing()
    const wanted = body.permissions && [...new Set(body.permissions)]
    const added = (wanted ?? []).filter((permission) => !granted.includes(permission))
    const excess = beyond(grantable(principal.roles.get(scope.organization.id)), added)
    if (excess.length) throw permissionMissing(`You cannot give what you may not do yourself: ${excess.join(", ")}.`)
    const limits = restrictionsOf(body)
    const restricts = Object.keys(limits).length > 0
    if (added.length || body.overlapHours || restricts) await mustBeConfirmed(principal, io.clock)
    await checkDomains(scope, body.allowedDomains, keyId)

    if (body.overlapHours) {
      const end = await extendOverlap(scope, keyId, body.overlapHours)
      if (end !== "extended") throw invalidOverlap(refusals[end])
    }
    if (wanted && !(await setPermissions(scope, keyId, { wanted, addable: added }))) throw keyMissing()
    if (restricts && !(await setRestrictions(scope, keyId, limits))) throw keyMissing()
    const key = await findKey(scope, keyId)
    if (!key) throw keyMissing()
    return key
  },
})

const refusals = {
  "not rotated": "This key was not rotated, so there is no overlap to extend.",
  "not longer": "The key goes on working for as long already, or until the end that it was made for.",
}

const noDomains: readonly string[] = []

/** A key may keep a domain that the project has deleted. @throws requestInvalid */
async function checkDomains(scope: Scope, wanted: readonly string[] | null | undefined, keyId?: string): Promise<void> {
  if (!wanted) return
  const [own, kept] = await Promise.all([ownDomains(scope, wanted), keyId ? domainsOfKey(scope, keyId) : noDomains])
  const errors = wanted.flatMap((name, index) =>
    own.has(name) || kept.includes(name)
      ? []
      : [{ pointer: `/allowedDomains/${index}`, detail: `${name} is not a domain of this project.` }],
  )
  if (errors.length) throw fieldsInvalid(errors)
}

function invalidOverlap(detail: string) {
  return requestInvalid(detail, { errors: [{ pointer: "/overlapHours", detail }] })
}

export const rotateApiKey = endpoint({
  route: "POST /v1/projects/{projectId}/api-keys/{keyId}/rotate",
  operationId: "rotateApiKey",
  tag: "API key usage",
  summary: "Rotate API key",
  description:
    "For signed-in users. Returns a new key with the name, permissions, restrictions and lifetime of the old one. The old key continues to work for `overlapHours`, so that you can update your programs one by one, and is refused after that. A key whose replacement still works cannot be rotated again.",
  access: allowSession("projects:write"),
  bucket: null,
  path: { keyId: { prefix: "key", missing: keyMissing } },
  body: Rotation,
  answers: [201, CreatedApiKey],
  location: "/v1/projects/{projectId}/api-keys/{id}",
  problems: [
    requestInvalid,
    permissionMissing,
    sessionRequired,
    confirmationRequired,
    limitReached,
    projectMissing,
    keyMissing,
    alreadyRotated,
  ],
  additive: true,
  example: { body: { overlapHours: 24 } },

  async run(scope, { path, body }, io) {
    const { principal } = scope
    if (principal.kind === "key") throw sessionRequired()
    await mustBeConfirmed(principal, io.clock)
    const secret = mintKey(io.random, env().cell)
    const held = grantable(principal.roles.get(scope.organization.id))
    const plan = { keyId: path.keyId, overlapHours: body.overlapHours, held, by: principal.userId }
    const rotated = await rotateKey(scope, plan, secret)
    if (!rotated) throw keyMissing()
    if ("successor" in rotated)
      throw alreadyRotated(
        `The key ${rotated.successor} replaces this one and still works. Rotate that key instead, or revoke it first.`,
      )
    if ("limit" in rotated) throw reached("maxApiKeys", rotated.limit)
    if ("excess" in rotated)
      throw permissionMissing(`You cannot give what you may not do yourself: ${rotated.excess.join(", ")}.`)
    return { ...rotated, apiKey: secret.secret }
  },
})

export const revokeApiKey = endpoint({
  route: "DELETE /v1/projects/{projectId}/api-keys/{keyId}",
  operationId: "revokeApiKey",
  tag: "API key usage",
  summary: "Revoke API key",
  description: "For signed-in users. Requests with the key are refused within a second; its usage stays readable.",
  access: allowSession("projects:write"),
  bucket: null,
  path: { keyId: { prefix: "key", missing: keyMissing } },
  answers: [204],
  problems: [projectMissing, keyMissing],
  additive: true,

  async run(scope, { path }) {
    if (!(await keys.revokeKey(scope, path.keyId))) throw keyMissing()
  },
})

export const apiKeyOperations = [
  listApiKeys,
  createApiKey,
  getApiKey,
  getOwnApiKey,
  updateApiKey,
  rotateApiKey,
  revokeApiKey,
] as const
