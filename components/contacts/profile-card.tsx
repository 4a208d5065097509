"use client"

import { Form, FormRefusal, emptyIsNull } from "@/components/data/form"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { Card, CardBody, CardHeader, SaveRow } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { toast } from "@/components/ui/toast"
import { contactFieldNames, contactFields, eachField } from "@/lib/contacts/rules"
import { useUpdateContact, type Contact } from "@/components/contacts/queries"
import { useQuery } from "@tanstack/react-query"
import Link from "next/link"
import { ValueInput, shownValue } from "@/components/contact-properties/property-value"
import type { CallAnswer } from "@/components/data/call"
import { LoadError } from "@/components/data/load-error"
import { propertiesQuery } from "@/components/segments/queries"
import { EmptyState } from "@/components/ui/empty-state"
import { SkeletonRows } from "@/components/ui/loading"

export type OwnProps = { projectId: string; contact: Contact; mayWrite: boolean }

/** Names and phone; the address is permanent. */
export function ProfileCard({ projectId, contact, mayWrite }: OwnProps) {
  const update = useUpdateContact()
  const form = usePageForm({
    schema: () => import("@/lib/contacts/schema").then(({ ContactChange }) => ContactChange),
    values: eachField((name) => contact[name] ?? null),
    async save(body) {
      await update.mutateAsync({ params: { projectId, contactId: contact.id }, body })
      toast.success("Saved")
    },
  })
  return (
    <Card aria-label="Profile">
      <Form form={form}>
        <CardHeader title="Profile" />
        <CardBody>
          <FormRefusal form={form} />
          <div className="grid items-start gap-x-4 sm:grid-cols-3">
            {contactFieldNames.map((name) => (
              <Field key={name} label={contactFields[name].label} error={form.faultOf(name)} className="sm:mb-0">
                <Input
                  disabled={!mayWrite}
                  maxLength={contactFields[name].charsMax}
                  autoComplete="off"
                  inputMode={name === "phone" ? "tel" : "text"}
                  {...form.input(name, emptyIsNull)}
                />
              </Field>
            ))}
          </div>
        </CardBody>
        {form.dirty ? <SaveRow saving={form.saving} onReset={form.discard} /> : null}
      </Form>
    </Card>
  )
}

type Property = CallAnswer<"GET /v1/projects/{projectId}/contact-properties">["data"][number]

/** More fields than this scroll in their card. */
const shownAtOnce = 20

/** The values of the project's own properties. */
export function PropertiesCard(props: OwnProps) {
  const { data, error, refetch, isFetching } = useQuery(propertiesQuery(props.projectId))
  return (
    <Card aria-label="Properties">
      <CardHeader title="Properties" description="Your own fields, for segments and for what you write." />
      {!data && error ? (
        <LoadError error={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : !data ? (
        <SkeletonRows rows={2} label="Loading properties" />
      ) : data.data.length > 0 ? (
        <ValuesForm {...props} properties={data.data} />
      ) : (
        <EmptyState title="No properties yet" className="py-8">
          <Link href={`/projects/${props.projectId}/properties`} className="text-accent underline underline-offset-2">
            Define one
          </Link>
          , such as a plan or a number of visits.
        </EmptyState>
      )}
    </Card>
  )
}

function ValuesForm({ projectId, contact, mayWrite, properties }: OwnProps & { properties: Property[] }) {
  const update = useUpdateContact()
  const initial = ownValues(contact, properties)
  const form = usePageForm({
    values: initial,
    fieldOf: (pointer) => propertyAt(pointer, properties),
    async save(values) {
      const propertyChanges = changesOf(initial, values, properties)
      await update.mutateAsync({ params: { projectId, contactId: contact.id }, body: { propertyChanges } })
      toast.success("Saved")
    },
  })
  return (
    <Form form={form}>
      <CardBody className={properties.length > shownAtOnce ? "max-h-120 overflow-y-auto" : undefined}>
        <FormRefusal form={form} />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          {properties.map(({ id, key, type, fallbackValue }) => (
            <Field key={id} label={<code>{key}</code>} error={form.faultOf(id)} className="mb-0">
              <ValueInput
                type={type}
                disabled={!mayWrite}
                placeholder={fallbackValue === undefined ? undefined : `${shownValue(type, fallbackValue)} (fallback)`}
                {...form.input(id)}
              />
            </Field>
          ))}
        </div>
      </CardBody>
      {form.dirty ? <SaveRow saving={form.saving} onReset={form.discard} /> : null}
    </Form>
  )
}

type Shown = { properties: Record<string, string>; ownProperties?: readonly string[] }
type Declared = readonly { id: string; key: string }[]

/** The contact's own values by the ids of their properties, also those that equal the fallback; empty for the rest. */
export function ownValues({ properties, ownProperties = [] }: Shown, declared: Declared): Record<string, string> {
  const own = new Set(ownProperties)
  return Object.fromEntries(declared.map(({ id, key }) => [id, (own.has(key) ? properties[key] : undefined) ?? ""]))
}

/** The changed values alone, by key, with null for those that were emptied. */
export function changesOf(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
  declared: Declared,
): Record<string, string | null> {
  const changed = declared.filter(({ id }) => after[id] !== before[id])
  return Object.fromEntries(changed.map(({ id, key }) => [key, after[id] || null]))
}

/** The id of the property at which the API points when it refuses a value. */
export function propertyAt(pointer: string, declared: Declared): string {
  return declared.find(({ key }) => pointer === `/propertyChanges/${key}`)?.id ?? pointer
}
