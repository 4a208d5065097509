import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { buffer, text } from "node:stream/consumers"
import { createSharedSlots } from "@/lib/platform/jobs/slots"

/** Why an image is refused, as a sentence for the caller. */
export class ImageRefused extends Error {}

const sideMax = 512
const pixelsMax = 25_000_000
const framesMax = 256
const timeoutMs = 5_000
const refused = 3

const inPlace = createSharedSlots({ count: 2, perOwner: 1, waitMs: 10_000 })

/**
 * The centre of an image as a square WebP of at most 512 px a side. Animation is kept; everything else (EXIF, colour
 * profiles, bytes after the end) is dropped, because every pixel is redrawn. At most two run at once, one of the same owner
 * (a project), 5 s each.
 * @throws ImageRefused; SlotsBusy when no place becomes free within 10 s
 */
export function squareWebp(bytes: Uint8Array, owner: string): Promise<Buffer> {
  return inPlace(owner, () => draw(bytes))
}

async function draw(bytes: Uint8Array): Promise<Buffer> {
  const program = join(process.cwd(), "lib/platform/images/image-process.mjs")
  const child = spawn(
    process.execPath,
    ["--max-old-space-size=128", program, `${sideMax}`, `${pixelsMax}`, `${framesMax}`],
    {
      stdio: ["pipe", "pipe", "pipe"],
      // The process gets none of our configuration.
      env: { NODE_ENV: "production" },
    },
  )
  const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs)
  // A process that ends before it has read everything closes the pipe.
  child.stdin.on("error", () => undefined)
  child.stdin.end(bytes)
  try {
    const [output, reason, [code]] = await Promise.all([buffer(child.stdout), text(child.stderr), once(child, "close")])
    if (code === 0 && output.length > 0) return output
    throw new ImageRefused(code === refused ? reason : "It could not be drawn within the time and memory of an image.")
  } finally {
    clearTimeout(timer)
  }
}
