"use client"

import { EllipsisVertical } from "lucide-react"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { useCall } from "@/components/data/use-call"
import { type EgressAddressWire, egressAddressesRoute } from "@/components/operator/queries"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { Dialog } from "@/components/ui/dialog"
import { IconButton } from "@/components/ui/icon-button"
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu"
import { Skeleton } from "@/components/ui/skeleton"
import { toast } from "@/components/ui/toast"
import { warmUpCaps, warmUpDays } from "@/lib/delivery/egress/rules"

const loadForms = () => import("@/components/operator/egress-forms")
const MoveForm = lazy(() => loadForms().then(({ MoveForm }) => ({ default: MoveForm })))

type Action = "spill" | "wait" | "pause" | "resume" | "warm_up" | "end_warm_up" | "move" | "remove"
type Question = { title: string; action: string; done: string; tone?: "primary"; effect: ReactNode }

/** What the operator may do with one address; each says first what follows from it. */
export function AddressActions({ row }: { row: EgressAddressWire }) {
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
