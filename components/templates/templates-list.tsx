"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { lazy } from "react"
import { useMay } from "@/components/access/powers"
import { AddDialog } from "@/components/data/add-dialog"
import { postCurl } from "@/components/data/curl"
import { FirstAction } from "@/components/data/first-action"
import { ResourceList } from "@/components/data/resource-list"
import { usePageParam } from "@/components/layout/use-address-param"
import { type Template, templateListQuery } from "@/components/templates/queries"
import { publishedState } from "@/components/templates/words"
import { Absent } from "@/components/ui/text"
import { EmptyState } from "@/components/ui/empty-state"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { type Column, RowLink } from "@/components/ui/table"

const loadForm = () => import("@/components/templates/add-template-form")
const AddTemplateForm = lazy(loadForm)

export function TemplatesList({ projectId, baseUrl }: { projectId: string; baseUrl: string }) {
  const page = usePageParam()
  const list = useQuery({ ...templateListQuery(projectId, page[0]), placeholderData: keepPreviousData })
  const may = useMay("emails:send")
  const curl = postCurl(`${baseUrl}/v1/projects/${projectId}/templates`, {
    name: "welcome",
    subject: "Welcome, {{contact.firstName | there}}",
    html: "<p>Your plan: {{plan}}</p>",
    variables: [{ name: "plan", fallback: "free" }],
  })
  return (
    <ResourceList
      label="Templates"
      list={list}
      page={page}
      columns={columns}
      keyOf={({ id }) => id}
      href={({ id }) => `/projects/${projectId}/templates/${id}`}
      empty={
        <EmptyState
          title="No templates yet"
          action={
            <FirstAction permission="emails:send" opens="create-template">
              Create template
            </FirstAction>
          }
          curl={may ? curl : undefined}
        >
          A template is a subject and a body with placeholders, which emails and broadcasts fill with their values.
        </EmptyState>
      }
    />
  )
}

const columns: Column<Template>[] = [
  {
    head: "Template",
    cell: ({ name, subject }, href) => (
      <>
        <RowLink href={href} className="block truncate">
          {name}
        </RowLink>
        <span className="mt-0.5 block truncate text-muted">{subject}</span>
      </>
    ),
  },
  {
    head: "Status",
    width: "w-28 sm:w-32",
    cell: (template) => {
      const { word, tone, means } = publishedState(template)
      return (
        <Pill tone={tone} tip={means} inTable>
          {word}
        </Pill>
      )
    },
  },
  {
    head: "Version",
    from: "sm",
    width: "w-24",
    numeric: true,
    muted: true,
    cell: ({ version }) => (version > 0 ? String(version) : <Absent word="Not published" />),
  },
  {
    head: "Changed",
    from: "md",
    width: "w-36",
    muted: true,
    cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
  },
]

export function AddTemplate({ projectId }: { projectId: string }) {
  return (
    <AddDialog
      action="Create template"
      intent="create-template"
      description="A subject and a body with placeholders."
      load={loadForm}
      height="h-96"
    >
      {() => <AddTemplateForm projectId={projectId} />}
    </AddDialog>
  )
}
