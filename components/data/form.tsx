"use client"

import type { ReactNode } from "react"
import type { FieldValues } from "react-hook-form"
import type { FormFields } from "@/components/data/use-api-form"
import type { PageForm } from "@/components/late-parts/use-page-form"
import { FormErrorSummary } from "@/components/ui/form-error-summary"

type AnyForm<Values extends FieldValues> = FormFields<Values> | PageForm<Values>
type FormProps<Values extends FieldValues> = { form: AnyForm<Values>; className?: string; children: ReactNode }

/**
 * The element of a form. It posts, so that without scripts no value ends up in an address. What checks the fields is
 * loaded when a person touches one, not by the focus that a page sets itself.
 */
export function Form<Values extends FieldValues>({ form, className, children }: FormProps<Values>) {
  return (
    <form
      method="post"
      noValidate
      className={className}
      onFocus={"engine" in form ? form.prepare : undefined}
      onPointerDown={form.prepare}
      onKeyDown={form.prepare}
      onInput={form.prepare}
      onSubmit={(event) => void form.submit(event)}
    >
      {children}
      {"engine" in form ? form.engine : null}
    </form>
  )
}

/** Errors that belong to no field. */
export function FormRefusal<Values extends FieldValues>({ form, title }: { form: AnyForm<Values>; title?: string }) {
  return <FormErrorSummary title={title} faults={form.refusal ? [{ message: form.refusal }] : []} />
}

/** A rule for a text that must be given. */
export const filled =
  (message = "Must not be empty.") =>
  (text: string) =>
    text === "" ? message : undefined

/** Registers a field whose surrounding spaces do not count. */
export const trimmed = { setValueAs: (text: string) => text.trim() }

/** Registers a field that clears what is stored when it is empty. */
export const emptyIsNull = { setValueAs: (text: string | null) => text?.trim() || null }
