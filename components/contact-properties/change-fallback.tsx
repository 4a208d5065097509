"use client"

import { useState } from "react"
import { Form, FormRefusal } from "@/components/data/form"
import { usePageForm } from "@/components/data/use-page-form"
import { Button } from "@/components/ui/button"
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { toast } from "@/components/ui/toast"
import { valueFault, type PropertyType } from "@/lib/contact-properties/rules"
import { useSetFallback, type Property } from "@/components/contact-properties/queries"

type Props = { projectId: string; property: Property }

export function ChangeFallback({ projectId, property }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={<Button aria-label={`Edit fallback of ${property.key}`}>Edit fallback</Button>}
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
        <Input autoFocus autoComplete="off" {...form.input("fallbackValue", { setValueAs: (text) => text || null })} />
      </Field>
      <DialogFooter>
        <Button type="submit" variant="primary" loading={form.saving}>
          Save
        </Button>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
      </DialogFooter>
    </Form>
  )
}
