"use client"

import { Download } from "lucide-react"
import { type ReactNode, useEffect } from "react"
import { problemOf } from "@/components/data/call"
import { useCall } from "@/components/data/use-call"
import type { SetupReportWire, SetupRowWire } from "@/components/operator/queries"
import { setupPlaceWords, setupStateWords, waysToSend } from "@/components/operator/setup-words"
import { Button } from "@/components/ui/button"
import { buttonStyle } from "@/components/ui/button-style"
import { Callout } from "@/components/ui/callout"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { CodeBlock } from "@/components/ui/code-block"
import { EmptyState } from "@/components/ui/empty-state"
import { ErrorState } from "@/components/ui/error-state"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/skeleton"
import { regionLabel } from "@/lib/regions/regions"

/** What the regions that send to others need, checked when the page opens and on demand. */
export function SendingSetup() {
  const { mutate, data, error, isPending } = useCall("POST /v1/operator/setup-checks")
  useEffect(() => mutate({}), [mutate])
  const check = (
    <Button loading={isPending} onClick={() => mutate({})}>
      Check now
    </Button>
  )
  return (
    <>
      {data?.regions.map(({ region, red, message }) => (
        <Callout key={region} tone={red > 0 ? "bad" : "good"} title={regionLabel(region)}>
          {message}
        </Callout>
      ))}
      {!data ? (
        <Card aria-label="Checks">
          {error ? (
            <ErrorState
              message={problemOf(error).detail ?? problemOf(error).title}
              requestId={problemOf(error).requestId}
              onRetry={() => mutate({})}
              retrying={isPending}
            />
          ) : (
            <SkeletonRows rows={6} label="Checking the set-up" />
          )}
        </Card>
      ) : data.rows.length === 0 ? (
        <Card aria-label="Checks">
          <EmptyState title="No region sends to others" action={check}>
            All email goes to the mailbox of the sandbox. Choose a way below to send to others.
          </EmptyState>
        </Card>
      ) : (
        <Rows report={data} check={check} />
      )}
      {data && data.rows.length > 0 ? <ZoneFile text={data.zoneFile} /> : null}
      <Ways />
    </>
  )
}

function Rows({ report: { rows, checkedAt }, check }: { report: SetupReportWire; check: ReactNode }) {
  return (
    <>
      <div className="mb-3 flex items-center justify-between gap-4">
        <p className="text-muted" aria-live="polite">
          Checked <RelativeTime at={checkedAt} />
        </p>
        {check}
      </div>
      <RowCard title="Required" rows={rows.filter(({ kind }) => kind === "required")} />
      <RowCard title="Recommended" rows={rows.filter(({ kind }) => kind === "recommended")} />
    </>
  )
}

function RowCard({ title, rows }: { title: string; rows: readonly SetupRowWire[] }) {
  if (rows.length === 0) return null
  return (
    <Card aria-label={title}>
      <CardHeader title={title} />
      <ul className="divide-y divide-line">
        {rows.map((row) => (
          <SetupItem key={`${row.key} ${row.region ?? ""} ${row.address ?? ""}`} row={row} />
        ))}
      </ul>
    </Card>
  )
}

function SetupItem({ row }: { row: SetupRowWire }) {
  const { title, state, region, address, expected, found, message, fix, place } = row
  const { tone, text } = setupStateWords[state]
  return (
    <li className="px-4 py-3 [overflow-wrap:anywhere]">
      <div className="flex items-baseline justify-between gap-4">
        <span className="min-w-0">
          <span className="font-medium">{title}</span>
          {address || region ? <span className="ml-2 text-xs text-muted">{address ?? region}</span> : null}
        </span>
        <Pill tone={tone} inTable className="shrink-0">
          {text}
        </Pill>
      </div>
      {fix === undefined ? (
        <p className="mt-0.5 text-xs text-muted">{found.join("; ")}</p>
      ) : (
        <>
          <p className="mt-1 text-muted">{message.slice(0, message.indexOf(". ") + 1)}</p>
          <dl className="mt-1 grid grid-cols-[88px_1fr] gap-x-3 gap-y-1 text-sm">
            <Values name="Expected" values={expected} />
            <Values name="Found" values={found} />
            <dt className="text-muted">{setupPlaceWords[place]}</dt>
            <dd>{fix}</dd>
          </dl>
        </>
      )}
    </li>
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

function ZoneFile({ text }: { text: string }) {
  return (
    <Card aria-label="Zone file">
      <CardHeader
        title="Zone file"
        description="All records to publish at your DNS provider. Reverse names are set where you rent the server."
        actions={
          <a
            className={buttonStyle({})}
            download="mailroom-zone.txt"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          >
            <Download aria-hidden="true" />
            Download
          </a>
        }
      />
      <CodeBlock code={text} name="zone file" wrap={false} bare />
    </Card>
  )
}

/** How a region is made to send to others. */
function Ways() {
  return (
    <Card aria-label="Ways to send">
      <CardHeader
        title="Ways to send"
        description="SMTP_URL in .env is for all regions, SMTP_URL_EU_WEST_1 for one. Restart Mailroom after a change, then test the relay in the operator mailbox."
      />
      <CardBody>
        {waysToSend.map(({ name, steps }) => (
          <section key={name} aria-label={name} className="mb-4 last:mb-0">
            <h3 className="font-medium">{name}</h3>
            <ol className="ml-5 list-decimal text-muted">
              {steps.map(({ text, lines }, at) => (
                <li key={text} className="mt-1">
                  {text}
                  {lines === undefined ? null : (
                    <CodeBlock code={lines} name={`step ${at + 1} of ${name}`} className="my-1.5" />
                  )}
                </li>
              ))}
            </ol>
          </section>
        ))}
      </CardBody>
    </Card>
  )
}
