"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { problemOf } from "@/components/data/call"
import { EmailPreview } from "@/components/emails/preview"
import { type Template, templatePreviewQuery } from "@/components/templates/queries"
import { sampleOf } from "@/components/templates/samples"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Hint } from "@/components/ui/hint"
import { Input } from "@/components/ui/input"

/** The saved template with sample values, in a frame where nothing runs. */
export function TemplatePreviewCard({ projectId, template }: { projectId: string; template: Template }) {
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
