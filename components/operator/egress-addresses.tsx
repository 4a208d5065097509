"use client"

import { useQuery } from "@tanstack/react-query"
import { Network } from "lucide-react"
import { lazy } from "react"
import { AddDialog } from "@/components/data/add-dialog"
import { NotLoaded } from "@/components/data/load-error"
import { AddressActions } from "@/components/operator/egress-actions"
import { backlogWords, rateWords, sharesOf, stateOf } from "@/components/operator/egress-words"
import {
  egressAddressesQuery,
  type EgressAddressWire,
  operatorRegionsQuery,
  type ProjectPoolWire,
  projectPoolsQuery,
} from "@/components/operator/queries"
import { ButtonLink } from "@/components/ui/button"
import { Callout } from "@/components/ui/callout"
import { Card, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { EmptyState } from "@/components/ui/empty-state"
import { Pill } from "@/components/ui/pill"
import { ProgressBar } from "@/components/ui/progress"
import { type Column, DataTable } from "@/components/ui/table"

const refreshMs = 30_000

const loadForms = () => import("@/components/operator/egress-forms")
const AddressForm = lazy(() => loadForms().then(({ AddressForm }) => ({ default: AddressForm })))
const PoolForm = lazy(() => loadForms().then(({ PoolForm }) => ({ default: PoolForm })))

/** The addresses that email leaves from directly, and the pools of projects. */
export function EgressAddresses({ setupHref }: { setupHref: string }) {
  const list = useQuery({ ...egressAddressesQuery(), refetchInterval: refreshMs })
  const regions = useQuery(operatorRegionsQuery())
  return (
    <>
      {regions.data && !regions.data.data.some(({ relay }) => relay === "direct") ? (
        <Callout tone="wait" title="No region sends directly">
          These addresses are used by regions that are set to SMTP_URL=direct:, which send to the recipients’ servers
          themselves.
        </Callout>
      ) : null}
      <Card aria-label="Addresses">
        <CardHeader
          title="Addresses"
          description="Email between a sender’s domain and a recipient’s always leaves from the same address of the project’s pool."
          actions={
            <>
              <ButtonLink href={setupHref}>Check their DNS</ButtonLink>
              <AddDialog
                action="Add address"
                description="Before that, name it in the SPF record of its region, and give it reverse DNS to its EHLO name."
                load={loadForms}
                height="h-100"
              >
                {(close) =>
                  // The form begins with the first of them.
                  regions.data ? (
                    <AddressForm regions={regions.data.data} done={close} />
                  ) : (
                    <NotLoaded read={regions} label="regions" rows={3} />
                  )
                }
              </AddDialog>
            </>
          }
        />
        {!list.data ? (
          <NotLoaded read={list} label="addresses" rows={3} />
        ) : list.data.data.length === 0 ? (
          <EmptyState icon={<Network />} title="No addresses yet">
            Email leaves from the address that the system chooses.
          </EmptyState>
        ) : (
          <DataTable label="Addresses" columns={columns} rows={list.data.data} keyOf={({ id }) => id} />
        )}
      </Card>
      <ProjectPools />
    </>
  )
}

const columns: Column<EgressAddressWire>[] = [
  {
    head: "Address",
    width: "w-[38%] sm:w-[27%]",
    cell: (row) => (
      <>
        <code className="block text-sm font-medium [overflow-wrap:anywhere]">{row.address}</code>
        <span className="mt-0.5 block truncate text-xs text-muted" title={row.ehloName}>
          {row.ehloName}
        </span>
        <span className="mt-0.5 block truncate text-xs text-muted">
          {row.region}, {row.pool}
        </span>
        {row.blocks.length > 0 ? (
          <span className="mt-0.5 block text-xs [overflow-wrap:anywhere] text-bad">
            Refused by {row.blocks.map(({ destination }) => destination).join(", ")}
          </span>
        ) : null}
      </>
    ),
  },
  { head: "Sent today", cell: (row) => <Sent {...row} /> },
  {
    head: "Deferred",
    from: "md",
    width: "w-24",
    numeric: true,
    cell: ({ today }) => rateWords(today.deferred, today.sent),
  },
  {
    head: "Bounced",
    from: "md",
    width: "w-24",
    numeric: true,
    cell: ({ today }) => rateWords(today.bounced, today.sent),
  },
  {
    head: "Complaints",
    from: "xl",
    width: "w-28",
    numeric: true,
    cell: ({ today }) => rateWords(today.complained, today.sent),
  },
  {
    head: "State",
    from: "sm",
    width: "w-32",
    cell: (row) => {
      const { tone, text, tip } = stateOf(row)
      return (
        <Pill tone={tone} tip={tip} inTable>
          {text}
        </Pill>
      )
    },
  },
  {
    head: "Actions",
    headHidden: true,
    width: "w-12",
    cellClassName: "py-2 pr-2 pl-0 text-right sm:pr-3",
    cell: (row) => <AddressActions row={row} />,
  },
]

/** Of its cap, while it has one: in all, and to the providers that have used up much of their half. */
function Sent(row: EgressAddressWire) {
  const { warmUp, today } = row
  const { tone, text } = stateOf(row)
  return (
    <>
      <Pill tone={tone} inTable className="sm:hidden">
        {text}
      </Pill>
      {warmUp?.startsOn !== undefined ? (
        <span className="block text-muted">Begins on {warmUp.startsOn}</span>
      ) : warmUp ? (
        <>
          <span className="block">
            {today.sent.toLocaleString("en")} of {warmUp.cap.toLocaleString("en")}
          </span>
          <ProgressBar label={`Sent today from ${row.address}`} value={today.sent} max={warmUp.cap} className="my-1" />
          <span className="block text-xs text-muted">
            Day {warmUp.day} of {warmUp.days}
          </span>
        </>
      ) : (
        <span className="block">{today.sent.toLocaleString("en")}</span>
      )}
      {warmUp && warmUp.waiting > 0 ? (
        <span className={cn("block text-xs", warmUp.isTooMuch ? "text-bad" : "text-muted")}>
          {backlogWords(warmUp)}
        </span>
      ) : null}
      {sharesOf(row).map((share) => (
        <span key={share} className="block text-xs [overflow-wrap:anywhere] text-muted">
          {share}
        </span>
      ))}
    </>
  )
}

function ProjectPools() {
  const list = useQuery(projectPoolsQuery())
  return (
    <Card aria-label="Pools of projects">
      <CardHeader
        title="Pools of projects"
        description="Other projects send from the pool default."
        actions={
          <AddDialog
            action="Set pool"
            title="Set the pool of a project"
            description="What was attempted already stays at its address; everything else leaves from the new pool’s."
            button={{}}
            load={loadForms}
          >
            {(close) => <PoolForm done={close} />}
          </AddDialog>
        }
      />
      {!list.data ? (
        <NotLoaded read={list} label="pools" rows={2} />
      ) : list.data.data.length === 0 ? (
        <EmptyState title="No project has a pool of its own">All email leaves from the pool default.</EmptyState>
      ) : (
        <DataTable
          label="Pools of projects"
          columns={poolColumns}
          rows={list.data.data}
          keyOf={({ projectId }) => projectId}
        />
      )}
    </Card>
  )
}

const poolColumns: Column<ProjectPoolWire>[] = [
  {
    head: "Project",
    cell: ({ name, projectId }) => (
      <>
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-xs text-muted">{projectId}</span>
      </>
    ),
  },
  { head: "Pool", width: "w-[40%]", cell: ({ pool }) => pool },
]
