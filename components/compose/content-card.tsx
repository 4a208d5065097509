"use client"

import { Paperclip } from "lucide-react"
import { lazy, Suspense, useState } from "react"
import { Button } from "@/components/ui/button"
import { Card, CardBody } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Skeleton } from "@/components/ui/skeleton"
import { TabPanel, Tabs } from "@/components/ui/tabs"
import { Textarea } from "@/components/ui/textarea"
import { controlId, type Draft } from "@/components/compose/draft"

const loadAttachments = () => import("@/components/compose/attachments")
const Attachments = lazy(() => loadAttachments().then((module) => ({ default: module.Attachments })))

type ContentCardProps = { draft: Draft; tab: string; onTab: (tab: string) => void; onMakeText: () => void }

/** Subject, HTML and text, and what is attached. */
export function ContentCard({ draft, tab, onTab, onMakeText }: ContentCardProps) {
  const { fields, change, errorOf } = draft
  const [attaching, setAttaching] = useState(false)
  const tabs = [
    { value: "html", label: "HTML" },
    { value: "text", label: "Text" },
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
      </Tabs>
      <CardBody className="border-t border-line">
        {attaching || fields.attachments.length > 0 ? (
          <Suspense fallback={<Skeleton className="h-20" />}>
            <Attachments draft={draft} />
          </Suspense>
        ) : (
          <Button
            icon={<Paperclip />}
            onClick={() => setAttaching(true)}
            onPointerEnter={() => void loadAttachments()}
            onFocus={() => void loadAttachments()}
          >
            Attach files
          </Button>
        )}
      </CardBody>
    </Card>
  )
}
