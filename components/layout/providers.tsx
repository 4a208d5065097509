"use client"

import { type ReactNode, useEffect, useState, lazy, Suspense, useSyncExternalStore } from "react"
import { QueryClient, QueryClientProvider, type DefaultOptions } from "@tanstack/react-query"
import { useTouched } from "@/components/ui/page-start"
import { RenderedAt } from "@/components/ui/relative-time"
import { subscribeToToasts, toastsWanted } from "@/components/ui/toast"

/** `renderedAt`: by the server's clock, in milliseconds since 1970. */
export function Providers({ renderedAt, children }: { renderedAt: number; children: ReactNode }) {
  return (
    <RenderedAt value={renderedAt}>
      <QueryProvider>{children}</QueryProvider>
      <ToastHost />
    </RenderedAt>
  )
}

/** For the pages of the dashboard; sign-in and the hosted pages do without it. */
function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(() => new QueryClient({ defaultOptions: queryDefaults }))
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

/** Shared by the browser's client and by those that prefetch on the server. */
const queryDefaults: DefaultOptions = {
  queries: {
    staleTime: 10_000,
    refetchOnWindowFocus: true,
    retry: (failures, error) => failures < 1 && isNetworkFault(error),
  },
  // A write fails at once without a connection; a paused one would run on reconnect, even after Cancel.
  mutations: { retry: false, networkMode: "always" },
}

/** fetch throws a TypeError when no answer came; an answer that says no is not asked for again. */
function isNetworkFault(error: Error): boolean {
  return error instanceof TypeError || error.cause instanceof TypeError
}

const loadToaster = () => import("@/components/layout/toaster")
const Toaster = lazy(loadToaster)

/** Loads the toaster with the first touch: a toast about a lost connection comes too late to load it. */
function ToastHost() {
  const wanted = useSyncExternalStore(subscribeToToasts, toastsWanted, () => false)
  const touched = useTouched()
  useEffect(() => {
    if (touched) void loadToaster().catch(() => undefined)
  }, [touched])
  return wanted ? (
    <Suspense>
      <Toaster />
    </Suspense>
  ) : null
}
