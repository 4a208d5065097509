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
