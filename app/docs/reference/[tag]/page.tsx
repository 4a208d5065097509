import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { chosenLanguage, readReader } from "@/app/docs/reader"
import { ReferenceView } from "@/components/docs/reference-view"
import { entriesFor, referenceTags } from "@/lib/docs/reference"

type Props = { params: Promise<{ tag: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { tag } = await params
  const name = referenceTags().find(({ slug }) => slug === tag)?.name
  return { title: name ? `${name}, API reference` : "Page not found" }
}

export default async function ReferenceTagPage({ params }: Props) {
  const { tag: asked } = await params
  const tag = referenceTags().find(({ slug }) => slug === asked)
  if (!tag) notFound()
  const [{ reader, projects }, language] = await Promise.all([readReader(), chosenLanguage()])
  return (
    <ReferenceView
      name={tag.name}
      description={tag.description}
      entries={entriesFor(tag, reader)}
      projectId={reader.project?.id}
      projects={projects}
      language={language}
    />
  )
}
