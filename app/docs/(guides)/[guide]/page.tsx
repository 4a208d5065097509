import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { GuideView } from "@/components/docs/guide-view"
import { chosenLanguage, readReader } from "@/app/docs/reader"
import { guideFor, guideNames, guides } from "@/lib/docs/guides"
import { env } from "@/lib/platform/env/env"

type Props = { params: Promise<{ guide: string }>; searchParams: Promise<{ project?: string | string[] }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { guide } = await params
  const title = guides().get(guide)?.title
  if (!title) return { title: "Guide not found" }
  return { title, alternates: { types: { "text/markdown": `${env().baseUrl}/docs/${guide}.md` } } }
}

export default async function GuidePage({ params, searchParams }: Props) {
  const { guide: asked } = await params
  const at = guideNames.findIndex((name) => name === asked)
  const [name, next] = [guideNames[at], guideNames[at + 1]]
  if (!name) notFound()
  const { project } = await searchParams
  const [{ reader, projects }, language] = await Promise.all([
    readReader(typeof project === "string" ? project : undefined),
    chosenLanguage(),
  ])
  return (
    <GuideView
      guide={guideFor(name, reader)}
      next={next && { href: `/docs/${next}`, title: guides().get(next)?.title ?? next }}
      projectId={reader.project?.id}
      projects={projects}
      language={language}
    />
  )
}
