"use client"

import { useState } from "react"
import { Form, FormRefusal } from "@/components/data/form"
import { useCall } from "@/components/data/use-call"
import { SessionLines } from "@/components/emails/conversation"
import { duration } from "@/components/emails/journey"
import { tlsWords } from "@/components/emails/steps"
import { usePageForm } from "@/components/late-parts/use-page-form"
import type { OperatorRegion, RelayTestAnswer } from "@/components/operator/queries"
import { relayTestWords } from "@/components/operator/test-words"
import { Button } from "@/components/ui/button"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Pill } from "@/components/ui/pill"
import { Select } from "@/components/ui/select"
import { regionLabel, type Region } from "@/lib/regions/regions"

/** Sends one email through the relay of a region while the operator waits, and shows what the relay said. */
export function TestRelay({ regions, to }: { regions: OperatorRegion[]; to: string }) {
  const [ended, setEnded] = useState<RelayTestAnswer>()
  const send = useCall("POST /v1/operator/relay-tests", [])
  // Regions with a relay come first: the sandbox needs no test.
  const [first] = regions.toSorted((a, b) => Number(a.relay === "sandbox") - Number(b.relay === "sandbox"))
  const form = usePageForm({
    schema: () => import("@/lib/inbound/schema").then(({ NewRelayTest }) => NewRelayTest),
    defaultValues: { region: first?.region as Region, to },
    async save(body) {
      setEnded(undefined)
      setEnded(await send.mutateAsync({ body }))
    },
  })
  return (
    <Card aria-label="Test the relay">
      <CardHeader
        title="Test the relay"
        description="Connects to it, signs in and sends one email to an address, as postmaster of this service."
      />
      <Form form={form}>
        <CardBody>
          <FormRefusal form={form} title="The test was not run." />
          <div className="grid items-start gap-x-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]">
            <Field label="Region" error={form.faultOf("region")}>
              <Select
                {...form.input("region")}
                options={regions.map(({ region, relay }) => ({
                  value: region,
                  label: `${regionLabel(region)}, ${relay}`,
                }))}
              />
            </Field>
            <Field label="Send to" error={form.faultOf("to")}>
              <Input type="email" autoComplete="email" spellCheck={false} {...form.input("to")} />
            </Field>
            <Button type="submit" className="sm:mt-6.5" loading={form.saving}>
              Send test
            </Button>
          </div>
        </CardBody>
      </Form>
      <div aria-live="polite">{ended ? <Ended test={ended} /> : null}</div>
    </Card>
  )
}

const outcomeWords: Record<RelayTestAnswer["outcome"], string> = {
  accepted: "Accepted",
  refused: "Refused",
  deferred: "Not accepted",
  region_fault: "Not accepted",
  ambiguous: "Not confirmed",
}

function Ended({ test }: { test: RelayTestAnswer }) {
  const { tone, title, todo } = relayTestWords(test)
  const { conversation, text, startedAt, endedAt } = test
  return (
    <section aria-label="Result" className="border-t border-line">
      <div className="px-4 pt-3 [overflow-wrap:anywhere]">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Pill tone={tone}>{outcomeWords[test.outcome]}</Pill>
          <span className="font-medium">{title}</span>
          <span className="text-muted">
            {/* Of a session that was not opened it is not known. */}
            {test.outcome === "accepted" || test.tls ? `${tlsWords(test)}, ` : ""}
            {duration(Date.parse(endedAt) - Date.parse(startedAt))}
          </span>
        </p>
        <p className="mt-1 text-muted">{todo}</p>
      </div>
      {conversation.length > 0 ? (
        <SessionLines lines={conversation} />
      ) : (
        <p className="px-4 pt-2 pb-3.5 text-muted">{text}</p>
      )}
    </section>
  )
}
