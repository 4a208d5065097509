import { expect, test } from "vitest"
import { withFigures } from "@/e2e/bench/figures"

const page = `Text.

<!-- figures -->

| figure | goal    | last value | date       | command |
| ------ | ------- | ---------- | ---------- | ------- |
| paint  | 2.5     | 2.4        | 2026-11-24 | \`paint\` |
| sends  | >= 2.00 | 1.77       | 2026-11-24 | \`bench\` |

<!-- end of figures -->

More text.
`

test("a measured figure replaces its line, a new one is added, and other lines and texts stay", () => {
  const figures = [
    { row: { what: "sends", measured: "3,515/s", ratio: 1.9, goal: 2 }, command: "bench --only sends" },
    {
      row: { what: "memory", measured: "", value: 321, unit: "MB", goal: 350, atMost: true as const },
      command: "bench",
    },
  ]
  expect(withFigures(page, figures, "2026-11-26")).toBe(`Text.

<!-- figures -->

| figure | goal      | last value     | date       | command              |
| ------ | --------- | -------------- | ---------- | -------------------- |
| paint  | 2.5       | 2.4            | 2026-11-24 | \`paint\`              |
| sends  | >= 2.00   | 1.90 (3,515/s) | 2026-11-26 | \`bench --only sends\` |
| memory | <= 350 MB | 321.0 MB       | 2026-11-26 | \`bench\`              |

<!-- end of figures -->

More text.
`)
})

test("a page without a table of figures is refused, and not written over", () => {
  expect(() => withFigures("Text.\n", [], "2026-11-26")).toThrow("figures")
})
