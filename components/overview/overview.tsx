"use client"

import { useQuery } from "@tanstack/react-query"
import { domainsQuery, emailsQuery } from "@/components/emails/queries"
import type { Sending } from "@/components/emails/use-first-curl"
import { DomainAlerts } from "./domain-alerts"
import { Figures } from "./figures"
import { LatestEmails } from "./latest-emails"
import { LiveCard } from "./live-card"
import { keysQuery } from "./queries"
import { SetupCard } from "./setup-card"
import { setupSteps } from "./setup-steps"

/** How the project stands: what is left to set up, what is wrong, the week in figures, and the newest emails. */
export function Overview({ projectId, sending }: { projectId: string; sending: Sending }) {
  const domains = useQuery({ ...domainsQuery(projectId), refetchInterval: 10_000 }).data?.data
  const keys = useQuery(keysQuery(projectId)).data?.data
  const emails = useQuery({ ...emailsQuery(projectId, { size: 5 }), refetchInterval: 5_000 }).data?.page.total

  return (
    <>
      {domains ? <DomainAlerts projectId={projectId} domains={domains} /> : null}
      {domains && keys && emails !== undefined ? <SetupCard steps={setupSteps(projectId, { domains, keys, emails })} /> : null}
      {emails === 0 ? null : <Figures projectId={projectId} />}
      <LatestEmails projectId={projectId} sending={sending} />
      {emails === 0 ? <Figures projectId={projectId} /> : null}
      <LiveCard projectId={projectId} />
    </>
  )
}
