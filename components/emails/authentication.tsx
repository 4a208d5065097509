import { checkNames, checks, verdictWords } from "@/components/sandbox/verdicts"
import type { Explanation } from "@/components/emails/types"
import { Card, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { TextLink } from "@/components/ui/text-link"

type AuthenticationProps = { projectId: string; copy: NonNullable<Explanation["recipients"][number]["sandboxCopy"]> }

/** What the sandbox, as a receiver, found out about the message. */
export function Authentication({ projectId, copy }: AuthenticationProps) {
  return (
    <Card aria-label="Authentication">
      <CardHeader
        title="Authentication"
        actions={<TextLink href={`/projects/${projectId}/sandbox/${copy.id}`}>Open the sandbox copy</TextLink>}
      />
      <dl className="divide-y divide-line">
        {checks.map((check) => {
          const { word, tone, means } = verdictWords(check, copy[check])
          return (
            <div key={check} className="grid grid-cols-[56px_88px_1fr] gap-x-2 px-4 py-2.5">
              <dt className="font-medium">{checkNames[check]}</dt>
              <dd className={cn("flex items-center gap-2 self-start", tone === "good" ? "" : text[tone])}>
                <span aria-hidden="true" className={cn("size-2 rounded-full", fill[tone])} />
                {word}
              </dd>
              <dd className="text-sm text-muted">{means}</dd>
            </div>
          )
        })}
      </dl>
    </Card>
  )
}

const fill = { wait: "bg-wait", warn: "bg-warn", good: "bg-good", bad: "bg-bad" }
const text = { wait: "", warn: "text-warn", good: "", bad: "text-bad" }
