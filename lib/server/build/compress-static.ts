import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { codings, compressedFile, staticFiles, type Coding } from "@/lib/server/web/static-folders"

/** Of 11: the last step takes two and a half times as long and saves another fiftieth. The reader of the reference alone would take two seconds. */
const brotliQuality = (bytes: number) => (bytes < 1_000_000 ? 10 : 5)

const compress: Record<Coding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality(bytes.length),
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
}

/** Compresses what the web server serves as files, once for all processes and requests. */
export async function compressStatic(root = process.cwd()): Promise<void> {
  const write = async (path: string, file: string, coding: Coding) => {
    const compressed = compressedFile(root, coding, path)
    await mkdir(dirname(compressed), { recursive: true })
    await writeFile(compressed, await compress[coding](await readFile(file)))
  }
  const shrinking = staticFiles(root).filter(({ shrinks }) => shrinks)
  await Promise.all(shrinking.flatMap(({ path, file }) => codings.map((coding) => write(path, file, coding))))
}
