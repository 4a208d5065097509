/** A text for programs, which may change with the next release. */
export function textAnswer(text: string, type = "text/plain"): Response {
  return new Response(text, {
    headers: { "Content-Type": `${type}; charset=utf-8`, "Cache-Control": "no-cache" },
  })
}
