import { membershipsOf, sessionDetails } from "@/lib/access/people-store"
import { allowPerson } from "@/lib/access/permissions"
import { credentialsInvalid, sessionRequired } from "@/lib/access/problems"
import { currentPasswordNeeded } from "@/lib/access/rules"
import { Session } from "@/lib/access/schema"
import { organizationEndpoint } from "@/lib/platform/endpoint"
import { present } from "@/lib/platform/schema"

export const getSession = organizationEndpoint({
  route: "GET /v1/session",
  operationId: "getSession",
  tag: "Session",
  summary: "Get session",
  description: "Who is signed in, with their organizations, roles and projects.",
  access: allowPerson(),
  bucket: null,
  answers: [200, Session],
  problems: [sessionRequired, credentialsInvalid],
  additive: true,

  async run({ principal }, _, io) {
    if (principal.kind === "key") throw sessionRequired()
    const [details, memberships] = await Promise.all([sessionDetails(principal.sessionId), membershipsOf(principal.userId)])
    if (!details) throw credentialsInvalid()
    return {
      user: { id: principal.userId, email: principal.email, name: present(principal.name) },
      organizations: memberships.map(({ organizationId, organization, role, projects }) => ({
        id: organizationId,
        name: organization,
        role,
        projects,
      })),
      createdAt: details.createdAt,
      expiresAt: details.expiresAt,
      currentPasswordNeeded: currentPasswordNeeded(details, io.clock.now()),
      hasPassword: details.hasPassword,
    }
  },
})
