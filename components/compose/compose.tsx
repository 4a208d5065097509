"use client"

import { useQuery } from "@tanstack/react-query"
import { broadcastQuery } from "@/components/broadcasts/queries"
import { problemOf } from "@/components/data/call"
import { dynamic } from "@/components/late-parts/dynamic"
import { allDomainsQuery, emailQuery } from "@/components/emails/queries"
import { projectDetail } from "@/components/data/query"
import { Card } from "@/components/ui/card"
import { Hint } from "@/components/ui/callout"
import { SkeletonRows } from "@/components/ui/loading"
import { fieldsOfBody, noFields } from "@/components/compose/fields"
import { isEditable } from "@/components/compose/addresses"

const loading = () => (
  <Card>
    <SkeletonRows rows={8} label="Loading the form" />
  </Card>
)
const ComposeDrafts = dynamic(
  () => import("@/components/compose/compose-drafts").then((module) => module.ComposeDrafts),
  {
    ssr: false,
    loading,
  },
)

const NotLoaded = dynamic(() => import("@/components/data/load-error").then((module) => module.NotLoaded), {
  ssr: false,
  loading,
})

type ComposeProps = {
  projectId: string
  baseUrl: string
  /** Address of the signed-in person. */
  me: string
  /** The email that is sent once more. */
  again?: string
  /** The segment or topic that it is written to. */
  to?: string
  /** The draft on the server that is edited. */
  draft?: string
}

/** An email written by hand, or one that is sent once more. */
export function Compose({ projectId, baseUrl, me, again, to, draft }: ComposeProps) {
  const domains = useQuery(allDomainsQuery(projectId))
  const project = useQuery(projectDetail(projectId))
  const earlier = useQuery({ ...emailQuery(projectId, again ?? ""), enabled: again !== undefined })
  // What others save meanwhile is told when it matters, and does not replace what is being written.
  const shared = useQuery({
    ...broadcastQuery(projectId, draft ?? ""),
    enabled: draft !== undefined,
    refetchOnWindowFocus: false,
    // Back brings the page as it was opened: what was saved since is here alone.
    gcTime: Infinity,
  })
  const isReading = (again && earlier.isPending) || (draft && shared.isPending)
  if (domains.isPending || project.isPending || isReading) return loading()
  const failed = [domains, earlier, shared].find(({ error, data }) => error && !data && !isMissing(error))
  if (failed)
    return (
      <Card>
        <NotLoaded read={failed} label="the form" />
      </Card>
    )
  const stored = shared.data && isEditable(shared.data) ? shared.data : null

  const having = (wanted: string) => domains.data?.data.find(({ status }) => status === wanted)
  const sender = having("verified") ?? having("degraded")
  const fresh = { ...noFields, from: sender ? `hello@${sender.domain}` : "" }
  return (
    <>
      {again ? <Again known={Boolean(earlier.data)} /> : null}
      {draft && !stored ? (
        <Hint alone tone="warn">
          This draft was sent or deleted, or has recipients that this form cannot show.
        </Hint>
      ) : null}
      <ComposeDrafts
        key={stored?.id ?? ""}
        stored={stored}
        projectId={projectId}
        baseUrl={baseUrl}
        fresh={fresh}
        begun={earlier.data ? fieldsOfBody(earlier.data) : to ? { ...fresh, to } : null}
        me={me}
        domains={domains.data?.data}
        maxRecipients={project.data?.limits.maxRecipientsPerMessage ?? 50}
      />
    </>
  )
}

/** What is not there any more is said beside an empty form. */
const isMissing = (error: unknown) => problemOf(error).status === 404

function Again({ known }: { known: boolean }) {
  if (!known)
    return (
      <Hint alone tone="warn">
        The earlier email no longer exists, so the form is empty.
      </Hint>
    )
  return (
    <Hint alone>
      This is a new email with the content, topic, category and tracking of an earlier one. Attachments and headers were
      not copied; add them if needed.
    </Hint>
  )
}
