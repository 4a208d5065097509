"use client"

import { useQuery } from "@tanstack/react-query"
import { Check, Circle, X } from "lucide-react"
import { type ReactNode, useState } from "react"
import { problemOf } from "@/components/data/call"
import { useCall } from "@/components/data/use-call"
import { type LoopTestStep, loopTestSteps, headerReadingWords } from "@/components/operator/test-words"
import {
  operatorRegionsQuery,
  operatorRegionsRoute,
  type OperatorRegion,
  type HeaderReadingAnswer,
} from "@/components/operator/queries"
import { TestRelay } from "@/components/operator/relay-test"
import { Button } from "@/components/ui/button"
import { Callout } from "@/components/ui/callout"
import { Card, CardHeader, CardBody } from "@/components/ui/card"
import { useReaderTimes } from "@/components/ui/local-time"
import { Pill, type Tone } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { DataTable, type Column } from "@/components/ui/table"
import { toast } from "@/components/ui/toast"
import { regionLabel, type Region } from "@/lib/regions/regions"
import { Form, FormRefusal } from "@/components/data/form"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { Field } from "@/components/ui/field"
import { Textarea } from "@/components/ui/input"

const refreshMs = 2_000

/** Whether email of each region leaves, and whether what is returned comes back: a test of each. `to`: the operator's address. */
export function RegionTests({ to }: { to: string }) {
  const { data } = useQuery({
    ...operatorRegionsQuery(),
    refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? refreshMs : false),
  })
  if (!data) return null
  return (
    <>
      <Outages regions={data.data} />
      <TestRelay regions={data.data} to={to} />
      <ReadHeaders />
      <Card>
        <CardHeader
          title="Loop tests"
          description="Each sends an email by the way of a region, and passes when it reaches the listener for returned mail. It leaves from this server, so it passes no firewall in front of port 25."
        />
        <DataTable label="Regions" columns={columns} rows={data.data} keyOf={({ region }) => region} />
      </Card>
    </>
  )
}

/** What keeps the email of a region from leaving, and what the operator does about it. */
function Outages({ regions }: { regions: readonly OperatorRegion[] }) {
  const inReaderTime = useReaderTimes()
  return regions.map(({ region, outage }) =>
    outage ? (
      <Callout key={region} tone="bad" title={`No email leaves ${regionLabel(region)}`}>
        {inReaderTime(outage.message)}
      </Callout>
    ) : null,
  )
}

const columns: Column<OperatorRegion>[] = [
  {
    head: "Region",
    width: "w-[36%] sm:w-[24%]",
    cell: ({ region, relay }) => (
      <>
        <span className="block sm:truncate">{regionLabel(region)}</span>
        <span className="mt-0.5 block truncate text-xs text-muted">{relay}</span>
      </>
    ),
  },
  { head: "Loop test", cell: (region) => <LoopTest {...region} /> },
  {
    head: "Delivery reports",
    from: "xl",
    width: "w-[26%]",
    muted: true,
    cell: ({ reports }) => (reports ? reportsWords[reports] : "Not asked for"),
  },
  {
    head: "Actions",
    headHidden: true,
    width: "w-20 sm:w-28",
    className: "text-right",
    cell: (region) => <StartLoopTest {...region} />,
  },
]

function LoopTest({ loopTest }: OperatorRegion) {
  if (!loopTest) return <span className="text-muted">Never run</span>
  const { tone, text } = tests[loopTest.code ?? "under_way"]
  const { startedAt, returnedAt, endedAt } = loopTest
  const seconds = returnedAt ? Math.max(0, Date.parse(returnedAt) - Date.parse(startedAt)) / 1_000 : null
  return (
    <>
      <Pill tone={tone} inTable>
        {seconds === null ? text : `${text} in ${seconds.toFixed(1)} s`}
      </Pill>
      <span className="mt-0.5 block text-xs text-muted">
        <RelativeTime at={endedAt ?? startedAt} />
      </span>
      <ol aria-label="Steps" className="mt-1 grid gap-0.5 text-xs [overflow-wrap:anywhere] text-muted">
        {loopTestSteps(loopTest).map(({ state, text }) => (
          <li key={text} className="flex gap-1.5">
            {stepIcons[state]}
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </>
  )
}

function StartLoopTest({ region, loopTest }: OperatorRegion) {
  const start = useCall("POST /v1/operator/loop-tests", [operatorRegionsRoute])
  async function run() {
    try {
      await start.mutateAsync({ body: { region: region as Region } })
    } catch (error) {
      toast.error("The loop test was not started", { description: problemOf(error).detail })
    }
  }
  const waits = loopTest !== undefined && isUnderWay({ loopTest })
  return (
    <Button
      size="small"
      aria-label={`Test ${regionLabel(region)}`}
      disabled={start.isPending || waits}
      onClick={() => void run()}
    >
      Test
    </Button>
  )
}

function isUnderWay({ loopTest }: Pick<OperatorRegion, "loopTest">): boolean {
  return loopTest !== undefined && loopTest.endedAt === undefined
}

const stepIcons: Record<LoopTestStep["state"], ReactNode> = {
  done: <Check aria-label="Done" className="mt-0.5 size-3 shrink-0 text-good" />,
  failed: <X aria-label="Failed" className="mt-0.5 size-3 shrink-0 text-bad" />,
  waits: <Circle aria-label="Not yet" className="mt-0.5 size-3 shrink-0" />,
}

type LoopTestState = NonNullable<NonNullable<OperatorRegion["loopTest"]>["code"]> | "under_way"

const tests: Record<LoopTestState, { tone: Tone; text: string }> = {
  under_way: { tone: "wait", text: "Under way" },
  passed: { tone: "good", text: "Came back" },
  not_accepted: { tone: "bad", text: "It was not taken" },
  returned: { tone: "bad", text: "Returned by a server" },
  lost: { tone: "bad", text: "Not back after 10 minutes" },
}

const reportsWords: Record<NonNullable<OperatorRegion["reports"]>, string> = {
  asked: "Asked for",
  not_proved: "Asked for once the loop test passes",
  not_offered: "The relay offers none",
}

/** Says in one sentence what the headers of a received test show. */
function ReadHeaders() {
  const [reading, setReading] = useState<HeaderReadingAnswer>()
  const read = useCall("POST /v1/operator/header-readings", [])
  const form = usePageForm({
    schema: () => import("@/lib/delivery/setup/header-schema").then(({ NewHeaderReading }) => NewHeaderReading),
    defaultValues: { headers: "" },
    async save(body) {
      setReading(undefined)
      setReading(await read.mutateAsync({ body }))
    },
  })
  return (
    <Card aria-label="Read the headers">
      <CardHeader
        title="Read the headers"
        description="Send yourself the test above, and paste the source of what arrived: it shows how the receiving server judged it."
      />
      <Form form={form}>
        <CardBody>
          <FormRefusal form={form} title="The headers were not read." />
          <Field label="Headers" error={form.faultOf("headers")}>
            <Textarea mono rows={5} spellCheck={false} {...form.input("headers")} />
          </Field>
          <Button type="submit" loading={form.saving}>
            Read headers
          </Button>
        </CardBody>
      </Form>
      <div aria-live="polite">{reading ? <Read reading={reading} /> : null}</div>
    </Card>
  )
}

function Read({ reading }: { reading: HeaderReadingAnswer }) {
  const { tone, title, todo } = headerReadingWords(reading)
  return (
    <section aria-label="What the headers say" className="border-t border-line px-4 py-3 [overflow-wrap:anywhere]">
      <p className="font-medium">{title}</p>
      <p className="mt-1 text-muted">{todo}</p>
      {reading.results.length > 0 ? (
        <ul aria-label="Results" className="mt-3 grid gap-1.5">
          {reading.results.map(({ method, result, domain, reason }, at) => (
            <li key={at} className="flex flex-wrap items-baseline gap-x-2">
              <Pill tone={result === "pass" ? "good" : tone === "good" ? "wait" : "bad"} inTable>
                {`${method.toUpperCase()} ${result}`}
              </Pill>
              <span>{domain}</span>
              <span className="text-xs text-muted">{reason}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {reading.hops.length > 0 ? (
        <ol aria-label="Way" className="mt-3 ml-5 list-decimal text-muted">
          {reading.hops.map((hop, at) => (
            <li key={at}>{hopWords(hop)}</li>
          ))}
        </ol>
      ) : null}
    </section>
  )
}

function hopWords({ from, by, encrypted, seconds }: HeaderReadingAnswer["hops"][number]): string {
  const way = [from && `from ${from}`, by && `to ${by}`].filter(Boolean).join(" ")
  return [way, encrypted ? "with TLS" : "without TLS", seconds !== undefined && `${seconds} s`]
    .filter(Boolean)
    .join(", ")
}
