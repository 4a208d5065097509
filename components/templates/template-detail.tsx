"use client"

import { useQuery } from "@tanstack/react-query"
import { useMay } from "@/components/access/powers"
import { DeleteCard } from "@/components/data/delete-card"
import { problemOf } from "@/components/data/call"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { callThen } from "@/components/data/use-call"
import { useDeleteTemplate, useUpdateTemplate } from "@/components/templates/changes"
import {
  type Template,
  templateQuery,
  type TemplateVersion,
  templateVersionsQuery,
} from "@/components/templates/queries"
import { TemplateEditor } from "@/components/templates/template-editor"
import { TemplatePreviewCard } from "@/components/templates/template-preview"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { RelativeTime } from "@/components/ui/relative-time"
import { type Column, DataTable } from "@/components/ui/table"
import { toast } from "@/components/ui/toast"

type TemplateDetailProps = { projectId: string; templateId: string }

export function TemplateDetail({ projectId, templateId }: TemplateDetailProps) {
  const read = useQuery(templateQuery(projectId, templateId))
  const mayWrite = useMay("emails:send")
  const list = { label: "Templates", href: `/projects/${projectId}/templates` }
  if (!read.data) return <PageNotLoaded of="Template" lists={[list]} read={read} />
  const template = read.data
  return (
    <>
      <TemplateEditor
        key={template.updatedAt}
        projectId={projectId}
        template={template}
        list={list}
        mayWrite={mayWrite}
      />
      <TemplatePreviewCard projectId={projectId} template={template} />
      <Versions projectId={projectId} template={template} mayWrite={mayWrite} />
      {mayWrite ? <DeleteTemplate projectId={projectId} template={template} /> : null}
    </>
  )
}

type TemplateCardProps = { projectId: string; template: Template }

/** What was published, newest first; a version can be put back into the editor. */
function Versions({ projectId, template, mayWrite }: TemplateCardProps & { mayWrite: boolean }) {
  const { data } = useQuery(templateVersionsQuery(projectId, template.id))
  const update = useUpdateTemplate()
  function restore({ version, subject, html = "", text = "", variables }: TemplateVersion) {
    const params = { projectId, templateId: template.id }
    callThen(update, { params, body: { subject, html, text, variables } }, () =>
      toast.success(`Version ${version} is in the editor`, { description: "Publish it to use it in emails." }),
    )
  }
  const columns: Column<TemplateVersion>[] = [
    { head: "Version", width: "w-20", cell: ({ version }) => version },
    { head: "Subject", cell: ({ subject }) => <span className="block truncate">{subject}</span> },
    {
      head: "Published",
      width: "w-36",
      from: "sm",
      muted: true,
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    ...(mayWrite
      ? [
          {
            head: "Restore",
            width: "w-28",
            cell: (one: TemplateVersion) => (
              <Button size="small" aria-label={`Restore version ${one.version}`} onClick={() => restore(one)}>
                Restore
              </Button>
            ),
          },
        ]
      : []),
  ]
  return (
    <Card aria-label="Versions">
      <CardHeader
        title="Versions"
        description={update.error ? problemOf(update.error).detail : "What was published. Emails use the newest."}
      />
      {data?.data.length ? (
        <DataTable label="Versions" rows={data.data} keyOf={({ version }) => String(version)} columns={columns} />
      ) : (
        <EmptyState title="Nothing was published yet">Publish the template to use it in emails.</EmptyState>
      )}
    </Card>
  )
}

function DeleteTemplate({ projectId, template }: TemplateCardProps) {
  const remove = useDeleteTemplate()
  return (
    <DeleteCard
      noun="template"
      name={template.name}
      description="With all of its versions. Email that was accepted with it is sent."
      remove={() => remove.mutateAsync({ params: { projectId, templateId: template.id } })}
      list={`/projects/${projectId}/templates`}
    >
      Requests that name it are refused from then on. This cannot be undone.
    </DeleteCard>
  )
}
