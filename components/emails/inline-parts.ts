import PostalMime from "postal-mime"

/** The inline pictures of a message as data addresses, by content id. Only kinds that a browser draws without script. */
export async function inlineParts(raw: string): Promise<Map<string, string>> {
  const { attachments } = await PostalMime.parse(raw, { attachmentEncoding: "base64" })
  const parts = new Map<string, string>()
  for (const { contentId, mimeType, content } of attachments) {
    if (!contentId || !/^image\/(png|jpeg|gif|webp|avif)$/i.test(mimeType) || typeof content !== "string") continue
    parts.set(contentId.replace(/^<|>$/g, ""), `data:${mimeType};base64,${content}`)
  }
  return parts
}
