import { z } from "zod"
import { parseUrl } from "@/lib/platform/url-rules"

export type S3Target = {
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/**
 * A bucket in one line: `s3://KEY:SECRET@s3.eu-west-1.amazonaws.com/bucket?region=eu-west-1`. Key and secret are
 * percent-encoded; `tls=none` is for servers of the same machine or network.
 */
export const S3Url = z.string().transform((text, context): S3Target => {
  const url = parseUrl(text)
  const [, bucket, ...rest] = url?.pathname.split("/") ?? []
  const region = url?.searchParams.get("region") ?? ""
  const tls = url?.searchParams.get("tls") ?? "required"
  const unknown = [...(url?.searchParams.keys() ?? [])].filter((name) => name !== "region" && name !== "tls")

  if (url?.protocol !== "s3:" || !url.hostname) return refuse(context, "must be an s3:// URL.")
  if (!url.username || !url.password)
    return refuse(context, "must hold the key and its secret: s3://KEY:SECRET@host/bucket.")
  if (!bucket || rest.some(Boolean)) return refuse(context, "must name one bucket after the host.")
  if (!/^[a-z0-9-]{1,40}$/.test(region)) return refuse(context, "must name the region: ?region=eu-west-1.")
  if (tls !== "required" && tls !== "none") return refuse(context, "tls must be required or none.")
  if (unknown.length > 0) return refuse(context, `does not know ${unknown.join(", ")}; it knows region, tls.`)

  return {
    endpoint: `${tls === "none" ? "http" : "https"}://${url.host}`,
    region,
    bucket,
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
  }
})

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: "custom", message })
  return z.NEVER
}
