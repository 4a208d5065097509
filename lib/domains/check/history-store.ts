import { offset, type PageRequest } from "@/lib/platform/http/paging"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { checksOf, type StoredFinding, type DomainCheck } from "@/lib/domains/check/history"

/** The checks in a domain's history, newest first, each with what changed; null when there is no such domain. */
export async function listChecks(
  scope: Scope,
  domainId: string,
  request: PageRequest,
): Promise<{ data: DomainCheck[]; total: number } | null> {
  const where = { domainId }
  const [domains, total, rows] = await Promise.all([
    db(scope).domain.count({ where: { id: domainId } }),
    db(scope).domainCheck.count({ where }),
    db(scope).domainCheck.findMany({
      where,
      select: { createdAt: true, status: true, findings: true },
      orderBy: { id: "desc" },
      skip: offset(request),
      // One more: the last one shown is compared with it.
      take: request.size + 1,
    }),
  ])
  if (domains === 0) return null
  // The findings are written by this area alone.
  const kept = rows.map((row) => ({ at: row.createdAt, status: row.status, findings: row.findings as StoredFinding[] }))
  return { data: checksOf(kept, request.size), total }
}
