"use client"

import { useQuery } from "@tanstack/react-query"
import { type ChangeEvent, useRef, useState } from "react"
import { useRole } from "@/components/access/powers"
import { problemOf } from "@/components/data/call"
import { Form, FormRefusal, emptyIsNull } from "@/components/data/form"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { LoadError } from "@/components/data/load-error"
import { preferencePreviewQuery, type Project, projectQuery, useBrand } from "@/components/topics/queries"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Skeleton } from "@/components/ui/loading"
import { toast } from "@/components/ui/toast"
import { brandLogoBytesMax, logoTypes } from "@/lib/projects/brand-rules"

/** The page behind every unsubscribe link, as recipients see it, and its branding. */
export function PreferencePageCard({ projectId }: { projectId: string }) {
  const preview = useQuery(preferencePreviewQuery(projectId))
  const project = useQuery(projectQuery(projectId)).data
  const role = useRole()
  return (
    <Card aria-label="Preference page">
      <CardHeader
        title="Preference page"
        description="The page behind every unsubscribe link: people choose public topics there, or unsubscribe from everything."
      />
      <div className="grid lg:grid-cols-[minmax(0,1fr)_minmax(280px,360px)]">
        {preview.data ? (
          <iframe
            title="Preference page as recipients see it"
            sandbox=""
            srcDoc={preview.data.html}
            className="h-110 w-full border-line bg-sunken max-lg:border-b lg:border-r"
          />
        ) : preview.error ? (
          <LoadError error={preview.error} onRetry={() => void preview.refetch()} retrying={preview.isFetching} />
        ) : (
          <PagePlaceholder />
        )}
        {project ? <BrandForm project={project} mayEdit={role === "owner" || role === "admin"} /> : <FormPlaceholder />}
      </div>
    </Card>
  )
}

/** As high as the frame, with the shape of the page in it. */
function PagePlaceholder() {
  return (
    <div
      role="status"
      aria-label="Loading the preview"
      className="grid h-110 w-full justify-items-center border-line bg-sunken pt-10 max-lg:border-b lg:border-r"
    >
      <div className="grid w-full max-w-120 content-start gap-4 px-6">
        <Skeleton className="h-6 w-48" />
        <Skeleton className="w-64" />
        <Skeleton className="mt-2 h-14 w-full" />
        <Skeleton className="h-14 w-full" />
        <Skeleton className="h-9 w-28" />
      </div>
    </div>
  )
}

function FormPlaceholder() {
  return (
    <div role="status" aria-label="Loading the branding" className="grid content-start gap-4 p-4">
      {["w-12", "w-32", "w-10"].map((width) => (
        <div key={width} className="grid gap-2">
          <Skeleton className={width} />
          <Skeleton className="h-8 w-full rounded-md" />
        </div>
      ))}
    </div>
  )
}

/** Name, colour and logo of the pages for recipients. */
function BrandForm({ project, mayEdit }: { project: Project; mayEdit: boolean }) {
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
      <Field label="Button color" error={form.faultOf("branding.color")}>
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
    if (file.size > brandLogoBytesMax) return setFault("Must be a PNG, JPEG or WebP of at most 64 KiB.")
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
