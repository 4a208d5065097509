"use client"

import dynamic from "next/dynamic"
import { Button } from "@/components/ui/button"
import { Card, CardBody } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Skeleton } from "@/components/ui/skeleton"
import { TabPanel, Tabs } from "@/components/ui/tabs"
import { Textarea } from "@/components/ui/textarea"
import { Attachments } from "@/components/compose/attachments"
import { controlId, type Draft } from "@/components/compose/draft"

const Preview = dynamic(() => import("@/components/emails/preview").then((module) => module.Preview), {
  ssr: false,
  loading: () => <Skeleton className="m-4 h-60" />,
})

type ContentCardProps = { draft: Draft; tab: string; onTab: (tab: string) => void; onMakeText: () => void }

/** Subject, HTML and text with a preview, and what is attached. */
export function ContentCard({ draft, tab, onTab, onMakeText }: ContentCardProps) {
  const { fields, change, errorOf } = draft
  const tabs = [
    { value: "html", label: "HTML" },
    { value: "text", label: "Text" },
    { value: "preview", label: "Preview" },
  ]
  return (
    <Card aria-label="Content">
      <CardBody className="border-b border-line">
        <Field label="Subject" id={controlId("subject")} error={errorOf("subject")} required>
          <Input value={fields.subject} onChange={({ target }) => change({ subject: target.value })} />
        </Field>
      </CardBody>
      <Tabs label="Content" tabs={tabs} value={tab} onValueChange={onTab}>
        <TabPanel value="html">
          <CardBody>
            <Field label="HTML body" hideLabel id={controlId("html")} error={errorOf("html")}>
              <Textarea
                mono
                rows={14}
                spellCheck={false}
                placeholder="<p>Hello</p>"
                value={fields.html}
                onChange={({ target }) => change({ html: target.value })}
              />
            </Field>
          </CardBody>
        </TabPanel>
        <TabPanel value="text">
          <CardBody>
            <Field
              label="Text body"
              hideLabel
              id={controlId("text")}
              error={errorOf("text")}
              hint="Shown by readers without HTML, and read by filters."
            >
              <Textarea rows={14} value={fields.text} onChange={({ target }) => change({ text: target.value })} />
            </Field>
            {fields.html ? (
              <Button size="small" className="mt-3" onClick={onMakeText}>
                Make it from the HTML
              </Button>
            ) : null}
          </CardBody>
        </TabPanel>
        <TabPanel value="preview">
          {fields.html || fields.text ? (
            <Preview html={fields.html || undefined} text={fields.text} />
          ) : (
            <p className="px-4 py-6 text-center text-muted">Nothing to show yet.</p>
          )}
        </TabPanel>
      </Tabs>
      <CardBody className="border-t border-line">
        <Attachments draft={draft} />
      </CardBody>
    </Card>
  )
}
