import { z } from "zod"
import { buckets } from "@/lib/access/limits/bucket-table"
import { allowKey } from "@/lib/access/permissions"
import { keyRequired } from "@/lib/access/problems"
import { keyMissing } from "@/lib/api-keys/problems"
import { findKey } from "@/lib/api-keys/store"
import { endpoint } from "@/lib/platform/http/endpoint"
import { id, timestamp } from "@/lib/platform/schema"

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
