import { deflateSync } from "node:zlib"
import sharp from "sharp"
import { describe, expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { ImageRefused, imageType, squareWebp } from "@/lib/platform/images/square-webp"

const square = (bytes: Uint8Array) => squareWebp(bytes, "a project")

const red = { r: 200, g: 30, b: 30 }
const picture = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: red } })

describe("an image that is taken", () => {
  test.each(["jpeg", "png", "webp", "gif"] as const)(
    "of type %s becomes a square WebP of at most 512 px",
    async (format) => {
      const drawn = await square(await picture(900, 700).toFormat(format).toBuffer())
      expect(await sharp(drawn).metadata()).toMatchObject({ format: "webp", width: 512, height: 512 })
    },
  )

  test("is never made larger than it came", async () => {
    const drawn = await square(await picture(90, 40).png().toBuffer())
    expect(await sharp(drawn).metadata()).toMatchObject({ width: 40, height: 40 })
  })

  test("one pixel wide and 65,535 high costs no more than it shows", async () => {
    const drawn = await square(await picture(1, 65_535).png().toBuffer())
    expect(await sharp(drawn).metadata()).toMatchObject({ width: 1, height: 1 })
  })

  test("keeps its animation", async () => {
    const frames = [red, { r: 30, g: 200, b: 30 }, { r: 30, g: 30, b: 200 }].map((background) =>
      sharp({ create: { width: 64, height: 64, channels: 3, background } })
        .png()
        .toBuffer(),
    )
    const gif = await sharp(await Promise.all(frames), { join: { animated: true } })
      .gif({ delay: [100, 200, 300], loop: 0 })
      .toBuffer()
    const { pages, delay } = await sharp(await square(gif), { animated: true }).metadata()
    expect({ pages, delay }).toEqual({ pages: 3, delay: [100, 200, 300] })
  })

  test("leaves EXIF, comments and whatever follows its end behind", async () => {
    const jpeg = await picture(80, 80)
      .withExif({
        IFD0: { Copyright: "<script>alert(1)</script>" },
        IFD3: { GPSLatitude: "52/1 30/1 0/1", GPSLatitudeRef: "N" },
      })
      .jpeg()
      .toBuffer()
    const tails = [jpeg, await picture(80, 80).gif().toBuffer(), await picture(80, 80).png().toBuffer()].map((bytes) =>
      Buffer.concat([bytes, Buffer.from("PK\u0003\u0004*/<script>alert(2)</script>")]),
    )
    for (const polyglot of tails) {
      const drawn = await square(polyglot)
      expect(drawn.includes("<script>")).toBe(false)
      expect((await sharp(drawn).metadata()).exif).toBeUndefined()
    }
  })
})

describe("an image that is refused", () => {
  test("is one of more pixels than 25 million, by its header alone", async () => {
    for (const side of [16_000, 100_000]) {
      await expect(square(pngHeader(side, side))).rejects.toThrow(/25 million pixels/)
    }
  })

  test("is one of more than 256 frames", async () => {
    await expect(square(gifOf(1_000))).rejects.toThrow(/1000 frames/)
    await expect(square(gifOf(2))).resolves.toBeInstanceOf(Buffer)
  })

  test(
    "is at most drawn, within seconds, when its text or colour profile swells a thousandfold",
    measured,
    async () => {
      const plain = await picture(64, 64).png().toBuffer()
      const swollen = deflateSync(Buffer.alloc(200 * 2 ** 20))
      for (const [type, name] of [
        ["zTXt", "Comment"],
        ["iCCP", "profile"],
      ] as const) {
        const bomb = withChunk(plain, chunk(type, Buffer.concat([Buffer.from(`${name}\0\0`), swollen])))
        const startedAt = performance.now()
        const drawn = await square(bomb).catch((error: unknown) => error)
        if (Buffer.isBuffer(drawn)) expect(drawn.length).toBeLessThan(2_000)
        else expect(drawn).toBeInstanceOf(ImageRefused)
        expect(performance.now() - startedAt).toBeLessThan(6_000)
      }
    },
  )

  test("is one that is cut short, empty of pixels or not an image", async () => {
    const png = await picture(300, 300).png({ compressionLevel: 0 }).toBuffer()
    const jpeg = await picture(300, 300).jpeg().toBuffer()
    for (const bytes of [
      png.subarray(0, 5_000),
      jpeg.subarray(0, jpeg.length - 400),
      Buffer.from("GIF89a/*<script>"),
      Buffer.alloc(0),
    ]) {
      await expect(square(bytes)).rejects.toThrow(ImageRefused)
    }
  })
})

test("the first bytes say what an image is, whatever its name", async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  const tiff = await picture(9, 9).tiff().toBuffer()
  const heif = Buffer.from("\u0000\u0000\u0000\u0018ftypheic\u0000\u0000\u0000\u0000heicmif1")
  const others = [
    svg,
    tiff,
    Buffer.from("<!doctype html><p>"),
    Buffer.from("%PDF-1.7\n"),
    Buffer.from("BM      "),
    Buffer.from([0, 0, 1, 0, 1, 0]),
    heif,
  ]
  for (const bytes of [...others, Buffer.alloc(0)]) expect(await imageType(bytes)).toBeNull()
  expect(await imageType(await picture(9, 9).webp().toBuffer())).toBe("image/webp")
  expect(await imageType(await picture(9, 9).jpeg().toBuffer())).toBe("image/jpeg")
})

/** The PNG with one more chunk right after its header. */
function withChunk(png: Buffer, more: Buffer): Buffer {
  const headerEnd = 8 + 4 + 4 + 13 + 4
  return Buffer.concat([png.subarray(0, headerEnd), more, png.subarray(headerEnd)])
}

/** A PNG that claims a size and holds next to nothing. */
function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const chunks = [
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc(1_000))),
    chunk("IEND", Buffer.alloc(0)),
  ]
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...chunks])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

function crc32(bytes: Buffer): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}

/** A GIF of one pixel and so many frames. */
function gifOf(frames: number): Buffer {
  const start = Buffer.from("474946383961" + "01000100" + "800000" + "000000ffffff", "hex")
  const frame = Buffer.from("21f904000a000000" + "2c00000000010001000002014400", "hex")
  return Buffer.concat([start, ...Array.from({ length: frames }, () => frame), Buffer.from("3b", "hex")])
}
