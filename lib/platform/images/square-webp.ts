import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { buffer, text } from "node:stream/consumers"

/** Why an image is refused, as a sentence for the caller. */
export class ImageRefused extends Error {}

/** No slot for an image process became free in time. */
export class ImagesBusy extends Error {}

const sideMax = 512
const pixelsMax = 25_000_000
const framesMax = 256
const timeoutMs = 5_000
const atOnce = 2
const waitMs = 10_000
const refused = 3

/**
 * The centre of an image as a square WebP of at most 512 px a side. Animation is kept; everything else (EXIF, colour
 * profiles, bytes after the end) is dropped, because every pixel is redrawn. At most two run at once, 5 s each.
 * @throws ImageRefused, ImagesBusy
 */
export async function squareWebp(bytes: Uint8Array): Promise<Buffer> {
  await acquireSlot()
  try {
    return await draw(bytes)
  } finally {
    releaseSlot()
  }
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

let taken = 0
const waiting: (() => void)[] = []

function acquireSlot(): Promise<void> {
  if (taken < atOnce) {
    taken += 1
    return Promise.resolve()
  }
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(enter), 1)
      reject(new ImagesBusy())
    }, waitMs)
    const enter = () => {
      clearTimeout(timer)
      resolve()
    }
    waiting.push(enter)
  })
}

/** Passes the slot to the longest waiting call. */
function releaseSlot() {
  const next = waiting.shift()
  if (next) next()
  else taken -= 1
}
