"use client"

import { useQuery } from "@tanstack/react-query"
import { Download } from "lucide-react"
import { useEffect, useRef } from "react"
import { NotLoaded } from "@/components/data/load-error"
import { problemOf } from "@/components/data/call"
import { useCall } from "@/components/data/use-call"
import { dynamic } from "@/components/late-parts/dynamic"
import { operatorRegionsQuery, setupQuery, setupRoute, type SetupReportWire } from "@/components/operator/queries"
import { SetupRows } from "@/components/operator/setup-rows"
import { waysToSend } from "@/components/operator/setup-words"
import { Button } from "@/components/ui/button"
import { buttonStyle } from "@/components/ui/button-style"
import { Callout } from "@/components/ui/callout"
import { Card, CardHeader } from "@/components/ui/card"
import { CodeBlock } from "@/components/ui/code-block"
import { EmptyState } from "@/components/ui/empty-state"
import { Skeleton } from "@/components/ui/loading"
import { RelativeTime, useOpenedAt } from "@/components/ui/relative-time"
import { TabPanel, Tabs } from "@/components/ui/tabs"
import { regionLabel } from "@/lib/regions/regions"
import { installationRows } from "@/lib/delivery/setup/installation-rules"
import { KeyValues } from "@/components/ui/key-values"
import { Pill } from "@/components/ui/pill"

const TestRelay = dynamic(() => import("@/components/operator/relay-test").then((module) => module.TestRelay), {
  ssr: false,
  loading: () => <Skeleton className="mb-4 h-40" />,
})

/** What the installation is, and what the regions that send to others need, as it was checked last; the page checks what never was by itself. */
export function SendingSetup({ to }: { to: string }) {
  const read = useQuery(setupQuery())
  const { data } = read
  const { mutate, error, isPending } = useCall("POST /v1/operator/setup-checks", [setupRoute])
  const lacks = data?.rows.some(({ kind, checkedAt }) => kind !== "by_hand" && checkedAt === undefined) ?? false
  const regions = useQuery(operatorRegionsQuery()).data?.data
  const asked = useRef(false)
  useEffect(() => {
    if (!lacks || asked.current) return
    asked.current = true
    mutate({})
  }, [lacks, mutate])
  const check = (
    <Button loading={isPending} onClick={() => mutate({})}>
      Check now
    </Button>
  )
  return (
    <>
      {data ? <InstallationCard installation={data.installation} /> : null}
      {data?.regions.map(({ region, red, sending, message }) => (
        <Callout key={region} tone={red > 0 ? "bad" : sending ? "good" : "warn"} title={regionLabel(region)}>
          {message}
        </Callout>
      ))}
      {error ? (
        <Callout tone="bad" title="The set-up was not checked">
          {problemOf(error).detail ?? problemOf(error).title}
        </Callout>
      ) : null}
      {!data ? (
        <Card aria-label="Checks">
          <NotLoaded read={read} label="set-up" rows={6} />
        </Card>
      ) : data.rows.length === 0 ? (
        <Card aria-label="Checks">
          <EmptyState title="No region sends to others" action={check}>
            All email goes to the mailbox of the sandbox. Choose a way below to send to others.
          </EmptyState>
        </Card>
      ) : (
        <>
          <div className="mb-3 flex items-center justify-between gap-4">
            <p className="text-muted" aria-live="polite">
              {isPending ? (
                "Checking"
              ) : data.checkedAt === undefined ? (
                "Not checked yet"
              ) : (
                <>
                  Checked <RelativeTime at={data.checkedAt} />
                </>
              )}
            </p>
            {check}
          </div>
          <SetupRows rows={data.rows} checkedAt={data.checkedAt} />
          <ZoneFile text={data.zoneFile} />
        </>
      )}
      {regions ? <TestRelay regions={regions} to={to} /> : null}
      <Ways />
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
        description="Settings are lines of the file .env in the folder of Mailroom, read when it starts. SMTP_URL is for all regions, and each of them then has rows here; SMTP_URL_EU_WEST_1 is for one. Test the relay above afterwards."
      />
      <Tabs label="Ways to send" tabs={waysToSend.map(({ name }) => ({ value: name, label: name }))}>
        {waysToSend.map(({ name, steps }) => (
          <TabPanel key={name} value={name} className="px-4 py-3">
            <ol className="ml-5 list-decimal text-muted">
              {steps.map(({ text, lines }, at) => (
                <li key={text} className="mt-1.5 first:mt-0">
                  {text}
                  {lines === undefined ? null : (
                    <CodeBlock code={lines} name={`step ${at + 1} of ${name}`} className="my-2" />
                  )}
                </li>
              ))}
            </ol>
          </TabPanel>
        ))}
      </Tabs>
    </Card>
  )
}

/** What this installation is called, how it sends, and how it is doing. */
function InstallationCard({ installation }: { installation: SetupReportWire["installation"] }) {
  const openedAt = useOpenedAt()
  const { backedUpAt, ...facts } = installation
  const rows = installationRows(
    { ...facts, backedUpAt: backedUpAt ? new Date(backedUpAt) : undefined },
    new Date(openedAt),
  )
  return (
    <Card aria-label="Installation">
      <CardHeader title="Installation" description="As the host that answers sees it now." />
      <KeyValues
        items={rows.map(({ name, value, attention }) => ({
          label: name,
          value: (
            <>
              {value.replaceAll("`", "")}
              {attention ? (
                <Pill tone="warn" className="ml-2">
                  Attention
                </Pill>
              ) : null}
            </>
          ),
        }))}
      />
    </Card>
  )
}
