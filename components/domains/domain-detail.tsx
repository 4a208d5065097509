"use client"

import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { problemOf } from "@/components/data/call"
import { DeleteCard } from "@/components/data/delete-card"
import { useCall } from "@/components/data/use-call"
import { ChecksCard, DiagnosisCard } from "@/components/domains/checks-card"
import { CopyAll } from "@/components/domains/copy-all"
import { HostNamesCard, RotateDkim } from "@/components/domains/domain-changes"
import { changesBetween, nextCheckWords, liveOutcome, pollMs } from "@/components/domains/progress"
import type { Installation } from "@/components/domains/operator-card"
import { type Domain, domainQuery } from "@/components/domains/queries"
import { RecordsCard } from "@/components/domains/records-card"
import { SentenceCard } from "@/components/domains/sentence-card"
import { DomainStatusPill, domainWords } from "@/components/domains/statuses"
import { Button, ButtonLink } from "@/components/ui/button"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { dynamic, WhenSeen } from "@/components/late-parts/dynamic"
import { EmptyState } from "@/components/ui/empty-state"
import { ErrorState } from "@/components/ui/error-state"
import { KeyValues } from "@/components/ui/key-values"
import { PageHeader } from "@/components/ui/page-header"
import { RelativeTime, useSecond } from "@/components/ui/relative-time"
import { Skeleton, SkeletonRows } from "@/components/ui/loading"
import { TextLink } from "@/components/ui/text"
import { toast } from "@/components/ui/toast"
import { waitsForInstallation } from "@/lib/domains/rules"
import { regionLabel } from "@/lib/regions/regions"

/** Seen only until the installation can send. */
const OperatorCard = dynamic(() => import("@/components/domains/operator-card").then((module) => module.OperatorCard))
const InboundRecords = dynamic(
  () => import("@/components/inbound/domain-records").then((module) => module.DomainRecords),
  { ssr: false },
)
const DmarcCard = dynamic(() => import("@/components/domains/report-cards").then((module) => module.DmarcCard), {
  ssr: false,
  loading: () => <LoadingCard label="DMARC reports" />,
})
const TlsCard = dynamic(() => import("@/components/domains/report-cards").then((module) => module.TlsCard), {
  ssr: false,
  loading: () => <LoadingCard label="TLS reports" />,
})
const PendingMail = dynamic(() => import("@/components/domains/pending-mail").then((module) => module.PendingMail), {
  ssr: false,
  loading: () => <Skeleton className="mt-2 h-10" />,
})
const BimiCard = dynamic(() => import("@/components/domains/bimi-card").then((module) => module.BimiCard), {
  ssr: false,
  loading: () => <LoadingCard label="BIMI" />,
})

function LoadingCard({ label }: { label: string }) {
  return (
    <Card aria-label={label}>
      <SkeletonRows rows={3} />
    </Card>
  )
}

type DomainDetailProps = { projectId: string; domainId: string; mayWrite: boolean; installation: Installation }

/** The page of a domain: its records to copy, live, until all is green. */
export function DomainDetail({ projectId, domainId, ...rest }: DomainDetailProps) {
  const [openedAt] = useState(() => Date.now())
  const { data, error, refetch, isFetching } = useQuery({
    ...domainQuery(projectId, domainId),
    refetchInterval: ({ state }) => pollMs(state.data?.status, Date.now() - openedAt),
  })
  // Someone else deleted it while the page was open.
  const deleted = error !== null && problemOf(error).status === 404
  if (data && !deleted) return <Loaded domain={data} projectId={projectId} {...rest} />
  return (
    <>
      <PageHeader title="Domain" crumbs={crumbs(projectId, "…")} />
      <Card>
        {error ? (
          <Failed error={error} projectId={projectId} retry={() => void refetch()} retrying={isFetching} />
        ) : (
          <SkeletonRows rows={9} />
        )}
      </Card>
    </>
  )
}

type LoadedProps = Omit<DomainDetailProps, "domainId"> & { domain: Domain }

function Loaded({ domain, projectId, mayWrite, installation }: LoadedProps) {
  const captured = waitsForInstallation(domain) && domain.status === "pending"
  return (
    <>
      <PageHeader
        crumbs={crumbs(projectId, domain.domain)}
        title={domain.domain}
        pill={<DomainStatusPill words={domainWords(domain)} />}
        meta={[
          `${regionLabel(domain.region)} ${domain.region}`,
          <>
            Added <RelativeTime at={domain.createdAt} />
          </>,
          domain.nextCheckAt ? <NextCheck at={domain.nextCheckAt} /> : null,
        ]}
        actions={
          <>
            <CopyAll domain={domain} projectId={projectId} />
            {mayWrite ? <VerifyNow projectId={projectId} domainId={domain.id} /> : null}
          </>
        }
      />
      <Announcer domain={domain} />
      {captured ? (
        <OperatorCard domain={domain} projectId={projectId} installation={installation} />
      ) : (
        <>
          <SentenceCard domain={domain} />
          {installation.named && (domain.transport === "smtp" || domain.transport === "direct") ? (
            <OperatorCard domain={domain} projectId={projectId} installation={installation} />
          ) : null}
        </>
      )}
      <RecordsCard domain={domain} />
      <InboundRecords projectId={projectId} domainId={domain.id} />
      <ChecksCard domain={domain} projectId={projectId} />
      <DiagnosisCard domain={domain} projectId={projectId} />
      <WhenSeen placeholder={<Card aria-label="DMARC reports" className="h-48" />}>
        <DmarcCard projectId={projectId} domainId={domain.id} mayWrite={mayWrite} />
      </WhenSeen>
      <WhenSeen placeholder={<Card aria-label="TLS reports" className="h-48" />}>
        <TlsCard projectId={projectId} domainId={domain.id} mayWrite={mayWrite} />
      </WhenSeen>
      <WhenSeen placeholder={<Card aria-label="BIMI" className="h-48" />}>
        <BimiCard domain={domain} projectId={projectId} mayWrite={mayWrite} />
      </WhenSeen>
      <VerifiedMeans domain={domain} projectId={projectId} />
      {mayWrite ? <DomainChanges domain={domain} projectId={projectId} /> : null}
      {mayWrite ? <DeleteDomain domain={domain} projectId={projectId} /> : null}
    </>
  )
}

function Failed({
  error,
  projectId,
  retry,
  retrying,
}: {
  error: Error
  projectId: string
  retry: () => void
  retrying: boolean
}) {
  const { status, title, detail, requestId } = problemOf(error)
  if (status === 404) {
    return (
      <EmptyState
        title="Domain not found in this project"
        action={<ButtonLink href={`/projects/${projectId}/domains`}>All domains</ButtonLink>}
      >
        It was deleted, or it belongs to another project.
      </EmptyState>
    )
  }
  return <ErrorState message={detail ?? title} requestId={requestId} onRetry={retry} retrying={retrying} />
}

function crumbs(projectId: string, here: string) {
  return [{ label: "Domains", href: `/projects/${projectId}/domains` }, { label: here }]
}

/** Reads aloud what changes while the page is open: "DKIM verified." */
function Announcer({ domain }: { domain: Domain }) {
  const before = useRef(domain)
  const [news, setNews] = useState("")
  useEffect(() => {
    const changes = changesBetween(before.current, domain)
    before.current = domain
    if (changes.length > 0) setNews(changes.join(" "))
  }, [domain])
  return (
    <p role="status" className="sr-only">
      {news}
    </p>
  )
}

/** What can be changed about a domain, each in a row of its own. */
function DomainChanges({ domain, projectId }: { domain: Domain; projectId: string }) {
  return (
    <Card aria-label="Changes">
      {domain.verifiedAt ? null : <HostNamesCard domain={domain} projectId={projectId} />}
      <RotateDkim domain={domain} projectId={projectId} />
    </Card>
  )
}

/** "Next check in 38 s", counting down. */
function NextCheck({ at }: { at: string }) {
  const now = useSecond()
  return <span className="tabular-nums">{nextCheckWords(Date.parse(at), now)}</span>
}

function DeleteDomain({ domain, projectId }: { domain: Domain; projectId: string }) {
  const remove = useCall("DELETE /v1/projects/{projectId}/domains/{domainId}", ["GET /v1/projects/{projectId}/domains"])
  return (
    <DeleteCard
      noun="domain"
      name={domain.domain}
      description={`New email from ${domain.domain} is refused. Accepted emails, contacts and suppressions are kept.`}
      remove={() => remove.mutateAsync({ params: { projectId, domainId: domain.id } })}
      list={`/projects/${projectId}/domains`}
      afterwards="Remove its DNS records after a few days, when its last email has been sent."
    >
      <p>
        New email from any address at {domain.domain} is refused at once. If you add the domain again, it gets new keys,
        and you must publish new records.
      </p>
      <PendingMail projectId={projectId} domainId={domain.id} />
    </DeleteCard>
  )
}

function VerifiedMeans({ domain, projectId }: { domain: Domain; projectId: string }) {
  return (
    <Card aria-label="What verified means">
      <CardHeader title="What verified means" />
      <CardBody className="pb-0">
        The active DKIM key and both MAIL FROM records are in place. You can then send from any address ending in{" "}
        <b>@{domain.domain}</b>, with an <TextLink href={`/projects/${projectId}/api-keys`}>API key</TextLink> of this
        project.
      </CardBody>
      <KeyValues
        items={[
          { label: "Required", value: "The first DKIM record, and the MX and TXT records of MAIL FROM." },
          {
            label: "Optional",
            value: "The standby key, DMARC and tracking. Recommended, but not required to send.",
          },
          {
            label: "Afterwards",
            value: `${domain.nextCheckAt ? "We check again every 6 hours." : "No further check is scheduled: select Verify now to run one."} If a required record disappears, you see it here; you can still send for 72 hours.`,
          },
        ]}
      />
    </Card>
  )
}

/** Checks all records now and reports the result. */
function VerifyNow({ projectId, domainId }: { projectId: string; domainId: string }) {
  const client = useQueryClient()
  const verify = useCall("POST /v1/projects/{projectId}/domains/{domainId}/verify", [
    "GET /v1/projects/{projectId}/domains",
  ])

  async function check() {
    try {
      const { queryKey } = domainQuery(projectId, domainId)
      const domain = await verify.mutateAsync({ params: { projectId, domainId } })
      // An answer to an earlier question must not land on top of this one.
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, domain)
      toast[domain.status === "verified" ? "success" : "message"]("Checked just now", {
        id: "check",
        description: liveOutcome(domain),
      })
    } catch (error) {
      const { title, detail } = problemOf(error)
      toast.error("The check could not run", { id: "check", description: detail ?? title })
    }
  }

  return (
    <Button variant="primary" loading={verify.isPending} onClick={() => void check()}>
      {verify.isPending ? "Checking…" : "Verify now"}
    </Button>
  )
}
