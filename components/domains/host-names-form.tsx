"use client"

import { useQueryClient } from "@tanstack/react-query"
import { useForm } from "react-hook-form"
import { applyProblem } from "@/components/api/problem"
import { useCall } from "@/components/api/use-call"
import { Button } from "@/components/ui/button"
import { DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"
import { toast } from "@/components/ui/toast"
import { domainQuery } from "@/components/domains/queries"
import { trackingHost } from "@/components/domains/tracking-host"
import type { Domain } from "@/components/domains/types"

type HostNamesFormProps = { domain: Domain; projectId: string; done: () => void }

type Fields = { mailFromDomain: string; trackingDomain: string }

export default function HostNamesForm({ domain, projectId, done }: HostNamesFormProps) {
  const client = useQueryClient()
  const update = useCall("PATCH /v1/projects/{projectId}/domains/{domainId}")
  const form = useForm<Fields>({
    defaultValues: { mailFromDomain: domain.mailFromDomain, trackingDomain: trackingHost(domain) },
  })
  const { errors } = form.formState

  async function submit(body: Fields) {
    try {
      const { queryKey } = domainQuery(projectId, domain.id)
      const changed = await update.mutateAsync({ params: { projectId, domainId: domain.id }, body })
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, changed)
      done()
      toast.success("The host names are changed", { description: "Publish their records under the new names." })
    } catch (error) {
      applyProblem(form, error)
    }
  }

  const trimmed = { setValueAs: (text: string) => text.trim() }
  const plain = { autoComplete: "off", autoCapitalize: "none", spellCheck: false, inputMode: "url" } as const
  return (
    <form noValidate onSubmit={form.handleSubmit(submit)}>
      <FormErrorSummary
        title="The names were not changed."
        faults={errors.root?.message ? [{ message: errors.root.message }] : []}
      />
      <Field
        label="MAIL FROM domain"
        error={errors.mailFromDomain?.message}
        hint="Where bounces return. No other records may exist at this name."
      >
        <Input autoFocus {...plain} {...form.register("mailFromDomain", trimmed)} />
      </Field>
      <Field
        label="Tracking host"
        error={errors.trackingDomain?.message}
        hint="The name in links and pictures. Optional."
      >
        <Input {...plain} {...form.register("trackingDomain", trimmed)} />
      </Field>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" loading={update.isPending}>
          Change names
        </Button>
      </DialogFooter>
    </form>
  )
}
