import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { GuideView } from "@/components/docs/guide-view"
import { guides } from "@/lib/docs/guides"

type Props = { params: Promise<{ guide: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: guides().get((await params).guide)?.title ?? "Guide not found" }
}

export default async function GuidePage({ params }: Props) {
  const { guide: name } = await params
  const all = [...guides()]
  const at = all.findIndex(([other]) => other === name)
  const [, guide] = all[at] ?? []
  if (!guide) notFound()
  const next = all[at + 1]
  return <GuideView guide={guide} next={next && { href: `/docs/${next[0]}`, title: next[1].title }} />
}
