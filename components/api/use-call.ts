"use client"

import { useMutation, useQueryClient } from "@tanstack/react-query"
import { call } from "@/components/api/call"
import { refetch } from "@/components/api/refetch"
import type { ApiRoute, CallAnswer, CallInput, GetRoute } from "@/components/api/route"

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
