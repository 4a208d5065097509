import { CodeTabs } from "@/components/docs/choosers"
import { languageName } from "@/components/docs/choices"
import { CodeBlock } from "@/components/ui/code-block"
import type { Sample } from "@/lib/docs/guides"

type SamplesProps = { samples: readonly Sample[]; language: string | undefined; className?: string }

/** A sample, with a tab for each language if there are several. */
export function Samples({ samples, language, className }: SamplesProps) {
  const [only] = samples
  if (only && samples.length === 1) return <OneSample sample={only} className={className} />
  return (
    <div className={`rounded-md border border-line bg-panel ${className ?? ""}`}>
      <CodeTabs
        language={language}
        samples={samples.map((sample) => ({ lang: sample.lang, shown: <OneSample sample={sample} bare /> }))}
      />
    </div>
  )
}

type OneSampleProps = { sample: Sample; bare?: boolean; className?: string }

function OneSample({ sample: { lang, code }, bare, className }: OneSampleProps) {
  const name = lang ? `${languageName(lang)} sample` : "sample"
  return (
    <CodeBlock code={code} name={name} wrap={false} bare={bare} className={className}>
      <Highlighted code={code} lang={lang} />
    </CodeBlock>
  )
}

/** A sample with its parts in colour, written by the server: no script comes with it. */
export function Highlighted({ code, lang }: { code: string; lang: string }) {
  return codeTokens(code, lang).map(({ kind, text }, at) =>
    kind ? (
      <span key={at} className={colours[kind]}>
        {text}
      </span>
    ) : (
      text
    ),
  )
}

const colours: Record<TokenKind, string> = {
  comment: "text-faint",
  string: "text-good",
  keyword: "text-accent",
  number: "text-warn",
  name: "text-text",
}

/** What a part of a sample is; plain text has no kind. */
type TokenKind = "comment" | "string" | "keyword" | "number" | "name"

type CodeToken = { kind?: TokenKind; text: string }

const double = String.raw`"(?:[^"\\\n]|\\.)*"`
const single = String.raw`'(?:[^'\\\n]|\\.)*'`
const number = String.raw`(?<number>(?<![\w.])\d[\d_]*(?:\.\d+)?\b)`
const words = (list: string) => String.raw`(?<keyword>(?<![\w$.-])(?:${list.replaceAll(" ", "|")})(?![\w-]))`

/** One pattern for each language, whose groups are the kinds; what it does not match is plain. */
const patterns: Readonly<Record<string, RegExp>> = {
  json: new RegExp(
    String.raw`(?<name>${double}(?=\s*:))|(?<string>${double})|${words("true false null")}|${number}`,
    "g",
  ),
  sh: new RegExp(
    [
      String.raw`(?<comment>(?<![^\s])#.*)`,
      // Within single quotes a shell reads lines as they are.
      String.raw`(?<string>"(?:[^"\\]|\\[\s\S])*"|'[^']*')`,
      String.raw`(?<name>\$\w+|(?<=\s)--?[a-zA-Z][\w-]*)`,
      words("curl export echo grep head for in do done if then fi cd npm npx node python3 git"),
    ].join("|"),
    "g",
  ),
  ts: new RegExp(
    [
      String.raw`(?<comment>(?<!:)\/\/.*|\/\*[\s\S]*?\*\/)`,
      String.raw`(?<string>${double}|${single}|${"`[^`]*`"})`,
      words(
        "import from export const let function return if else for of await async new throw type true false null undefined string boolean",
      ),
      number,
    ].join("|"),
    "g",
  ),
  python: new RegExp(
    [
      String.raw`(?<comment>#.*)`,
      String.raw`(?<string>\b[fbr]?(?:${double}|${single})|${double}|${single})`,
      words("import from def return if else elif for in with as not and or True False None"),
      number,
    ].join("|"),
    "g",
  ),
  php: new RegExp(
    [
      String.raw`(?<comment>(?<!:)\/\/.*)`,
      String.raw`(?<string>${double}|${single})`,
      String.raw`(?<name>\$\w+)`,
      words("function return if else foreach as true false null string int array bool"),
      number,
    ].join("|"),
    "g",
  ),
  go: new RegExp(
    [
      String.raw`(?<comment>(?<!:)\/\/.*)`,
      String.raw`(?<string>${double}|${"`[^`]*`"})`,
      words("package import func return if else for range map nil true false string bool byte float64"),
      number,
    ].join("|"),
    "g",
  ),
}

/** A sample in parts, which together are its text. A language that we do not know is one plain part. */
export function codeTokens(code: string, lang: string): CodeToken[] {
  const pattern = patterns[lang]
  if (!pattern) return [{ text: code }]
  const tokens: CodeToken[] = []
  let end = 0
  for (const match of code.matchAll(pattern)) {
    const [text] = match
    if (match.index > end) tokens.push({ text: code.slice(end, match.index) })
    const kind = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined)?.[0] as TokenKind
    if (lang === "sh" && kind === "string" && isJsonBody(text)) tokens.push(...codeTokens(text, "json"))
    else tokens.push({ kind, text })
    end = match.index + text.length
  }
  if (end < code.length) tokens.push({ text: code.slice(end) })
  return tokens
}

/** What curl sends with `-d`, or a part of it around a variable. */
function isJsonBody(text: string): boolean {
  return /^'\s*[[{]/.test(text) || (text.startsWith("'") && text.includes("\n"))
}
