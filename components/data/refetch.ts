import type { QueryClient } from "@tanstack/react-query"
import type { GetRoute } from "@/components/data/route"

/** What the navigation counts follows from the lists. */
const countsRoute = "GET /v1/projects/{projectId}/counts"

/**
 * After a change: every read of the routes is fetched again, whatever its page and filters, and what the navigation counts, which
 * nobody waits for. A first read that is still on its
 * way may have been answered before the change, and an invalidation alone would take it for fresh: it is canceled.
 */
export async function refetch(client: QueryClient, routes: readonly GetRoute[]): Promise<void> {
  if (routes.length > 0) void client.invalidateQueries({ queryKey: [countsRoute] })
  await Promise.all(
    routes.map(async (route) => {
      await client.cancelQueries({ queryKey: [route], predicate: ({ state }) => state.data === undefined })
      await client.invalidateQueries({ queryKey: [route] })
    }),
  )
}
