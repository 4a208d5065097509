"use client"

import { useQuery, keepPreviousData } from "@tanstack/react-query"
import { useState } from "react"
import { useMay } from "@/components/access/powers"
import { DeleteCard } from "@/components/data/delete-card"
import { problemOf } from "@/components/data/call"
import { NotLoaded } from "@/components/data/load-error"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { useOneAtATime } from "@/components/data/use-call"
import { useDeleteTemplate, useUpdateTemplate } from "@/components/templates/changes"
import {
  type Template,
  templateQuery,
  type TemplateVersion,
  templateVersionsQuery,
  templatePreviewQuery,
} from "@/components/templates/queries"
import { type Editing, TemplateEditor, useEditing } from "@/components/templates/template-editor"
import { Button } from "@/components/ui/button"
import { Card, CardHeader, CardBody } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { EmptyState } from "@/components/ui/empty-state"
import { RelativeTime } from "@/components/ui/relative-time"
import { type Column, DataTable } from "@/components/ui/table"
import { toast } from "@/components/ui/toast"
import { EmailPreview } from "@/components/emails/preview"
import { sampleOf } from "@/components/templates/words"
import { Field } from "@/components/ui/field"
import { Hint } from "@/components/ui/callout"
import { Input } from "@/components/ui/input"

type TemplateDetailProps = { projectId: string; templateId: string }

export function TemplateDetail({ projectId, templateId }: TemplateDetailProps) {
  const read = useQuery(templateQuery(projectId, templateId))
  const mayWrite = useMay("emails:send")
  const list = { label: "Templates", href: `/projects/${projectId}/templates` }
  if (!read.data) return <PageNotLoaded of="Template" lists={[list]} read={read} />
  const template = read.data
  return (
    <>
      <EditorAndVersions key={template.id} projectId={projectId} template={template} list={list} mayWrite={mayWrite} />
      {mayWrite ? <DeleteTemplate projectId={projectId} template={template} /> : null}
    </>
  )
}

type TemplateCardProps = { projectId: string; template: Template }
type EditorAndVersionsProps = TemplateCardProps & { list: { label: string; href: string }; mayWrite: boolean }

/** They share what is typed, which restoring a version would replace. */
function EditorAndVersions({ projectId, template, list, mayWrite }: EditorAndVersionsProps) {
  const editing = useEditing(template)
  return (
    <>
      <TemplateEditor projectId={projectId} template={template} editing={editing} list={list} mayWrite={mayWrite} />
      <TemplatePreviewCard projectId={projectId} template={template} />
      <TemplateVersions projectId={projectId} template={template} editing={editing} mayWrite={mayWrite} />
    </>
  )
}

type VersionsProps = TemplateCardProps & { editing: Editing; mayWrite: boolean }

/** What was published, newest first; a version can be put back into the editor. */
export function TemplateVersions({ projectId, template, editing, mayWrite }: VersionsProps) {
  const read = useQuery(templateVersionsQuery(projectId, template.id))
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
            cell: (version: TemplateVersion) => (
              <Restore projectId={projectId} template={template} editing={editing} version={version} />
            ),
          },
        ]
      : []),
  ]
  return (
    <Card aria-label="Versions">
      <CardHeader title="Versions" description="What was published. Emails use the newest." />
      {!read.data ? (
        <NotLoaded read={read} label="versions" rows={2} />
      ) : read.data.data.length ? (
        <DataTable label="Versions" rows={read.data.data} keyOf={({ version }) => String(version)} columns={columns} />
      ) : (
        <EmptyState title="Nothing was published yet">Publish the template to use it in emails.</EmptyState>
      )}
    </Card>
  )
}

type RestoreProps = TemplateCardProps & { editing: Editing; version: TemplateVersion }

/** Puts a version back into the editor; asks first where that replaces what was typed. */
function Restore({ projectId, template, editing: { draft, dirty, drop }, version: one }: RestoreProps) {
  const { version, subject, html = "", text = "", variables } = one
  const update = useUpdateTemplate()
  const [asking, setAsking] = useState(false)
  const restore = useOneAtATime(async () => {
    const params = { projectId, templateId: template.id }
    await update.mutateAsync({ params, body: { subject, html, text, variables } })
    drop(draft)
    toast.success(`Version ${version} is in the editor`, { description: "Publish it to use it in emails." })
  })
  const tryRestore = () =>
    void restore().catch((error: unknown) =>
      toast.error(`Version ${version} was not restored`, { description: problemOf(error).detail }),
    )
  return (
    <>
      <Button
        size="small"
        aria-label={`Restore version ${version}`}
        loading={update.isPending}
        onClick={() => (dirty ? setAsking(true) : tryRestore())}
      >
        Restore
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Replace your changes with version ${version}?`}
        action="Replace changes"
        onConfirm={restore}
      >
        What you typed is not saved and will be lost.
      </ConfirmDialog>
    </>
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

/** The saved template with sample values, in a frame where nothing runs. */
function TemplatePreviewCard({ projectId, template }: { projectId: string; template: Template }) {
  const [given, setGiven] = useState<Record<string, string>>({})
  const values = Object.fromEntries(
    template.variables.map((variable) => [variable.name, given[variable.name] ?? sampleOf(variable)]),
  )
  const { data, error } = useQuery({
    ...templatePreviewQuery(projectId, template, values),
    placeholderData: keepPreviousData,
  })
  return (
    <Card aria-label="Preview">
      <CardHeader title="Preview" description="What was last saved, with sample values, for nobody in particular." />
      {template.variables.length ? (
        <CardBody className="grid items-start gap-x-4 border-b border-line pb-0 sm:grid-cols-2">
          {template.variables.map((variable) => (
            <Field key={variable.name} label={variable.name} className="last:mb-4">
              <Input
                autoComplete="off"
                value={values[variable.name]}
                onChange={({ target }) => setGiven({ ...given, [variable.name]: target.value })}
              />
            </Field>
          ))}
        </CardBody>
      ) : null}
      {error ? (
        <Hint tone="warn">
          {problemOf(error)
            .errors?.map(({ detail }) => detail)
            .join(" ") ?? "The preview could not be made."}
        </Hint>
      ) : null}
      {data ? (
        <>
          <p className="border-b border-line px-4 py-2.5 [overflow-wrap:anywhere]">
            <span className="text-muted">Subject:</span> {data.subject}
          </p>
          <EmailPreview html={data.html} text={data.text} />
        </>
      ) : null}
    </Card>
  )
}
