import { problemOf } from "@/components/data/call"
import { type SetupRowWire, setupRoute } from "@/components/operator/queries"
import { setupPlaceWords, setupStateWords, setupRowKey } from "@/components/operator/setup-words"
import { cn } from "@/components/ui/cn"
import { Card, CardHeader } from "@/components/ui/card"
import { useReaderTimes } from "@/components/ui/local-time"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { lazy, Suspense, useState } from "react"
import { useCall } from "@/components/data/use-call"
import { Button } from "@/components/ui/button"
import { Dialog } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/loading"
import { toast } from "@/components/ui/toast"

type RowsProps = { rows: readonly SetupRowWire[]; checkedAt: string | undefined }

/** The rows by what they are to the operator: must, should, and what no check can see. */
export function SetupRows({ rows, checkedAt }: RowsProps) {
  return (
    <>
      {blocks.map(({ kind, title, description }) => {
        const own = rows.filter((row) => row.kind === kind)
        return own.length === 0 ? null : (
          <Card key={kind} aria-label={title}>
            <CardHeader title={title} description={description} />
            <ul className="divide-y divide-line">
              {own.map((row) => (
                <SetupItem
                  key={`${row.key} ${row.region ?? ""} ${row.address ?? ""}`}
                  row={row}
                  checkedAt={checkedAt}
                />
              ))}
            </ul>
          </Card>
        )
      })}
    </>
  )
}

const blocks = [
  { kind: "required", title: "Required", description: undefined },
  { kind: "recommended", title: "Recommended", description: undefined },
  { kind: "by_hand", title: "By hand", description: "What no check can see: mark it when you have done it." },
] as const

function SetupItem({ row, checkedAt: latest }: { row: SetupRowWire; checkedAt: string | undefined }) {
  const { title, state, region, address, fix, place, confirmation, expected, found, message } = row
  const { tone, text } = setupStateWords[state]
  const inReaderTime = useReaderTimes()
  const isByHand = row.kind === "by_hand"
  // There is nothing to compare and nothing to fix before the first check.
  const isUnchecked = !isByHand && row.checkedAt === undefined
  return (
    <li className="px-4 py-3 [overflow-wrap:anywhere]">
      <div className="flex items-baseline justify-between gap-4">
        <span className="min-w-0">
          <span className="font-medium">{title}</span>
          {address || region ? <span className="ml-2 text-xs text-muted">{address ?? region}</span> : null}
        </span>
        <Pill tone={tone} inTable className="shrink-0">
          {isByHand && state === "ok" ? "Done" : text}
        </Pill>
      </div>
      {fix === undefined || isUnchecked ? (
        isByHand ? null : (
          <p
            // A key of DKIM is longer than what it says here: it is there.
            className={cn("mt-0.5 text-xs text-muted", state === "ok" && "truncate")}
            title={state === "ok" ? inReaderTime(found.join("; ")) : undefined}
          >
            {inReaderTime(state === "ok" ? found.join("; ") : message)}
          </p>
        )
      ) : (
        <>
          {isByHand ? null : (
            <p className="mt-1 text-muted">{inReaderTime(message.slice(0, message.indexOf(". ") + 1) || message)}</p>
          )}
          <dl className="mt-1 grid grid-cols-[88px_1fr] gap-x-3 gap-y-1 text-sm">
            {isByHand && expected.length === 0 ? null : <Values name="Expected" values={expected} />}
            {isByHand ? null : <Values name="Found" values={found.map(inReaderTime)} />}
            <dt className="text-muted">{setupPlaceWords[place]}</dt>
            <dd>{fix}</dd>
          </dl>
        </>
      )}
      {confirmation ? (
        <p className="mt-1 text-sm text-muted">
          {isByHand ? "Done" : "Overridden"} {confirmation.by ? `by ${confirmation.by} ` : ""}
          <RelativeTime at={confirmation.at} />
          {confirmation.reason ? `: ${confirmation.reason}` : ""}
        </p>
      ) : null}
      <When row={row} latest={latest} />
      <ConfirmRow row={row} />
    </li>
  )
}

/** Said where it is not what the head of the page says: since when a row is red, and what the latest check did not answer. */
function When({
  row: { checkedAt, unansweredAt, redSince },
  latest,
}: {
  row: SetupRowWire
  latest: string | undefined
}) {
  if (unansweredAt !== undefined && checkedAt !== undefined)
    return (
      <p className="mt-1 text-xs text-muted">
        The check of <RelativeTime at={unansweredAt} /> got no answer. This was found <RelativeTime at={checkedAt} />.
      </p>
    )
  if (redSince === undefined || redSince === latest) return null
  return (
    <p className="mt-1 text-xs text-muted">
      Wrong since <RelativeTime at={redSince} />
    </p>
  )
}

function Values({ name, values }: { name: string; values: readonly string[] }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd>
        {values.length === 0 ? "Nothing" : null}
        {values.map((value) => (
          <code key={value} className="block">
            {value}
          </code>
        ))}
      </dd>
    </>
  )
}

const OverrideForm = lazy(() =>
  import("@/components/operator/setup-override-form").then(({ OverrideForm }) => ({ default: OverrideForm })),
)

/** Marks a row that is done by hand, overrides one that is not right, and takes either back. */
function ConfirmRow({ row }: { row: SetupRowWire }) {
  const [open, setOpen] = useState(false)
  const { mutate, isPending } = useCall("PUT /v1/operator/setup-confirmations", [setupRoute])
  const confirm = (confirmed: boolean, said: string) =>
    mutate(
      { body: { ...setupRowKey(row), confirmed } },
      {
        onSuccess: () => toast.success(said),
        onError: (error) => toast.error(`${row.title} was not changed`, { description: problemOf(error).detail }),
      },
    )
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
