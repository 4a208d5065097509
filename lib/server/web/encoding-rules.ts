/** Types that shrink to a fraction: JSON, problems, CSV and NDJSON. Never a stream of events, which would wait in the compressor. */
const shrinking = /^(application\/(json|problem\+json|x-ndjson)|text\/csv)\s*(;|$)/i
/** Below this, compressing costs more than the bytes that it saves. */
const bytesMin = 1024

/** Whether an answer depends on `Accept-Encoding`; every one of such a type says so in `Vary`. */
export function mayShrink(contentType: string | undefined): boolean {
  return shrinking.test(contentType ?? "")
}

/** Whether an answer of such a type is sent as gzip; `bytes` is null for a stream, whose length nobody knows. */
export function isCompressed(acceptEncoding: string | undefined, bytes: number | null): boolean {
  return (bytes === null || bytes >= bytesMin) && chosenCoding(acceptEncoding, ["gzip"]) !== undefined
}

/**
 * The coding that a client wants most of those that are there, the first of equals; undefined sends the bytes as they are. RFC 9110,
 * 12.5.3: `q=0` refuses a coding, and `*` speaks for those that are not named.
 */
export function chosenCoding<Coding extends string>(
  acceptEncoding: string | undefined,
  offered: readonly Coding[],
): Coding | undefined {
  const weights = new Map<string, number>()
  for (const item of (acceptEncoding ?? "").toLowerCase().split(",")) {
    const [coding = "", weight] = item.split(";").map((part) => part.trim())
    weights.set(coding, weight?.startsWith("q=") ? Number(weight.slice(2)) : 1)
  }
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get("*") ?? 0
  const [best] = offered.filter((coding) => weightOf(coding) > 0).sort((a, b) => weightOf(b) - weightOf(a))
  return best
}
