import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import { expect, test } from "vitest"

/** What is above projects or serves them all, and tests. */
const above = /^lib\/(platform|access|projects|worker|server|demo|cli)\/|\.test\.ts$/

const scoped = /project_id|scope\.project\.id/
const reason = /all projects|every project|above projects|names? the project/i

test("raw SQL within projects names the project, or its comment says what does or that it serves all projects", () => {
  const silent: string[] = []
  for (const file of filesOf("lib")) {
    for (const { sql, comment } of statementsOf(file)) {
      if (!scoped.test(sql) && !reason.test(comment)) silent.push(`${file}: ${sql.split("\n")[0]}`)
    }
  }
  expect(silent).toEqual([])
})

type Statement = { sql: string; comment: string }

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => file.endsWith(".ts") && !above.test(file))
}

/** The texts given to `$queryRaw`, `$executeRaw`, `query` and `rowsOf`, with the whole of the declaration that gives them. */
function statementsOf(file: string): Statement[] {
  const text = readFileSync(file, "utf8")
  if (!/\$(queryRaw|executeRaw)|\.query\b|rowsOf/.test(text)) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const constants = new Map<string, string>()
  const statements: Statement[] = []
  const add = (node: ts.Node, sql: string) => statements.push({ sql, comment: commentOf(node) })
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer)
      constants.set(node.name.getText(), node.initializer.getText())
    if (ts.isTaggedTemplateExpression(node) && /\$(queryRaw|executeRaw)$/.test(node.tag.getText()))
      add(node, node.template.getText())
    if (ts.isCallExpression(node) && /\.query$/.test(node.expression.getText()) && node.arguments[0]) {
      add(node, node.arguments[0].getText())
    }
    if (ts.isCallExpression(node) && node.expression.getText() === "rowsOf" && node.arguments[1]) {
      add(node, node.arguments[1].getText())
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return statements.map(({ sql, comment }) => ({ sql: inlined(sql, constants), comment }))
}

/** A text with the constants of the file that it names. */
function inlined(sql: string, constants: ReadonlyMap<string, string>): string {
  return [sql, ...(sql.match(/\b[a-zA-Z]\w*\b/g) ?? []).flatMap((name) => constants.get(name) ?? [])].join("\n")
}

/** The comments before and within the top-level declaration around a node. */
function commentOf(node: ts.Node): string {
  const declaration = ts.findAncestor(node, ({ parent }) => parent !== undefined && ts.isSourceFile(parent))
  const text = declaration?.getFullText() ?? ""
  return (text.match(/\/\*[^]*?\*\/|\/\/.*/g) ?? []).join("\n")
}
