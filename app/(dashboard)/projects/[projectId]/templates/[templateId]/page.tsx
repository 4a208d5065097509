import type { Metadata } from "next"
import { Prefetch, titleOf } from "@/components/data/prefetch"
import { templateQuery, templateVersionsQuery } from "@/components/templates/queries"
import { TemplateDetail } from "@/components/templates/template-detail"

type Props = { params: Promise<{ projectId: string; templateId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { projectId, templateId } = await params
  return titleOf(templateQuery(projectId, templateId), (template) => template.name, "Template")
}

export default async function TemplatePage({ params }: Props) {
  const { projectId, templateId } = await params
  return (
    <Prefetch queries={[templateQuery(projectId, templateId), templateVersionsQuery(projectId, templateId)]}>
      <TemplateDetail projectId={projectId} templateId={templateId} />
    </Prefetch>
  )
}
