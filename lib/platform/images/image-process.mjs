// One image in on standard input, one WebP out on standard output. It runs as a process of its own, so that neither a
// hostile file nor the memory and time that it takes can harm the process that answers requests.
import { buffer } from "node:stream/consumers"
import sharp from "sharp"

const [sideMax, pixelsMax, framesMax] = process.argv.slice(2).map(Number)
const refused = 3

sharp.cache(false)
sharp.concurrency(1)

try {
  const input = await buffer(process.stdin)
  const options = { limitInputPixels: pixelsMax, failOn: "error" }
  const {
    width,
    height,
    pageHeight = height,
    pages = 1,
  } = await sharp(input, { ...options, limitInputPixels: false }).metadata()
  if (!(width > 0 && pageHeight > 0)) refuse("It holds no picture.")
  if (pages > framesMax) refuse(`It has ${pages} frames; ${framesMax} are taken.`)
  if (width * pageHeight * pages > pixelsMax)
    refuse(`It has more than ${pixelsMax / 1e6} million pixels over all its frames.`)

  const side = Math.min(sideMax, width, pageHeight)
  const image = sharp(input, { ...options, animated: pages > 1 })
  if (pages === 1) image.autoOrient()
  const output = await image.resize(side, side, { fit: "cover" }).webp({ quality: 82 }).toBuffer()
  process.stdout.write(output)
} catch {
  // What the decoder says speaks of its own insides.
  refuse("It is damaged or cut short.")
}

function refuse(sentence) {
  process.stderr.write(sentence)
  process.exit(refused)
}
