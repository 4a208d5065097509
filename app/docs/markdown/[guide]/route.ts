import { strangerReader } from "@/app/docs/reader"
import { textAnswer } from "@/app/docs/text-answer"
import { guideMarkdown, guideNames } from "@/lib/docs/guides"

/** `/docs/<guide>.md`, which next.config.mjs leads here. */
export async function GET(_: Request, { params }: { params: Promise<{ guide: string }> }) {
  const { guide } = await params
  const name = guideNames.find((one) => one === guide)
  if (!name) return new Response("There is no such guide: see /llms.txt.\n", { status: 404 })
  return textAnswer(guideMarkdown(name, strangerReader()), "text/markdown")
}
