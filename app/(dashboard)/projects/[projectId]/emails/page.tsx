import { PenLine } from "lucide-react"
import type { Metadata } from "next"
import { createLoader, type SearchParams } from "nuqs/server"
import { May } from "@/components/access/powers"
import { utc } from "@/components/data/day-filters"
import { Prefetch } from "@/components/data/prefetch"
import { ExportEmails, EmailsList } from "@/components/emails/emails-list"
import { emailFilters, toChoice, emailListQuery } from "@/components/emails/filters"
import { countsQuery, emailsQuery } from "@/components/emails/queries"
import { NuqsAdapter } from "nuqs/adapters/next/app"
import { ButtonLink } from "@/components/ui/button"
import { PageHeader } from "@/components/ui/page-header"
import { sending } from "@/app/(dashboard)/projects/[projectId]/sending"

export const metadata: Metadata = { title: "Emails" }

type Props = { params: Promise<{ projectId: string }>; searchParams: Promise<SearchParams> }

const loadFilters = createLoader(emailFilters)

export default async function EmailsPage({ params, searchParams }: Props) {
  const { projectId } = await params
  const filters = await loadFilters(searchParams)
  return (
    <div data-wide>
      <PageHeader
        title="Emails"
        actions={
          <>
            <ExportEmails projectId={projectId} />
            <May permission="emails:send">
              <ButtonLink variant="primary" icon={<PenLine />} href={`/projects/${projectId}/emails/compose`}>
                Compose
              </ButtonLink>
            </May>
          </>
        }
      />
      <Prefetch
        queries={[emailsQuery(projectId, emailListQuery(filters, utc)), countsQuery(projectId, toChoice(filters, utc))]}
      >
        <NuqsAdapter>
          <EmailsList projectId={projectId} sending={sending()} />
        </NuqsAdapter>
      </Prefetch>
    </div>
  )
}
