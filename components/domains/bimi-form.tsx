"use client"

import { useQueryClient } from "@tanstack/react-query"
import { Form, FormRefusal } from "@/components/data/form"
import { FormFooter } from "@/components/data/add-dialog"
import { useApiForm } from "@/components/data/use-api-form"
import { useCall } from "@/components/data/use-call"
import { bimiRoute, type Domain, domainQuery } from "@/components/domains/queries"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { toast } from "@/components/ui/toast"

type BimiFormProps = { domain: Domain; projectId: string; done: () => void }

/** An empty field clears what was set. */
const orNull = { setValueAs: (text: unknown) => (typeof text === "string" && text.trim() !== "" ? text.trim() : null) }

export default function BimiForm({ domain, projectId, done }: BimiFormProps) {
  const client = useQueryClient()
  const update = useCall("PATCH /v1/projects/{projectId}/domains/{domainId}/bimi", [bimiRoute])
  const certificate = / a=([^;]+);/.exec(domain.verificationRecords.bimi?.value ?? "")?.[1]
  const form = useApiForm({
    schema: () => import("@/lib/domains/bimi/schema").then(({ BimiChange }) => BimiChange),
    defaultValues: { logoUrl: domain.bimiLogoUrl ?? null, vmcUrl: certificate ?? null },
    async save(body) {
      const { queryKey } = domainQuery(projectId, domain.id)
      const changed = await update.mutateAsync({ params: { projectId, domainId: domain.id }, body })
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, changed)
      done()
      if (changed.bimiLogoUrl) toast.success("The logo is set", { description: "Publish its record at default._bimi." })
      else toast.success("The logo is removed", { description: "Delete the record at default._bimi." })
    },
  })

  const plain = { autoComplete: "off", autoCapitalize: "none", spellCheck: false, inputMode: "url" } as const
  return (
    <Form form={form}>
      <FormRefusal form={form} title="The logo was not set." />
      <Field
        label="Logo"
        error={form.faultOf("logoUrl")}
        hint={`https URL of a square SVG Tiny PS, at most 32 KiB.${domain.bimiLogoUrl ? " Leave it empty to remove the logo." : ""}`}
      >
        <Input autoFocus placeholder="https://acme.com/logo.svg" {...plain} {...form.input("logoUrl", orNull)} />
      </Field>
      <Field
        label="Certificate"
        error={form.faultOf("vmcUrl")}
        hint="https URL of the mark certificate (VMC or CMC). Gmail and Apple Mail need one."
      >
        <Input placeholder="https://acme.com/vmc.pem" {...plain} {...form.input("vmcUrl", orNull)} />
      </Field>
      <FormFooter action="Save" saving={form.saving} />
    </Form>
  )
}
