import type { ComponentProps, ReactNode } from "react"
import { Prefetch } from "@/components/data/prefetch"
import { NuqsAdapter } from "nuqs/adapters/next/app"
import { LogsHeader } from "@/components/logs/logs-header"

type LogPageProps = {
  projectId: string
  queries: ComponentProps<typeof Prefetch>["queries"]
  children: ReactNode
}

/** A log below the header that they share; it is loaded on the server. */
export function LogPage({ projectId, queries, children }: LogPageProps) {
  return (
    <>
      <LogsHeader projectId={projectId} />
      <Prefetch queries={queries}>
        <NuqsAdapter>{children}</NuqsAdapter>
      </Prefetch>
    </>
  )
}
