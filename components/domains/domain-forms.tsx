"use client"

import { type QueryClient, useQueryClient } from "@tanstack/react-query"
import type { ClipboardEvent } from "react"
import { useWatch } from "react-hook-form"
import { Form, FormRefusal, trimmed } from "@/components/data/form"
import { FormFooter } from "@/components/data/add-dialog"
import { useApiForm } from "@/components/data/use-api-form"
import { useCall } from "@/components/data/use-call"
import { domainQuery, sandboxExample, type Domain, bimiRoute } from "@/components/domains/queries"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import { isKnownProvider, providerKeyOf, providerName } from "@/lib/metrics/provider-rules"
import { regionLabel, type Region, regionNames } from "@/lib/regions/regions"
import { toast } from "@/components/ui/toast"
import { useGoOn } from "@/components/ui/leaving"
import { trackingHost } from "@/components/domains/records"

/** A field for a host name or a URL, in which a phone corrects nothing. */
const hostOrUrl = { autoComplete: "off", autoCapitalize: "none", spellCheck: false, inputMode: "url" } as const

/** Shows a domain as the API returned it, without asking for it again. */
async function showChanged(client: QueryClient, projectId: string, changed: Domain) {
  const { queryKey } = domainQuery(projectId, changed.id)
  await client.cancelQueries({ queryKey })
  client.setQueryData(queryKey, changed)
}

export type RegionChoice = { name: Region; sandbox: boolean }

export function AddDomainForm({ projectId, regions }: { projectId: string; regions: RegionChoice[] }) {
  const goOn = useGoOn()
  const client = useQueryClient()
  const create = useCall("POST /v1/projects/{projectId}/domains", ["GET /v1/projects/{projectId}/domains"])
  const form = useApiForm({
    schema: () => import("@/lib/domains/schema").then(({ NewDomain }) => NewDomain),
    defaultValues: { domain: "", region: (regions[0]?.name ?? regionNames[0]) as Region },
    refusals: {
      "domain.already_registered": { field: "domain" },
      "domain.region_not_entitled": {
        field: "region",
        fix: "Ask the operator of this installation to grant it, or choose the home region.",
      },
    },
    leaves: true,
    async save(body) {
      const added = await create.mutateAsync({ params: { projectId }, body })
      client.setQueryData(domainQuery(projectId, added.id).queryKey, added)
      goOn(`/projects/${projectId}/domains/${added.id}`)
    },
  })
  const [domain, region] = useWatch({ control: form.control, name: ["domain", "region"] })
  const sandbox = regions.some((one) => one.name === region && one.sandbox)

  function takeExample() {
    form.setValue("domain", sandboxExample, { shouldValidate: true })
    form.setFocus("domain")
  }

  /** What is pasted from a browser is shown as it will be sent. */
  function paste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData("text")
    const host = hostOfPasted(text)
    if (host === text.trim()) return
    event.preventDefault()
    form.setValue("domain", host, { shouldValidate: true, shouldDirty: true })
  }

  return (
    <Form form={form}>
      <FormRefusal form={form} title="The domain was not added." />
      <Field
        label="Domain"
        error={form.faultOf("domain")}
        hint={form.faultOf("domain") ? null : <NameHint domain={domain} sandbox={sandbox} take={takeExample} />}
      >
        <Input
          // The form arrives after the dialog has looked for a field to focus.
          autoFocus
          placeholder={sandbox ? sandboxExample : "acme.com"}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          {...form.input("domain", { setValueAs: hostOfPasted })}
          onPaste={paste}
        />
      </Field>
      <Field
        label="Region"
        error={form.faultOf("region")}
        hint="The region that sends email from this domain. It cannot be changed later."
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
        {form.saving ? "Creating two keys and choosing free host names …" : null}
      </p>
      <FormFooter action="Add domain" saving={form.saving} />
    </Form>
  )
}

function NameHint({ domain, sandbox, take }: { domain: string; sandbox: boolean; take: () => void }) {
  const provider = mailboxProviderOf(hostOfPasted(domain))
  if (provider) {
    return (
      <span className="text-warn">
        This domain belongs to {provider}: only its owner can publish the DNS records, so it can never be verified here.
        Use a domain of your own.
      </span>
    )
  }
  if (!sandbox) return "The part after the @ of your sender. A subdomain such as mail.acme.com has its own reputation."
  if (domain.trim().endsWith(".test"))
    return "The sandbox publishes its records: it is verified automatically within seconds."
  if (domain.includes(".")) {
    return "This region cannot send yet: email from a real domain is captured in the sandbox mailbox, not delivered."
  }
  return (
    <>
      This region is in the sandbox. To try everything, use{" "}
      <Button variant="link" className="align-baseline text-sm underline" onClick={take}>
        {sandboxExample}
      </Button>
      , which is verified automatically.
    </>
  )
}

/** The host of what people paste from their browser: without scheme, credentials, port, path and query. Anything else stays. */
export function hostOfPasted(text: string): string {
  const trimmed = text.trim()
  const [, authority] =
    /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#\\\s]*)/i.exec(trimmed) ?? /^([^/?#\s]+\.[^/?#\s]+)[/?#]/.exec(trimmed) ?? []
  return authority ? authority.replace(/^.*@/, "").replace(/:\d*$/, "").replace(/\.$/, "") : trimmed
}

/** The mailbox provider whose domain this is: anybody can have an address there, and only the provider can publish its records. */
export function mailboxProviderOf(domain: string): string | undefined {
  if (!domain.includes(".")) return undefined
  const key = providerKeyOf(`x@${domain.trim().toLowerCase().replace(/\.$/, "")}`)
  return isKnownProvider(key) ? providerName(key) : undefined
}

type HostNamesFormProps = { domain: Domain; projectId: string; done: () => void }

export function HostNamesForm({ domain, projectId, done }: HostNamesFormProps) {
  const client = useQueryClient()
  const update = useCall("PATCH /v1/projects/{projectId}/domains/{domainId}")
  const form = useApiForm({
    schema: () => import("@/lib/domains/schema").then(({ DomainChange }) => DomainChange),
    defaultValues: { mailFromDomain: domain.mailFromDomain, trackingDomain: trackingHost(domain) },
    async save(body) {
      const changed = await update.mutateAsync({ params: { projectId, domainId: domain.id }, body })
      await showChanged(client, projectId, changed)
      done()
      toast.success("The host names are changed", { description: "Publish the records under the new names." })
    },
  })

  return (
    <Form form={form}>
      <FormRefusal form={form} title="The names were not changed." />
      <Field
        label="MAIL FROM domain"
        error={form.faultOf("mailFromDomain")}
        hint="Receives bounces. No other records may exist at this name."
      >
        <Input autoFocus {...hostOrUrl} {...form.input("mailFromDomain", trimmed)} />
      </Field>
      <Field
        label="Tracking host"
        error={form.faultOf("trackingDomain")}
        hint="Host of tracked links and images. Optional."
      >
        <Input {...hostOrUrl} {...form.input("trackingDomain", trimmed)} />
      </Field>
      <FormFooter action="Change names" saving={form.saving} />
    </Form>
  )
}

type BimiFormProps = { domain: Domain; projectId: string; done: () => void }

/** An empty field clears what was set. */
const orNull = { setValueAs: (text: unknown) => (typeof text === "string" && text.trim() !== "" ? text.trim() : null) }

export function BimiForm({ domain, projectId, done }: BimiFormProps) {
  const client = useQueryClient()
  const update = useCall("PATCH /v1/projects/{projectId}/domains/{domainId}/bimi", [bimiRoute])
  const certificate = / a=([^;]+);/.exec(domain.verificationRecords.bimi?.value ?? "")?.[1]
  const form = useApiForm({
    schema: () => import("@/lib/domains/bimi/schema").then(({ BimiChange }) => BimiChange),
    defaultValues: { logoUrl: domain.bimiLogoUrl ?? null, vmcUrl: certificate ?? null },
    async save(body) {
      const changed = await update.mutateAsync({ params: { projectId, domainId: domain.id }, body })
      await showChanged(client, projectId, changed)
      done()
      if (changed.bimiLogoUrl) toast.success("The logo is set", { description: "Publish its record at default._bimi." })
      else toast.success("The logo is removed", { description: "Delete the record at default._bimi." })
    },
  })

  return (
    <Form form={form}>
      <FormRefusal form={form} title="The logo was not set." />
      <Field
        label="Logo"
        error={form.faultOf("logoUrl")}
        hint={`https URL of a square SVG Tiny PS, at most 32 KiB.${domain.bimiLogoUrl ? " Leave it empty to remove the logo." : ""}`}
      >
        <Input autoFocus placeholder="https://acme.com/logo.svg" {...hostOrUrl} {...form.input("logoUrl", orNull)} />
      </Field>
      <Field
        label="Certificate"
        error={form.faultOf("vmcUrl")}
        hint="https URL of the mark certificate (VMC or CMC). Gmail and Apple Mail need one."
      >
        <Input placeholder="https://acme.com/vmc.pem" {...hostOrUrl} {...form.input("vmcUrl", orNull)} />
      </Field>
      <FormFooter action="Save" saving={form.saving} />
    </Form>
  )
}
