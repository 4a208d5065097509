import { counters, type Counter, type Counts } from "@/lib/metrics/rules"
import { dimensions, otherKey, type Dimension } from "@/lib/metrics/slice-rules"
import type { Granularity } from "@/lib/metrics/window-rules"
import type { Queryable } from "@/lib/platform/database/db"
import { columnOf } from "@/lib/platform/database/shape"

// On `pg`, for all projects, in the dispatcher's transaction.

export type HourRow = Counts & { projectId: string; hour: Date }
export type TopicHourRow = HourRow & { topicId: string }
export type SliceRow = Counts & {
  projectId: string
  dimension: Dimension
  grain: Granularity
  startsAt: Date
  key: string
}

/** Events of a project that was deleted are counted nowhere, those of a topic that was deleted for its project alone. */
export async function addHours(
  client: Queryable,
  hours: readonly HourRow[],
  topicHours: readonly TopicHourRow[],
): Promise<void> {
  await client.query({
    name: "metrics.add_hours",
    text: `WITH topic AS (
        INSERT INTO topic_hours AS h (project_id, topic_id, hour, ${each(columnOf)})
          SELECT t.project_id, t.id, r.hour, ${each((name) => `r."${name}"`)}
            FROM json_to_recordset($2) AS r("projectId" uuid, "topicId" uuid, hour timestamptz, ${each((name) => `"${name}" int`)})
            JOIN topics t ON t.project_id = r."projectId" AND t.id = r."topicId"
          ON CONFLICT (project_id, topic_id, hour) DO UPDATE SET ${each(raised)}
      )
      INSERT INTO metric_hours AS h (project_id, hour, ${each(columnOf)})
        SELECT p.id, r.hour, ${each((name) => `r."${name}"`)}
          FROM json_to_recordset($1) AS r("projectId" uuid, hour timestamptz, ${each((name) => `"${name}" int`)})
          JOIN projects p ON p.id = r."projectId"
        ON CONFLICT (project_id, hour) DO UPDATE SET ${each(raised)}`,
    values: [JSON.stringify(hours), JSON.stringify(topicHours)],
  })
}

export async function addSlices(client: Queryable, slices: readonly SliceRow[]): Promise<void> {
  await client.query({
    name: "metrics.add_slices",
    text: `INSERT INTO metric_slices AS h (project_id, dimension, grain, starts_at, key, ${each(columnOf)})
        SELECT p.id, r.dimension, r.grain, r."startsAt", r.key, ${each((name) => `r."${name}"`)}
          FROM json_to_recordset($1) AS r("projectId" uuid, dimension text, grain text, "startsAt" timestamptz, key text,
            ${each((name) => `"${name}" int`)})
          JOIN projects p ON p.id = r."projectId"
        ON CONFLICT (project_id, dimension, grain, starts_at, key) DO UPDATE SET ${each(raised)}`,
    values: [JSON.stringify(slices)],
  })
}

/** The keys that days have already, by `project|dimension|day`. */
export async function keysOfDays(
  client: Queryable,
  days: readonly { projectId: string; day: Date }[],
): Promise<Map<string, Set<string>>> {
  const { rows } = await client.query<{ projectId: string; dimension: string; day: Date; key: string }>({
    name: "metrics.keys_of_days",
    text: `SELECT project_id AS "projectId", dimension, starts_at AS day, key FROM metric_slices
      WHERE project_id = ANY ($1) AND dimension = ANY ($4) AND grain = 'day' AND starts_at = ANY ($2) AND key <> $3`,
    values: [
      [...new Set(days.map(({ projectId }) => projectId))],
      [...new Set(days.map(({ day }) => day.toISOString()))],
      otherKey,
      dimensions,
    ],
  })
  const keys = new Map<string, Set<string>>()
  for (const { projectId, dimension, day, key } of rows) {
    const place = `${projectId}|${dimension}|${day.getTime()}`
    const known = keys.get(place)
    if (known) known.add(key)
    else keys.set(place, new Set([key]))
  }
  return keys
}

function each(write: (name: Counter) => string): string {
  return counters.map(write).join(", ")
}

function raised(name: Counter): string {
  return `${columnOf(name)} = h.${columnOf(name)} + excluded.${columnOf(name)}`
}
