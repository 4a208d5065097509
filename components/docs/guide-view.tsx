import Link from "next/link"
import { ProjectChoice } from "@/components/docs/choosers"
import { Samples } from "@/components/docs/samples"
import { TextLink } from "@/components/ui/text"
import type { Block, Guide, Inline } from "@/lib/docs/guides"
import { Fragment } from "react"

type GuideViewProps = {
  guide: Guide
  next: { href: string; title: string } | undefined
  /** The project that it is written for, and those that the reader can choose. */
  projectId?: string
  projects?: readonly { id: string; name: string }[]
  /** The language of samples that this browser chose last. */
  language?: string | undefined
}

/** A guide as prose, with a list of its sections where there is room. */
export function GuideView({ guide, next, projectId, projects = [], language }: GuideViewProps) {
  const sections = guide.blocks.flatMap((block) => (block.kind === "heading" && block.level === 2 ? block : []))
  return (
    <div className="flex gap-12">
      <article className="max-w-170 min-w-0 flex-1">
        <h1 className="text-2xl font-semibold tracking-[-0.01em]">{guide.title}</h1>
        <p className="mt-2 text-lg leading-6 text-muted">{guide.lead}</p>
        {projectId && projects.length > 1 ? <ProjectChoice projects={projects} projectId={projectId} /> : null}
        {guide.blocks.map((block, index) => (
          <Shown key={index} block={block} language={language} />
        ))}
        {next ? (
          <p className="mt-12 border-t border-line pt-5">
            <span className="text-muted">Next: </span>
            <TextLink href={next.href}>{next.title}</TextLink>
          </p>
        ) : null}
      </article>
      <nav aria-label="On this page" className="sticky top-24 hidden w-48 shrink-0 self-start xl:block">
        <p className="pb-1.5 text-sm text-faint">On this page</p>
        <ul className="flex flex-col gap-1.5">
          {sections.map(({ id, text }) => (
            <li key={id}>
              <Link href={`#${id}`} className="text-muted hover:text-text">
                {text}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}

function Shown({ block, language }: { block: Block; language: string | undefined }) {
  switch (block.kind) {
    case "heading": {
      const Heading = block.level === 2 ? "h2" : "h3"
      return (
        <Heading id={block.id} className={block.level === 2 ? h2 : h3}>
          {block.text}
        </Heading>
      )
    }
    case "paragraph":
      return (
        <p className="mt-3 leading-6">
          <InlineText content={block.content} />
        </p>
      )
    case "list": {
      const List = block.ordered ? "ol" : "ul"
      return (
        <List
          {...(block.ordered ? { start: block.start } : {})}
          className={`mt-3 flex flex-col gap-1.5 pl-5 leading-6 ${block.ordered ? "list-decimal" : "list-disc"}`}
        >
          {block.items.map((item, index) => (
            <li key={index}>
              <InlineText content={item} />
            </li>
          ))}
        </List>
      )
    }
    case "code":
      return <Samples samples={[block]} language={language} className="mt-4" />
    case "tabs":
      return <Samples samples={block.samples} language={language} className="mt-4" />
    case "table":
      return <Rows head={block.head} rows={block.rows} />
  }
}

const h2 = "mt-10 scroll-mt-24 text-lg font-semibold"
const h3 = "mt-6 scroll-mt-24 font-semibold"

function Rows({ head, rows }: { head: Inline[][]; rows: Inline[][][] }) {
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label="Table"
      className="mt-4 overflow-x-auto rounded-lg border border-line bg-panel -outline-offset-2"
    >
      <table className="w-full text-left">
        <thead>
          <tr className="border-b border-line text-muted">
            {head.map((cell, index) => (
              <th key={index} scope="col" className="px-4 py-2 font-medium">
                <InlineText content={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td
                  key={column}
                  className="px-4 py-2 align-top last:min-w-56 last:[overflow-wrap:anywhere] last:[&_code]:[overflow-wrap:anywhere]"
                >
                  <InlineText content={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Text with code, emphasis and links. */
export function InlineText({ content }: { content: Inline[] }) {
  return content.map((part, index) => {
    switch (part.kind) {
      case "text":
        return <Fragment key={index}>{part.text}</Fragment>
      case "strong":
        return <strong key={index}>{part.text}</strong>
      case "code":
        return (
          <code key={index} className="rounded-sm bg-wait-soft px-1 py-px break-words">
            {part.text}
          </code>
        )
      case "link":
        return (
          <TextLink key={index} href={part.href}>
            {part.text}
          </TextLink>
        )
    }
  })
}
