"use client"

import { useId } from "react"
import { Controller } from "react-hook-form"
import { useConfirmation } from "@/components/access/confirm-identity"
import { areaName, areas, presetOf, presets } from "@/components/api-keys/key-words"
import { useCreateKey } from "@/components/api-keys/queries"
import { RestrictionFields, type Restrictions } from "@/components/api-keys/restriction-fields"
import { Form, FormRefusal } from "@/components/data/form"
import { FormFooter } from "@/components/data/add-dialog"
import { filled } from "@/components/data/form-rules"
import { useApiForm } from "@/components/data/use-api-form"
import { Checkbox } from "@/components/ui/checkbox"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Segmented } from "@/components/ui/segmented"
import { Select } from "@/components/ui/select"
import type { Permission } from "@/lib/access/permissions"
import type { Api } from "@/lib/api/registry"

export type CreatedKey = Api["POST /v1/projects/{projectId}/api-keys"]["answer"]

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
  const form = useApiForm({
    schema: () => import("@/lib/api-keys/schema").then(({ NewApiKey }) => NewApiKey),
    defaultValues: {
      name: "",
      permissions: [...presets.sending] as Permission[],
      expiresInDays: null as 7 | 30 | 90 | 365 | null,
      ...({ allowedAddresses: null, allowedDomains: null } as Restrictions),
    },
    rules: {
      name: filled("Enter a name."),
      permissions: (chosen) => (chosen.length ? undefined : "Choose at least one permission."),
    },
    async save(body) {
      try {
        onCreated(await create.mutateAsync({ params: { projectId }, body }))
      } catch (error) {
        if (!confirmation.ask(error, () => void form.submit())) throw error
      }
    },
  })

  return (
    <>
      <Form form={form}>
        <FormRefusal form={form} title="The key was not created." />
        <Field label="Name" hint="Where it will be used, such as “Shop, production”." error={form.faultOf("name")}>
          <Input autoFocus autoComplete="off" maxLength={100} {...form.input("name")} />
        </Field>
        <Controller
          control={form.control}
          name="permissions"
          render={({ field, fieldState }) => (
            <PermissionPicker value={field.value} onChange={field.onChange} error={fieldState.error?.message} />
          )}
        />
        <Field label="Expires" error={form.faultOf("expiresInDays")}>
          <Select
            options={expiries}
            {...form.register("expiresInDays", { setValueAs: (text) => (text ? Number(text) : null) })}
          />
        </Field>
        <details className="mb-4">
          <summary className="mb-3 cursor-pointer text-sm font-medium">
            Restrict this key <span className="font-normal text-muted">client addresses, sending domains</span>
          </summary>
          <RestrictionFields control={form.control} />
        </details>
        <FormFooter action="Create key" saving={form.saving} />
      </Form>
      {confirmation.dialog}
    </>
  )
}

type PermissionPickerProps = { value: readonly Permission[]; onChange: (value: Permission[]) => void; error?: string }

/** Permissions by area, with the three usual sets. */
function PermissionPicker({ value, onChange, error }: PermissionPickerProps) {
  const id = useId()
  const preset = presetOf(value)

  function toggle(permission: Permission, on: boolean) {
    onChange(on ? [...value, permission] : value.filter((one) => one !== permission))
  }

  return (
    <fieldset className="mb-4 min-w-0" aria-describedby={error ? id : undefined}>
      <legend className="mb-1.5 text-sm font-medium">Permissions</legend>
      <Segmented
        label="Usual sets"
        className="mb-2 flex w-full"
        value={preset === "custom" ? undefined : preset}
        onChange={(wanted) => onChange([...presets[wanted]])}
        options={[
          { value: "sending", label: "Sending" },
          { value: "reading", label: "Reading" },
          { value: "everything", label: "Everything" },
        ]}
      />
      <div className="divide-y divide-line rounded-md border border-line">
        {areas.map(({ area, permissions }) => (
          <div
            key={area}
            role="group"
            aria-label={areaName(area)}
            className="flex items-center justify-between gap-4 px-3 py-1.5"
          >
            <span className="min-w-0 truncate">{areaName(area)}</span>
            <span className="grid shrink-0 grid-cols-2 gap-4">
              {readFirst(permissions).map((permission) => (
                <Checkbox
                  key={permission}
                  className="min-w-16"
                  label={permission.split(":")[1]}
                  checked={value.includes(permission)}
                  onChange={(event) => toggle(permission, event.target.checked)}
                />
              ))}
            </span>
          </div>
        ))}
      </div>
      {error ? (
        <p id={id} className="mt-1.5 text-sm text-bad">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}

/** Reading has the first column, in every area. */
function readFirst(permissions: readonly Permission[]): Permission[] {
  return permissions.toSorted((a, b) => Number(b.endsWith(":read")) - Number(a.endsWith(":read")))
}
