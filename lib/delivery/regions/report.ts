import { outageSentence, type ReportsCode } from "@/lib/delivery/regions/region-rules"
import { countWaiting, findOutages } from "@/lib/delivery/regions/data"
import { findReturnRoutes, reportsOf } from "@/lib/delivery/regions/return-route-store"
import type { OwnFault } from "@/lib/delivery/transports/attempt"
import { regionNames, type Region } from "@/lib/regions/regions"
import { regionSettings } from "@/lib/regions/settings"

export type RegionReport = {
  region: Region
  status: "up" | "down"
  since?: Date
  /** Due emails while it is down. */
  waiting?: number
  message?: string
  /** What this machine lacks, or the account at the provider. */
  fault?: OwnFault["code"]
  /** What `delivered=dsn` comes to; absent where the region is not set to it. */
  reports?: ReportsCode
}

/** Whether each region reaches its relay; of a project, only its own emails are counted. */
export async function reportRegions(projectId?: string): Promise<RegionReport[]> {
  const [found, routes] = await Promise.all([findOutages(), findReturnRoutes()])
  const outages = new Map(found.map((outage) => [outage.route, outage]))
  const down = regionNames.filter((region) => outages.has(region))
  const waiting = down.length > 0 ? await countWaiting(down, projectId) : new Map<string, number>()
  return regionNames.map((region) => {
    const outage = outages.get(region)
    const code = reportsOf(region, routes)
    const reports = code === null ? {} : { reports: code }
    if (!outage) return { region, status: "up", ...reports }
    const { since, diagnostic, refusing, fault } = outage
    const count = waiting.get(region) ?? 0
    const { transport } = regionSettings().profiles[region]
    const message = outageSentence({
      ...{ region, since, diagnostic, waiting: count },
      sandbox: transport === "sandbox",
      direct: transport === "direct",
      fault,
      refusing: refusing !== null,
    })
    return { region, status: "down", since, waiting: count, message, ...(fault && { fault: fault.code }), ...reports }
  })
}
