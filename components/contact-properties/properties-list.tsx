"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Pencil, Trash2 } from "lucide-react"
import { lazy, useState } from "react"
import { useMay } from "@/components/access/powers"
import {
  type Property,
  propertyListQuery,
  useDeleteProperty,
  useSetFallback,
} from "@/components/contact-properties/queries"
import { ValueInput, shownValue, wordOf } from "@/components/contact-properties/property-value"
import { AddDialog, FormFooter } from "@/components/data/add-dialog"
import { postCurl } from "@/components/data/curl"
import { FirstAction } from "@/components/data/first-action"
import { Form, FormRefusal } from "@/components/data/form"
import { ResourceList } from "@/components/data/resource-list"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { usePageParam } from "@/components/layout/use-address-param"
import { segmentPreviewQuery } from "@/components/segments/queries"
import { Absent } from "@/components/ui/text"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { Dialog } from "@/components/ui/dialog"
import { EmptyState } from "@/components/ui/empty-state"
import { Field } from "@/components/ui/field"
import { IconButton } from "@/components/ui/button"
import type { Column } from "@/components/ui/table"
import { toast } from "@/components/ui/toast"
import { type PropertyType, valueFault } from "@/lib/contact-properties/rules"
import { formatNumber } from "@/lib/platform/format"

const loadForm = () => import("@/components/contact-properties/add-property-form")
const AddPropertyForm = lazy(loadForm)

export function PropertiesList({ projectId, baseUrl }: { projectId: string; baseUrl: string }) {
  const mayWrite = useMay("contacts:write")
  const page = usePageParam()
  const list = useQuery({ ...propertyListQuery(projectId, page[0]), placeholderData: keepPreviousData })
  const curl = postCurl(`${baseUrl}/v1/projects/${projectId}/contact-properties`, {
    key: "plan",
    type: "string",
    fallbackValue: "free",
  })
  return (
    <ResourceList
      wide
      label="Properties"
      list={list}
      page={page}
      columns={mayWrite ? [...columns, actionsOf(projectId)] : columns}
      keyOf={({ id }) => id}
      empty={
        <EmptyState
          title="No properties yet"
          action={
            <FirstAction permission="contacts:write" opens="define-property">
              Define property
            </FirstAction>
          }
          curl={mayWrite ? curl : undefined}
        >
          A property is a value that each contact can have, such as a plan or a number of visits. Segments can filter by
          it.
        </EmptyState>
      }
    />
  )
}

const columns: Column<Property>[] = [
  {
    head: "Key",
    cell: ({ key, type, fallbackValue }) => (
      <>
        <code className="block truncate" title={key}>
          {key}
        </code>
        <span className="mt-0.5 block text-sm text-muted [overflow-wrap:anywhere] sm:hidden">
          {wordOf(type)}
          {fallbackValue === undefined ? null : `, fallback ${shownValue(type, fallbackValue)}`}
        </span>
      </>
    ),
  },
  { head: "Type", from: "sm", width: "w-24", muted: true, cell: ({ type }) => wordOf(type) },
  {
    head: "Fallback",
    from: "sm",
    truncate: true,
    cell: ({ type, fallbackValue }) => (fallbackValue === undefined ? <Absent /> : shownValue(type, fallbackValue)),
  },
]

function actionsOf(projectId: string): Column<Property> {
  return {
    head: "Actions",
    headHidden: true,
    width: "w-24",
    cellClassName: "py-1 text-right",
    cell: (property) => (
      <span className="inline-flex justify-end gap-1">
        <ChangeFallback projectId={projectId} property={property} />
        <DeleteProperty projectId={projectId} property={property} />
      </span>
    ),
  }
}

function DeleteProperty({ projectId, property }: { projectId: string; property: Property }) {
  const remove = useDeleteProperty()
  async function confirmed() {
    await remove.mutateAsync({ params: { projectId, propertyId: property.id } })
    toast.success(`${property.key} was deleted`)
  }
  return (
    <ConfirmDialog
      trigger={<IconButton label={`Delete ${property.key}`} icon={<Trash2 />} className="hover:text-bad" />}
      title={`Delete ${property.key}?`}
      action="Delete property"
      typeName={property.key}
      onConfirm={confirmed}
    >
      <ValuesLost projectId={projectId} propertyKey={property.key} /> A segment whose filter names it matches nobody
      from then on until it is changed. This cannot be undone.
    </ConfirmDialog>
  )
}

/** How many contacts have a value, counted as a segment's preview counts: for two seconds at most. */
function ValuesLost({ projectId, propertyKey }: { projectId: string; propertyKey: string }) {
  const { data } = useQuery(
    segmentPreviewQuery(projectId, { filter: { all: [{ field: "property", key: propertyKey, operator: "is_set" }] } }),
  )
  if (!data) return "Every contact loses its value."
  if (data.exact && data.count === 0) return "No contact has a value."
  const about = data.exact ? "" : "About "
  const contacts = `${about}${formatNumber(data.estimate)} ${data.estimate === 1 ? "contact" : "contacts"}`
  return data.estimate === 1 ? `${contacts} loses its value.` : `${contacts} lose their value.`
}

export function AddProperty({ projectId }: { projectId: string }) {
  return (
    <AddDialog
      action="Define property"
      intent="define-property"
      description="Key and type cannot be changed later."
      load={loadForm}
      height="h-64"
    >
      {(close) => <AddPropertyForm projectId={projectId} done={close} />}
    </AddDialog>
  )
}

type Props = { projectId: string; property: Property }

function ChangeFallback({ projectId, property }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={<IconButton label={`Edit fallback of ${property.key}`} icon={<Pencil />} />}
      title={
        <>
          Fallback of <code>{property.key}</code>
        </>
      }
      description="Used for contacts without a value. Leave it empty for none."
      size="small"
    >
      <FallbackForm projectId={projectId} property={property} done={() => setOpen(false)} />
    </Dialog>
  )
}

function FallbackForm({ projectId, property, done }: Props & { done: () => void }) {
  const change = useSetFallback()
  const form = usePageForm({
    schema: () => import("@/lib/contact-properties/schema").then(({ ContactPropertyChange }) => ContactPropertyChange),
    defaultValues: { fallbackValue: property.fallbackValue ?? null },
    rules: {
      fallbackValue: (value) =>
        value === null ? undefined : (valueFault(property.type as PropertyType, value) ?? undefined),
    },
    async save(body) {
      await change.mutateAsync({ params: { projectId, propertyId: property.id }, body })
      done()
      toast.success("Saved")
    },
  })
  return (
    <Form form={form}>
      <FormRefusal form={form} />
      <Field label="Fallback" error={form.faultOf("fallbackValue")}>
        <ValueInput
          type={property.type}
          none="None"
          autoFocus
          {...form.input("fallbackValue", { setValueAs: (text) => text || null })}
        />
      </Field>
      <FormFooter action="Save" saving={form.saving} />
    </Form>
  )
}
