import type { Metadata } from "next"
import { Only } from "@/components/access/only"
import { Prefetch } from "@/components/data/prefetch"
import { ActionsPlace, ComposeTitle } from "@/components/compose/compose-header"
import { audienceIn } from "@/components/compose/addresses"
import { broadcastQuery } from "@/components/broadcasts/queries"
import { Compose } from "@/components/compose/compose"
import { allDomainsQuery, emailQuery } from "@/components/emails/queries"
import { projectDetail } from "@/components/data/query"
import { PageHeader } from "@/components/ui/page-header"
import { signedIn } from "@/app/(dashboard)/signed-in"
import { env } from "@/lib/platform/env/env"

export const metadata: Metadata = { title: "Compose" }

type Search = { [Name in "again" | "to" | "draft" | "from"]?: string | string[] }
type Props = { params: Promise<{ projectId: string }>; searchParams: Promise<Search> }

export default async function ComposePage({ params, searchParams }: Props) {
  const { projectId } = await params
  const { again, to, draft, from } = await searchParams
  const { user } = await signedIn()
  const earlier = typeof again === "string" && again !== "" ? again : undefined
  const audience = typeof to === "string" ? audienceIn(to) : null
  const stored = typeof draft === "string" && /^bc_[0-9a-z]{26}$/.test(draft) ? draft : undefined
  const [list, path] = stored || from === "broadcasts" ? ["Broadcasts", "broadcasts"] : ["Emails", "emails"]
  const queries = [
    allDomainsQuery(projectId),
    projectDetail(projectId),
    ...(earlier ? [emailQuery(projectId, earlier)] : []),
    ...(stored ? [broadcastQuery(projectId, stored)] : []),
  ]
  return (
    <>
      <PageHeader
        crumbs={[{ label: list, href: `/projects/${projectId}/${path}` }, { label: "Compose" }]}
        title={<ComposeTitle />}
        actions={<ActionsPlace />}
      />
      <Only permission="emails:send" projectId={projectId} act="send email">
        <Prefetch queries={queries}>
          <Compose
            projectId={projectId}
            baseUrl={env().baseUrl}
            me={user.email}
            {...(earlier ? { again: earlier } : {})}
            {...(audience ? { to: audience } : {})}
            {...(stored ? { draft: stored } : {})}
          />
        </Prefetch>
      </Only>
    </>
  )
}
