"use client"

import { useQueryClient } from "@tanstack/react-query"
import { useCall } from "@/components/data/use-call"
import { Form, FormRefusal } from "@/components/data/form"
import { FormFooter } from "@/components/data/add-dialog"
import { trimmed } from "@/components/data/form-rules"
import { useApiForm } from "@/components/data/use-api-form"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { toast } from "@/components/ui/toast"
import { type Domain, domainQuery } from "@/components/domains/queries"
import { trackingHost } from "@/components/domains/records"

type HostNamesFormProps = { domain: Domain; projectId: string; done: () => void }

export default function HostNamesForm({ domain, projectId, done }: HostNamesFormProps) {
  const client = useQueryClient()
  const update = useCall("PATCH /v1/projects/{projectId}/domains/{domainId}")
  const form = useApiForm({
    schema: () => import("@/lib/domains/schema").then(({ DomainChange }) => DomainChange),
    defaultValues: { mailFromDomain: domain.mailFromDomain, trackingDomain: trackingHost(domain) },
    async save(body) {
      const { queryKey } = domainQuery(projectId, domain.id)
      const changed = await update.mutateAsync({ params: { projectId, domainId: domain.id }, body })
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, changed)
      done()
      toast.success("The host names are changed", { description: "Publish the records under the new names." })
    },
  })

  const plain = { autoComplete: "off", autoCapitalize: "none", spellCheck: false, inputMode: "url" } as const
  return (
    <Form form={form}>
      <FormRefusal form={form} title="The names were not changed." />
      <Field
        label="MAIL FROM domain"
        error={form.faultOf("mailFromDomain")}
        hint="Receives bounces. No other records may exist at this name."
      >
        <Input autoFocus {...plain} {...form.input("mailFromDomain", trimmed)} />
      </Field>
      <Field
        label="Tracking host"
        error={form.faultOf("trackingDomain")}
        hint="Host of tracked links and images. Optional."
      >
        <Input {...plain} {...form.input("trackingDomain", trimmed)} />
      </Field>
      <FormFooter action="Change names" saving={form.saving} />
    </Form>
  )
}
