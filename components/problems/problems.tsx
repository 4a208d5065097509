import { CodeText, TextLink } from "@/components/ui/text"
import type { ProblemPage } from "@/lib/api/problem-pages"

/** Every code that the API can answer with, each a link to what it means. */
export function ProblemList({ problems }: { problems: ProblemPage[] }) {
  return (
    <main id="main" className="mx-auto max-w-180 px-6 py-12">
      <h1 className="mb-1 text-2xl font-semibold">Problems</h1>
      <p className="mb-6 text-muted">
        The errors that the API returns. Every code has a page. <TextLink href="/docs/errors">How errors work</TextLink>
      </p>
      <ul className="divide-y divide-line rounded-lg border border-line bg-panel">
        {problems.map(({ code, status, title }) => (
          <li key={code} className="flex flex-wrap items-baseline gap-x-4 px-4 py-2.5">
            <span className="w-8 text-muted tabular-nums">{status}</span>
            <TextLink href={`/problems/${code}`}>
              <code className="mono">{code}</code>
            </TextLink>
            <span className="text-muted">{title}</span>
          </li>
        ))}
      </ul>
    </main>
  )
}

type ProblemExplainedProps = {
  problem: ProblemPage
  /** Where the reference describes an operation, by its route. */
  hrefOf: (route: string) => string | undefined
}

/** The page that a problem's `type` points to: what it means, what to do, which operations answer it. */
export function ProblemExplained({ problem, hrefOf }: ProblemExplainedProps) {
  const { code, status, title, explanation, raisedBy } = problem
  return (
    <main id="main" className="mx-auto max-w-180 px-6 py-12">
      <p className="mb-3 text-muted">
        <TextLink href="/problems">Problems</TextLink> / {status}
      </p>
      <h1 className="mb-1 text-2xl font-semibold">{title}</h1>
      <p className="mb-6">
        <code className="mono text-muted">{code}</code>
      </p>
      <p className="mb-8 text-lg leading-6">
        <CodeText text={explanation} />
      </p>
      <p className="mb-8">
        <TextLink href="/docs/errors">How errors work</TextLink>
      </p>
      <h2 className="mb-2 font-semibold">Answered by</h2>
      {raisedBy === "any operation" ? (
        <p className="text-muted">Any operation.</p>
      ) : (
        <ul className="divide-y divide-line rounded-lg border border-line bg-panel">
          {raisedBy.map((route) => {
            const href = hrefOf(route)
            const shown = <code className="mono break-all">{route}</code>
            return (
              <li key={route} className="px-4 py-2">
                {href ? (
                  <TextLink href={href} prefetch={false}>
                    {shown}
                  </TextLink>
                ) : (
                  shown
                )}
              </li>
            )
          })}
        </ul>
      )}
    </main>
  )
}
