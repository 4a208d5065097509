"use client"

import { useMutation, useQueryClient } from "@tanstack/react-query"
import { call } from "@/components/data/call"
import { refetch } from "@/components/data/refetch"
import type { ApiRoute, CallAnswer, CallInput, GetRoute } from "@/components/data/route"

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
