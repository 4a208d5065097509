import { formatNumber } from "@/lib/platform/format"
import type { Summary } from "@/components/metrics/types"
import { reachedOf, reachedWord, shareText } from "@/components/metrics/rates"
import { Card, CardHeader } from "@/components/ui/card"
import { TextLink } from "@/components/ui/text-link"
import { cn } from "@/components/ui/cn"

type OpensCardProps = {
  projectId: string
  summary: Summary
  /** Whether the project adds open tracking to its email; undefined until known. */ tracked: boolean | undefined
}

/** Opens of people beside those of machines, of what was delivered, or sent where that is not reported. */
export function OpensCard({ projectId, summary, tracked }: OpensCardProps) {
  const { opened, openedByAnyone = opened } = summary
  const reached = reachedOf(summary)
  return (
    <Card id="opens" aria-labelledby="metrics-opens">
      <CardHeader id="metrics-opens" title="Opens" actions={`of ${formatNumber(reached)} ${reachedWord(summary)}`} />
      <div className="p-4">
        {openedByAnyone === 0 && tracked === false ? (
          <>
            <p className="text-lg font-semibold">Opens are not tracked</p>
            <p className="mt-1 text-muted">
              Turn on open tracking in the{" "}
              <TextLink href={`/projects/${projectId}/settings`}>project&apos;s settings</TextLink>, or in a request.
            </p>
          </>
        ) : (
          <Shares reached={reached} opened={Math.min(opened, reached)} anyone={Math.min(openedByAnyone, reached)} />
        )}
      </div>
    </Card>
  )
}

function Shares({ reached, opened, anyone }: { reached: number; opened: number; anyone: number }) {
  const machines = Math.max(0, anyone - opened)
  const of = (count: number) => (reached > 0 ? count / reached : 0)
  const parts = [
    {
      label: "People",
      note: "Gmail's and Yahoo's image proxies count as people: they fetch images when a person opens the email.",
      count: opened,
      colour: "bg-accent",
    },
    {
      label: "Machines only",
      note: "Apple Mail's prefetch and security scanners, if no open by a person is known.",
      count: machines,
      colour: "bg-accent/45",
    },
    { label: "Not opened", note: "", count: reached - opened - machines, colour: "bg-line-strong" },
  ]
  return (
    <>
      <p className="text-lg font-semibold">{shareText(of(opened), 0)} were opened by a person</p>
      <p className="mt-0.5 text-muted">
        {machines > 0
          ? `Including machines, the rate would be ${shareText(of(opened + machines), 0)}.`
          : "No opens by machines only."}
      </p>
      <div aria-hidden="true" className="mt-4 flex h-2.5 gap-px overflow-hidden rounded-xs bg-sunken">
        {parts.map(({ label, count, colour }) => (
          <span key={label} className={colour} style={{ width: `${of(count) * 100}%` }} />
        ))}
      </div>
      <dl className="mt-2 divide-y divide-line">
        {parts.map(({ label, note, count, colour }) => (
          <div key={label} className="flex flex-wrap items-baseline gap-x-2 py-2.5" title={note || undefined}>
            <span aria-hidden="true" className={cn("size-2 self-center rounded-xs", colour)} />
            <dt className="flex-1">{label}</dt>
            <dd className="font-medium tabular-nums">{formatNumber(count)}</dd>
            <dd className="w-14 text-right text-muted tabular-nums">{shareText(of(count), 1)}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
