import type { DefaultOptions } from "@tanstack/react-query"

/** Shared by the browser's client and by those that prefetch on the server. */
export const queryDefaults: DefaultOptions = {
  queries: {
    staleTime: 10_000,
    refetchOnWindowFocus: true,
    retry: (failures, error) => failures < 1 && isNetworkFault(error),
  },
  mutations: { retry: false },
}

/** fetch throws a TypeError when no answer came; an answer that says no is not asked for again. */
function isNetworkFault(error: Error): boolean {
  return error instanceof TypeError || error.cause instanceof TypeError
}
