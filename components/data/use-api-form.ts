"use client"

import { type BaseSyntheticEvent, useEffect, useRef, useState } from "react"
import {
  type DefaultValues,
  type FieldError,
  type FieldErrors,
  type FieldValues,
  get,
  type Path,
  type PathValue,
  type RegisterOptions,
  type Resolver,
  set,
  useForm,
  type UseFormRegisterReturn,
  type UseFormReturn,
} from "react-hook-form"
import type { z } from "zod"
import { problemOf } from "@/components/data/call"
import { useStay } from "@/components/ui/leaving"

/** A page's own check of a field, which runs before the schema's: a message, or nothing. */
type Rules<Values extends FieldValues> = {
  [Name in Path<Values>]?: (value: PathValue<Values, Name>, values: Values) => string | undefined
}

type Initial<Values> =
  /** What the fields hold when the form opens. */
  | { defaultValues: Values; values?: undefined }
  /** What is stored: a field that is not changed follows it, and after a save all of them do but for what was typed since. */
  | { values: Values; defaultValues?: undefined }

export type ApiFormOptions<Values extends FieldValues, Schema extends z.ZodType> = Initial<Values> & {
  /** The operation's schema of the body, whose names the fields have. It is loaded when the form is touched. */
  schema?: LoadSchema<Schema>
  rules?: Rules<Values>
  /** Problems that are about one field, by code; `fix` says what to do if the problem does not. */
  refusals?: Record<string, { field: Path<Values>; fix?: string }>
  /** The field of a JSON Pointer, where it is not the pointer with dots. */
  fieldOf?: (pointer: string) => string
  /** A save leads to another page: until that is there, the form is busy and sends nothing again. */
  leaves?: boolean
  /** Gets the values of the fields, which the schema has accepted. What it throws is shown. */
  save: (body: Values & z.input<Schema>) => Promise<unknown>
}

/** What the fields and buttons of a form need of it. */
export type FormFields<Values extends FieldValues> = {
  submit: (event?: BaseSyntheticEvent) => Promise<unknown>
  /** Loads what is not there before the form is used. */
  prepare: () => void
  /** Registers a text field, which shows its value before scripts run. */
  input: (name: Path<Values>, options?: RegisterOptions<Values>) => Partial<UseFormRegisterReturn> & DefaultValue
  faultOf: (name: Path<Values>) => string | undefined
  /** Errors that belong to no field. */
  refusal: string | undefined
  dirty: boolean
  saving: boolean
  discard: () => void
}

type DefaultValue = { defaultValue: string | number }

export type ApiForm<Values extends FieldValues> = UseFormReturn<Values> & FormFields<Values>

/** A form for one operation of the API: checked by its schema, and the errors of a problem are shown at their fields. */
export function useApiForm<Values extends FieldValues, Schema extends z.ZodType = z.ZodType<object, object>>(
  options: ApiFormOptions<Values, Schema>,
): ApiForm<Values> {
  const { schema, values, defaultValues, rules, leaves = false, save } = options
  const busy = useRef(false)
  const [leaving, setLeaving] = useState(false)
  const form = useForm<Values>({
    resolver: formResolver(schema, rules),
    ...(values ? { values, resetOptions: keepChanges } : { defaultValues: defaultValues as DefaultValues<Values> }),
  })
  // Reading dirtyFields makes react-hook-form keep track of them, which keepDirtyValues needs.
  const { errors, isDirty, isSubmitting, isSubmitSuccessful, dirtyFields: _tracked } = form.formState
  // What is created or led away from by a save has a page of its own to go to.
  useStay(isDirty && !isSubmitting && !isSubmitSuccessful, values && !leaves ? () => submit() : undefined)
  const discard = () => form.reset(undefined, dropChanges)
  const stored = useRef(values)
  useEffect(() => {
    stored.current = values
  }, [values])

  /** All fields follow what is stored again, but for those that were changed after `sent` was taken. */
  function settle(sent: Values) {
    // Compared with what was sent, only what was typed since is a change.
    form.reset(sent, { ...dropChanges, keepValues: true, keepFieldsRef: true })
    form.reset(stored.current, keepChanges)
  }

  /** Whether it was saved. */
  async function submit(event?: BaseSyntheticEvent): Promise<boolean> {
    event?.preventDefault()
    // A second press may come before the button shows that it waits.
    if (busy.current || leaving) return false
    busy.current = true
    let isSaved = false
    const submitOnce = form.handleSubmit(async (body) => {
      try {
        await save(body as Values & z.input<Schema>)
        isSaved = true
        if (values) settle(body)
        setLeaving(leaves)
      } catch (error) {
        showRefusal(form, error, options)
      }
    })
    try {
      await submitOnce(event)
      return isSaved
    } finally {
      busy.current = false
    }
  }

  return {
    ...form,
    submit,
    prepare: () => void (schema && loadCheck(schema).catch(() => undefined)),
    input: (name, registerOptions) => ({
      ...form.register(name, registerOptions as RegisterOptions<Values, Path<Values>>),
      defaultValue: get(values ?? defaultValues, name) ?? "",
    }),
    faultOf: (name) => (get(errors, name) as FieldError | undefined)?.message,
    refusal: errors.root?.message,
    dirty: isDirty,
    saving: isSubmitting || leaving,
    discard,
  }
}

const keepChanges = { keepDirtyValues: true, keepDirty: true, keepErrors: true }
const dropChanges = { keepDirtyValues: false, keepDirty: false, keepErrors: false }

/** Shows each error at its field and focuses the first; errors without a field belong to the form. */
function showRefusal<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
  { refusals = {}, fieldOf = dotted }: Pick<ApiFormOptions<Values, z.ZodType>, "refusals" | "fieldOf">,
) {
  const { code, title, detail = title, errors = [] } = problemOf(error)
  const known = refusals[code]
  if (known) {
    const message = [detail, known.fix].filter(Boolean).join(" ")
    return form.setError(known.field, { message }, { shouldFocus: true })
  }

  const fields = [...form.control._names.mount] as Path<Values>[]
  const messages = new Map<Path<Values>, string>()
  const rest: string[] = []
  for (const fault of errors) {
    const place = fieldOf(fault.pointer)
    const field = fields.find((name) => place === name || place.startsWith(`${name}.`))
    if (!field) rest.push(`${fault.pointer} ${fault.detail}`)
    else if (!messages.has(field)) messages.set(field, fault.detail)
  }
  const first = fields.find((name) => messages.has(name))
  messages.forEach((message, field) => form.setError(field, { message }, { shouldFocus: field === first }))
  if (rest.length || !first) form.setError("root", { message: rest.join(" ") || detail })
}

const dotted = (pointer: string) => pointer.slice(1).replaceAll("/", ".")

type LoadSchema<Schema = z.ZodType> = () => Promise<Schema>

/**
 * Checks a form by its rules and by the operation's schema. A fault that has no field here is left to the API, which
 * checks alone when the schema cannot be loaded.
 */
function formResolver<Values extends FieldValues>(
  load: LoadSchema | undefined,
  rules: Rules<Values> = {},
): Resolver<Values> {
  return async (values, _context, { names = [] }) => {
    const check = load && (await loadCheck(load).catch(() => undefined))
    const faults = await check?.(values)
    const errors: FieldErrors<Values> = {}
    for (const name of names) {
      const message = rules[name]?.(get(values, name), values) ?? messageOf(get(faults, name))
      if (message) set(errors, name, { type: "validate", message })
    }
    return Object.keys(errors).length ? { values: {}, errors } : { values, errors: {} }
  }
}

/** Loads the schema with what runs it: neither is part of a page's first load. */
async function loadCheck(load: LoadSchema): Promise<(values: FieldValues) => Promise<unknown>> {
  const [{ zodResolver }, schema] = await Promise.all([import("@hookform/resolvers/zod"), load()])
  const resolve = zodResolver(schema as z.ZodType<FieldValues, FieldValues>, undefined, { raw: true })
  return async (values) => {
    const { errors } = await resolve(values, undefined, { fields: {}, shouldUseNativeValidation: false })
    return errors
  }
}

/** The first message of a field, or of what it holds: a list may be valid but for one entry. */
function messageOf(fault: unknown): string | undefined {
  if (typeof fault !== "object" || fault === null) return undefined
  if ("message" in fault && typeof fault.message === "string") return fault.message
  return Object.values(fault)
    .map(messageOf)
    .find((message) => message !== undefined)
}
