"use client"

import { useId, type ComponentProps, useState, useEffect, useEffectEvent, useRef } from "react"
import { Controller, type Control, type Path } from "react-hook-form"
import { useConfirmation } from "@/components/access/confirm-identity"
import { useRole } from "@/components/access/powers"
import { areaName, areas, presetOf, presets } from "@/components/api-keys/key-words"
import { useCreateKey, useRotateKey, useChangeKey } from "@/components/api-keys/queries"
import { Form, FormRefusal, filled } from "@/components/data/form"
import { FormFooter } from "@/components/data/add-dialog"
import { useApiForm } from "@/components/data/use-api-form"
import { Checkbox } from "@/components/ui/checkbox"
import { Field } from "@/components/ui/field"
import { Input, Textarea } from "@/components/ui/input"
import { Segmented } from "@/components/ui/segmented"
import { Select } from "@/components/ui/select"
import { grantable, type Permission } from "@/lib/access/permissions"
import type { Api } from "@/lib/api/registry"
import { RadioCards } from "@/components/ui/radio-cards"
import { toast } from "@/components/ui/toast"
import { momentWords, type Extension } from "@/components/api-keys/usage-words"
import { useTimeZone } from "@/components/ui/local-time"
import { problemOf } from "@/components/data/call"

export type CreatedKey = Api["POST /v1/projects/{projectId}/api-keys"]["answer"]

const expiries = [
  { value: "", label: "Never" },
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
]

export function CreateKeyForm({
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

/** The permissions that the user may give, by area, with the three usual sets. */
function PermissionPicker({ value, onChange, error }: PermissionPickerProps) {
  const id = useId()
  const given = grantable(useRole())
  const usual = { ...presets, everything: given }
  const preset = presetOf(value, usual)

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
        onChange={(wanted) => onChange([...usual[wanted]])}
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
              {readFirst(permissions.filter((one) => given.includes(one))).map((permission) => (
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

export type Restrictions = { allowedAddresses: string[] | null; allowedDomains: string[] | null }

type RestrictionFieldsProps<Values extends Restrictions> = { control: Control<Values> }

/** Where a key works from and which domains it sends from: one entry a line, and without any nothing is restricted. */
export function RestrictionFields<Values extends Restrictions>({ control }: RestrictionFieldsProps<Values>) {
  return (
    <>
      <Lines
        control={control}
        name={"allowedAddresses" as LinesProps<Values>["name"]}
        label="Client addresses"
        hint="IPv4 or IPv6 addresses or networks, such as 203.0.113.0/24, one a line. Empty: the key works from everywhere."
      />
      <Lines
        control={control}
        name={"allowedDomains" as LinesProps<Values>["name"]}
        label="Sending domains"
        hint="Domains of this project, one a line; a subdomain is one of its own. Empty: the key sends from all of them."
      />
    </>
  )
}

type LinesProps<Values extends Restrictions> = RestrictionFieldsProps<Values> & {
  name: keyof Restrictions & Path<Values>
  label: string
  hint: string
}

function Lines<Values extends Restrictions>({ control, name, label, hint }: LinesProps<Values>) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { value, onChange, onBlur, ref }, fieldState: { error } }) => (
        <Field label={label} hint={hint} error={error?.message}>
          <LinesInput initial={value} onLines={onChange} onBlur={onBlur} ref={ref} />
        </Field>
      )}
    />
  )
}

type LinesInputProps = Pick<ComponentProps<typeof Textarea>, "onBlur" | "ref"> & {
  initial: string[] | null
  onLines: (lines: string[] | null) => void
}

function LinesInput({ initial, onLines, ...rest }: LinesInputProps) {
  const [text, setText] = useState(() => (initial ?? []).join("\n"))
  function change(next: string) {
    setText(next)
    const lines = next.split(/[\s,;]+/).filter(Boolean)
    onLines(lines.length ? lines : null)
  }
  return (
    <Textarea
      mono
      rows={3}
      spellCheck={false}
      autoComplete="off"
      value={text}
      onChange={({ target }) => change(target.value)}
      {...rest}
    />
  )
}

const overlaps = [
  { value: "24", label: "24 hours", hint: "To update every program today." },
  { value: "168", label: "7 days", hint: "For programs that others must update." },
  { value: "720", label: "30 days", hint: "For programs that are released rarely." },
  { value: "1", label: "1 hour", hint: "For a single program that you update now." },
  { value: "0", label: "None", hint: "The key may be compromised: it is refused within a second." },
]

type RotateFormProps = { projectId: string; keyId: string; onRotated: (created: CreatedKey) => void }

export function RotateKeyForm({ projectId, keyId, onRotated }: RotateFormProps) {
  const rotate = useRotateKey()
  const confirmation = useConfirmation()
  const form = useApiForm({
    defaultValues: { overlapHours: "24" },
    async save({ overlapHours }) {
      const body = { overlapHours: Number(overlapHours) as 0 | 1 | 24 | 168 | 720 }
      try {
        onRotated(await rotate.mutateAsync({ params: { projectId, keyId }, body }))
      } catch (error) {
        if (!confirmation.ask(error, () => void form.submit())) throw error
      }
    },
  })

  return (
    <>
      <Form form={form}>
        <FormRefusal form={form} title="The key was not rotated." />
        <RadioCards legend="Overlap" columns={2} options={overlaps} {...form.register("overlapHours")} />
        <FormFooter action="Rotate key" saving={form.saving} />
      </Form>
      {confirmation.dialog}
    </>
  )
}

type RestrictKeyFormProps = { params: { projectId: string; keyId: string }; initial: Restrictions; onSaved: () => void }

export function RestrictKeyForm({ params, initial, onSaved }: RestrictKeyFormProps) {
  const change = useChangeKey()
  const confirmation = useConfirmation()
  const form = useApiForm({
    schema: () => import("@/lib/api-keys/schema").then(({ KeyRestrictions }) => KeyRestrictions),
    defaultValues: initial,
    async save(body) {
      try {
        await change.mutateAsync({ params, body })
        toast.success("Saved", { description: "Takes effect within a second." })
        onSaved()
      } catch (error) {
        if (!confirmation.ask(error, () => void form.submit())) throw error
      }
    },
  })
  return (
    <>
      <Form form={form}>
        <FormRefusal form={form} title="The key was not changed." />
        <RestrictionFields control={form.control} />
        <FormFooter action="Save" saving={form.saving} />
      </Form>
      {confirmation.dialog}
    </>
  )
}

type ExtendFormProps = { projectId: string; keyId: string; extensions: readonly Extension[]; onDone: () => void }

export function ExtendForm({ projectId, keyId, extensions, onDone }: ExtendFormProps) {
  const change = useChangeKey()
  const confirmation = useConfirmation()
  const timeZone = useTimeZone()
  const form = useApiForm({
    defaultValues: { overlapHours: String(extensions[0]?.hours) },
    async save({ overlapHours }) {
      const chosen = extensions.find(({ hours }) => String(hours) === overlapHours)
      if (!chosen) return
      try {
        const key = await change.mutateAsync({ params: { projectId, keyId }, body: { overlapHours: chosen.hours } })
        onDone()
        toast.success("The old key was extended", {
          description: key.expiresAt && `It works until ${momentWords(key.expiresAt, timeZone)}.`,
        })
      } catch (error) {
        if (!confirmation.ask(error, () => void form.submit())) throw error
      }
    },
  })
  return (
    <>
      <Form form={form}>
        <FormRefusal form={form} title="The key was not extended." />
        <RadioCards
          legend="Total, from the rotation"
          columns={2}
          options={extensions.map(({ hours, label, endsAt }) => ({
            value: String(hours),
            label,
            hint: `Until ${momentWords(endsAt, timeZone)}.`,
          }))}
          {...form.register("overlapHours")}
        />
        <FormFooter action="Extend old key" saving={form.saving} />
      </Form>
      {confirmation.dialog}
    </>
  )
}

export type GiveBackProps = {
  params: { projectId: string; keyId: string }
  /** All that the key had. */
  permissions: readonly Permission[]
  /** "emails:read was". */
  what: string
}

/** Undoes a removal once it is shown, and asks for the password where that is needed. Loaded with the first undo, as its form is large. */
export function GiveBack({ params, permissions, what }: GiveBackProps) {
  const change = useChangeKey()
  const confirmation = useConfirmation()
  const started = useRef(false)
  async function give() {
    try {
      await change.mutateAsync({ params, body: { permissions: [...permissions] } })
      toast.success(`${what} restored`)
    } catch (error) {
      if (confirmation.ask(error, () => void give())) return
      toast.error(`${what} not restored`, { description: problemOf(error).detail })
    }
  }
  const start = useEffectEvent(() => {
    if (started.current) return
    started.current = true
    void give()
  })
  useEffect(() => start(), [])
  return confirmation.dialog
}
