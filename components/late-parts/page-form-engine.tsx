"use client"

import { type RefObject, useLayoutEffect, useRef } from "react"
import type { FieldValues, Path, PathValue } from "react-hook-form"
import type { z } from "zod"
import { type ApiFormOptions, type FormFields, useApiForm } from "@/components/data/use-api-form"

type EngineProps<Values extends FieldValues, Schema extends z.ZodType> = {
  options: ApiFormOptions<Values, Schema>
  onChange: (form: FormFields<Values>) => void
  /** The form was sent before this was loaded. */
  submitWantedRef: RefObject<boolean>
}

/** Runs the form around it. Its place is behind the fields, so that they are registered when its effects run. */
export function PageFormEngine<Values extends FieldValues, Schema extends z.ZodType>({
  options,
  onChange,
  submitWantedRef,
}: EngineProps<Values, Schema>) {
  const form = useApiForm(options)
  const place = useRef<HTMLSpanElement>(null)
  const typed = useRef<[name: string, value: FormDataEntryValue][]>(undefined)
  const latest = useRef(form)

  useLayoutEffect(() => {
    latest.current = form
  })

  const { dirty, saving, refusal } = form
  const faults = [...form.control._names.mount].map((name) => form.faultOf(name as Path<Values>)).join("\n")
  useLayoutEffect(() => {
    // Registering sets the fields to what is stored.
    typed.current ??= [...new FormData(place.current?.closest("form") ?? undefined)]
    const now = latest.current
    onChange({
      ...now,
      submit: (event) => latest.current.submit(event),
      discard: () => latest.current.discard(),
    })
  }, [onChange, dirty, saving, refusal, faults])

  const registered = form.control._names.mount.size > 0
  useLayoutEffect(() => {
    if (!registered) return
    for (const [name, value] of typed.current ?? []) {
      const field = name as Path<Values>
      const known = latest.current.control._names.mount.has(name)
      if (known && String(latest.current.getValues(field) ?? "") !== value) {
        latest.current.setValue(field, value as PathValue<Values, Path<Values>>, { shouldDirty: true })
      }
    }
    typed.current = []
    if (submitWantedRef.current) void latest.current.submit()
    submitWantedRef.current = false
  }, [registered, submitWantedRef])

  return <span ref={place} hidden />
}
