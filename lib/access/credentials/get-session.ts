import { findSessionDetails } from "@/lib/access/credentials/session-sql"
import { allowPerson } from "@/lib/access/permissions"
import { credentialsInvalid, sessionRequired } from "@/lib/access/problems"
import { currentPasswordNeeded } from "@/lib/access/rules"
import { Session } from "@/lib/access/credentials/schema"
import { organizationEndpoint } from "@/lib/platform/http/endpoint"
import { removalOf } from "@/lib/platform/database/deleted-projects"
import { present } from "@/lib/platform/schema"
import type { SessionPrincipal } from "@/lib/platform/http/scope"

export const getSession = organizationEndpoint({
  route: "GET /v1/session",
  operationId: "getSession",
  tag: "Session",
  summary: "Get session",
  description: "The signed-in user with their organizations, roles and projects.",
  access: allowPerson(),
  bucket: null,
  answers: [200, Session],
  problems: [sessionRequired, credentialsInvalid],
  additive: true,

  async run({ principal }, _, io) {
    if (principal.kind === "key") throw sessionRequired()
    return sessionAt(principal, io.clock.now())
  },
})

/** The signed-in user as the API shows them. @throws credentialsInvalid when the session has ended meanwhile */
export async function sessionAt({ sessionId, userId, email, operator }: SessionPrincipal, now: Date): Promise<Session> {
  const details = await findSessionDetails(sessionId)
  if (!details) throw credentialsInvalid()
  return {
    user: { id: userId, email, name: present(details.name), operator },
    organizations: details.organizations.map(({ projects, deletedProjects, ...organization }) => ({
      ...organization,
      projects: projects.map(({ suspensionReason, ...project }) => ({
        ...project,
        suspensionReason: present(suspensionReason),
      })),
      deletedProjects: deletedProjects.map(({ deletedAt, ...project }) => ({
        ...project,
        removedAt: removalOf(new Date(deletedAt)),
      })),
    })),
    createdAt: details.createdAt,
    expiresAt: details.expiresAt,
    currentPasswordNeeded: currentPasswordNeeded(details, now),
    hasPassword: details.hasPassword,
  }
}
