import { unscoped } from "@/lib/platform/database/db"
import type { Prisma } from "@/prisma/generated/client"

const shape = {
  route: true,
  since: true,
  phase: true,
  diagnostic: true,
  probedAt: true,
  nextProbeAt: false,
  notedAt: false,
} as const satisfies Record<Prisma.RegionOutageScalarFieldEnum, boolean>

/** A relay that cannot be reached; `route` is a region or `simulator`. */
export type RegionOutage = Prisma.RegionOutageGetPayload<{ select: typeof shape }>

/** The relays that cannot be reached now. */
export async function findOutages(): Promise<RegionOutage[]> {
  return unscoped().regionOutage.findMany({ select: shape, orderBy: { route: "asc" } })
}
