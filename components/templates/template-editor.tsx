"use client"

import { useQueryClient } from "@tanstack/react-query"
import { Upload, Plus, X } from "lucide-react"
import { lazy, type ReactNode, useRef, useState } from "react"
import { AddDialog } from "@/components/data/add-dialog"
import { problemOf } from "@/components/data/call"
import { useOneAtATime } from "@/components/data/use-call"
import { usePublishTemplate, useUpdateTemplate } from "@/components/templates/changes"
import { type Template, templateQuery } from "@/components/templates/queries"
import { publishedState } from "@/components/templates/words"
import { Button, IconButton } from "@/components/ui/button"
import { Card, CardBody, CardFooter, CardHeader } from "@/components/ui/card"
import { CopyText } from "@/components/ui/copy-button"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Hint } from "@/components/ui/callout"
import { Input, Textarea } from "@/components/ui/input"
import { PageHeader } from "@/components/ui/page-header"
import { Pill } from "@/components/ui/pill"
import { toast } from "@/components/ui/toast"
import { useStay } from "@/components/ui/leaving"
import { undeclaredNames, variableTypes } from "@/lib/emails/templates/rules"
import { Select } from "@/components/ui/select"

const loadTestSend = () => import("@/components/templates/test-send")
const TestSend = lazy(loadTestSend)

type TemplateEditorProps = {
  projectId: string
  template: Template
  editing: Editing
  list: { label: string; href: string }
  mayWrite: boolean
}

export type Editing = ReturnType<typeof useEditing>

/** What is typed, apart from what is stored: a field that nobody typed into follows what is stored. */
export function useEditing(template: Template) {
  const [typed, setTyped] = useState<Partial<Draft>>({})
  const stored = draftOf(template)
  const changes = Object.fromEntries(
    Object.entries(typed).filter(([field, value]) => !isSame(value, stored[field as keyof Draft])),
  ) as Partial<Draft>
  return {
    draft: { ...stored, ...typed },
    changes,
    dirty: Object.keys(changes).length > 0,
    change: (part: Partial<Draft>) => setTyped((before) => ({ ...before, ...part })),
    /** Shows what is stored again, where nothing was typed since `old`. */
    drop: (old: Partial<Draft>) =>
      setTyped((now) =>
        Object.fromEntries(Object.entries(now).filter(([field, value]) => value !== old[field as keyof Draft])),
      ),
  }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The head of the page, and the content with its variables: they are saved together, because one names the other. */
export function TemplateEditor({ projectId, template, editing, list, mayWrite }: TemplateEditorProps) {
  const client = useQueryClient()
  const update = useUpdateTemplate()
  const publish = usePublishTemplate()
  const { draft, changes, dirty, change, drop } = editing
  const saving = update.isPending || publish.isPending
  const params = { projectId, templateId: template.id }
  const { word, tone, means } = publishedState(template)
  const { errors = [], detail } = update.error ? problemOf(update.error) : {}
  const faultOf = (field: string) => errors.find(({ pointer }) => pointer === `/${field}`)?.detail
  const rest = errors.filter(({ pointer }) => !fields.some((field) => pointer === `/${field}`))
  const faults = update.error && (rest.length || !errors.length) ? rest.map((one) => one.detail) : []
  const unknown = undeclaredNames(draft, draft.variables)

  async function save(andPublish: boolean) {
    update.reset()
    publish.reset()
    if (dirty) {
      const saved = await update.mutateAsync({ params, body: changes })
      client.setQueryData(templateQuery(projectId, template.id).queryKey, saved)
      drop(changes)
    }
    if (andPublish) await publish.mutateAsync({ params })
    toast.success(andPublish ? "Published" : "Saved")
    return true
  }
  const saveOnce = useOneAtATime(save)
  /** A failure is left to the errors of the two calls. */
  const trySave = async (andPublish: boolean) => (await saveOnce(andPublish).catch(() => false)) === true
  const run = (andPublish: boolean) => void trySave(andPublish)
  useStay(dirty, () => trySave(false))
  const failed = publish.error ? [problemOf(publish.error).detail ?? "It was not published."] : []
  const messages = [...faults, ...(update.error && !errors.length && detail ? [detail] : []), ...failed]

  return (
    <>
      <PageHeader
        crumbs={[list, { label: template.name }]}
        title={template.name}
        pill={
          <Pill tone={tone} tip={means}>
            {word}
          </Pill>
        }
        meta={[<CopyText key="id" value={template.id} name="template id" inline />]}
        actions={
          mayWrite ? (
            <>
              <AddDialog action="Send test" button={{}} title="Send a test" load={loadTestSend} height="h-64">
                {(close) => <TestSend projectId={projectId} template={template} onDone={close} />}
              </AddDialog>
              <Button
                variant="primary"
                loading={saving}
                disabled={!dirty && !template.isChanged}
                onClick={() => run(true)}
              >
                {dirty ? "Save and publish" : "Publish"}
              </Button>
            </>
          ) : null
        }
      />
      <Card aria-label="Content">
        <CardHeader
          title="Content"
          description="{{name}} is a variable, {{contact.firstName | there}} a field of the contact with a fallback."
          actions={mayWrite ? <ImportHtml onText={(html) => change({ html })} /> : null}
        />
        {mayWrite && unknown.length ? (
          <Hint
            tone="warn"
            action={
              <Button onClick={() => change({ variables: [...draft.variables, ...unknown.map(newVariable)] })}>
                Add {unknown.length === 1 ? "variable" : "variables"}
              </Button>
            }
          >
            Not among the variables yet: {unknown.map((name) => `{{${name}}}`).join(", ")}
          </Hint>
        ) : null}
        <CardBody>
          <FormErrorSummary
            title={publish.error ? "The template was not published." : undefined}
            faults={messages.map((message) => ({ message }))}
          />
          <div className="grid items-start gap-x-4 sm:grid-cols-2">
            <Labelled label="Name" error={faultOf("name")}>
              <Input
                disabled={!mayWrite}
                autoComplete="off"
                maxLength={100}
                value={draft.name}
                onChange={({ target }) => change({ name: target.value })}
              />
            </Labelled>
            <Labelled label="Subject" error={faultOf("subject")}>
              <Input
                disabled={!mayWrite}
                autoComplete="off"
                maxLength={998}
                value={draft.subject}
                onChange={({ target }) => change({ subject: target.value })}
              />
            </Labelled>
          </div>
          <Labelled label="HTML" error={faultOf("html")}>
            <Textarea
              mono
              rows={14}
              spellCheck={false}
              disabled={!mayWrite}
              value={draft.html}
              onChange={({ target }) => change({ html: target.value })}
            />
          </Labelled>
          <Labelled label="Text" error={faultOf("text")}>
            <Textarea
              mono
              rows={6}
              disabled={!mayWrite}
              value={draft.text}
              onChange={({ target }) => change({ text: target.value })}
            />
          </Labelled>
          <VariableRows
            variables={draft.variables}
            disabled={!mayWrite}
            onChange={(variables) => change({ variables })}
          />
        </CardBody>
        {dirty ? (
          <CardFooter className="flex-row-reverse justify-start">
            <Button loading={saving} onClick={() => run(false)}>
              Save
            </Button>
            <Button onClick={() => drop(draft)}>Discard</Button>
          </CardFooter>
        ) : null}
      </Card>
    </>
  )
}

function Labelled({ label, error, children }: { label: string; error: string | undefined; children: ReactNode }) {
  return (
    <Field label={label} error={error} className="last:mb-4">
      {children}
    </Field>
  )
}

const fields = ["name", "subject", "html", "text"] as const

type Draft = Pick<Template, "name" | "subject" | "variables"> & { html: string; text: string }

function draftOf({ name, subject, html = "", text = "", variables }: Template): Draft {
  return { name, subject, html, text, variables }
}

const newVariable = (name: string): Draft["variables"][number] => ({ name, type: "string" })

/** Takes the HTML that another tool made, as it is. */
function ImportHtml({ onText }: { onText: (html: string) => void }) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept=".html,.htm,text/html"
        aria-label="HTML file"
        className="hidden"
        onChange={async ({ target }) => {
          const text = await target.files?.[0]?.text()
          target.value = ""
          if (text !== undefined) onText(text)
        }}
      />
      <Button icon={<Upload />} onClick={() => picker.current?.click()}>
        Import HTML
      </Button>
    </>
  )
}

type Variables = Template["variables"]
type VariableRowsProps = { variables: Variables; disabled: boolean; onChange: (variables: Variables) => void }

const types = variableTypes.map((type) => ({
  value: type,
  label: { string: "Text", number: "Number", url: "URL" }[type],
}))

/** The variables of a template, with type and fallback; one without a fallback must be given by each send. */
function VariableRows({ variables, disabled, onChange }: VariableRowsProps) {
  const change = (at: number, part: Partial<Variables[number]>) =>
    onChange(variables.map((one, index) => (index === at ? { ...one, ...part } : one)))
  return (
    <fieldset className="grid gap-2" disabled={disabled}>
      <legend className="mb-1.5 font-medium">Variables</legend>
      {variables.length === 0 ? <p className="text-muted">None: every email has the same content.</p> : null}
      {variables.map(({ name, type, fallback }, at) => (
        <div
          key={at}
          className="grid grid-cols-[minmax(0,1fr)_auto_auto] gap-2 sm:grid-cols-[minmax(0,1fr)_8rem_minmax(0,1fr)_auto]"
        >
          <Input
            mono
            aria-label={`Name of variable ${at + 1}`}
            placeholder="plan"
            maxLength={50}
            value={name}
            onChange={({ target }) => change(at, { name: target.value })}
          />
          <Select
            aria-label={`Type of variable ${at + 1}`}
            options={types}
            value={type}
            onChange={({ target }) =>
              change(at, { type: variableTypes.find((one) => one === target.value) ?? "string" })
            }
          />
          <Input
            aria-label={`Fallback of variable ${at + 1}`}
            placeholder="No fallback: required"
            className="max-sm:order-last max-sm:col-span-3"
            value={fallback ?? ""}
            onChange={({ target }) => change(at, { fallback: target.value || undefined })}
          />
          {disabled ? null : (
            <IconButton
              label={`Remove ${name || `variable ${at + 1}`}`}
              icon={<X />}
              onClick={() => onChange(variables.filter((_, index) => index !== at))}
            />
          )}
        </div>
      ))}
      {disabled ? null : (
        <div>
          <Button icon={<Plus />} onClick={() => onChange([...variables, { name: "", type: "string" }])}>
            Add variable
          </Button>
        </div>
      )}
    </fieldset>
  )
}
