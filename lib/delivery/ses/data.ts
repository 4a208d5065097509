import { unscoped } from "@/lib/platform/database/db"

/** What a domain's identity at SES was given last, by any process; null is what it was not given. */
export type GivenIdentity = { selector: string | null; publicKey: string | null; mailFromDomain: string | null }

/** `host` is that of SES's API. */
export async function findGiven(host: string, domain: string): Promise<GivenIdentity | null> {
  return unscoped().sesIdentity.findUnique({
    where: { host_domain: { host, domain } },
    select: { selector: true, publicKey: true, mailFromDomain: true },
  })
}

export async function storeGiven(host: string, domain: string, given: Partial<GivenIdentity>): Promise<void> {
  await unscoped().sesIdentity.upsert({
    where: { host_domain: { host, domain } },
    create: { host, domain, ...given },
    update: given,
  })
}
