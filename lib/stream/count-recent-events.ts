import { formatNumber } from "@/lib/platform/format"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { endpoint } from "@/lib/platform/http/endpoint"
import { countedMax, countEventsSince } from "@/lib/stream/count-sql"
import { hourBefore } from "@/lib/stream/rules"
import { RecentEventCounts } from "@/lib/stream/schema"

export const countRecentEvents = endpoint({
  route: "GET /v1/projects/{projectId}/events/counts",
  operationId: "countRecentEvents",
  tag: "Emails",
  summary: "Count recent events",
  description: `How many events of each type the stream has carried in each two minutes of the last hour. At most the newest ${formatNumber(countedMax)} events of the project are read; if the hour has more, \`since\` is the time from which all of them are counted.`,
  access: allow("emails:read"),
  bucket: null,
  answers: [200, RecentEventCounts],
  problems: [projectMissing],
  additive: true,

  async run(scope) {
    const until = await databaseTime()
    return { until, ...(await countEventsSince(scope, hourBefore(until))) }
  },
})
