import { z } from "zod"
import { allowSession, type Permission, permissionsOf } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { findByName, FoundByNameList } from "@/lib/search/data"
import { type FoundKind, foundKinds } from "@/lib/search/rules"

/** What lists each kind. */
const needs: Record<FoundKind, Permission> = {
  topic: "contacts:read",
  segment: "contacts:read",
  template: "emails:read",
  broadcast: "emails:read",
  api_key: "usage:read",
  webhook: "webhooks:read",
}

export const findNamed = endpoint({
  route: "GET /v1/projects/{projectId}/search",
  operationId: "findNamed",
  tag: "Projects",
  summary: "Find by name",
  description:
    "Topics, segments, templates, broadcasts, API keys and webhooks whose name has the text, at most five of each kind, the newest first; a key also by its start, a webhook by its URL. Kinds that the caller may not list are left out. For signed-in users.",
  access: allowSession("projects:read"),
  bucket: null,
  query: { text: z.string().trim().min(2).max(100).describe("Part of the name, in upper or lower case.") },
  answers: [200, FoundByNameList],
  problems: [requestInvalid, projectMissing],
  additive: true,
  example: { query: { text: "news" } },

  async run(scope, { query: { text } }) {
    return { data: await findByName(scope, text, kindsFor(scope)) }
  },
})

function kindsFor({ principal, organization }: Scope): FoundKind[] {
  const held =
    principal.kind === "key"
      ? principal.permissions
      : new Set<string>(permissionsOf(principal.roles.get(organization.id)))
  return foundKinds.filter((kind) => held.has(needs[kind]))
}
