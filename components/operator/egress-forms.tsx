"use client"

import { Form, FormRefusal } from "@/components/data/form"
import { useApiForm } from "@/components/data/use-api-form"
import { useCall } from "@/components/data/use-call"
import {
  type EgressAddressWire,
  egressAddressesRoute,
  type OperatorRegion,
  projectPoolsRoute,
} from "@/components/operator/queries"
import { Button } from "@/components/ui/button"
import { DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import { toast } from "@/components/ui/toast"
import { regionLabel, type Region } from "@/lib/regions/regions"

const schemas = () => import("@/lib/delivery/egress/schema")

export function AddressForm({ regions, done }: { regions: OperatorRegion[]; done: () => void }) {
  const add = useCall("POST /v1/operator/egress-addresses", [egressAddressesRoute])
  const [first] = regions.toSorted((a, b) => Number(b.relay === "direct") - Number(a.relay === "direct"))
  const form = useApiForm({
    schema: () => schemas().then(({ NewEgressAddress }) => NewEgressAddress),
    defaultValues: {
      region: (first?.region ?? "") as Region,
      address: "",
      ehloName: "",
      pool: "default",
      warmUpOn: new Date().toISOString().slice(0, 10) as string | undefined,
    },
    refusals: {
      "egress_address.already_exists": { field: "address" },
      "egress_address.warm_up_invalid": { field: "warmUpOn" },
    },
    async save(body) {
      const { address } = await add.mutateAsync({ body })
      done()
      toast.success(`${address} is added`)
    },
  })
  return (
    <Form form={form}>
      <FormRefusal form={form} title="The address was not added." />
      <Field label="Region" error={form.faultOf("region")}>
        <Select
          {...form.input("region")}
          options={regions.map(({ region, relay }) => ({ value: region, label: `${regionLabel(region)}, ${relay}` }))}
        />
      </Field>
      <Field label="Address" hint="Of every machine on which a worker runs." error={form.faultOf("address")}>
        <Input placeholder="203.0.113.5" autoComplete="off" spellCheck={false} {...form.input("address")} />
      </Field>
      <Field label="EHLO name" hint="To which its reverse DNS leads." error={form.faultOf("ehloName")}>
        <Input placeholder="out1.mail.example" autoComplete="off" spellCheck={false} {...form.input("ehloName")} />
      </Field>
      <Field label="Pool" error={form.faultOf("pool")}>
        <Input autoComplete="off" autoCapitalize="none" spellCheck={false} {...form.input("pool")} />
      </Field>
      <Field
        label="First day of its warm-up (UTC)"
        hint="Empty for an address that providers know already: it has no cap."
        error={form.faultOf("warmUpOn")}
      >
        <Input type="date" {...form.input("warmUpOn", { setValueAs: (text: string) => text || undefined })} />
      </Field>
      <Buttons action="Add address" saving={form.saving} />
    </Form>
  )
}

export function MoveForm({ row, done }: { row: EgressAddressWire; done: () => void }) {
  const change = useCall("PATCH /v1/operator/egress-addresses/{addressId}", [egressAddressesRoute])
  const form = useApiForm({
    schema: () => schemas().then(({ EgressAddressEdit }) => EgressAddressEdit),
    defaultValues: { pool: row.pool },
    async save({ pool }) {
      await change.mutateAsync({ params: { addressId: row.id }, body: { pool } })
      done()
      toast.success(`${row.address} is in the pool ${pool}`)
    },
  })
  return (
    <Form form={form}>
      <FormRefusal form={form} title="The address was not moved." />
      <Field label="Pool" error={form.faultOf("pool")}>
        <Input autoComplete="off" autoCapitalize="none" spellCheck={false} {...form.input("pool")} />
      </Field>
      <Buttons action="Move" saving={form.saving} />
    </Form>
  )
}

export function PoolForm({ done }: { done: () => void }) {
  const assign = useCall("PUT /v1/operator/project-pools", [projectPoolsRoute])
  const form = useApiForm({
    schema: () => schemas().then(({ NewProjectPool }) => NewProjectPool),
    defaultValues: { projectId: "", pool: "default" },
    refusals: { "project.not_found": { field: "projectId" } },
    async save(body) {
      const { name, pool } = await assign.mutateAsync({ body })
      done()
      toast.success(`${name} sends from the pool ${pool}`)
    },
  })
  return (
    <Form form={form}>
      <FormRefusal form={form} title="The pool was not set." />
      <Field label="Project" hint="Its id is in its settings." error={form.faultOf("projectId")}>
        <Input placeholder="proj_…" autoComplete="off" spellCheck={false} {...form.input("projectId")} />
      </Field>
      <Field label="Pool" error={form.faultOf("pool")}>
        <Input autoComplete="off" autoCapitalize="none" spellCheck={false} {...form.input("pool")} />
      </Field>
      <Buttons action="Set pool" saving={form.saving} />
    </Form>
  )
}

function Buttons({ action, saving }: { action: string; saving: boolean }) {
  return (
    <DialogFooter>
      <Button type="submit" variant="primary" loading={saving}>
        {action}
      </Button>
      <DialogClose>
        <Button>Cancel</Button>
      </DialogClose>
    </DialogFooter>
  )
}
