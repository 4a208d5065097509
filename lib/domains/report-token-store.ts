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
