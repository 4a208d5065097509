"use client"

import { useQuery } from "@tanstack/react-query"
import { Check } from "lucide-react"
import { operatorSteps, stepsAsText, type Installation } from "@/components/domains/operator-steps"
import { installationRecordsQuery } from "@/components/domains/queries"
import type { Domain } from "@/components/domains/types"
import { Card } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { CodeBlock } from "@/components/ui/code-block"
import { CopyButton } from "@/components/ui/copy-button"
import { TextLink } from "@/components/ui/text-link"
import { useInBrowser } from "@/components/ui/use-in-browser"

type OperatorCardProps = { domain: Domain; projectId: string; installation: Installation }

/** Steps for the operator: until they are done, the domain's email is not delivered. The page detects the restart. */
export function OperatorCard({ domain, projectId, installation }: OperatorCardProps) {
  const found = useRecordsFound(projectId, domain.id, installation.named)
  const steps = operatorSteps(domain.region, installation, { sends: domain.transport !== "sandbox", found })
  const page = useInBrowser() ? location.href : ""
  return (
    <Card aria-label="Sending set-up">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-b border-line px-4 py-4">
        <div className="min-w-0 max-w-200 flex-1 max-sm:basis-full">
          <h2 className="text-xl font-semibold">This installation cannot send yet. Three steps set it up.</h2>
          <p className="mt-1 text-muted">
            They are for the operator of this server. Until then, email from {domain.domain} is not delivered and is
            kept in the <TextLink href={`/projects/${projectId}/sandbox`}>sandbox mailbox</TextLink>. To try everything
            now, add a domain such as <code>acme.test</code>: it works right away, without DNS.
          </p>
        </div>
        <CopyButton value={stepsAsText(steps, page)}>Copy all steps</CopyButton>
      </header>
      <p aria-live="polite" className="sr-only">
        {steps.filter(({ done }) => done).length} of {steps.length} steps done
      </p>
      <ol className="divide-y divide-line">
        {steps.map(({ title, text, done, lines }, index) => (
          <li key={title} className="grid grid-cols-[28px_minmax(0,1fr)] px-4 py-4">
            <span
              className={cn(
                "grid size-5 place-items-center rounded-full border text-xs tabular-nums",
                done ? "border-transparent bg-good-soft text-good" : "border-line-strong text-muted",
              )}
            >
              {done ? <Check aria-label="Done" className="size-3.5" /> : index + 1}
            </span>
            <div className="min-w-0">
              <h3 className="font-medium">{title}</h3>
              <p className="text-muted">{text}</p>
              {done
                ? null
                : lines.map(({ line, found, note }) => (
                    <div key={line} className="mt-2">
                      {note ? <p className="mb-1 text-muted">{note}</p> : null}
                      <CodeBlock code={line} name={`line of step ${index + 1}`} />
                      {found === undefined ? null : (
                        <p className={cn("mt-1 flex items-center gap-1 text-sm", found ? "text-good" : "text-muted")}>
                          {found ? <Check aria-hidden="true" className="size-3.5" /> : null}
                          {found ? "Found" : "Not found yet. Checked every 5 seconds."}
                        </p>
                      )}
                    </div>
                  ))}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  )
}

const checkMs = 5_000

/** Which of the installation's records the DNS has, asked again until it has all; none while the installation has no name. */
function useRecordsFound(projectId: string, domainId: string, named: boolean): boolean[] {
  const read = useQuery({
    ...installationRecordsQuery(projectId, domainId),
    enabled: named,
    refetchInterval: ({ state }) => (state.data?.records.every(({ found }) => found) ? false : checkMs),
  })
  return read.data?.records.map(({ found }) => found) ?? []
}
