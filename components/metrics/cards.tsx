import { stackOf, sentWeekBefore, shownSeries, type Summary, type MetricsTimeline } from "@/components/metrics/chart"
import {
  changeOf,
  isOver,
  isUntracked,
  pointsText,
  ratesFor,
  reachedCount,
  reachedWord,
  shareOf,
  shareText,
  type Tracking,
} from "@/components/metrics/rates"
import { VolumeChart } from "@/components/metrics/volume-chart"
import { Absent, TextLink } from "@/components/ui/text"
import { Card, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { useTimeZone } from "@/components/ui/local-time"
import { Table, Td, Th } from "@/components/ui/table"
import { judgesBounces } from "@/lib/metrics/rules"
import { formatNumber } from "@/lib/platform/format"

type VolumeCardProps = {
  projectId: string
  summary: Summary
  timeline: MetricsTimeline
  /** Each day is compared with the one a week before, not with the average. */
  weekly: boolean
  /** That week, once it is loaded. */
  earlier: MetricsTimeline | undefined
}

/** How many were sent, what became of them, and the bars of the window. */
export function VolumeCard({ projectId, summary, timeline, weekly, earlier }: VolumeCardProps) {
  const { previous, sent } = summary
  const parts = stackOf(summary)
  const before = !weekly && previous && previous.sent > 0 ? previous.sent / timeline.buckets.length : null
  const timeZone = useTimeZone()
  const days = weekly && earlier && previous?.sent ? sentWeekBefore(timeline, earlier, timeZone) : null
  const each = timeline.granularity === "hour" ? "Hourly" : "Daily"
  return (
    <Card aria-labelledby="metrics-volume">
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2 border-b border-line px-4 py-3">
        <p className="flex flex-wrap gap-x-2">
          <b id="metrics-volume" className="font-semibold" role="heading" aria-level={2}>
            {sent === 1 ? "1 email sent" : `${formatNumber(sent)} emails sent`}
          </b>
          {previous ? <span className="text-muted">{changeText(sent, previous.sent)}</span> : null}
        </p>
        <dl className="flex flex-wrap gap-x-4 gap-y-1">
          {shownSeries(parts).map(({ name, label, colour }) => (
            <div key={name} className="flex items-center gap-1.5">
              <span aria-hidden="true" className={cn("size-2 rounded-xs", colour)} />
              <dt className="text-muted">{label}</dt>
              <dd className="font-medium tabular-nums">{formatNumber(parts[name])}</dd>
            </div>
          ))}
          {days ? (
            <div className="flex items-center gap-1.5">
              <span aria-hidden="true" className="h-0.5 w-3 bg-text" />
              <dt className="text-muted">Same day a week before</dt>
              <dd className="sr-only">shown in each day</dd>
            </div>
          ) : null}
          {before === null ? null : (
            <div className="flex items-center gap-1.5">
              <span aria-hidden="true" className="w-3 border-t border-dashed border-text/60" />
              <dt className="text-muted">{each} average before</dt>
              <dd className="font-medium tabular-nums">{formatNumber(Math.round(before))}</dd>
            </div>
          )}
        </dl>
      </header>
      <VolumeChart projectId={projectId} timeline={timeline} before={before} earlier={days} />
    </Card>
  )
}

/** Against fewer a change says nothing. */
const enough = 100

function changeText(now: number, before: number): string {
  if (before < enough)
    return before === 0 ? "none in the period before" : `${formatNumber(before)} in the period before`
  if (now === before) return `as many as in the period before`
  const change = Math.abs(now / before - 1)
  const by =
    change >= 10
      ? `${Math.round(now / before)} times`
      : `${Math.max(1, Math.round(change * 100))}% ${now > before ? "more than" : "less than"}`
  return `${by} the ${formatNumber(before)} before`
}

/** Each rate with its definition and its change to the period before. */
export function RatesCard({ summary, tracking }: { summary: Summary; tracking: Tracking | undefined }) {
  // All dashes say nothing.
  const previous = summary.previous?.sent ? summary.previous : undefined
  // A phone has room for three columns; the definition is below the name there.
  const wide = "hidden sm:table-cell"
  const withoutChange = previous && wide
  const few = summary.sent > 0 && !judgesBounces(summary)
  return (
    <Card id="rates" aria-labelledby="metrics-rates">
      <CardHeader
        id="metrics-rates"
        title="Rates"
        actions={
          few
            ? "Too few emails to judge"
            : previous
              ? "Change in percentage points, coloured if statistically significant"
              : undefined
        }
      />
      <Table label="Rates" minWidth={previous ? "sm:min-w-180" : "sm:min-w-140"}>
        <colgroup>
          <col className="sm:w-33" />
          <col className={cn("w-23", previous && "hidden sm:table-column")} />
          <col className="w-24" />
          {previous ? <col className="hidden w-21 sm:table-column" /> : null}
          {previous ? <col className="w-19" /> : null}
          <col className="hidden sm:table-column" />
        </colgroup>
        <thead>
          <tr>
            <Th>Rate</Th>
            <Th numeric className={withoutChange}>
              Recipients
            </Th>
            <Th numeric>Now</Th>
            {previous ? (
              <Th numeric className={wide}>
                Before
              </Th>
            ) : null}
            {previous ? <Th numeric>Change</Th> : null}
            <Th className={wide}>What counts</Th>
          </tr>
        </thead>
        <tbody>
          {ratesFor(summary).map((rate) => {
            const untracked = isUntracked(rate, summary, tracking)
            const change = previous && !untracked ? changeOf(rate, summary, previous) : null
            const over = isOver(rate, summary)
            return (
              <tr key={rate.label}>
                <th
                  scope="row"
                  className="border-b border-line px-4 py-2.5 text-left align-top font-medium [tr:last-child>&]:border-b-0"
                >
                  {rate.label}
                  <span className="block text-xs font-normal text-muted sm:hidden">{rate.means}</span>
                </th>
                <Td numeric muted className={cn("tabular-nums", withoutChange)}>
                  {untracked ? <Absent word="Not tracked" /> : formatNumber(rate.count(summary))}
                </Td>
                <Td
                  numeric
                  className={cn(
                    "tabular-nums",
                    untracked ? "text-xs whitespace-nowrap text-muted" : "font-medium",
                    over && "text-warn",
                  )}
                >
                  {untracked ? "Not tracked" : shareText(shareOf(rate, summary))}
                  {over ? <span className="sr-only">, above the limit</span> : null}
                </Td>
                {previous ? (
                  <Td numeric muted className={cn("tabular-nums", wide)}>
                    {shareText(shareOf(rate, previous))}
                  </Td>
                ) : null}
                {previous ? (
                  <Td numeric className={cn("tabular-nums", tones[change?.tone ?? "none"])}>
                    {change ? pointsText(change.points) : <Absent word="Nothing to compare with" />}
                  </Td>
                ) : null}
                <Td muted className={cn("text-xs", wide)}>
                  {rate.means}
                </Td>
              </tr>
            )
          })}
        </tbody>
      </Table>
    </Card>
  )
}

const tones = { good: "font-semibold text-good", warn: "font-semibold text-warn", none: "text-muted" }

type OpensCardProps = {
  projectId: string
  summary: Summary
  tracking: Tracking | undefined
}

/** Opens of people beside those of machines, of what was delivered, or sent where that is not reported. */
export function OpensCard({ projectId, summary, tracking }: OpensCardProps) {
  const { opened, openedByAnyone = opened } = summary
  const reached = reachedCount(summary)
  return (
    <Card id="opens" aria-labelledby="metrics-opens">
      <CardHeader id="metrics-opens" title="Opens" actions={`of ${formatNumber(reached)} ${reachedWord(summary)}`} />
      <div className="p-4">
        {isUntracked({ name: "opened" }, summary, tracking) ? (
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
