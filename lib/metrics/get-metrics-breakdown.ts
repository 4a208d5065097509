import { z } from "zod"
import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { sumSlices, type SliceSum } from "@/lib/metrics/bucket-sql"
import { providerName, reportsComplaints } from "@/lib/metrics/provider-rules"
import { requestedWindow } from "@/lib/metrics/requested-window"
import { figuresOf, noCounts } from "@/lib/metrics/rules"
import { compareQuery, MetricsBreakdown, projectQuery, windowQuery } from "@/lib/metrics/schema"
import { breakdownRowsMax, breakdowns, type Breakdown } from "@/lib/metrics/slice-rules"
import { windowBefore } from "@/lib/metrics/window-rules"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"
import { topicNames } from "@/lib/topics/data"

export const getMetricsBreakdown = endpoint({
  route: "GET /v1/metrics/breakdown",
  operationId: "getMetricsBreakdown",
  tag: "Metrics",
  summary: "Metrics by domain, provider, topic or tag",
  description: `The figures of a window by sending domain, mailbox provider, topic or tag: the ${breakdownRowsMax} with the most email, and the sum
of the others. Domains and providers add up to the project's summary. Email without a topic or tag is in none of these rows, and of an
email with several tags the first ten in alphabetical order count. A day keeps the first 200 keys of each kind; what
comes after them that day is counted under the others. Gmail, Outlook, Yahoo, iCloud and GMX are recognized by the domain of the address; every
other provider is the recipient's domain.`,
  access: allow("emails:send", "emails:read", "metrics:read"),
  bucket: buckets.metrics,
  query: {
    by: z.enum(breakdowns).describe("What to break down by."),
    ...windowQuery,
    compare: compareQuery,
    projectId: projectQuery,
  },
  answers: [200, MetricsBreakdown],
  problems: [requestInvalid],
  additive: true,

  async run(scope, { query }, { clock }) {
    const { by } = query
    const window = requestedWindow(query, clock.now())
    const sums = await sumSlices(scope, by, window, { top: breakdownRowsMax })
    const among = sums.flatMap(({ key }) => key ?? [])
    const earlier = query.compare ? await sumSlices(scope, by, windowBefore(window), { top: 0, among }) : null
    const names = await namesOf(scope, by, among)
    const before = (key: string | null) =>
      earlier ? { previous: figuresOf(countsOf(earlier.find((sum) => sum.key === key))) } : {}
    const other = sums.find(({ key }) => key === null)
    return {
      projectId: scope.project.id,
      window,
      by,
      data: sums.flatMap((sum) => {
        if (sum.key === null) return []
        const reports = by === "provider" ? reportsComplaints(sum.key) : undefined
        return {
          key: by === "topic" ? encodeId("top", sum.key) : sum.key,
          name: names(sum.key),
          ...figuresOf(countsOf(sum)),
          ...(reports === undefined ? {} : { reportsComplaints: reports }),
          ...before(sum.key),
        }
      }),
      ...(other ? { other: { keys: other.keys, ...figuresOf(countsOf(other)), ...before(null) } } : {}),
    }
  },
})

function countsOf(sum: SliceSum | undefined) {
  if (!sum) return noCounts()
  const { key: _key, keys: _keys, ...counts } = sum
  return counts
}

async function namesOf(scope: Scope, by: Breakdown, keys: readonly string[]): Promise<(key: string) => string> {
  if (by === "provider") return providerName
  if (by !== "topic") return (key) => key
  const names = await topicNames(scope, keys)
  return (key) => names.get(key) ?? "Deleted topic"
}
