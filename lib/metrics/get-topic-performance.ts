import { z } from "zod"
import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { topicFiguresOf } from "@/lib/metrics/rules"
import { TopicPerformance } from "@/lib/metrics/schema"
import * as metrics from "@/lib/metrics/store"
import { windowLabels, windowOf } from "@/lib/metrics/window-rules"
import { endpoint } from "@/lib/platform/http/endpoint"
import { present } from "@/lib/platform/schema"
import { averageReadSeconds } from "@/lib/tracking/engagement-store"
import { topicMissing } from "@/lib/topics/schema"
import { findTopic } from "@/lib/topics/data"

export const getTopicPerformance = endpoint({
  route: "GET /v1/metrics/topics/{id}",
  operationId: "getTopicPerformance",
  tag: "Metrics",
  summary: "Topic engagement analytics",
  description: `Counts and rates of a topic's mail in a window, from the same hours as the project's summary: mail to \`top_…\`, and
mail with that \`topicId\`. Rates are fractions from 0 to 1, and 0 where there is nothing to divide by. Simulator and test mail is
not counted; opens and clicks are those of people.`,
  access: allow("emails:send", "emails:read", "metrics:read"),
  bucket: buckets.metrics,
  path: { id: { prefix: "top", missing: topicMissing } },
  query: {
    window: z.enum(windowLabels).default("30d").describe("Ends now and begins at a whole UTC hour."),
    projectId: z.string().optional().describe("For signed-in users. An API key always uses its own project."),
  },
  answers: [200, TopicPerformance],
  problems: [topicMissing],

  async run(scope, { path, query }, { clock }) {
    const now = clock.now()
    const window = windowOf(query.window, now)
    const [topic, counts, seconds] = await Promise.all([
      findTopic(scope, path.id),
      metrics.sumTopicHours(scope, path.id, window),
      averageReadSeconds(scope, path.id, window),
    ])
    if (!topic) throw topicMissing()
    return {
      topicId: topic.id,
      topicName: topic.name,
      window,
      ...topicFiguresOf(counts),
      avgReadTimeSeconds: present(seconds),
      optInCount: topic.optInCount,
      optOutCount: topic.optOutCount,
      computedAt: now,
    }
  },
})
