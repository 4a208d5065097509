import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  type GetObjectCommandOutput,
} from "@aws-sdk/client-s3"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { pipeline } from "node:stream/promises"
import type { ListedObject, ObjectStore, StoredObject } from "@/lib/platform/storage/store"
import type { S3Target } from "@/lib/platform/storage/s3-url"

const connectTimeoutMs = 3_000
const requestTimeoutMs = 20_000
const attempts = 3

/** Objects in a bucket, over the S3 API with version 4 signatures. */
export function s3Store({ endpoint, region, bucket, accessKeyId, secretAccessKey }: S3Target): ObjectStore {
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // With the bucket in the path, which every server supports, the host name matches the certificate.
    forcePathStyle: true,
    maxAttempts: attempts,
    requestHandler: { connectionTimeout: connectTimeoutMs, requestTimeout: requestTimeoutMs },
    // Older servers refuse the checksums that the client would add to every request.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  })

  return {
    async put(Key, Body, ContentType) {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body, ContentType }))
    },

    async putFile(Key, path, ContentType) {
      const { size } = await stat(path)
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key,
        Body: new Uint8Array(),
        ContentLength: size,
        ContentType,
      })
      sendFile(command, path, await sha256Of(path))
      await client.send(command)
    },

    async get(Key): Promise<StoredObject | null> {
      const found = await unlessMissing(client.send(new GetObjectCommand({ Bucket: bucket, Key })))
      if (!found?.Body) return null
      return {
        stream: found.Body.transformToWebStream() as ReadableStream<Uint8Array>,
        bytes: found.ContentLength ?? 0,
        contentType: found.ContentType ?? "application/octet-stream",
      }
    },

    async remove(Key) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }))
    },

    list: (prefix) => objectsBelow(client, bucket, prefix),
  }
}

type Request = { headers: Record<string, string>; body: unknown }

/**
 * A stream as the body would be sent without retries and unsigned, so changes on the way would go unnoticed. Instead the
 * file is read once for its hash, which is signed, and opened anew for each attempt.
 */
function sendFile({ middlewareStack }: PutObjectCommand, path: string, sha256: string) {
  middlewareStack.add(
    (next) => (args) => {
      Object.assign((args.request as Request).headers, { "x-amz-content-sha256": sha256 })
      return next(args)
    },
    { step: "build" },
  )
  middlewareStack.add(
    (next) => async (args) => {
      const body = createReadStream(path)
      Object.assign(args.request as Request, { body })
      try {
        return await next(args)
      } finally {
        body.destroy()
      }
    },
    { step: "deserialize", priority: "low" },
  )
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256")
  await pipeline(createReadStream(path), hash)
  return hash.digest("hex")
}

async function* objectsBelow(client: S3Client, bucket: string, prefix: string): AsyncIterable<ListedObject> {
  let ContinuationToken: string | undefined
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ...(ContinuationToken ? { ContinuationToken } : {}) }),
    )
    for (const { Key, LastModified } of page.Contents ?? []) {
      if (Key && LastModified) yield { key: Key, modifiedAt: LastModified }
    }
    ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (ContinuationToken)
}

async function unlessMissing(work: Promise<GetObjectCommandOutput>): Promise<GetObjectCommandOutput | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof NoSuchKey) return null
    throw error
  }
}
