import { findReturnRoutes, isProved, reportsOf, type ReturnRoute } from "@/lib/delivery/regions/return-route-store"
import type { OperatorRegion } from "@/lib/inbound/schema"
import { present } from "@/lib/platform/schema"
import { regionNames } from "@/lib/regions/regions"
import { nextHopOf, regionSettings } from "@/lib/regions/settings"

/** How email leaves each region, and what is known of its way back. */
export async function operatorRegions(): Promise<OperatorRegion[]> {
  const routes = await findReturnRoutes()
  return regionNames.map((region) => {
    const profile = regionSettings().profiles[region]
    const route = routes.find((each) => each.region === region)
    return {
      region,
      relay: nextHopOf(profile),
      delivered: profile.delivered,
      reports: present(reportsOf(region, routes)),
      proved: isProved(region, routes),
      loopTest: route && loopTestOf(route),
    }
  })
}

function loopTestOf({ startedAt, code, diagnostic, sentAt, returnedAt, endedAt, relay }: ReturnRoute) {
  return {
    startedAt,
    code: present(code),
    diagnostic: present(diagnostic),
    sentAt: present(sentAt),
    returnedAt: present(returnedAt),
    endedAt: present(endedAt),
    relay,
  }
}
