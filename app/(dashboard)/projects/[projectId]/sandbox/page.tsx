import type { Metadata } from "next"
import { NuqsAdapter } from "nuqs/adapters/next/app"
import { createLoader, type SearchParams } from "nuqs/server"
import { Prefetch } from "@/components/data/prefetch"
import { mailboxFilters } from "@/components/sandbox/filters"
import { SandboxMailbox } from "@/components/sandbox/mailbox"
import { messagesQuery } from "@/components/sandbox/queries"
import { PageHeader } from "@/components/ui/page-header"
import { sending } from "@/app/(dashboard)/projects/[projectId]/sending"

export const metadata: Metadata = { title: "Sandbox mailbox" }

type Props = { params: Promise<{ projectId: string }>; searchParams: Promise<SearchParams> }

const loadFilters = createLoader(mailboxFilters)

export default async function SandboxPage({ params, searchParams }: Props) {
  const { projectId } = await params
  const filters = await loadFilters(searchParams)
  return (
    <>
      <PageHeader
        title="Sandbox mailbox"
        meta={["Email that was captured on this machine instead of being delivered"]}
      />
      <Prefetch queries={[messagesQuery(projectId, filters)]}>
        <NuqsAdapter>
          <SandboxMailbox projectId={projectId} sending={sending()} />
        </NuqsAdapter>
      </Prefetch>
    </>
  )
}
