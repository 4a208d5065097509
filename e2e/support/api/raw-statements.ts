import ts from "typescript"
import { read } from "@/e2e/support/api/table-writers"

const statement =
  /^\s*(?:WITH|SELECT|INSERT INTO|UPDATE(?! SET)|DELETE FROM|TRUNCATE|LOCK|SET|LISTEN|CALL|CREATE|ALTER|DROP)\s/

/** The statements of SQL that a source file writes out: texts that begin like one. A text within another is a part of it. */
export function rawStatements(file: string): string[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const text = textOf(node)
    if (text !== null && statement.test(text)) found.push(text)
    else ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text
  return ts.isTemplateExpression(node)
    ? node.head.text + node.templateSpans.map(({ literal }) => literal.text).join("")
    : null
}
