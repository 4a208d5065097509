"use client"

import { lazy, Suspense, useState } from "react"
import { useCall } from "@/components/data/use-call"
import { type SetupRowWire, setupRoute } from "@/components/operator/queries"
import { setupRowKey } from "@/components/operator/setup-words"
import { Button } from "@/components/ui/button"
import { Dialog } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/skeleton"
import { toast } from "@/components/ui/toast"

const OverrideForm = lazy(() =>
  import("@/components/operator/setup-override-form").then(({ OverrideForm }) => ({ default: OverrideForm })),
)

/** Marks a row that is done by hand, overrides one that is not right, and takes either back. */
export function ConfirmRow({ row }: { row: SetupRowWire }) {
  const [open, setOpen] = useState(false)
  const { mutate, isPending } = useCall("PUT /v1/operator/setup-confirmations", [setupRoute])
  const confirm = (confirmed: boolean, said: string) =>
    mutate({ body: { ...setupRowKey(row), confirmed } }, { onSuccess: () => toast.success(said) })
  if (row.confirmation)
    return (
      <Action loading={isPending} onClick={() => confirm(false, `${row.title} is no longer marked`)}>
        {row.kind === "by_hand" ? "Not done" : "Take back"}
      </Action>
    )
  if (row.kind === "by_hand")
    return (
      <Action loading={isPending} onClick={() => confirm(true, `${row.title} is done`)}>
        Mark as done
      </Action>
    )
  if (row.state === "ok" || row.kind !== "required") return null
  return (
    <>
      <Action onClick={() => setOpen(true)}>Override</Action>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={`Override ${row.title}`}
        description="What its check finds no longer counts, until you take that back. Your name and the reason are shown here and in the audit log."
      >
        <Suspense fallback={<Skeleton className="h-40" />}>
          <OverrideForm row={row} done={() => setOpen(false)} />
        </Suspense>
      </Dialog>
    </>
  )
}

function Action({ children, ...button }: { children: string; loading?: boolean; onClick: () => void }) {
  return (
    <Button size="small" className="mt-2" {...button}>
      {children}
    </Button>
  )
}
