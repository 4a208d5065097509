import { Suspense, type ComponentProps, type ReactNode } from "react"
import { Prefetch } from "@/components/api/prefetch"
import { AddressAdapter } from "@/components/layout/address-adapter"
import { LogsHeader } from "@/components/logs/logs-header"
import { Card } from "@/components/ui/card"
import { SkeletonRows } from "@/components/ui/skeleton"

type LogPageProps = {
  projectId: string
  /** What the skeleton says. */
  loading: string
  queries: ComponentProps<typeof Prefetch>["queries"]
  children: ReactNode
}

/** A log below the header that they share; it is loaded on the server. */
export function LogPage({ projectId, loading, queries, children }: LogPageProps) {
  return (
    <>
      <LogsHeader projectId={projectId} />
      <Suspense
        fallback={
          <Card>
            <SkeletonRows rows={8} label={loading} />
          </Card>
        }
      >
        <Prefetch queries={queries}>
          <AddressAdapter>{children}</AddressAdapter>
        </Prefetch>
      </Suspense>
    </>
  )
}
