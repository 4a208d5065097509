import { unscoped } from "@/lib/platform/database/db"

/** Hosts for tracked links of every project's domains whose ownership is proven. */
export async function findTrackingHosts(): Promise<string[]> {
  const rows = await unscoped().domain.findMany({
    where: { status: { in: ["verified", "degraded"] }, project: { suspendedAt: null, deletedAt: null } },
    select: { trackingDomain: true },
    distinct: ["trackingDomain"],
  })
  return rows.map(({ trackingDomain }) => trackingDomain)
}
