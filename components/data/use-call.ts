"use client"

import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query"
import { type ApiRoute, call, type CallAnswer, type CallInput, type GetRoute } from "@/components/data/call"
import { useEffect, useRef } from "react"

/**
 * A write: `mutate({ params, body })`. When it has succeeded, every read of the named routes is fetched again, whatever
 * its page and filters.
 */
export function useCall<R extends ApiRoute>(route: R, invalidates: readonly GetRoute[] = []) {
  const client = useQueryClient()
  return useMutation<CallAnswer<R>, Error, CallInput<R>>({
    mutationFn: (input) => call(route, input),
    onSuccess: () => refetch(client, invalidates),
  })
}

/**
 * Writes, and then calls `next` even if the component is gone by then, as when a read of the write replaces it: callbacks of
 * `mutate` are dropped there. A failure is left to `error`.
 */
export function callThen<Input, Answer>(
  { mutateAsync }: { mutateAsync: (input: Input) => Promise<Answer> },
  input: Input,
  next: (answer: Answer) => void,
): void {
  mutateAsync(input).then(next, () => undefined)
}

/** Runs one at a time: a second press can come before the button is drawn as busy, and does nothing. */
export function useOneAtATime<Input extends unknown[], Answer>(
  run: (...input: Input) => Promise<Answer>,
): (...input: Input) => Promise<Answer | undefined> {
  const busy = useRef(false)
  return async (...input) => {
    if (busy.current) return undefined
    busy.current = true
    try {
      return await run(...input)
    } finally {
      busy.current = false
    }
  }
}

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

const atMostEveryMs = 5_000

/** Counts the items of the navigation anew when a page shows news that others have made, at most every 5 seconds. */
export function useCountsOf(news: number | undefined): void {
  const client = useQueryClient()
  const last = useRef({ news, at: 0 })
  useEffect(() => {
    // What a page begins with is no news.
    if (news === undefined || last.current.news === undefined) last.current.news = news
    if (news === last.current.news) return
    const wait = Math.max(0, last.current.at + atMostEveryMs - Date.now())
    const timer = setTimeout(() => {
      last.current = { news, at: Date.now() }
      void client.invalidateQueries({ queryKey: [countsRoute] })
    }, wait)
    return () => clearTimeout(timer)
  }, [client, news])
}
