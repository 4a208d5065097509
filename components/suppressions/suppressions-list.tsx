"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Trash2, Upload } from "lucide-react"
import { useQueryStates } from "nuqs"
import { useMay } from "@/components/access/powers"
import { addressOf, problemOf } from "@/components/data/call"
import { postCurl } from "@/components/data/curl"
import { ExportLink } from "@/components/data/export-link"
import { FilterInput } from "@/components/data/filter-input"
import { FirstAction } from "@/components/data/first-action"
import { ResourceList } from "@/components/data/resource-list"
import { useCall } from "@/components/data/use-call"
import { suppressionFilters } from "@/components/suppressions/filters"
import { type Suppression, suppressionsQuery, suppressionsRoute } from "@/components/suppressions/queries"
import { reasonTexts, reasonWords } from "@/components/suppressions/reasons"
import { Absent, AddressText, TextLink } from "@/components/ui/text"
import { Button, IconButton } from "@/components/ui/button"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { EmptyState } from "@/components/ui/empty-state"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { Select } from "@/components/ui/select"
import type { Column } from "@/components/ui/table"
import { toast, undoMs } from "@/components/ui/toast"
import { suppressionReasons } from "@/lib/consent/rules"
import { lazy } from "react"
import { AddDialog, FormFooter } from "@/components/data/add-dialog"
import { Form, FormRefusal } from "@/components/data/form"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"

const options = [
  { value: "", label: "Any reason" },
  ...suppressionReasons.map((value) => ({ value, label: reasonTexts[value].word })),
]

/** The suppressed addresses of a project, newest first; filters and page are in the URL. */
export function SuppressionsList({ projectId, baseUrl }: { projectId: string; baseUrl: string }) {
  const [filters, setFilters] = useQueryStates(suppressionFilters)
  const filtered = Boolean(filters.reason || filters.search)
  const clear = () => void setFilters(null, { history: "push" })
  const list = useQuery({ ...suppressionsQuery(projectId, filters), placeholderData: keepPreviousData })

  return (
    <>
      <div role="search" aria-label="Suppressions" className="mb-4 flex flex-wrap gap-2 sm:flex-nowrap">
        <FilterInput
          label="Address or part of it"
          value={filters.search}
          onChange={(search, history) => void setFilters({ search, page: 1 }, { history })}
          className="sm:w-auto sm:flex-1"
        />
        <Select
          aria-label="Reason"
          className="w-40 shrink-0"
          value={filters.reason ?? ""}
          options={options}
          onChange={({ target }) =>
            void setFilters(
              { reason: suppressionReasons.find((reason) => reason === target.value) ?? null, page: 1 },
              { history: "push" },
            )
          }
        />
        {filtered ? (
          <Button variant="ghost" onClick={clear}>
            Clear
          </Button>
        ) : null}
      </div>
      <ResourceList
        wide
        label="Suppressed addresses"
        noun="addresses"
        list={list}
        page={[filters.page, (page) => void setFilters({ page }, { history: "push" })]}
        columns={columnsOf(projectId)}
        keyOf={({ id }) => id}
        empty={filtered ? <NoMatch onClear={clear} /> : <NoSuppressions projectId={projectId} baseUrl={baseUrl} />}
      />
    </>
  )
}

/** The whole list, whatever the filters are. */
export function ExportSuppressions({ projectId }: { projectId: string }) {
  return (
    <ExportLink
      href={addressOf("GET /v1/projects/{projectId}/suppressions/export", { params: { projectId } }).address}
    />
  )
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState title="No address matches" action={<Button onClick={onClear}>Clear filters</Button>}>
      No suppression matches this reason and part of an address.
    </EmptyState>
  )
}

function NoSuppressions({ projectId, baseUrl }: { projectId: string; baseUrl: string }) {
  const may = useMay("suppressions:write")
  const curl = postCurl(`${baseUrl}/v1/projects/${projectId}/suppressions`, { email: "ada@example.com" })
  return (
    <EmptyState
      title="No suppressed addresses"
      action={
        <FirstAction permission="suppressions:write" opens="suppress-address">
          Add address
        </FirstAction>
      }
      curl={may ? curl : undefined}
    >
      Addresses that bounce, complain or unsubscribe are added automatically. Add others manually, or import your
      previous provider&apos;s list.
    </EmptyState>
  )
}

/** Each address with what led to it; where there is little room the evidence is below the address. */
function columnsOf(projectId: string): Column<Suppression>[] {
  const evidence = (suppression: Suppression) => <Evidence projectId={projectId} suppression={suppression} />
  return [
    {
      head: "Address",
      cell: (suppression) => (
        <>
          <span className="block font-medium [overflow-wrap:anywhere]">
            <AddressText address={suppression.email} />
          </span>
          <span className="mt-1 grid grid-cols-[minmax(0,1fr)] justify-items-start gap-1 text-muted lg:hidden">
            <Reason suppression={suppression} />
            {evidence(suppression)}
          </span>
        </>
      ),
    },
    { head: "Reason", from: "lg", width: "w-40", cell: (suppression) => <Reason suppression={suppression} /> },
    {
      head: "Evidence",
      from: "lg",
      width: "lg:w-[42%]",
      muted: true,
      title: (suppression) => suppression.evidence,
      cell: evidence,
    },
    {
      head: "Since",
      from: "md",
      width: "w-38",
      numeric: true,
      muted: true,
      cellClassName: "whitespace-nowrap",
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    {
      head: "Remove",
      headHidden: true,
      width: "w-12",
      cellClassName: "px-2 py-1",
      cell: (suppression) => <RemoveSuppression projectId={projectId} suppression={suppression} />,
    },
  ]
}

function Reason({ suppression }: { suppression: Suppression }) {
  const { word, tone, means } = reasonWords(suppression.reason)
  return (
    <Pill tone={tone} tip={means} inTable>
      {word}
    </Pill>
  )
}

type EvidenceProps = { projectId: string; suppression: Suppression }

/** What a server said, the mail it said it of, and the contact it is about, as far as there are such. */
function Evidence({ projectId, suppression: { evidence, emailId, contactId } }: EvidenceProps) {
  if (!evidence && !emailId && !contactId) return <Absent />
  return (
    <span className="flex max-w-full flex-wrap gap-x-2 lg:grid lg:grid-cols-[minmax(0,1fr)_2.25rem_3.25rem]">
      {evidence ? (
        <span
          className="mono min-w-0 text-sm [overflow-wrap:anywhere] max-lg:basis-full lg:line-clamp-2"
          title={evidence}
        >
          {evidence}
        </span>
      ) : null}
      {emailId ? (
        <TextLink href={`/projects/${projectId}/emails/${emailId}`} className="lg:col-start-2">
          Email
        </TextLink>
      ) : null}
      {contactId ? (
        <TextLink href={`/projects/${projectId}/contacts/${contactId}`} className="lg:col-start-3">
          Contact
        </TextLink>
      ) : null}
    </span>
  )
}

/** Says what is risked before mail may go to the address again. */
function RemoveSuppression({ projectId, suppression }: { projectId: string; suppression: Suppression }) {
  const may = useMay("suppressions:write")
  const remove = useCall("DELETE /v1/projects/{projectId}/suppressions/{email}", [suppressionsRoute])
  const add = useCall("POST /v1/projects/{projectId}/suppressions", [suppressionsRoute])
  const { email, reason } = suppression
  if (!may) return null

  async function confirmed() {
    await remove.mutateAsync({ params: { projectId, email } })
    toast.success(`${email} was removed from the list`, {
      description: "It can get email again.",
      duration: undoMs,
      action: { label: "Undo", onClick: () => void putBack() },
    })
  }
  async function putBack() {
    try {
      await add.mutateAsync({ params: { projectId }, body: { email } })
      toast.success(`${email} is on the list again`, { description: "With the reason “manual”." })
    } catch (error) {
      toast.error(`${email} was not added back`, { description: problemOf(error).detail })
    }
  }

  return (
    <ConfirmDialog
      trigger={<IconButton label={`Remove ${email}`} icon={<Trash2 />} />}
      title={`Allow email to ${email} again?`}
      action="Remove from list"
      onConfirm={confirmed}
    >
      <p>{reasonWords(reason).removal}</p>
    </ConfirmDialog>
  )
}

const loadImportForm = () => import("@/components/suppressions/import-form")
const ImportForm = lazy(loadImportForm)

export function AddSuppression({ projectId }: { projectId: string }) {
  return (
    <AddDialog
      action="Add address"
      size="small"
      intent="suppress-address"
      title="Suppress an address"
      description="This project sends no more email to the address."
    >
      {(close) => <AddForm projectId={projectId} done={close} />}
    </AddDialog>
  )
}

export function ImportSuppressions({ projectId }: { projectId: string }) {
  return (
    <AddDialog
      action="Import"
      button={{ icon: <Upload /> }}
      title="Import suppressions"
      description="Import your previous provider's list, so that people who unsubscribed get no more email."
      load={loadImportForm}
      height="h-60"
    >
      {() => <ImportForm projectId={projectId} />}
    </AddDialog>
  )
}

function AddForm({ projectId, done }: { projectId: string; done: () => void }) {
  const add = useCall("POST /v1/projects/{projectId}/suppressions", [suppressionsRoute])
  const form = usePageForm({
    schema: () => import("@/lib/suppressions/schema").then(({ NewSuppression }) => NewSuppression),
    defaultValues: { email: "" },
    async save(body) {
      const { email } = await add.mutateAsync({ params: { projectId }, body })
      done()
      toast.success(`${email} is suppressed`)
    },
  })

  return (
    <Form form={form}>
      <FormRefusal form={form} title="The address was not suppressed." />
      <Field label="Address" error={form.faultOf("email")}>
        <Input
          type="email"
          placeholder="ada@example.com"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.input("email")}
        />
      </Field>
      <FormFooter action="Suppress" saving={form.saving} />
    </Form>
  )
}
