"use client"

import { useState } from "react"
import { Form, FormRefusal } from "@/components/data/form"
import { useCall } from "@/components/data/use-call"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { headerReadingWords } from "@/components/operator/header-reading-words"
import type { HeaderReadingAnswer } from "@/components/operator/queries"
import { Button } from "@/components/ui/button"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Pill } from "@/components/ui/pill"
import { Textarea } from "@/components/ui/textarea"

/** Says in one sentence what the headers of a received test show. */
export function ReadHeaders() {
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
