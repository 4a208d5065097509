import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { RecentEvents } from "@/lib/stream/schema"
import { findRecentEvents } from "@/lib/stream/store"

const recentMax = 50

export const listRecentEvents = endpoint({
  route: "GET /v1/projects/{projectId}/events",
  operationId: "listRecentEvents",
  tag: "Emails",
  summary: "List recent events",
  description: `The newest ${recentMax} events that the stream would have carried, oldest first. A stream opened with \`after\` set to the \`id\` of the last one goes on from there without a gap.`,
  access: allow("emails:read"),
  bucket: null,
  answers: [200, RecentEvents],
  problems: [projectMissing],
  additive: true,

  run: async (scope) => ({ data: await findRecentEvents(scope, recentMax) }),
})
