"use client"

import { useForm } from "react-hook-form"
import { applyProblem, problemOf } from "@/components/api/problem"
import { Button } from "@/components/ui/button"
import { DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"
import { RadioCards } from "@/components/ui/radio-cards"
import { toast } from "@/components/ui/toast"
import { valueFault, type PropertyType } from "@/lib/contact-properties/rules"
import { useCreateProperty } from "@/components/contact-properties/queries"

type Fields = { key: string; type: PropertyType; fallbackValue: string }

export default function AddPropertyForm({ projectId, done }: { projectId: string; done: () => void }) {
  const create = useCreateProperty()
  const form = useForm<Fields>({ defaultValues: { key: "", type: "string", fallbackValue: "" } })
  const { errors } = form.formState

  async function submit({ key, type, fallbackValue }: Fields) {
    try {
      await create.mutateAsync({
        params: { projectId },
        body: { key, type, ...(fallbackValue ? { fallbackValue } : {}) },
      })
      done()
      toast.success(`${key} is defined`)
    } catch (error) {
      const { code, detail, title } = problemOf(error)
      if (code === "property.already_exists") form.setError("key", { message: detail ?? title }, { shouldFocus: true })
      else applyProblem(form, error)
    }
  }

  const fallbackRule = (value: string, { type }: Fields) => (value === "" ? true : (valueFault(type, value) ?? true))
  return (
    <form noValidate onSubmit={form.handleSubmit(submit)}>
      <FormErrorSummary
        title="The property was not defined."
        faults={errors.root?.message ? [{ message: errors.root.message }] : []}
      />
      <Field label="Key" error={errors.key?.message} hint="Letters, digits and underscores, as in plan or last_visit.">
        <Input
          autoFocus
          mono
          maxLength={50}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.register("key", {
            setValueAs: (text: string) => text.trim(),
            validate: (key) => /^[A-Za-z0-9_]+$/.test(key) || "Must be letters, digits and underscores.",
          })}
        />
      </Field>
      <RadioCards
        legend="Type"
        columns={2}
        options={[
          { value: "string", label: "Text" },
          { value: "number", label: "Number", hint: "Segments compare it by size." },
        ]}
        error={errors.type?.message}
        {...form.register("type")}
      />
      <Field
        label="Fallback"
        optional
        error={errors.fallbackValue?.message}
        hint="Shown for contacts without a value of their own."
      >
        <Input autoComplete="off" {...form.register("fallbackValue", { validate: fallbackRule })} />
      </Field>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" loading={form.formState.isSubmitting}>
          Define property
        </Button>
      </DialogFooter>
    </form>
  )
}
