import type { SourceKind } from "@/lib/domains/dmarc/rules"
import type { Disposition } from "@/lib/domains/dmarc/report"
import { db, type InProject } from "@/lib/platform/database/scoped-db"

/** What the reports of the last 30 days say about a domain. `days`: with reports, among the last 90. */
export type DmarcStanding = {
  domainId: string
  domain: string
  policy: Disposition
  days: number
  observed: number
  aligned: number
  unknownMessages: number
  unknownSources: number
  observed7d: number
  failureRate7d: number
}

/**
 * Per domain of the project that has reports of the last 90 days; `domainId` narrows it to one. Raw, because Prisma has no
 * aggregates with conditions.
 */
export async function dmarcStandings(scope: InProject, domainId: string | null = null): Promise<DmarcStanding[]> {
  return db(scope).$queryRaw<DmarcStanding[]>`
    SELECT d.id AS "domainId", d.name AS domain, r.policy, r.days, r.observed, r.aligned,
        coalesce(u.messages, 0) AS "unknownMessages", coalesce(u.sources, 0) AS "unknownSources",
        r.observed7d AS "observed7d", CASE WHEN r.observed7d = 0 THEN 0 ELSE r.failed7d / r.observed7d END AS "failureRate7d"
      FROM domains d
      CROSS JOIN LATERAL (
        SELECT count(DISTINCT day)::int AS days,
            (array_agg(policy ORDER BY ended_at DESC))[1] AS policy,
            coalesce(sum(messages) FILTER (WHERE day > utc.today - 30), 0)::float8 AS observed,
            coalesce(sum(aligned) FILTER (WHERE day > utc.today - 30), 0)::float8 AS aligned,
            coalesce(sum(messages) FILTER (WHERE day > utc.today - 7), 0)::float8 AS observed7d,
            coalesce(sum(messages - aligned) FILTER (WHERE day > utc.today - 7), 0)::float8 AS failed7d
          FROM dmarc_reports, (SELECT (now() AT TIME ZONE 'UTC')::date AS today) utc
          WHERE project_id = d.project_id AND domain_id = d.id AND day > utc.today - 90) r
      LEFT JOIN LATERAL (
        SELECT sum(messages)::float8 AS messages, count(DISTINCT coalesce(identity, address))::int AS sources
          FROM dmarc_sources WHERE project_id = d.project_id AND domain_id = d.id AND kind = 'unknown'
            AND day > (now() AT TIME ZONE 'UTC')::date - 30) u ON true
      WHERE d.project_id = ${scope.project.id}::uuid AND (${domainId}::uuid IS NULL OR d.id = ${domainId}::uuid)
        AND r.days > 0
      ORDER BY r.observed DESC, d.name LIMIT 100`
}

export type Source = { name: string; kind: SourceKind; addresses: number; messages: number; aligned: number }

/** The largest sources of the last 30 days. Raw, because Prisma cannot group by an expression. */
export async function sourcesOf(scope: InProject, domainId: string, kind?: SourceKind): Promise<Source[]> {
  return db(scope).$queryRaw<Source[]>`
    SELECT coalesce(identity, address) AS name, kind, count(DISTINCT address)::int AS addresses,
        sum(messages)::float8 AS messages, coalesce(sum(messages) FILTER (WHERE dkim OR spf), 0)::float8 AS aligned
      FROM dmarc_sources
      WHERE project_id = ${scope.project.id}::uuid AND domain_id = ${domainId}::uuid
        AND day > (now() AT TIME ZONE 'UTC')::date - 30 AND (${kind ?? null}::text IS NULL OR kind = ${kind ?? null}::text)
      GROUP BY 1, 2 ORDER BY messages DESC, name LIMIT 100`
}
