"use client"

import { useRef, useState, type ChangeEvent } from "react"
import { problemOf } from "@/components/data/problem"
import { Form, FormRefusal } from "@/components/data/form"
import { emptyIsNull } from "@/components/data/form-rules"
import { usePageForm } from "@/components/data/use-page-form"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { toast } from "@/components/ui/toast"
import { logoBytesMax, logoTypes } from "@/lib/projects/brand-rules"
import { useBrand, type Project } from "@/components/topics/queries"

/** Name, colour and logo of the pages for recipients. */
export function BrandForm({ project, mayEdit }: { project: Project; mayEdit: boolean }) {
  const change = useBrand()
  const { name, color } = project.branding ?? {}
  const form = usePageForm({
    schema: () => import("@/lib/projects/schema").then(({ ProjectChange }) => ProjectChange),
    values: { branding: { name: name ?? null, color: color ?? null } },
    async save(body) {
      await change.mutateAsync({ params: { projectId: project.id }, body })
      toast.success("Saved")
    },
  })
  return (
    <Form form={form} className="p-4">
      <FormRefusal form={form} />
      <Field label="Name" error={form.faultOf("branding.name")}>
        <Input
          disabled={!mayEdit}
          maxLength={100}
          autoComplete="organization"
          placeholder={project.name}
          {...form.input("branding.name", emptyIsNull)}
        />
      </Field>
      <Field label="Colour of buttons" error={form.faultOf("branding.color")}>
        <Input
          disabled={!mayEdit}
          mono
          maxLength={7}
          autoComplete="off"
          spellCheck={false}
          placeholder="#1c2024"
          {...form.input("branding.color", emptyIsNull)}
        />
      </Field>
      <Logo project={project} mayEdit={mayEdit} />
      {mayEdit ? (
        <Button type="submit" variant="primary" className="mt-4" loading={form.saving} disabled={!form.dirty}>
          Save
        </Button>
      ) : (
        <p className="mt-4 text-muted">An owner or admin can change it.</p>
      )}
    </Form>
  )
}

function Logo({ project, mayEdit }: { project: Project; mayEdit: boolean }) {
  const change = useBrand()
  const input = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<string>()
  const logo = project.branding?.logo ?? null

  async function save(next: string | null) {
    setFault(undefined)
    try {
      await change.mutateAsync({ params: { projectId: project.id }, body: { branding: { logo: next } } })
    } catch (error) {
      setFault(problemOf(error).errors?.[0]?.detail ?? problemOf(error).detail)
    }
  }
  async function take({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0]
    target.value = ""
    if (!file) return
    if (file.size > logoBytesMax) return setFault("Must be a PNG, JPEG or WebP of at most 64 KiB.")
    await save(await readAsDataUrl(file))
  }

  return (
    <div role="group" aria-label="Logo">
      <p className="mb-1.5 text-sm font-medium">Logo</p>
      {/* A data: URL of our own API; there is nothing for Next's optimiser to do. */}
      {/* eslint-disable-next-line @next/next/no-img-element */}
      {logo ? <img src={logo} alt="" className="mb-2 max-h-14 max-w-50 rounded-sm bg-sunken" /> : null}
      <input ref={input} type="file" hidden accept={logoTypes.join(",")} onChange={(event) => void take(event)} />
      {mayEdit ? (
        <span className="flex flex-wrap gap-2">
          <Button loading={change.isPending} onClick={() => input.current?.click()}>
            {logo ? "Replace" : "Choose a picture"}
          </Button>
          {logo ? (
            <Button variant="ghost" onClick={() => void save(null)}>
              Remove
            </Button>
          ) : null}
        </span>
      ) : null}
      {fault ? (
        <p role="alert" className="mt-1.5 text-sm text-bad">
          {fault}
        </p>
      ) : (
        <p className="mt-1.5 text-sm text-muted">PNG, JPEG or WebP, at most 64 KiB.</p>
      )}
    </div>
  )
}

function readAsDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error("The file could not be read."))
    reader.readAsDataURL(file)
  })
}
