import { isCalendarDate, type PropertyType, valueCharsMax, valueFault } from "@/lib/contact-properties/rules"
import type { RowFault } from "@/lib/contacts/imports/failure"

/** Which of comma and point separates the decimals; the other one may group thousands. */
export const decimalMarks = ["comma", "point"] as const
export type DecimalMark = (typeof decimalMarks)[number]

export const dateOrders = ["day_first", "month_first"] as const
export type DateOrder = (typeof dateOrders)[number]

/** How the values of a column are written, where a value alone does not tell: `1.234`, `03/04/2026`. */
export type ColumnFormat = { decimal: DecimalMark; dates: DateOrder }

/** A cell as the API takes a value of the type, or why it is none. Empty text is no value. */
export function readValue(
  type: PropertyType,
  text: string,
  format: ColumnFormat,
): { value: string } | { fault: RowFault } {
  const value = converted(type, text, format)
  if (value !== null && value.length > valueCharsMax)
    return { fault: { code: "too_long", facts: { charsMax: valueCharsMax } } }
  return value === null || valueFault(type, value) ? { fault: { code: "not_of_type", facts: { type } } } : { value }
}

function converted(type: PropertyType, text: string, format: ColumnFormat): string | null {
  switch (type) {
    case "string":
      return text
    case "number":
      return readNumber(text, format.decimal)
    case "boolean": {
      const answer = readYesOrNo(text)
      return answer === null ? null : String(answer)
    }
    case "date":
      return readDate(text, format.dates)
  }
}

/** Characters of a cell that can be a number or a date. */
const charsMax = 400

// Numbers

/** A number as the API takes it: `+7`, `007`, `1.50`, `6.489,61`, `6,489.61`, `1 234,5`, `12,50 €`; null if it is none. */
function readNumber(text: string, decimal: DecimalMark): string | null {
  const other = decimal === "comma" ? "point" : "comma"
  return numberWith(decimal, text) ?? numberWith(other, text)
}

function withoutCurrency(text: string): string {
  return text
    .trim()
    .replace(/^\p{Sc}/u, "")
    .replace(/\p{Sc}$/u, "")
    .trim()
}

function numberWith(decimal: DecimalMark, text: string): string | null {
  if (text.length > charsMax) return null
  const [, sign = "", whole = "", fraction = "", power = ""] = numbers[decimal].exec(withoutCurrency(text)) ?? []
  if (whole + fraction === "") return null
  const digits = whole.replaceAll(/\D/g, "").replace(/^0+(?=\d)/, "") || "0"
  return `${sign === "-" ? "-" : ""}${digits}${fraction && `.${fraction}`}${power}`
}

/** Groups of thousands begin with another digit than 0, so that `0.125` is none. */
const numbers: Record<DecimalMark, RegExp> = {
  comma: numberPattern(",", "."),
  point: numberPattern(".", ","),
}

function numberPattern(decimal: string, group: string): RegExp {
  const groups = `[${group}]|[ \\u00a0\\u202f]|['’]`
  const grouped = groups
    .split("|")
    .map((one) => `[1-9]\\d{0,2}(?:${one}\\d{3})+`)
    .join("|")
  return new RegExp(`^([+-]?)(${grouped}|\\d*)(?:[${decimal}](\\d+))?([eE][+-]?\\d{1,3})?$`)
}

/** The decimal mark that a value shows: the only one with which it is a number. */
function decimalOf(text: string): DecimalMark | null {
  const possible = decimalMarks.filter((mark) => numberWith(mark, text) !== null)
  return possible.length === 1 ? (possible[0] ?? null) : null
}

// Yes and no

/** Without accents, in lower case: "Prénom" is `prenom`, "DOĞRU" `dogru`. */
const plain = (text: string) =>
  text.trim().normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("ı", "i")

/**
 * In the languages in which the names of columns are known, and as their spreadsheets write truth: English, German, French, Spanish,
 * Italian, Dutch, Portuguese and Turkish, without accents.
 */
const yes = new Set(
  [
    ...["true yes y t 1 on", "wahr ja j", "vrai oui o", "verdadero si s", "vero", "waar"],
    ...["verdadeiro sim", "dogru evet e"],
  ].flatMap((words) => words.split(" ")),
)
const no = new Set(
  [...["false no n f 0 off", "falsch nein", "faux non", "falso", "onwaar nee", "nao", "yanlis hayir h"]].flatMap(
    (words) => words.split(" "),
  ),
)

/** Longer than any of them. Finding the accents of a text takes time that grows with the square of their number. */
const answerCharsMax = 40

function readYesOrNo(text: string): boolean | null {
  if (text.trim().length > answerCharsMax) return null
  const word = plain(text)
  return yes.has(word) ? true : no.has(word) ? false : null
}

// Dates

/** A time after a date is left out. */
const time = String.raw`(?:[t ,]+\d{1,2}:\d{2}.*)?$`
const yearFirst = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${time}`)
const yearLast = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})${time}`)
const dayAndName = new RegExp(
  String.raw`^(\d{1,2})(?:st|nd|rd|th|er|\.|º)?[\s-]+(?:de\s+)?(\p{L}{3,})\.?,?[\s-]+(?:de\s+)?(\d{4})${time}`,
  "u",
)
const nameAndDay = new RegExp(String.raw`^(\p{L}{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})${time}`, "u")

/**
 * A date as the API takes it: from `2026-03-31`, `31.03.2026`, `31/3/26`, `3/31/2026`, `31 March 2026`, `31. März 2026` or
 * `March 31, 2026`, with or without a time; null if it is none.
 */
function readDate(given: string, order: DateOrder): string | null {
  if (given.length > charsMax) return null
  const text = plain(given)
  const iso = yearFirst.exec(text)
  if (iso) return dateOf(iso[1], iso[3], iso[4])
  const last = yearLast.exec(text)
  if (last) {
    const [, first, mark, second, year] = last
    const ordered = mark === "." || order === "day_first" ? [second, first] : [first, second]
    const [month, day] = ordered
    return dateOf(fullYear(year), month, day) ?? (mark === "." ? null : dateOf(fullYear(year), day, month))
  }
  const [, dayBefore, nameAfter, yearAfter] = dayAndName.exec(text) ?? []
  if (nameAfter) return dateOf(yearAfter, monthOf(nameAfter), dayBefore)
  const [, name, day, year] = nameAndDay.exec(text) ?? []
  return name ? dateOf(year, monthOf(name), day) : null
}

function dateOf(year = "", month: string | number = "", day = ""): string | null {
  const text = `${year}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`
  return isCalendarDate(text) ? text : null
}

/** Of two digits as spreadsheets read them: 30 to 99 are of the last century. */
function fullYear(year = ""): string {
  return year.length === 4 ? year : `${Number(year) < 30 ? 20 : 19}${year}`
}

/** In English, German, French and Spanish, without accents. */
const months = [
  "january januar jaenner janner janvier enero",
  "february februar fevrier febrero",
  "march marz maerz mars marzo",
  "april avril abril",
  "may mai mayo",
  "june juni juin junio",
  "july juli juillet julio",
  "august aout agosto",
  "september septembre septiembre",
  "october oktober octobre octubre",
  "november novembre noviembre",
  "december dezember decembre diciembre",
].map((names) => names.split(" "))

/** The month that a name or its first letters can only mean. */
function monthOf(word: string): number | undefined {
  const possible = months.flatMap((names, at) => (names.some((name) => name.startsWith(word)) ? [at + 1] : []))
  return possible.length === 1 ? possible[0] : undefined
}

/** The order that a date shows: by a number that can be no month. */
function dateOrderOf(text: string): DateOrder | null {
  const [, first = "", mark, second = ""] = yearLast.exec(plain(text)) ?? []
  if (mark === undefined || mark === ".") return null
  if (Number(first) > 12) return "day_first"
  return Number(second) > 12 ? "month_first" : null
}

// Columns

/** Whether a value is written in one of two ways that its column decides. */
function isOpen(type: PropertyType, text: string): boolean {
  if (type === "number") return /[.,]/.test(text)
  if (type !== "date") return false
  const mark = text.length > charsMax ? undefined : yearLast.exec(plain(text))?.[2]
  return mark !== undefined && mark !== "."
}

/** `assumed` where no value of the column told. */
export type DecidedFormat = Partial<ColumnFormat> & { assumed: boolean }

type Seen = Record<DecimalMark | DateOrder, number> & { open: number }

/**
 * Decides how the values of each column are written, by those whose meaning is certain: the columns are read as most of
 * them are. `types` are those of the columns' properties, null for a column without one.
 */
export function createFormatScan(types: readonly (PropertyType | null)[]) {
  const judged = types.flatMap((type, at) => (type === "number" || type === "date" ? [{ type, at }] : []))
  const seen: Seen[] = types.map(() => ({ comma: 0, point: 0, day_first: 0, month_first: 0, open: 0 }))
  const isTold = ({ comma, point, day_first, month_first }: Seen) => comma + point + day_first + month_first > 0

  return {
    add(cells: readonly string[]) {
      for (const { type, at } of judged) {
        const text = cells[at]?.trim() ?? ""
        const of = seen[at]
        if (!of || !isOpen(type, text)) continue
        of.open += 1
        const shown = type === "number" ? decimalOf(text) : dateOrderOf(text)
        if (shown) of[shown] += 1
      }
    },

    /** Whether every column has shown how it is written. */
    decided: () => judged.every(({ at }) => seen[at] !== undefined && isTold(seen[at])),

    /** Of each column that has values to decide; `otherwise` decides where none of them tells. */
    formats(otherwise: ColumnFormat): (DecidedFormat | null)[] {
      return seen.map((of, at) => {
        const type = types[at]
        if (of.open === 0 || !type) return null
        const more = <Key extends DecimalMark | DateOrder>(one: Key, other: Key, fallback: Key) =>
          of[one] === of[other] ? fallback : of[one] > of[other] ? one : other
        return type === "number"
          ? { decimal: more("comma", "point", otherwise.decimal), assumed: !isTold(of) }
          : { dates: more("day_first", "month_first", otherwise.dates), assumed: !isTold(of) }
      })
    },
  }
}

/** What decides where no value does: spreadsheets with a decimal comma separate cells by semicolons. */
export function formatOtherwise(delimiter: string, dates: DateOrder = "day_first"): ColumnFormat {
  return { decimal: delimiter === ";" ? "comma" : "point", dates }
}

// Proposals

/** The share of values that a proposed type must fit, so that a few mistakes do not hide it. */
const fitting = 0.9

/** The type that the values of a column have; text where there are none. */
export function proposedType(values: readonly string[], format: ColumnFormat): PropertyType {
  const filled = values.map((value) => value.trim()).filter(Boolean)
  const fits = (type: PropertyType) =>
    filled.length > 0 &&
    filled.filter((value) => "value" in readValue(type, value, format)).length >= fitting * filled.length
  // Where all are 0 or 1, they may as well count something.
  if (filled.some((value) => /\p{L}/u.test(value)) && fits("boolean")) return "boolean"
  if (fits("date")) return "date"
  // Postcodes, phone numbers and other codes are no numbers.
  if (filled.some((value) => /^0\d|^\+|\d{16}/.test(value))) return "string"
  return fits("number") ? "number" : "string"
}

/** A key for a property from the name of a column, such as `umsatz_eur` for "Umsatz EUR"; not one that is taken. */
export function proposedKey(name: string, isTaken: (key: string) => boolean): string {
  const key =
    plain(name.slice(0, charsMax).replaceAll("ß", "ss"))
      .replaceAll(/[^a-z0-9]+/g, "_")
      .replaceAll(/^_|_$/g, "")
      .slice(0, 46) || "column"
  if (!isTaken(key)) return key
  for (let count = 2; ; count++) if (!isTaken(`${key}_${count}`)) return `${key}_${count}`
}
