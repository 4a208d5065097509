"use client"

import { useState } from "react"
import { useFields } from "@/components/api/use-fields"
import { Button } from "@/components/ui/button"
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
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
      trigger={<Button aria-label={`Change the fallback of ${property.key}`}>Fallback</Button>}
      title={
        <>
          Fallback of <code>{property.key}</code>
        </>
      }
      description="Shown for contacts without a value of their own. Empty means none."
      size="small"
    >
      <FallbackForm projectId={projectId} property={property} done={() => setOpen(false)} />
    </Dialog>
  )
}

function FallbackForm({ projectId, property, done }: Props & { done: () => void }) {
  const change = useSetFallback()
  const rule = (value: string) =>
    value === "" ? undefined : (valueFault(property.type as PropertyType, value) ?? undefined)
  const form = useFields({ fallbackValue: property.fallbackValue ?? "" }, { fallbackValue: rule })
  const submit = form.submit(async ({ fallbackValue }) => {
    await change.mutateAsync({
      params: { projectId, propertyId: property.id },
      body: { fallbackValue: fallbackValue || null },
    })
    done()
    toast.success("Saved")
  })
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <FormErrorSummary faults={form.fault ? [{ message: form.fault }] : []} />
      <Field label="Fallback" error={form.faultOf("fallbackValue")}>
        <Input autoFocus autoComplete="off" {...form.register("fallbackValue")} />
      </Field>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" loading={form.saving}>
          Save
        </Button>
      </DialogFooter>
    </form>
  )
}
