"use client"

import { useQuery } from "@tanstack/react-query"
import Link from "next/link"
import { useFields } from "@/components/api/use-fields"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"
import { SkeletonRows } from "@/components/ui/skeleton"
import { toast } from "@/components/ui/toast"
import type { CallAnswer } from "@/components/api/route"
import { SaveRow, type OwnProps } from "./profile-card"
import { propertiesQuery, useUpdateContact } from "./queries"

type Property = CallAnswer<"GET /v1/projects/{projectId}/contact-properties">["data"][number]

/** The values of the project's own properties. */
export function PropertiesCard(props: OwnProps) {
  const { data } = useQuery(propertiesQuery(props.projectId))
  return (
    <Card aria-label="Properties">
      <CardHeader title="Properties" description="Values of your own, for segments and for what you write." />
      {!data ? (
        <SkeletonRows rows={2} label="Loading properties" />
      ) : data.data.length > 0 ? (
        <ValuesForm {...props} properties={data.data} />
      ) : (
        <EmptyState title="No properties yet" className="py-8">
          <Link href={`/projects/${props.projectId}/properties`} className="text-accent underline underline-offset-2">Define one</Link>
          , such as a plan or a number of visits.
        </EmptyState>
      )}
    </Card>
  )
}

function ValuesForm({ projectId, contact, mayWrite, properties }: OwnProps & { properties: Property[] }) {
  const update = useUpdateContact()
  const initial = Object.fromEntries(properties.map(({ key, fallbackValue }) => [pointer(key), ownValue(contact.properties[key], fallbackValue)]))
  const form = useFields(initial)
  const submit = form.submit(async (values) => {
    const given = properties.flatMap(({ key }) => {
      const value = values[pointer(key)]
      return value ? [[key, value] as const] : []
    })
    await update.mutateAsync({ params: { projectId, contactId: contact.id }, body: { properties: Object.fromEntries(given) } })
    toast.success("Saved")
  })
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <CardBody>
        <FormErrorSummary faults={form.fault ? [{ message: form.fault }] : []} />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          {properties.map(({ id, key, type, fallbackValue }) => (
            <Field key={id} label={<code>{key}</code>} error={form.faultOf(pointer(key))} className="mb-0">
              <Input
                disabled={!mayWrite}
                autoComplete="off"
                inputMode={type === "number" ? "decimal" : undefined}
                placeholder={fallbackValue === undefined ? undefined : `${fallbackValue} (fallback)`}
                {...form.register(pointer(key))}
              />
            </Field>
          ))}
        </div>
      </CardBody>
      {form.dirty ? <SaveRow saving={form.saving} onReset={form.reset} /> : null}
    </form>
  )
}

const pointer = (key: string) => `properties.${key}`

/** What the API shows may be the fallback: a value that equals it is left to it. */
function ownValue(shown: string | undefined, fallback: string | undefined): string {
  return shown === undefined || shown === fallback ? "" : shown
}
