import { formatNumber } from "@/lib/platform/format"
import { changeOf, isOver, judgedFrom, pointsText, ratesFor, shareOf, shareText } from "@/components/metrics/rates"
import type { Summary } from "@/components/metrics/types"
import { Card, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { Table, Td, Th } from "@/components/ui/table"

/** Each rate with its definition and its change to the period before. */
export function RatesCard({ summary }: { summary: Summary }) {
  // All dashes say nothing.
  const previous = summary.previous?.sent ? summary.previous : undefined
  // A phone has room for three columns; the definition is below the name there.
  const wide = "hidden sm:table-cell"
  const withoutChange = previous && wide
  const few = summary.sent > 0 && summary.sent < judgedFrom
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
          <col className="sm:w-31" />
          <col className={cn("w-23", previous && "hidden sm:table-column")} />
          <col className="w-21" />
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
            const change = previous ? changeOf(rate, summary, previous) : null
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
                  {formatNumber(rate.count(summary))}
                </Td>
                <Td numeric className={cn("font-medium tabular-nums", over && "text-warn")}>
                  {shareText(shareOf(rate, summary))}
                  {over ? <span className="sr-only">, above the limit</span> : null}
                </Td>
                {previous ? (
                  <Td numeric muted className={cn("tabular-nums", wide)}>
                    {shareText(shareOf(rate, previous))}
                  </Td>
                ) : null}
                {previous ? (
                  <Td numeric className={cn("tabular-nums", tones[change?.tone ?? "none"])}>
                    {change ? pointsText(change.points) : "–"}
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
