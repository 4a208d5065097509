"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { regionLabel } from "@/lib/regions/regions"
import { postCurl } from "@/components/data/curl"
import { FirstAction } from "@/components/data/first-action"
import { ResourceList } from "@/components/data/resource-list"
import { usePageParam } from "@/components/layout/use-address-param"
import { BreakAfter } from "@/components/ui/text"
import { EmptyState } from "@/components/ui/empty-state"
import { PageHeader } from "@/components/ui/page-header"
import { RelativeTime } from "@/components/ui/relative-time"
import { RowLink, type Column } from "@/components/ui/table"
import type { RegionChoice } from "@/components/domains/domain-forms"
import { bimiWords, componentWords, domainWords, DomainStatusPill } from "@/components/domains/statuses"
import { listPollMs } from "@/components/domains/progress"
import { type DomainItem, domainsQuery, sandboxExample } from "@/components/domains/queries"
import { AddDialog } from "@/components/data/add-dialog"
import { lazy } from "react"

const loadForm = () => import("@/components/domains/domain-forms").then((loaded) => ({ default: loaded.AddDomainForm }))
const AddDomainForm = lazy(loadForm)

type DomainListProps = {
  projectId: string
  mayWrite: boolean
  /** Home region first. */
  regions: RegionChoice[]
  /** Origin of the API, for the command to copy. */
  baseUrl: string
}

export function DomainList({ projectId, mayWrite, regions, baseUrl }: DomainListProps) {
  const page = usePageParam()
  const list = useQuery({
    ...domainsQuery(projectId, page[0]),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => listPollMs((state.data?.data ?? []).map(({ status }) => status)),
  })
  const [home] = regions
  const curl = postCurl(`${baseUrl}/v1/projects/${projectId}/domains`, {
    domain: home?.sandbox ? sandboxExample : "acme.com",
    region: home?.name,
  })

  return (
    <>
      <PageHeader
        title="Domains"
        meta={["The domains you send from. DNS records prove that each is yours."]}
        actions={mayWrite ? <AddDomain projectId={projectId} regions={regions} /> : null}
      />
      <ResourceList
        wide
        label="Domains"
        list={list}
        page={page}
        columns={columns}
        keyOf={({ id }) => id}
        href={({ id }) => `/projects/${projectId}/domains/${id}`}
        blocksBelow="md"
        empty={
          <EmptyState
            title="Add the domain you send from"
            action={
              <FirstAction permission="domains:write" opens="add-domain">
                Add domain
              </FirstAction>
            }
            curl={mayWrite ? curl : undefined}
          >
            You get a few DNS records to publish. Once they are found, your email is signed with your domain. This takes
            a few minutes.
          </EmptyState>
        }
      />
    </>
  )
}

/** On a phone each domain is a block of its name and state; the details are on its own page. */
const columns: Column<DomainItem>[] = [
  {
    head: "Domain",
    cellClassName: "[overflow-wrap:anywhere] xl:truncate",
    cell: ({ domain }, href) => (
      <RowLink href={href}>
        <BreakAfter mark="." text={domain} />
      </RowLink>
    ),
  },
  {
    head: "Region",
    from: "wide",
    width: "w-32",
    muted: true,
    cell: ({ region }) => <span title={region}>{regionLabel(region)}</span>,
  },
  {
    head: "Status",
    width: "w-40 xl:w-54",
    className: "px-2",
    cellClassName: "max-xl:[&_.truncate]:whitespace-normal",
    cell: (item) => <DomainStatusPill words={domainWords(item)} inTable />,
  },
  componentColumn("DKIM", "dkim"),
  componentColumn("MAIL FROM", "mailFrom"),
  componentColumn("DMARC", "dmarc"),
  {
    head: "BIMI",
    from: "wide",
    width: "w-27",
    className: "px-2",
    cell: ({ bimiStatus }) => <DomainStatusPill words={bimiWords(bimiStatus)} inTable />,
  },
  { ...componentColumn("Tracking", "tracking"), from: "xl", width: "w-32" },
  {
    head: "Updated",
    from: "xl",
    width: "w-36",
    muted: true,
    truncate: true,
    cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
  },
]

/** Wide enough for the longest word. */
function componentColumn(head: string, component: Parameters<typeof componentWords>[0]): Column<DomainItem> {
  return {
    head,
    from: "md",
    width: "w-27",
    className: "px-2",
    cell: (item) => <DomainStatusPill words={componentWords(component, item)} inTable />,
  }
}

function AddDomain({ projectId, regions }: { projectId: string; regions: RegionChoice[] }) {
  return (
    <AddDialog
      action="Add domain"
      intent="add-domain"
      description="You get the DNS records to publish at once."
      load={loadForm}
      height="h-44"
    >
      {() => <AddDomainForm projectId={projectId} regions={regions} />}
    </AddDialog>
  )
}
