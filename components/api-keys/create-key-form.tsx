"use client"

import { Controller, useForm } from "react-hook-form"
import { useConfirmation } from "@/components/access/confirm-identity"
import { applyProblem } from "@/components/api/problem"
import { Button } from "@/components/ui/button"
import { DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import type { Permission } from "@/lib/access/permissions"
import type { Api } from "@/lib/api/registry"
import { presets } from "@/components/api-keys/key-words"
import { PermissionPicker } from "@/components/api-keys/permission-picker"
import { useCreateKey } from "@/components/api-keys/queries"

export type CreatedKey = Api["POST /v1/projects/{projectId}/api-keys"]["answer"]

type Fields = { name: string; permissions: Permission[]; expiresInDays: "" | "7" | "30" | "90" | "365" }

const expiries = [
  { value: "", label: "Never" },
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
]

export default function CreateKeyForm({
  projectId,
  onCreated,
}: {
  projectId: string
  onCreated: (created: CreatedKey) => void
}) {
  const create = useCreateKey()
  const confirmation = useConfirmation()
  const form = useForm<Fields>({ defaultValues: { name: "", permissions: [...presets.sending], expiresInDays: "" } })
  const { errors } = form.formState

  async function submit(fields: Fields) {
    const { name, permissions, expiresInDays } = fields
    const days = expiresInDays ? (Number(expiresInDays) as 7 | 30 | 90 | 365) : null
    try {
      onCreated(await create.mutateAsync({ params: { projectId }, body: { name, permissions, expiresInDays: days } }))
    } catch (error) {
      if (!confirmation.ask(error, () => void submit(fields))) applyProblem(form, error)
    }
  }

  return (
    <>
      <form method="post" noValidate onSubmit={form.handleSubmit(submit)}>
        <FormErrorSummary
          title="The key was not made."
          faults={errors.root?.message ? [{ message: errors.root.message }] : []}
        />
        <Field label="Name" hint="Where it will be used, such as “Shop, production”." error={errors.name?.message}>
          <Input
            autoFocus
            autoComplete="off"
            maxLength={100}
            {...form.register("name", { validate: (name) => name.trim() !== "" || "Give it a name to know it by." })}
          />
        </Field>
        <Controller
          control={form.control}
          name="permissions"
          rules={{ validate: (chosen) => chosen.length > 0 || "Choose at least one." }}
          render={({ field, fieldState }) => (
            <PermissionPicker value={field.value} onChange={field.onChange} error={fieldState.error?.message} />
          )}
        />
        <Field label="Expires" error={errors.expiresInDays?.message}>
          <Select options={expiries} {...form.register("expiresInDays")} />
        </Field>
        <DialogFooter>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary" loading={form.formState.isSubmitting}>
            Create key
          </Button>
        </DialogFooter>
      </form>
      {confirmation.dialog}
    </>
  )
}
