import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"

const readmes = ["lib/README.md", "lib/cli/README.md", "e2e/README.md"]

/** Whether a text in backticks is a path of this repository, by its extension or its first folder. */
const isPath = (text: string) =>
  /\.(ts|tsx|mjs|cjs|sql|prisma)$/.test(text) ||
  /^(app|components|lib|e2e|prisma|platform|access|emails|delivery|worker)\//.test(text)

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { encoding: "utf8" }).trim().split("\n")

test.each(readmes)("%s names only files that exist", (readme) => {
  const text = readFileSync(readme, "utf8")
  const named = [...text.matchAll(/`([^`\s]+)`/g)].flatMap(([, name = ""]) => (isPath(name) ? [name] : []))
  expect([...new Set(named)].filter((name) => !exists(name, dirname(readme)))).toEqual([])
})

/** From the root, from lib, or beside the README; a name without a folder may be anywhere. */
function exists(name: string, beside: string): boolean {
  // `<area>` and `*` match any text.
  const [begin = "", ...rest] = name.split(/<\w+>|\*+/)
  const end = rest.at(-1)
  return ["", "lib/", `${beside}/`].some((folder) => {
    const start = join(folder, begin)
    return files.some((file) =>
      end === undefined
        ? file === start ||
          file.startsWith(`${start.replace(/\/$/, "")}/`) ||
          (!name.includes("/") && file.endsWith(`/${name}`))
        : file.startsWith(start === "." ? "" : start) && file.endsWith(end),
    )
  })
}
