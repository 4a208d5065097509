"use client"

import { type BaseSyntheticEvent, type ReactNode, useRef, useState } from "react"
import type { FieldValues } from "react-hook-form"
import type { z } from "zod"
import type { ApiFormOptions, FormFields } from "@/components/data/use-api-form"
import type { PageFormEngine } from "@/components/late-parts/page-form-engine"

export type PageForm<Values extends FieldValues> = FormFields<Values> & {
  /** What runs the form once it is touched; it shows nothing. */
  engine: ReactNode
}

/**
 * useApiForm for fields that are on a page from the start. They are plain inputs until one of them has the focus: only
 * then react-hook-form is loaded and takes them over, with what was typed meanwhile.
 */
export function usePageForm<Values extends FieldValues, Schema extends z.ZodType = z.ZodType<object, object>>(
  options: ApiFormOptions<Values, Schema>,
): PageForm<Values> {
  const [Engine, setEngine] = useState<{ Component: typeof PageFormEngine }>()
  const [form, setForm] = useState<FormFields<Values>>()
  const submitWantedRef = useRef(false)

  function prepare() {
    if (form) return form.prepare()
    // A failed load is tried again with the next touch.
    void import("@/components/late-parts/page-form-engine").then(
      ({ PageFormEngine }) => setEngine((before) => before ?? { Component: PageFormEngine }),
      () => undefined,
    )
  }

  return {
    dirty: false,
    saving: false,
    refusal: undefined,
    discard: () => undefined,
    faultOf: () => undefined,
    input: (name) => ({ name, defaultValue: valueAt(options.values ?? options.defaultValues, name) }),
    submit: async (event?: BaseSyntheticEvent) => {
      event?.preventDefault()
      submitWantedRef.current = true
      prepare()
    },
    ...form,
    prepare,
    engine: Engine ? <Engine.Component options={options} onChange={setForm} submitWantedRef={submitWantedRef} /> : null,
  }
}

function valueAt(values: unknown, name: string): string | number {
  const found = name.split(".").reduce<unknown>((within, part) => (within as Record<string, unknown>)[part], values)
  return (found ?? "") as string | number
}
