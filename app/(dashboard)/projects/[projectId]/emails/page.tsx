import { PenLine } from "lucide-react"
import type { Metadata } from "next"
import { createLoader, type SearchParams } from "nuqs/server"
import { Suspense } from "react"
import { May } from "@/components/access/powers"
import { Prefetch } from "@/components/api/prefetch"
import { EmailsList } from "@/components/emails/emails-list"
import { emailFilters, toListQuery } from "@/components/emails/filters"
import { emailsQuery } from "@/components/emails/queries"
import { AddressAdapter } from "@/components/layout/address-adapter"
import { ButtonLink } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { PageHeader } from "@/components/ui/page-header"
import { SkeletonRows } from "@/components/ui/skeleton"
import { sending } from "@/app/(dashboard)/projects/[projectId]/sending"

export const metadata: Metadata = { title: "Emails" }

type Props = { params: Promise<{ projectId: string }>; searchParams: Promise<SearchParams> }

const loadFilters = createLoader(emailFilters)

export default async function EmailsPage({ params, searchParams }: Props) {
  const { projectId } = await params
  const filters = await loadFilters(searchParams)
  return (
    <>
      <PageHeader
        title="Emails"
        actions={
          <May permission="emails:send">
            <ButtonLink variant="primary" icon={<PenLine />} href={`/projects/${projectId}/emails/compose`}>
              Compose
            </ButtonLink>
          </May>
        }
      />
      <Suspense
        fallback={
          <Card>
            <SkeletonRows rows={10} label="Loading emails" />
          </Card>
        }
      >
        <Prefetch queries={[emailsQuery(projectId, toListQuery(filters))]}>
          <AddressAdapter>
            <EmailsList projectId={projectId} sending={sending()} />
          </AddressAdapter>
        </Prefetch>
      </Suspense>
    </>
  )
}
