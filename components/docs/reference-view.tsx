import { TextLink } from "@/components/ui/text"
import Link from "next/link"
import { Highlighted, Samples } from "@/components/docs/samples"
import { ProjectChoice } from "@/components/docs/choosers"
import { InlineText } from "@/components/docs/guide-view"
import { CodeBlock } from "@/components/ui/code-block"
import type { ReferenceAnswer, ReferenceEntry, Field } from "@/lib/docs/reference"

type Listed = { id: string; method: string; path: string; summary: string }
type ReferenceIndexProps = { tags: { slug: string; name: string; description: string; entries: Listed[] }[] }

/** Every operation of the API with its path, by what it is about. */
export function ReferenceIndex({ tags }: ReferenceIndexProps) {
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-[-0.01em]">API reference</h1>
      <p className="mt-2 max-w-170 leading-6 text-muted">
        Every operation with its fields, limits, problems and samples. Requests carry an API key as{" "}
        <code className="mono">Authorization: Bearer mr_live_…</code>; times are ISO 8601 in UTC.{" "}
        <TextLink href="/docs/errors">How errors work</TextLink>,{" "}
        <TextLink href="/docs/lists">how lists are read</TextLink>,{" "}
        <TextLink href="/v1/openapi.json" prefetch={false}>
          the OpenAPI document
        </TextLink>
      </p>
      {tags.map(({ slug, name, description, entries }) => (
        <section key={slug} aria-labelledby={slug} className="mt-8">
          <h2 id={slug} className="scroll-mt-24 text-lg font-semibold">
            <TextLink href={`/docs/reference/${slug}`}>{name}</TextLink>
          </h2>
          <p className="mt-1 text-muted">{description}</p>
          <ul className="mt-3 divide-y divide-line rounded-lg border border-line bg-panel">
            {entries.map(({ id, method, path, summary }) => (
              <li key={id} className="grid gap-x-4 px-4 py-2 sm:grid-cols-[14rem_minmax(0,1fr)]">
                <TextLink href={`/docs/reference/${slug}#${id}`} prefetch={false}>
                  {summary}
                </TextLink>
                <OperationName method={method} path={path} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

type ReferenceViewProps = {
  name: string
  description: string
  entries: ReferenceEntry[]
  /** The project that the samples are written for, and those that the reader can choose. */
  projectId: string | undefined
  projects: readonly { id: string; name: string }[]
  /** The language of samples that this browser chose last. */
  language: string | undefined
}

/** The operations of a tag one after the other, each with its samples beside it where there is room. */
export function ReferenceView({ name, description, entries, projectId, projects, language }: ReferenceViewProps) {
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-[-0.01em]">{name}</h1>
      <p className="mt-2 max-w-170 text-lg leading-6 text-muted">{description}</p>
      {projectId && projects.length > 1 ? <ProjectChoice projects={projects} projectId={projectId} /> : null}
      <nav aria-label="On this page" className="mt-5">
        <ul className="grid gap-x-6 gap-y-1.5 sm:grid-cols-2 xl:grid-cols-3">
          {entries.map(({ id, summary }) => (
            <li key={id} className="min-w-0">
              <Link href={`#${id}`} className="text-muted hover:text-text">
                {summary}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} language={language} />
      ))}
    </>
  )
}

function Entry({ entry, language }: { entry: ReferenceEntry; language: string | undefined }) {
  const { id, method, path, summary, paragraphs, parameters, body, answers, problems, samples } = entry
  return (
    <section
      aria-labelledby={id}
      className="mt-10 grid grid-cols-[minmax(0,1fr)] gap-x-10 border-t border-line pt-8 xl:grid-cols-[minmax(0,1fr)_26rem]"
    >
      <div className="min-w-0">
        <h2 id={id} className="scroll-mt-24 text-lg font-semibold">
          {summary}
        </h2>
        <p className="mt-1.5">
          <OperationName method={method} path={path} />
        </p>
        {paragraphs.map((content, index) => (
          <p key={index} className="mt-3 leading-6">
            <InlineText content={content} />
          </p>
        ))}
        {parameters.length > 0 ? <FieldList title="Parameters" of={summary} fields={parameters} /> : null}
        {body ? <FieldList title={`Body, ${body.mediaType}`} of={summary} fields={body.fields} /> : null}
        {answers.map((answer) => (
          <AnswerPart key={answer.status} answer={answer} of={summary} />
        ))}
        {problems.length > 0 ? <Problems problems={problems} of={summary} /> : null}
      </div>
      {samples.length > 0 ? (
        <div className="mt-6 min-w-0 xl:mt-0">
          <Samples samples={samples} language={language} className="xl:sticky xl:top-18" />
        </div>
      ) : null}
    </section>
  )
}

function AnswerPart({ answer, of }: { answer: ReferenceAnswer; of: string }) {
  const { status, description, mediaTypes, fields, example } = answer
  const said = [status, mediaTypes.join(" or "), description].filter(Boolean).join(", ")
  if (fields.length === 0 && !example)
    return (
      <>
        <h3 className={h3}>Answer</h3>
        <p className="mt-1.5 text-muted">{said}</p>
      </>
    )
  return (
    <details className="mt-5">
      <summary className="cursor-pointer font-semibold">
        Answer <span className="font-normal text-muted">{said}</span>
      </summary>
      {fields.length > 0 ? <FieldList fields={fields} of={`the answer to ${of}`} /> : null}
      {example ? (
        <CodeBlock code={example} name={`example of the answer to ${of}`} wrap={false} className="mt-3">
          <Highlighted code={example} lang="json" />
        </CodeBlock>
      ) : null}
    </details>
  )
}

function Problems({ problems, of }: { problems: ReferenceEntry["problems"]; of: string }) {
  return (
    <details className="mt-5">
      <summary className="cursor-pointer font-semibold">
        Problems <span className="font-normal text-muted">{problems.map(({ status }) => status).join(", ")}</span>
      </summary>
      <ul aria-label={`Problems of ${of}`} className="mt-2 flex flex-col gap-1.5">
        {problems.flatMap(({ status, kinds }) =>
          kinds.map(({ code, title }) => (
            <li key={`${status} ${code}`} className="grid grid-cols-[2.5rem_minmax(0,1fr)] gap-x-2">
              <span className="text-muted tabular-nums">{status}</span>
              <span>
                <TextLink href={`/problems/${code}`} prefetch={false}>
                  <code className="mono [overflow-wrap:anywhere]">{code}</code>
                </TextLink>{" "}
                <span className="text-muted">{title}</span>
              </span>
            </li>
          )),
        )}
      </ul>
    </details>
  )
}

const h3 = "mt-5 font-semibold"

type FieldListProps = {
  title?: string
  /** The operation, for screen readers. */
  of: string
  fields: Field[]
}

/** Fields with their type, what they are for and what they may be. */
function FieldList({ title, of, fields }: FieldListProps) {
  return (
    <>
      {title ? <h3 className="mt-5 font-semibold">{title}</h3> : null}
      {fields.length > 0 ? (
        <ul
          aria-label={`${title ?? "Fields"}, ${of}`}
          className="mt-2 divide-y divide-line rounded-lg border border-line bg-panel"
        >
          {fields.map(({ name, type, required, description, limits, place }) => (
            <li key={`${place ?? ""} ${name}`} className="px-3 py-2">
              <p className="flex flex-wrap items-baseline gap-x-3 [overflow-wrap:anywhere]">
                <code className="mono font-medium">{name}</code>
                <span className="text-sm text-muted">{[place, type, ...limits].filter(Boolean).join(", ")}</span>
                {required ? <span className="text-sm text-warn">required</span> : null}
              </p>
              {description.length > 0 ? (
                <p className="mt-0.5 text-muted">
                  <InlineText content={description} />
                </p>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}

type OperationNameProps = { method: string; path: string }

/** Method and path, which may break after each part. */
function OperationName({ method, path }: OperationNameProps) {
  return (
    <code className="mono [overflow-wrap:anywhere]">
      <span className="font-semibold text-accent">{method}</span> <span className="text-muted">{path}</span>
    </code>
  )
}
