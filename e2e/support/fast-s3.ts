import { createHash, createHmac } from "node:crypto"
import { startFauxqs } from "fauxqs"
import { startProxy, type Passing } from "@/e2e/support/intercepting-proxy"

const accessKeyId = "AKIATEST"
const secretAccessKey = "a/secret+of=tests"
const region = "eu-west-1"
const bucket = "mail"

/**
 * An S3 server that starts at once, in memory. It accepts every signature, so a proxy in front of it checks
 * them. `url` is a value for S3_URL, with an empty bucket.
 */
export async function startFastS3(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = await startFauxqs({ port: 0, logger: false })
  const made = await fetch(`http://127.0.0.1:${server.port}/${bucket}`, { method: "PUT" })
  if (!made.ok) throw new Error(`The fast S3 server did not create the bucket: ${made.status}`)
  const proxy = await startProxy(server.port, refusal)
  return {
    url: `s3://${accessKeyId}:${encodeURIComponent(secretAccessKey)}@127.0.0.1:${proxy.port}/${bucket}?region=${region}&tls=none`,
    async stop() {
      await proxy.stop()
      await server.stop()
    },
  }
}

function refusal(passing: Passing) {
  if (!isSigned(passing)) return { status: 403, body: "<Error><Code>SignatureDoesNotMatch</Code></Error>" }
  if (!isWhole(passing)) return { status: 400, body: "<Error><Code>XAmzContentSHA256Mismatch</Code></Error>" }
}

/** AWS Signature Version 4, recomputed. */
function isSigned({ method, path, headers }: Passing): boolean {
  const [, credential = "", names = "", signature = ""] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    ) ?? []
  const [key, day = "", ...rest] = credential.split("/")
  const { pathname, searchParams } = new URL(path, "http://x")
  const query = [...searchParams]
    .map((pair) => pair.map(encodeURIComponent).join("="))
    .sort()
    .join("&")
  const signed = names
    .split(";")
    .map((name) => `${name}:${String(headers[name]).trim()}\n`)
    .join("")
  const canonical = [method, pathname, query, signed, names, headers["x-amz-content-sha256"]].join("\n")
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], [day, ...rest].join("/"), sha256(canonical)].join("\n")
  const hmac = (secret: string | Buffer, words: string) => createHmac("sha256", secret).update(words).digest()
  const signer = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  return key === accessKeyId && hmac(signer, text).toString("hex") === signature
}

function isWhole({ headers, body }: Passing): boolean {
  const announced = headers["x-amz-content-sha256"]
  return announced === "UNSIGNED-PAYLOAD" || announced === sha256(body)
}

function sha256(bytes: string | Buffer): string {
  return createHash("sha256").update(bytes).digest("hex")
}
