"use client"

import { useQueryClient } from "@tanstack/react-query"
import { dynamic } from "@/components/late-parts/dynamic"
import { useAddressParam } from "@/components/layout/use-address-param"
import { Card } from "@/components/ui/card"
import { Skeleton } from "@/components/ui/loading"
import { TabPanel, Tabs } from "@/components/ui/tabs"
import { type Delivery, type Email, rawQuery } from "@/components/emails/queries"
import { presentBody } from "@/lib/emails/message-rules"

const loading = () => <Skeleton className="m-4 h-60" />
const Preview = dynamic(() => import("@/components/emails/preview").then((module) => module.EmailPreview), {
  ssr: false,
  loading,
})
const Conversation = dynamic(() => import("@/components/emails/conversation").then((module) => module.Conversation), {
  loading,
})
const Source = dynamic(() => import("@/components/emails/message-source").then((module) => module.EmailSource), {
  ssr: false,
  loading,
})
const SourceTab = dynamic(() => import("@/components/emails/message-source").then((module) => module.SourceTab), {
  ssr: false,
  loading,
})

type ContentTabsProps = { email: Email; deliveries: Delivery[]; projectId: string }

/** An email from its preview to its bytes; the selected tab is in the URL. */
export function ContentTabs({ email, deliveries, projectId }: ContentTabsProps) {
  const client = useQueryClient()
  const raw = rawQuery(projectId, email.id)
  const sourceOf = async () => (await client.fetchQuery(raw)).source ?? null
  const composed = email.status === "test" || deliveries.some(({ attempts }) => attempts.length > 0)
  const tabs = [
    { value: "preview", label: "Preview" },
    ...(presentBody(email.text) === undefined ? [] : [{ value: "text", label: "Text" }]),
    ...(presentBody(email.html) === undefined ? [] : [{ value: "html", label: "HTML" }]),
    { value: "conversation", label: "SMTP session" },
    { value: "headers", label: "Headers" },
    { value: "raw", label: "Raw" },
    { value: "json", label: "JSON" },
  ]
  const [wanted, setTab] = useAddressParam("tab")
  const standard = troubled.has(email.status) ? "conversation" : "preview"
  const tab = tabs.some(({ value }) => value === wanted) && wanted ? wanted : standard

  return (
    <Card aria-label="Content">
      <Tabs label="Content" tabs={tabs} value={tab} onValueChange={setTab}>
        <TabPanel value="preview">
          {hasContent(email) ? (
            <Preview
              html={email.html}
              text={email.text}
              source={composed ? { key: raw.queryKey, read: sourceOf } : undefined}
            />
          ) : (
            <p className="px-4 py-3 text-muted">The content of this email is no longer stored.</p>
          )}
        </TabPanel>
        <TabPanel value="text">
          <Source text={email.text ?? ""} name="text" />
        </TabPanel>
        <TabPanel value="html">
          <Source text={email.html ?? ""} name="HTML" />
        </TabPanel>
        <TabPanel value="conversation">
          <Conversation deliveries={deliveries} />
        </TabPanel>
        <TabPanel value="headers">
          <SourceTab projectId={projectId} emailId={email.id} part="headers" />
        </TabPanel>
        <TabPanel value="raw">
          <SourceTab projectId={projectId} emailId={email.id} part="raw" />
        </TabPanel>
        <TabPanel value="json">
          <Source text={JSON.stringify(email, null, 2)} name="JSON" />
        </TabPanel>
      </Tabs>
    </Card>
  )
}

/** No email is accepted without a body; of an old one it has been removed. */
function hasContent({ html, text }: Email): boolean {
  return presentBody(html) !== undefined || presentBody(text) !== undefined
}

/** For these statuses people want to see the SMTP responses. */
const troubled = new Set(["bounced", "failed", "delivery_delayed", "indeterminate"])
