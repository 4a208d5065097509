import type {
  GetObjectCommandOutput,
  ListObjectsV2CommandInput,
  ListObjectsV2CommandOutput,
  PutObjectCommand,
} from "@aws-sdk/client-s3"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { pipeline } from "node:stream/promises"
import type { ListedObject, ObjectStore, StoredObject } from "@/lib/platform/storage/store"
import type { S3Target } from "@/lib/platform/env/fields"

const attempts = 3

/** Milliseconds. */
const usualLimits = {
  connect: 3_000,
  /** Until an attempt is answered. */
  attempt: 12_000,
  /** Of a call with all its attempts. */
  all: 30_000,
  /** Until the next bytes of an object come, once they are asked for. */
  silence: 15_000,
  /** More for each MiB of a file that is sent: a link of 8 Mbit/s will do. */
  perMebibyte: 1_000,
}

/** Objects in a bucket, over the S3 API with version 4 signatures. */
export function s3Store(target: S3Target, limits = usualLimits): ObjectStore {
  const { bucket } = target
  let opened: ReturnType<typeof openClient> | undefined
  const open = () => (opened ??= openClient(target, limits))

  /** The library's own limits end an attempt that nobody answers; this one ends whatever happens, a half answer too. */
  async function within<T>(ms: number, call: (options: CallOptions) => Promise<T>): Promise<T> {
    const stop = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(tooLate(ms))
        stop.abort()
      }, ms)
    })
    const requestTimeout = Math.max(limits.attempt, ms - limits.all)
    try {
      return await Promise.race([call({ abortSignal: stop.signal, requestTimeout }), late])
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async put(Key, Body, ContentType) {
      const { client, PutObjectCommand } = await open()
      const command = new PutObjectCommand({ Bucket: bucket, Key, Body, ContentType })
      await within(limits.all, (options) => client.send(command, options))
    },

    async putFile(Key, path, ContentType) {
      const { client, PutObjectCommand } = await open()
      const { size } = await stat(path)
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key,
        Body: new Uint8Array(),
        ContentLength: size,
        ContentType,
      })
      sendFile(command, path, await sha256Of(path))
      const ms = limits.all + (size / 2 ** 20) * limits.perMebibyte
      await within(ms, (options) => client.send(command, options))
    },

    async get(Key): Promise<StoredObject | null> {
      const { client, GetObjectCommand, NoSuchKey } = await open()
      const command = new GetObjectCommand({ Bucket: bucket, Key })
      const found = await within(limits.all, (options) => client.send(command, options)).catch(
        (error: unknown): GetObjectCommandOutput | null => {
          if (error instanceof NoSuchKey) return null
          throw error
        },
      )
      if (!found?.Body) return null
      return {
        stream: endingIfSilent(found.Body.transformToWebStream() as ReadableStream<Uint8Array>, limits.silence),
        bytes: found.ContentLength ?? 0,
        contentType: found.ContentType ?? "application/octet-stream",
      }
    },

    async remove(Key) {
      const { client, DeleteObjectCommand } = await open()
      const command = new DeleteObjectCommand({ Bucket: bucket, Key })
      await within(limits.all, (options) => client.send(command, options))
    },

    list: (prefix) =>
      objectsBelow(bucket, prefix, async (page) => {
        const { client, ListObjectsV2Command } = await open()
        return within(limits.all, (options) => client.send(new ListObjectsV2Command(page), options))
      }),
  }
}

/** The SDK is large, and a bundle loads at its start what a file imports at its head: a process without a bucket never loads it. */
async function openClient({ endpoint, region, accessKeyId, secretAccessKey }: S3Target, limits: typeof usualLimits) {
  const sdk = await import("@aws-sdk/client-s3")
  const client = new sdk.S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // With the bucket in the path, which every server supports, the host name matches the certificate.
    forcePathStyle: true,
    maxAttempts: attempts,
    // Without `throwOnRequestTimeout` the limit is a warning.
    requestHandler: {
      connectionTimeout: limits.connect,
      requestTimeout: limits.attempt,
      throwOnRequestTimeout: true,
    },
    // Older servers refuse the checksums that the client would add to every request.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  })
  return { ...sdk, client }
}

type CallOptions = { abortSignal: AbortSignal; requestTimeout: number }

/** A fault of the storage, as one that its server reports itself. */
function tooLate(ms: number): Error {
  const message = `The storage did not answer within ${Math.round(ms / 1_000)} s.`
  return Object.assign(new Error(message), { code: "ETIMEDOUT", $metadata: {} })
}

/** A reader may take its time, but whoever waits for bytes waits so long at most. */
function endingIfSilent(stream: ReadableStream<Uint8Array>, ms: number): ReadableStream<Uint8Array> {
  const reader = stream.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let timer: NodeJS.Timeout | undefined
        const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(tooLate(ms)), ms)))
        try {
          const { done, value } = await Promise.race([reader.read(), late])
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          void reader.cancel().catch(() => undefined)
          throw error
        } finally {
          clearTimeout(timer)
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
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

async function* objectsBelow(
  bucket: string,
  prefix: string,
  send: (page: ListObjectsV2CommandInput) => Promise<ListObjectsV2CommandOutput>,
): AsyncIterable<ListedObject> {
  let ContinuationToken: string | undefined
  do {
    const page = await send({ Bucket: bucket, Prefix: prefix, ...(ContinuationToken ? { ContinuationToken } : {}) })
    for (const { Key, LastModified } of page.Contents ?? []) {
      if (Key && LastModified) yield { key: Key, modifiedAt: LastModified }
    }
    ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (ContinuationToken)
}
