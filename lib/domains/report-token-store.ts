import { reportedOf, type ReportedDomain } from "@/lib/domains/reported-domain"
import { unscoped } from "@/lib/platform/database/db"

type OfOrganization = { organizationId: string; domain: string }

/** The stable local part of the report address of an organization's domain. On first use it is `fresh`: 80 random bits. */
export async function reportToken({ organizationId, domain }: OfOrganization, fresh: string): Promise<string> {
  const { token } = await unscoped().dmarcToken.upsert({
    where: { organizationId_domain: { organizationId, domain } },
    create: { organizationId, domain, token: fresh },
    update: { domain },
    select: { token: true },
  })
  return token
}

export async function findReportToken({ organizationId, domain }: OfOrganization): Promise<string | null> {
  const row = await unscoped().dmarcToken.findUnique({
    where: { organizationId_domain: { organizationId, domain } },
    select: { token: true },
  })
  return row && row.token
}

/** Those of all organizations for these domains, by the organization's id, a space and the domain. */
export async function reportTokens(domains: string[]): Promise<Map<string, string>> {
  const rows = await unscoped().dmarcToken.findMany({
    where: { domain: { in: domains } },
    select: { organizationId: true, domain: true, token: true },
  })
  return new Map(rows.map(({ organizationId, domain, token }) => [`${organizationId} ${domain}`, token]))
}

/** The domain that a report address is for, in every project of its organization; empty if nobody has such an address. */
export async function registrationsOf(token: string): Promise<(ReportedDomain & { projectId: string })[]> {
  const address = await unscoped().dmarcToken.findUnique({
    where: { token },
    select: { organizationId: true, domain: true },
  })
  if (!address) return []
  const rows = await unscoped().domain.findMany({
    where: { name: address.domain, project: { organizationId: address.organizationId } },
    select: { id: true, projectId: true, name: true, mailFromDomain: true },
    orderBy: { id: "asc" },
  })
  return rows.map(({ projectId, ...row }) => ({ ...reportedOf(row), projectId }))
}
