import { TextLink } from "@/components/ui/text-link"
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
