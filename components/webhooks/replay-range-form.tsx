"use client"

import { useQuery } from "@tanstack/react-query"
import { useState, type FormEvent } from "react"
import { dayMs } from "@/lib/platform/time"
import { formatNumber } from "@/lib/platform/format"
import { problemOf } from "@/components/data/call"
import { useSettled, Input } from "@/components/ui/input"
import { Button } from "@/components/ui/button"
import { DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { RadioCards } from "@/components/ui/radio-cards"
import { toast } from "@/components/ui/toast"
import { rangeQuery, useReplayRange, type HistoryRange } from "@/components/webhooks/queries"
import { localTime } from "@/components/ui/time-words"

type ReplayRangeFormProps = { projectId: string; webhookId: string; onDone: () => void }

/** The last day is suggested; the count is known before anything is sent. */
export default function ReplayRangeForm({ projectId, webhookId, onDone }: ReplayRangeFormProps) {
  const [since, setSince] = useState(() => localTime(new Date(Date.now() - dayMs)))
  const [until, setUntil] = useState(() => localTime(new Date(Date.now() + 60_000)))
  const [include, setInclude] = useState<"undelivered" | "all">("undelivered")
  const replay = useReplayRange()
  const range = rangeOf(since, until, include)
  const settled = useSettled(range ? JSON.stringify(range) : "")
  const { data, error, isFetching } = useQuery({
    ...rangeQuery(projectId, webhookId, settled ? (JSON.parse(settled) as HistoryRange) : { since: "" }),
    enabled: settled !== "",
  })
  const known = settled === (range ? JSON.stringify(range) : "") && !isFetching
  const count = known ? data?.count : undefined

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!range || !count || replay.isPending) return
    try {
      const answer = await replay.mutateAsync({ params: { projectId, endpointId: webhookId }, body: range })
      toast.success(`${events(answer.count)} replayed`, { description: "They are at the top of the list." })
      onDone()
    } catch (fault) {
      toast.error("Nothing was replayed", { description: problemOf(fault).detail })
    }
  }

  return (
    <form method="post" onSubmit={(event) => void submit(event)}>
      <div className="mb-4 grid gap-4 sm:grid-cols-2 [&>*]:mb-0">
        <Field label="From">
          <Input type="datetime-local" step={60} value={since} onChange={({ target }) => setSince(target.value)} />
        </Field>
        <Field label="To">
          <Input type="datetime-local" step={60} value={until} onChange={({ target }) => setUntil(target.value)} />
        </Field>
      </div>
      <RadioCards
        legend="Which events"
        name="include"
        value={include}
        onChange={({ target }) => setInclude(target.value === "all" ? "all" : "undelivered")}
        options={[
          {
            value: "undelivered",
            label: "Not delivered",
            hint: "Deliveries that failed or were cancelled, and that the endpoint has not accepted since.",
          },
          { value: "all", label: "All", hint: "Also those that the endpoint has accepted: it gets them twice." },
        ]}
      />
      <p aria-live="polite" className="text-muted">
        {!range ? "Enter two times, the earlier one first." : error ? problemOf(error).detail : countWords(count)}
      </p>
      <DialogFooter>
        <Button type="submit" variant="primary" loading={replay.isPending} disabled={!count}>
          {count ? `Replay ${events(count)}` : "Replay"}
        </Button>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
      </DialogFooter>
    </form>
  )
}

function countWords(count: number | undefined): string {
  if (count === undefined) return "Counting…"
  if (count === 0) return "No event in this range can be replayed. Events that are waiting for a retry are skipped."
  return `${events(count)} will be sent again. Events that are waiting for a retry are skipped.`
}

function events(count: number): string {
  return count === 1 ? "1 event" : `${formatNumber(count)} events`
}

function rangeOf(since: string, until: string, include: "undelivered" | "all"): HistoryRange | null {
  const [from, to] = [Date.parse(since), Date.parse(until)]
  if (Number.isNaN(from) || Number.isNaN(to) || from >= to) return null
  return { since: new Date(from).toISOString(), until: new Date(to).toISOString(), include }
}
