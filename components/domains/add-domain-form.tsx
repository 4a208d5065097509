"use client"

import { zodResolver } from "@hookform/resolvers/zod"
import { useQueryClient } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { useState } from "react"
import { useForm, useWatch } from "react-hook-form"
import { applyProblem, problemOf } from "@/components/api/problem"
import { useCall } from "@/components/api/use-call"
import { Button } from "@/components/ui/button"
import { DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import { NewDomain } from "@/lib/domains/schema"
import { regionLabel, regionNames, type RegionName } from "@/lib/projects/regions"
import type { RegionChoice } from "@/components/domains/add-domain"
import { sandboxExample } from "@/components/domains/curl"
import { domainQuery } from "@/components/domains/queries"

type Fields = { domain: string; region: RegionName }

export default function AddDomainForm({ projectId, regions }: { projectId: string; regions: RegionChoice[] }) {
  const router = useRouter()
  const client = useQueryClient()
  const create = useCall("POST /v1/projects/{projectId}/domains", ["GET /v1/projects/{projectId}/domains"])
  const form = useForm<Fields>({
    resolver: zodResolver(NewDomain),
    defaultValues: { domain: "", region: regions[0]?.name ?? regionNames[0] },
  })
  const { errors } = form.formState
  const [domain, region] = useWatch({ control: form.control, name: ["domain", "region"] })
  const sandbox = regions.some((one) => one.name === region && one.sandbox)
  const [leaving, setLeaving] = useState(false)

  function takeExample() {
    form.setValue("domain", sandboxExample, { shouldValidate: true })
    form.setFocus("domain")
  }

  async function submit(body: Fields) {
    try {
      const added = await create.mutateAsync({ params: { projectId }, body })
      setLeaving(true)
      client.setQueryData(domainQuery(projectId, added.id).queryKey, added)
      router.push(`/projects/${projectId}/domains/${added.id}`)
    } catch (error) {
      refuse(error)
    }
  }

  function refuse(error: unknown) {
    const { code, detail, title } = problemOf(error)
    const field = fieldOf[code]
    if (!field) return applyProblem(form, error)
    form.setError(
      field.name,
      { message: [detail ?? title, field.fix].filter(Boolean).join(" ") },
      { shouldFocus: true },
    )
  }

  const busy = create.isPending || leaving
  return (
    <form noValidate onSubmit={form.handleSubmit(submit)}>
      <FormErrorSummary
        title="The domain was not added."
        faults={errors.root?.message ? [{ message: errors.root.message }] : []}
      />
      <Field
        label="Domain"
        error={errors.domain?.message}
        hint={errors.domain ? null : <NameHint domain={domain} sandbox={sandbox} take={takeExample} />}
      >
        <Input
          // The form arrives after the dialog has looked for a field to focus.
          autoFocus
          placeholder={sandbox ? sandboxExample : "acme.com"}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          {...form.register("domain", { setValueAs: (text: string) => text.trim() })}
        />
      </Field>
      <Field
        label="Region"
        error={errors.region?.message}
        hint="Where mail from this domain leaves. It cannot be changed later."
      >
        <Select
          options={regions.map(({ name }, index) => ({
            value: name,
            label: `${regionLabel(name)} ${name}${index === 0 ? ", home region" : ""}`,
          }))}
          {...form.register("region")}
        />
      </Field>
      <p role="status" className="text-sm text-muted">
        {busy ? "Making two keys and choosing free names …" : null}
      </p>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" loading={busy}>
          Add domain
        </Button>
      </DialogFooter>
    </form>
  )
}

/** Refusals that are about one field, and what can be done where they do not say it. */
const fieldOf: Record<string, { name: keyof Fields; fix?: string }> = {
  "domain.already_registered": { name: "domain" },
  "domain.region_not_entitled": {
    name: "region",
    fix: "Whoever operates this installation can grant it; or choose the home region.",
  },
}

function NameHint({ domain, sandbox, take }: { domain: string; sandbox: boolean; take: () => void }) {
  if (!sandbox) return "The part after the @ of your sender. A subdomain such as mail.acme.com has its own reputation."
  if (domain.trim().endsWith(".test")) return "The sandbox answers for it: it verifies by itself within seconds."
  if (domain.includes(".")) {
    return "This region cannot send yet: mail from a real domain is captured in the sandbox mailbox, not delivered."
  }
  return (
    <>
      This region is in the sandbox. To try everything, use{" "}
      <Button variant="link" className="align-baseline text-sm underline" onClick={take}>
        {sandboxExample}
      </Button>
      , which verifies by itself.
    </>
  )
}
