import { useQuery } from "@tanstack/react-query"
import { topicsQuery } from "@/components/segments/queries"
import { AddressText } from "@/components/ui/address-text"
import { Card } from "@/components/ui/card"
import { CopyText } from "@/components/ui/copy-text"
import { KeyValues } from "@/components/ui/key-values"
import { TextLink } from "@/components/ui/text-link"
import type { Email } from "@/components/emails/types"

/** What else the email carries. */
export function Facts({ email, projectId }: { email: Email; projectId: string }) {
  const { id, messageId, cc, bcc, replyTo, tags, metadata, testMode, topicId, sendTimeCategory } = email
  return (
    <Card aria-label="Details">
      <KeyValues
        className="sm:grid-cols-[88px_1fr]"
        items={[
          { label: "ID", value: <CopyText value={id} name="email id" inline /> },
          messageId
            ? {
                label: "Message-ID",
                value: (
                  <CopyText
                    value={messageId}
                    name="Message-ID"
                    display={<AddressText address={messageId} />}
                    inline
                    wrap
                  />
                ),
              }
            : null,
          cc ? { label: "Cc", value: cc.join(", ") } : null,
          bcc ? { label: "Bcc", value: bcc.join(", ") } : null,
          replyTo ? { label: "Reply-To", value: replyTo } : null,
          tags ? { label: "Tags", value: pairs(tags) } : null,
          metadata ? { label: "Metadata", value: pairs(metadata) } : null,
          topicId ? { label: "Topic", value: <TopicLink projectId={projectId} topicId={topicId} /> } : null,
          sendTimeCategory && sendTimeCategory !== "transactional"
            ? { label: "Category", value: categoryWords[sendTimeCategory] }
            : null,
          testMode ? { label: "Test mode", value: "Nothing was sent" } : null,
        ]}
      />
    </Card>
  )
}

function TopicLink({ projectId, topicId }: { projectId: string; topicId: string }) {
  const topic = useQuery(topicsQuery(projectId)).data?.data.find(({ id }) => id === topicId)
  return <TextLink href={`/projects/${projectId}/topics/${topicId}`}>{topic?.name ?? topicId}</TextLink>
}

const categoryWords = { marketing: "Marketing", notification: "Notification", digest: "Digest" }

function pairs(entries: Record<string, string>): string {
  return Object.entries(entries)
    .map(([key, value]) => `${key}=${value}`)
    .join(", ")
}
