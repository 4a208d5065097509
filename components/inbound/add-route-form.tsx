"use client"

import { useQuery } from "@tanstack/react-query"
import { Form, FormRefusal, filled, trimmed } from "@/components/data/form"
import { FormFooter } from "@/components/data/add-dialog"
import { useApiForm } from "@/components/data/use-api-form"
import { useCreateRoute } from "@/components/inbound/queries"
import { RouteFields, type RouteValues } from "@/components/inbound/route-fields"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { useGoOn } from "@/components/ui/leaving"
import { webhooksQuery } from "@/components/webhooks/queries"

export default function AddRouteForm({ projectId }: { projectId: string }) {
  const goOn = useGoOn()
  const create = useCreateRoute()
  const webhooks = useQuery(webhooksQuery(projectId))
  const form = useApiForm({
    schema: () => import("@/lib/received/routes/schema").then(({ NewInboundRoute }) => NewInboundRoute),
    defaultValues: { match: "reply+*", domain: "", webhookId: undefined, keepDays: 30 } as RouteValues & {
      domain: string
    },
    rules: { match: filled("Enter an address."), domain: filled("Enter a domain.") },
    refusals: { "inbound_route.already_exists": { field: "match" } },
    leaves: true,
    async save(body) {
      const { id } = await create.mutateAsync({ params: { projectId }, body })
      goOn(`/projects/${projectId}/inbound/routes/${id}`)
    },
  })

  return (
    <Form form={form}>
      <FormRefusal form={form} title="The route was not created." />
      <Field
        label="Domain"
        error={form.faultOf("domain")}
        hint="A verified domain or a name below one. Its MX record takes all mail of the name, so use one without mailboxes."
      >
        <Input
          autoFocus
          autoComplete="off"
          maxLength={253}
          placeholder="reply.acme.com"
          {...form.input("domain", trimmed)}
        />
      </Field>
      <RouteFields form={form} webhooks={webhooks.data?.data ?? []} />
      <FormFooter action="Create route" saving={form.saving} />
    </Form>
  )
}
