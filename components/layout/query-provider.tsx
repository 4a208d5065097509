"use client"

import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { useState, type ReactNode } from "react"
import { queryDefaults } from "@/components/layout/query-defaults"

/** For the pages of the dashboard; sign-in and the hosted pages do without it. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(() => new QueryClient({ defaultOptions: queryDefaults }))
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
