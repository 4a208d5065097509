"use client"

import { useQuery } from "@tanstack/react-query"
import { Network, EllipsisVertical } from "lucide-react"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { AddDialog } from "@/components/data/add-dialog"
import { NotLoaded } from "@/components/data/load-error"
import { backlogWords, rateWords, sharesOf, stateOf } from "@/components/operator/egress-words"
import {
  egressAddressesQuery,
  type EgressAddressWire,
  operatorRegionsQuery,
  type ProjectPoolWire,
  projectPoolsQuery,
  egressAddressesRoute,
} from "@/components/operator/queries"
import { ButtonLink, IconButton } from "@/components/ui/button"
import { Callout } from "@/components/ui/callout"
import { Card, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { EmptyState } from "@/components/ui/empty-state"
import { Pill } from "@/components/ui/pill"
import { ProgressBar, Skeleton } from "@/components/ui/loading"
import { type Column, DataTable } from "@/components/ui/table"
import { useCall } from "@/components/data/use-call"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { Dialog } from "@/components/ui/dialog"
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu"
import { toast } from "@/components/ui/toast"
import { warmUpCaps, warmUpDays } from "@/lib/delivery/egress/rules"

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

const MoveForm = lazy(() => loadForms().then(({ MoveForm }) => ({ default: MoveForm })))

type Action = "spill" | "wait" | "pause" | "resume" | "warm_up" | "end_warm_up" | "move" | "remove"
type Question = { title: string; action: string; done: string; tone?: "primary"; effect: ReactNode }

/** What the operator may do with one address; each says first what follows from it. */
function AddressActions({ row }: { row: EgressAddressWire }) {
  const [wanted, setWanted] = useState<Action>()
  const change = useCall("PATCH /v1/operator/egress-addresses/{addressId}", [egressAddressesRoute])
  const remove = useCall("DELETE /v1/operator/egress-addresses/{addressId}", [egressAddressesRoute])
  const params = { addressId: row.id }
  const question = wanted && wanted !== "move" ? questions[wanted](row) : undefined

  async function confirm() {
    if (!question || !wanted) return
    if (wanted === "remove") await remove.mutateAsync({ params })
    else if (wanted === "warm_up") await change.mutateAsync({ params, body: { warmUpOn: utcToday() } })
    else if (wanted === "end_warm_up") await change.mutateAsync({ params, body: { warmUpOn: null } })
    else if (wanted === "spill" || wanted === "wait") await change.mutateAsync({ params, body: { onBlock: wanted } })
    else await change.mutateAsync({ params, body: { paused: wanted === "pause" } })
    toast.success(question.done)
  }

  return (
    <>
      <Menu trigger={<IconButton label={`Actions for ${row.address}`} icon={<EllipsisVertical />} />}>
        {row.pausedAt === undefined ? (
          <MenuItem onSelect={() => setWanted("pause")}>Pause</MenuItem>
        ) : (
          <MenuItem onSelect={() => setWanted("resume")}>Resume</MenuItem>
        )}
        {row.warmUp ? <MenuItem onSelect={() => setWanted("end_warm_up")}>End warm-up</MenuItem> : null}
        <MenuItem onSelect={() => setWanted("warm_up")}>{row.warmUp ? "Start warm-up anew" : "Start warm-up"}</MenuItem>
        <MenuItem onSelect={() => setWanted("move")}>Move to pool</MenuItem>
        {row.onBlock === "wait" ? (
          <MenuItem onSelect={() => setWanted("spill")}>Send from others when blocked</MenuItem>
        ) : (
          <MenuItem onSelect={() => setWanted("wait")}>Wait when blocked</MenuItem>
        )}
        <MenuSeparator />
        <MenuItem danger onSelect={() => setWanted("remove")}>
          Remove
        </MenuItem>
      </Menu>
      {question ? (
        <ConfirmDialog
          open
          onOpenChange={(open) => (open ? undefined : setWanted(undefined))}
          title={question.title}
          action={question.action}
          tone={question.tone}
          onConfirm={confirm}
        >
          {question.effect}
        </ConfirmDialog>
      ) : null}
      <Dialog
        open={wanted === "move"}
        onOpenChange={(open) => (open ? undefined : setWanted(undefined))}
        title={`Move ${row.address} to a pool`}
        description="It takes its share of the pairs of domains of that pool and leaves those of this one to the other addresses. What was attempted from it stays with it. Both pools’ SPF records must name it."
      >
        <Suspense fallback={<Skeleton className="h-40" />}>
          <MoveForm row={row} done={() => setWanted(undefined)} />
        </Suspense>
      </Dialog>
    </>
  )
}

const [firstCap, secondCap, thirdCap] = warmUpCaps

const questions: Record<Exclude<Action, "move">, (row: EgressAddressWire) => Question> = {
  pause: ({ address }) => ({
    title: `Pause ${address}?`,
    action: "Pause address",
    done: `${address} is paused`,
    effect:
      "New email leaves from the other addresses of its pool, and waits if there are none. Email that was attempted from it waits until you resume it, for at most 72 hours after it was accepted.",
  }),
  resume: ({ address }) => ({
    title: `Resume ${address}?`,
    action: "Resume address",
    done: `${address} sends again`,
    tone: "primary",
    effect: "It takes its share of new email at once, and email that waits for it within 15 minutes.",
  }),
  warm_up: ({ address }) => ({
    title: `Start the warm-up of ${address}?`,
    action: "Start warm-up",
    done: `The warm-up of ${address} has begun`,
    tone: "primary",
    effect: `Until midnight UTC it sends at most ${firstCap} emails, half of them to one provider, then ${secondCap} a day, ${thirdCap.toLocaleString("en")} and so on up to day ${warmUpDays}, on which the cap ends. A day with too many deferrals, bounces or complaints is repeated. What is over leaves from addresses of the pool without a cap, or waits until midnight.`,
  }),
  end_warm_up: ({ address }) => ({
    title: `End the warm-up of ${address}?`,
    action: "End warm-up",
    done: `${address} has no cap any more`,
    effect:
      "It sends without a cap from now on. Providers that do not know the address yet may defer or block much email from it.",
  }),
  spill: ({ address, pool }) => ({
    title: `Send from others when ${address} is blocked?`,
    action: "Send from others",
    done: `Email of ${address} does not wait for blocks`,
    tone: "primary",
    effect: `Where a destination refuses ${address}, email that has not been attempted leaves from another address of the pool ${pool}. Providers may then block that one too.`,
  }),
  wait: ({ address }) => ({
    title: `Wait when ${address} is blocked?`,
    action: "Wait when blocked",
    done: `Email of ${address} waits for blocks to end`,
    tone: "primary",
    effect: `Where a destination refuses ${address}, its email waits and is tried again, for at most 72 hours after it was accepted.`,
  }),
  remove: ({ address, pool }) => ({
    title: `Remove ${address}?`,
    action: "Remove address",
    done: `${address} is removed`,
    effect: `Its email leaves from the other addresses of the pool ${pool}, also what was attempted from it and waits: servers that greylist defer that once more. Without another address, the system chooses one. Its counts are deleted.`,
  }),
}

function utcToday(): string {
  return new Date().toISOString().slice(0, 10)
}
